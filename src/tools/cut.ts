/** Cuts a result to its limit and says how much was cut and how to get the rest. Structure survives as far as it fits. */
import type { Json, JsonObject } from '../domain/json.js';
import type { ResultLimit } from './tool.js';

/** The note names the artifact, so it is asked first whether there is anything to cut and keep. */
export function isTooLong(data: Json, limit: ResultLimit): boolean {
  if (typeof data === 'string') return data.length > limit.chars || linesOf(data, limit.lines) > limit.lines;
  if (typeof data !== 'object' || data === null) return false;
  return sizeUpTo(data, limit.chars + 1) > limit.chars || breaksInside(data, limit.lines) >= limit.lines;
}

/** The whole value as text; undefined when that would be more than `most` characters. */
export function fullText(data: Json, most: number): string | undefined {
  if (sizeUpTo(data, most) > most) return undefined;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** How the rest is to be had. */
export interface CutWords {
  readonly rest: string;
  readonly artifact: string | undefined;
}

export function cutTo(data: Json, limit: ResultLimit, words: CutWords): Json {
  const tail = `${words.rest}${words.artifact === undefined ? '' : `; all of it is kept as artifact ${words.artifact}`}`;
  if (typeof data === 'string') return cutText(data, limit, tail);
  const total = sizeUpTo(data as JsonObject, Number.MAX_SAFE_INTEGER);
  const note = `result cut: ${number(total)} characters in all, at most ${number(limit.chars)} shown; to get the rest: ${tail}`;
  const room = limit.chars - JSON.stringify(note).length - '{"cut":,"value":}'.length;
  let chars = room;
  // The shares are estimates; shrink until the text really fits.
  for (let tries = 0; tries < 8; tries += 1) {
    const value = shrunk(data, chars, { lines: limit.lines });
    const size = sizeUpTo(value, room + 1);
    if (size <= room) return { cut: note, value };
    chars = Math.floor(chars * 0.75);
  }
  return { cut: note, value: null };
}

function cutText(text: string, limit: ResultLimit, tail: string): string {
  const allLines = linesOf(text, Number.MAX_SAFE_INTEGER);
  const note = (shown: string): string =>
    `\n[cut: ${number(shown.length)} of ${number(text.length)} characters, ${number(linesOf(shown, allLines))} of ${number(allLines)} lines shown; to get the rest: ${tail}]`;
  const room = Math.max(0, limit.chars - note(text).length);
  const shown = firstLines(headOf(text, room), limit.lines - 1);
  return shown + note(shown);
}

/** The first `chars` UTF-16 units, without half a character at the end. */
export function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

function firstLines(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text;
  }
  return text.slice(0, end);
}

/** Lines of a text, counted no further than just past `most`. */
function linesOf(text: string, most: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= most; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Line breaks in all texts of a value, counted no further than just past `most`. */
function breaksInside(data: Json, most: number): number {
  if (typeof data === 'string') return linesOf(data, most) - 1;
  if (typeof data !== 'object' || data === null) return 0;
  let breaks = 0;
  for (const item of Object.values(data)) {
    breaks += breaksInside(item, most);
    if (breaks > most) break;
  }
  return breaks;
}

/** Beyond this a text is not looked through for characters that need escaping. */
const escapeChars = 200_000;

/** Length of the JSON text, counted no further than `most`; of very long texts about that. */
export function sizeUpTo(data: Json, most: number): number {
  if (typeof data === 'string') {
    return data.length > Math.min(most, escapeChars) ? data.length + 2 : JSON.stringify(data).length;
  }
  if (typeof data !== 'object' || data === null) return String(data).length;
  let size = 1;
  for (const [key, item] of Object.entries(data)) {
    size += 1 + (Array.isArray(data) ? 0 : sizeUpTo(key, most) + 1) + sizeUpTo(item, most - size);
    if (size > most) break;
  }
  return Math.max(2, size);
}

/** As much of the value as fits into about `chars`: heads of long texts, first items of long lists, all keys of objects. */
function shrunk(data: Json, chars: number, room: { lines: number }): Json {
  if (typeof data === 'string') return shortText(data, chars, room);
  if (typeof data !== 'object' || data === null) return data;
  const breaks = breaksInside(data, room.lines);
  if (breaks < room.lines && sizeUpTo(data, chars) <= chars) {
    room.lines -= breaks;
    return data;
  }
  return Array.isArray(data) ? shortList(data, chars, room) : shortObject(data as JsonObject, chars, room);
}

function shortText(text: string, chars: number, room: { lines: number }): string {
  const lined = firstLines(text, Math.max(1, room.lines));
  const fits = lined.length === text.length && sizeUpTo(text, chars) <= chars;
  // Escapes make text longer in JSON: take as many characters as fit escaped.
  let shown = fits ? text : headOf(lined, Math.max(0, chars - 40));
  while (!fits && shown.length > 0 && JSON.stringify(shown).length > chars - 38) {
    shown = headOf(shown, Math.floor(shown.length * 0.8));
  }
  room.lines -= linesOf(shown, Number.MAX_SAFE_INTEGER) - 1;
  return fits ? text : `${shown}… [${number(text.length - shown.length)} more characters]`;
}

function shortList(list: readonly Json[], chars: number, room: { lines: number }): Json {
  const kept: Json[] = [];
  let left = chars - 2 - 24;
  for (const item of list) {
    const size = sizeUpTo(item, left) + 1;
    if (size <= left) {
      kept.push(shrunk(item, size, room));
      left -= size;
      continue;
    }
    if (kept.length === 0 && left > 80) kept.push(shrunk(item, left, room));
    break;
  }
  return kept.length === list.length ? kept : [...kept, `… ${number(list.length - kept.length)} more items`];
}

function shortObject(object: JsonObject, chars: number, room: { lines: number }): Json {
  const entries = Object.entries(object).map(([key, value]) => {
    const own = key.length + 4;
    return { key, value, own, wants: sizeUpTo(value, chars) };
  });
  let left = chars - 2;
  const granted = new Map<string, number>();
  // Small values first take what they need; what remains is shared among the large ones.
  const bySize = [...entries].sort((a, b) => a.wants - b.wants);
  for (const [index, entry] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index)) - entry.own;
    const grant = Math.max(0, Math.min(entry.wants, share));
    granted.set(entry.key, grant);
    left -= grant + entry.own;
  }
  const kept: [string, Json][] = [];
  let used = 2;
  for (const { key, value, own, wants } of entries) {
    const grant = granted.get(key) ?? 0;
    const small = wants <= grant ? shrunk(value, grant, room) : shrunk(value, Math.max(grant, 44), room);
    used += own + sizeUpTo(small, chars);
    if (used > chars - 30 && kept.length > 0) {
      kept.push(['…', `${number(entries.length - kept.length)} more keys`]);
      break;
    }
    kept.push([key, small]);
  }
  return Object.fromEntries(kept);
}

const number = (value: number): string => value.toLocaleString('en-US');
