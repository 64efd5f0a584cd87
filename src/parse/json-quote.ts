/** Reads one string of a broken JSON text: finds its end, and notes the edit that makes it valid. */
import { closes, isQuote, isSpace, QUOTES } from './json-char.js';
import type { Edit } from './json-edit.js';
import { type Container, decodeString, endsString, lostEnd, type Role } from './json-string.js';

/** What reading a string needs of the walk. */
export interface StringWalk {
  readonly text: string;
  readonly end: number;
  pos: number;
  /** How far the reading has looked, whatever came of it. */
  furthest: number;
  /** What was read in vain besides. */
  extra: number;
  cut: 'none' | 'closers' | 'value';
  readonly edits: Edit[];
  readonly container: Container;
  readonly depth: number;
  /** Give up at the first thing that no JSON writer would produce. */
  readonly probe: boolean;
  giveUp(reason: string): void;
  edit(at: number, remove: number, insert: string, rule: string): void;
  inside(at: number): (StringWalk & { readonly fail: string | undefined; value(): void }) | undefined;
}

/** Longer keys are no keys: braces and quotes in prose. */
const MAX_KEY = 1_000;

/** Of a text that does not end no more is kept: it never reaches a tool. */
const CUT_KEPT = 100_000;

/** The repair of a text with unescaped quotes in it. */
export const RAW_QUOTES = 'quotes that need escaping';

const PLAIN_ESCAPE = /["\\/bfnrt]/;

export function walkString(walk: StringWalk, role: Role): void {
  const start = walk.pos;
  const first = walk.edits.length;
  readOne(walk, role);
  const stray = quoteTokenAt(walk.text, walk.pos);
  if (stray !== undefined && /^\s*[,}\]]/.test(walk.text.slice(walk.pos + stray.length, walk.pos + stray.length + 8))) {
    walk.edit(walk.pos, stray.length, '', 'stray quote');
    walk.pos += stray.length;
  }
  if (!plusAhead(walk)) return;
  const parts = [innerJson(walk, start, first)];
  while (plusAhead(walk)) {
    walk.pos = walk.text.indexOf('+', walk.pos) + 1;
    while (isSpace(walk.text.charCodeAt(walk.pos))) walk.pos++;
    const from = walk.pos;
    readOne(walk, 'value');
    parts.push(innerJson(walk, from, first));
  }
  walk.edit(start, walk.pos - start, `"${parts.join('')}"`, 'joined strings');
}

/** The JSON text of the string just read, without its quotes; takes its edit back. */
function innerJson(walk: StringWalk, from: number, first: number): string {
  const edited = walk.edits.length > first ? walk.edits.pop()?.insert : undefined;
  return (edited ?? walk.text.slice(from, walk.pos)).slice(1, -1);
}

/** `+` and another string follow. */
function plusAhead(walk: StringWalk): boolean {
  const { text, end } = walk;
  let i = walk.pos;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  if (text[i] !== '+') return false;
  i++;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return isQuote(text[i]);
}

function readOne(walk: StringWalk, role: Role): void {
  const { text, end } = walk;
  const start = walk.pos;
  const quote = text[start] as string;
  const closers = QUOTES[quote] as string;
  if (special(walk, start, quote, closers)) return;
  const reach = role === 'key' && walk.probe ? Math.min(end, start + MAX_KEY) : end;
  let dirty = quote !== '"';
  let quotes = false;
  let i = start + 1;
  for (; i < reach; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) {
      const next = text[i + 1] ?? '';
      if (next === 'u' ? !/^[0-9a-fA-F]{4}/.test(text.slice(i + 2, i + 6)) : !PLAIN_ESCAPE.test(next)) dirty = true;
      i++;
    } else if (code < 32) dirty = true;
    else if (closes(closers, code)) {
      if (endsString(text, i, end, role, walk.container, walk.depth)) break;
      const comma = quotes || role === 'key' ? -1 : lostEnd(text, start + 1, i, walk.container);
      if (comma > 0) {
        walk.edit(
          start,
          comma - start,
          JSON.stringify(decodeString(text.slice(start + 1, comma))),
          'closing quote missing',
        );
        walk.pos = comma;
        return;
      }
      dirty = true;
      quotes = true;
    }
  }
  if (i >= reach && reach < end) {
    walk.pos = reach;
    walk.giveUp('key too long');
    return;
  }
  if (i >= end) {
    walk.cut = 'value';
    i = end;
  } else if (quotes && endsInKey(text, start, i, end)) walk.cut = 'value';
  const closed = i < end;
  const stop = closed ? i + 1 : i;
  walk.furthest = Math.max(walk.furthest, stop);
  if (dirty || !closed) {
    const rule = !closed
      ? 'closing quote missing'
      : quotes
        ? RAW_QUOTES
        : quote === '"'
          ? 'characters that need escaping'
          : 'other quotes';
    const kept = closed ? i : Math.min(i, start + CUT_KEPT);
    walk.edit(start, stop - start, JSON.stringify(decodeString(text.slice(start + 1, kept))), rule);
  }
  walk.pos = stop;
}

