/** Calls in the syntax of a programming language: `f(a=1)`, alone on a line, in a list, or behind a marker. */
import type { JsonRead } from './json.js';
import { isWord } from './json-char.js';
import { rulesOf } from './json-edit.js';
import { readOriginal } from './json-original.js';
import { EXPRESSION } from './json-walk.js';
import { lineStart } from './line.js';
import { spelt } from './name.js';
import type { Candidate, Withheld } from './piece.js';
import { affords, lastEnd, pushCall, type ScanState, spend } from './scan-state.js';
import { isSignature, opensBody } from './signature.js';
import { endsReply, toldName } from './told.js';

const NAME_BEFORE = /[\p{L}_][\p{L}\p{N}_.\-:]*$/u;
const NAME_MAX = 81;
const NAME_AFTER = /\s*([\p{L}_][\p{L}\p{N}_.\-:]{0,80})\s*\(/uy;

/** `(` behind the name of a tool. */
export function stepParen(state: ScanState, at: number): number | undefined {
  const { text, options } = state;
  const gap = affords(state, at) ? gapBefore(text, at) : -1;
  const found = gap < 0 ? undefined : nameBefore(text, at - gap);
  if (found === undefined) return undefined;
  const loose = state.marked !== undefined || inFence(state);
  const whole = at - gap - found.length;
  const plain = loose || (spelt(found, options.index) !== undefined && opensLine(state, whole));
  const told = plain ? undefined : toldName(state, at);
  const name = told?.name ?? found;
  const start = told?.start ?? whole;
  const known = spelt(name, options.index) !== undefined;
  if (
    !known &&
    !(state.marked !== undefined && state.marked.calls === 0 && text.slice(state.marked.from, start).trim() === '')
  )
    return undefined;
  if (!known && name === 'print') return undefined;
  if (loose ? state.marked === undefined && isDeclared(text, start) : told === undefined && !opensLine(state, start))
    return undefined;
  const read = readOriginal(text, at, options.original, { call: true });
  if (!read.ok) {
    spend(state, read.end - at);
    if (known && read.problem === EXPRESSION)
      state.unreadable.push({ start, end: read.end, name, reason: read.problem, cut: false });
    return undefined;
  }
  spend(state, read.end - at);
  if (told !== undefined && !endsReply(text, read.end)) return undefined;
  if (!loose && told === undefined && read.cut === 'none' && !closesLine(text, read.end)) return undefined;
  if (!loose && read.cut === 'closers' && !read.atEnd) return undefined;
  if (text[start - 1] === '@' && DECORATED.test(text.slice(read.end, read.end + 80))) return undefined;
  if (state.marked === undefined && opensBody(text.slice(read.end, read.end + 40))) return undefined;
  const from = state.marked?.calls === 0 ? state.marked.opened : printBefore(text, start);
  const end = text[read.end] === ')' && text.slice(0, start).endsWith('print(') ? read.end + 1 : read.end;
  const candidate = { ...candidateOf(state, start, name, read), end };
  return pushCall(state, from, told === undefined ? candidate : { ...candidate, told: true });
}

/** Blanks between a name and its bracket: none, or up to two before arguments with names; -1 when there is no call. */
function gapBefore(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  if (last !== 32 && last !== 9) return 0;
  const gap = text.charCodeAt(at - 2) === 32 ? 2 : 1;
  return NAMED_ARGUMENT.test(text.slice(at + 1, at + 80)) ? gap : -1;
}

const NAMED_ARGUMENT = /^\s*[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)/u;

/** Words stand before it on its line, as before the name of a function that is declared. */
function isDeclared(text: string, start: number): boolean {
  const before = text.slice(lineStart(text, start, 80), start);
  return (
    /[\p{L}\p{N}_$>\]]\s+$/u.test(before) && !/\b(?:await|return|yield|new|and|or|not|in|then|do)\s+$/.test(before)
  );
}

/** The name that ends at `at`. */
function nameBefore(text: string, at: number): string | undefined {
  let from = at;
  const floor = Math.max(0, at - NAME_MAX);
  while (from > floor && inName(text.charCodeAt(from - 1))) from--;
  return from === at ? undefined : NAME_BEFORE.exec(text.slice(from, at))?.[0];
}

/** Whether a character may stand in a name, `-`, `.` and `:` included. */
const inName = (code: number): boolean => isWord(code) || code === 45 || code === 46 || code === 58;

