/** JSON objects and lists in the text: calls by name and arguments, or the arguments of a name that stands before. */
import { attached } from './attached.js';
import { readHeader } from './header.js';
import type { JsonRead } from './json.js';
import { isSpace, isWord } from './json-char.js';
import { rulesOf } from './json-edit.js';
import { readOriginal } from './json-original.js';
import { lineStart } from './line.js';
import type { Candidate, Withheld } from './piece.js';
import {
  affords,
  flushText,
  lastEnd,
  markup,
  noteIsland,
  passOver,
  pushCall,
  type ScanState,
  spend,
} from './scan-state.js';
import { callsIn, type ShapeCall } from './shape.js';
import { endsReply, toldName } from './told.js';

export function stepJson(state: ScanState, at: number): number | undefined {
  const { text } = state;
  if (!affords(state, at)) return undefined;
  const head = headerBefore(state, at);
  const marked = state.marked !== undefined;
  const read = readOriginal(text, at, state.options.original, { probe: !marked && head === undefined });
  if (!read.ok) {
    spend(state, read.end - at + read.extra);
    if (read.problem === 'too deep') return read.end;
    return marked && state.marked?.calls === 0 ? unreadable(state, at, read.problem) : undefined;
  }
  if (head !== undefined && text[at] !== '[' && !callsItself(state, read) && (!head.told || endsReply(text, read.end)))
    return named(state, at, read, head);
  const found = callsIn(read.value, state.options.index, marked);
  if (found.length > 0 && !(marked === false && found.every((call) => call.describes))) {
    return calls(state, at, read, found);
  }
  if (marked || read.cut !== 'none' || read.edits.length > 0) spend(state, read.end - at + read.extra);
  else passOver(state);
  if (marked) return markedWithout(state, at, read);
  if (read.cut !== 'none') return undefined;
  noteIsland(state, at, read.value);
  return read.end;
}

/** The value is a whole call, whatever word stands before it. */
function callsItself(state: ScanState, read: JsonRead): boolean {
  return callsIn(read.value, state.options.index, false).some((call) => call.strong && !call.describes);
}

interface Head {
  readonly name: string;
  readonly id?: string;
  readonly from: number;
  readonly told?: boolean;
}

/** Some word stands right before; without it there is no header to read. */
function wordBefore(text: string, at: number, floor: number): boolean {
  let i = at - 1;
  while (i >= floor && isSpace(text.charCodeAt(i))) i--;
  if (i < floor) return false;
  const code = text.charCodeAt(i);
  return isWord(code) || NAME_END.has(code);
}

/** What may stand between a name and its arguments besides a word: `:`, `：`, `>`, `]`, `|`, a quote, a backtick, `*`, `=`. */
const NAME_END = new Set([...':：>]|"`*='].map((char) => char.charCodeAt(0)));

/** A name directly before the arguments: behind a marker, or alone on its line. */
function headerBefore(state: ScanState, at: number): Head | undefined {
  const { text, marked, options } = state;
  if (marked !== undefined) {
    if (isProse(text, marked.from, at)) {
      state.marked = undefined;
      return headerBefore(state, at);
    }
    spend(state, at - marked.from);
    const header = readHeader(text.slice(marked.from, at), options.index, options.table, true);
    return header && { ...header, from: marked.calls === 0 ? marked.opened : marked.from };
  }
  const floor = Math.max(lastEnd(state), at - 200);
  if (!wordBefore(text, at, floor)) return undefined;
  let from = lineStart(text, at, at - floor);
  if (text.slice(from, at).trim() === '' && from > floor) from = lineStart(text, from - 1, from - 1 - floor);
  const part = text.slice(from, at).lastIndexOf('>>>');
  if (part >= 0) from += part;
  const raw = text.slice(from, at);
  if (raw.trim() === '' || raw.includes('```')) return undefined;
  spend(state, raw.length);
  const header = readHeader(raw, options.index, options.table, false);
  if (header !== undefined) return { ...header, from };
  const told = text[at] === '{' ? toldName(state, at) : undefined;
  return told && { name: told.name, from: told.start, told: true };
}

const PROSE_MAX = 300;

/** Words that no name, id or marker explains: the marker before them did not announce a call. */
function isProse(text: string, from: number, to: number): boolean {
  if (to - from > PROSE_MAX) return true;
  return (
    to - from > 24 &&
    text
      .slice(from, to)
      .replace(/<[^<>]*>|\[[A-Z_ ]+\]/g, ' ')
      .trim()
      .split(/\s+/).length > 6
  );
}