/** The text ends behind what may be the next key: `"a": "x", "b"`. */
const endsInKey = (text: string, start: number, close: number, end: number): boolean =>
  text.slice(close + 1, Math.min(end, close + 9)).trim() === '' &&
  end - close < 9 &&
  /",\s{0,9}"[^",]{0,60}$/.test(text.slice(Math.max(start, close - 80), close));

/** Tokens that some models write for both quotes. */
const QUOTE_TOKENS = ['<|"|>', '<escape>'];

export const quoteTokenAt = (text: string, at: number): string | undefined =>
  text.charCodeAt(at) === 60 ? QUOTE_TOKENS.find((token) => text.startsWith(token, at)) : undefined;

/** A string between two equal tokens: what stands in it is text, to the byte. */
export function walkBetweenTokens(walk: StringWalk, token: string): void {
  const start = walk.pos;
  const from = start + token.length;
  const close = walk.text.indexOf(token, from);
  const before = beforeClosers(walk, from, close < 0 ? walk.end : close);
  const closed = before < 0 && close >= 0 && close < walk.end;
  const stop = closed ? close : before < 0 ? walk.end : before;
  if (!closed && before < 0) walk.cut = 'value';
  walk.pos = closed ? close + token.length : stop;
  walk.furthest = Math.max(walk.furthest, walk.pos);
  walk.edit(
    start,
    walk.pos - start,
    JSON.stringify(walk.text.slice(from, stop)),
    closed ? 'other quotes' : 'closing quote missing',
  );
}

const CALL_END = /([}\]]{1,64})\s?<(?:tool_call\||end_function_call)>/;

/** The closing token is missing: the text ends before as many closers as are open, right before the end of the call. */
function beforeClosers({ text, depth }: StringWalk, from: number, to: number): number {
  const found = CALL_END.exec(text.slice(from, to));
  const closers = found?.[1]?.length ?? 0;
  return found === null || closers < depth ? -1 : from + found.index + closers - depth;
}

/** Triple quotes, and JSON whose own quotes nobody escaped. */
function special(walk: StringWalk, start: number, quote: string, closers: string): boolean {
  const { text, end } = walk;
  const next = text[start + 1];
  if (next === quote && text[start + 2] === quote && '"\'`'.includes(quote)) {
    const stop = tripleEnd(text, quote.repeat(3), start + 3, end);
    if (stop < 0) return false;
    const raw = text.slice(start + 3, stop);
    const inner = quote === '`' ? fenced(raw) : decodeString(raw);
    walk.edit(start, stop + 3 - start, JSON.stringify(inner), 'triple quotes');
    walk.pos = stop + 3;
    return true;
  }
  return (
    (next === '{' || next === '[') && NESTED.test(text.slice(start + 1, start + 12)) && nested(walk, start, closers)
  );
}

/** Triple quotes inside triple quotes that are passed over. */
const MAX_TRIPLES = 16;

/** Where the triple quotes stand that end the text: the first that structure follows, else the first; -1 when none stand here. */
function tripleEnd(text: string, quotes: string, from: number, end: number): number {
  const first = text.indexOf(quotes, from);
  let stop = first;
  for (let i = 0; i < MAX_TRIPLES && stop >= 0 && stop < end; i++) {
    if (/^\s*(?:[,，}\]]|$|"[^"\n]{1,60}"\s{0,4}:)/.test(text.slice(stop + 3, Math.min(end, stop + 90)))) return stop;
    stop = text.indexOf(quotes, stop + 1);
  }
  return first < end ? first : -1;
}

/** What stands in a code fence: without its first line, which names a language, and the end of its last. */
const fenced = (raw: string): string => raw.replace(/^[^\n`]{0,80}\n/, '').replace(/\n[ \t]*$/, '');

/** What follows the opening quote of a string with unescaped JSON in it. */
const NESTED = /^[[{]+\s*["'][^\s,:}\]"']/;

/** `"{"a": 1}"` */
function nested(walk: StringWalk, start: number, closers: string): boolean {
  const inner = walk.inside(start + 1);
  if (inner === undefined) return false;
  inner.value();
  const stop = inner.pos;
  walk.furthest = Math.max(walk.furthest, inner.furthest, stop);
  walk.extra += inner.extra;
  if (inner.fail !== undefined || inner.cut !== 'none' || !closers.includes(walk.text[stop] ?? '-')) {
    walk.extra += Math.max(inner.furthest, stop) - start;
    return false;
  }
  const source = walk.text.slice(start + 1, stop);
  walk.edit(start, stop + 1 - start, JSON.stringify(source), 'characters that need escaping');
  walk.pos = stop + 1;
  return true;
}