/** What a decorator stands before. */
const DECORATED = /^[ \t]*\n\s*(?:@\w|(?:async |export |public |private |static )*(?:def|class|function|fn|func)\b)/;

/** Where the call begins with what belongs to it: `print(` around it, `@` before it. */
const printBefore = (text: string, start: number): number =>
  text.slice(Math.max(0, start - 6), start) === 'print(' ? start - 6 : text[start - 1] === '@' ? start - 1 : start;

const inFence = (state: ScanState): boolean => state.fence !== undefined;

function opensLine(state: ScanState, start: number): boolean {
  const floor = lastEnd(state);
  if (start > floor && !endsOpening(state.text, start)) return false;
  const line = Math.max(floor, lineStart(state.text, start, 80));
  const before = state.text.slice(line, start).trim();
  return before === '' || before === '[' || before === '@' || /^(?:\w+ = |await )$/.test(`${before} `);
}

/** What may open a line ends here, by its last characters: white space, `[`, ` =`. Spares most names a look at their line. */
function endsOpening(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  return last <= 32 || last === 91 || last === 64 || last > 127 || (last === 61 && text.charCodeAt(at - 2) === 32);
}

function closesLine(text: string, end: number): boolean {
  return /^[\s;,\]]*(?:\n|$|<|\[)/.test(text.slice(end, end + 24));
}

function candidateOf(state: ScanState, start: number, name: string, read: JsonRead): Candidate {
  return {
    start,
    end: read.end,
    name,
    arguments: read.value,
    format: 'pythonic',
    marked: state.marked !== undefined,
    strong: true,
    cut: read.cut,
    atEnd: read.atEnd,
    repairs: rulesOf(read.edits).filter((rule) => !PYTHON.has(rule)),
    duplicateKeys: read.duplicates,
    ...withheldBy(state, name, read),
  };
}

function withheldBy(state: ScanState, name: string, read: JsonRead): { withheld?: Withheld } {
  if (read.elided) return { withheld: 'example' };
  const match = spelt(name, state.options.index);
  const tool = match === undefined || match.kind === 'unknown' ? undefined : match.tool;
  return isSignature(read.value, read.edits, tool) ? { withheld: 'description' } : {};
}

/** What is a fault in JSON and the rule in this syntax. */
const PYTHON = new Set([
  'other brackets',
  'quotes missing around a key',
  'other key separator',
  'other quotes',
  'literal of another language',
  'positional argument',
]);

/** `[f(a=1), g()]` */
export function stepList(state: ScanState, at: number): number | undefined {
  const { text, options } = state;
  if (!affords(state, at)) return undefined;
  const first = nameAt(text, at + 1);
  if (first === undefined || spelt(first.name, options.index) === undefined) {
    if (!(first !== undefined && state.marked !== undefined)) return undefined;
  }
  if (state.marked === undefined && !inFence(state) && !opensLine(state, at)) return undefined;
  const found: Candidate[] = [];
  let pos = at + 1;
  let end = at;
  for (let i = 0; i < 512; i++) {
    const next = nameAt(text, pos);
    if (next === undefined) break;
    const read = readOriginal(text, next.paren, options.original, { call: true });
    spend(state, read.end - next.start);
    if (!read.ok) return undefined;
    found.push(candidateOf(state, next.start, next.name, read));
    end = read.end;
    pos = read.end;
    while (pos < text.length && /[\s,，、;]/.test(text[pos] as string)) pos++;
    if (read.cut !== 'none') break;
  }
  const last = found[found.length - 1];
  if (last === undefined) return undefined;
  if (text[pos] === ']') end = pos + 1;
  else if (
    state.marked === undefined &&
    pos < text.length &&
    last.cut === 'none' &&
    !/^[\s<]/.test(text.slice(end, end + 1))
  )
    return undefined;
  const from = state.marked?.calls === 0 ? state.marked.opened : at;
  for (const candidate of found) pushCall(state, from, { ...candidate, end });
  return end;
}

function nameAt(
  text: string,
  at: number,
): { readonly name: string; readonly start: number; readonly paren: number } | undefined {
  NAME_AFTER.lastIndex = at;
  const match = NAME_AFTER.exec(text);
  if (match === null) return undefined;
  const name = match[1] as string;
  return { name, start: text.indexOf(name, at), paren: NAME_AFTER.lastIndex - 1 };
}