function named(state: ScanState, at: number, read: JsonRead, head: Head): number {
  const candidate = candidateOf(
    state,
    at,
    read,
    {
      name: head.name,
      arguments: read.value,
      path: [],
      strong: true,
      ...(head.id === undefined ? {} : { id: head.id }),
    },
    'name and JSON',
  );
  return pushCall(state, head.from, head.told === true ? { ...candidate, told: true } : candidate);
}

function calls(state: ScanState, at: number, read: JsonRead, found: readonly ShapeCall[]): number {
  const marked = state.marked !== undefined;
  const format = marked ? 'JSON behind a marker' : state.fence !== undefined ? 'JSON in a code fence' : 'bare JSON';
  const start = state.marked?.calls === 0 ? state.marked.opened : marked ? at : listWordBefore(state, at);
  let end = read.end;
  for (const call of found) {
    const candidate = withAttached(state, candidateOf(state, at, read, call, format), found.length === 1);
    const withheld = call.describes ? 'description' : call.records ? 'retold' : undefined;
    end = pushCall(state, start, withheld === undefined ? candidate : { ...candidate, withheld });
  }
  return end;
}

/** Behind a marker, with what stands behind the JSON for a parameter that it leaves empty. */
function withAttached({ text, marked }: ScanState, candidate: Candidate, alone: boolean): Candidate {
  const more = marked !== undefined && alone ? attached(text, candidate.end, candidate.arguments) : undefined;
  if (more === undefined) return candidate;
  return { ...candidate, ...more, ...(more.cut === 'none' ? { cut: candidate.cut } : { atEnd: true }) };
}

/** Where `functools` and the like begin that stand right before a list of calls; else the list itself. */
function listWordBefore({ text, options }: ScanState, at: number): number {
  if (text[at] !== '[') return at;
  const word = /(?:^|\s)(\w{1,24})\s?$/.exec(text.slice(Math.max(0, at - 28), at))?.[1];
  return word !== undefined && options.table.listWords.includes(word.toLowerCase()) ? text.lastIndexOf(word, at) : at;
}

function candidateOf(state: ScanState, at: number, read: JsonRead, call: ShapeCall, format: string): Candidate {
  const open = isOpen(call.path, read.open);
  const cut = read.cut === 'none' || !open ? 'none' : read.cut;
  return {
    start: at,
    end: read.end,
    name: call.name,
    arguments: call.arguments,
    ...(call.id === undefined ? {} : { id: call.id }),
    format,
    marked: state.marked !== undefined,
    strong: call.strong,
    cut,
    atEnd: read.atEnd,
    repairs: rulesOf(read.edits),
    duplicateKeys: read.duplicates,
    ...withheldBy(state, at, read),
  };
}

/** Left-out members make an example; quotation marks or a quoted line around it make a quotation. */
function withheldBy(state: ScanState, at: number, read: JsonRead): { withheld?: Withheld } {
  if (read.elided) return { withheld: 'example' };
  if (state.marked !== undefined) return {};
  const { text } = state;
  const before = text[at - 1] ?? '';
  if ('"“「\'‘'.includes(before) && before !== '' && /["”」'’]/.test(text[read.end] ?? ''))
    return { withheld: 'quoted' };
  const line = text.slice(lineStart(text, at, 200), at);
  if (/^\s*>(?!>)/.test(line) || /^\s*\|.*\|/.test(line)) return { withheld: 'quoted' };
  return {};
}

/** The container that was open at the end lies inside the call's arguments. */
function isOpen(path: readonly (string | number)[], open: readonly (string | number)[]): boolean {
  return path.every((key, i) => open[i] === key);
}

/** Behind a marker stood JSON that names no call. */
function markedWithout(state: ScanState, at: number, read: JsonRead): number {
  const from = state.marked?.calls === 0 ? state.marked.opened : at;
  state.unreadable.push({
    start: from,
    end: read.end,
    reason: 'no tool is named',
    cut: read.cut !== 'none' && read.atEnd,
  });
  if (state.marked !== undefined) state.marked.from = read.end;
  flushText(state, from);
  return markup(state, Math.max(from, state.textFrom), read.end);
}

/** Behind a marker stood something that cannot be read at all: hides it up to the next marker. */
function unreadable(state: ScanState, at: number, problem: string): number {
  const { text, marked } = state;
  const next = text.indexOf('<', at);
  const end = next < 0 ? text.length : next;
  const from = marked?.opened ?? at;
  state.unreadable.push({ start: from, end, reason: `not readable (${problem})`, cut: end >= text.length });
  return markup(state, Math.max(from, state.textFrom), end);
}
