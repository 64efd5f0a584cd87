/**
 * The tolerant JSON reader: one value out of a text that may be broken, with a log of what was changed.
 * Total: bad input gives a failure, never an exception. A value that was cut is marked, never passed off as whole.
 */
import type { Json } from '../domain/json.js';
import { applyEdits, type Edit } from './json-edit.js';
import { readFast } from './json-fast.js';
import { memberFollows } from './json-string.js';
import { type Cut, JsonWalk } from './json-walk.js';

export interface JsonRead {
  readonly value: Json;
  /** First offset behind the value. */
  readonly end: number;
  readonly edits: readonly Edit[];
  readonly cut: Cut;
  /** The text ended before the value did (and nothing foreign stood there). */
  readonly atEnd: boolean;
  /** Path of the innermost container that was still open. */
  readonly open: readonly (string | number)[];
  readonly duplicates: readonly string[];
  /** Members were left out with `...`, as in a documentation example. */
  readonly elided: boolean;
  /** Characters that were read in vain besides, for accounting. */
  readonly extra: number;
}

export type JsonResult =
  | ({ readonly ok: true } & JsonRead)
  | { readonly ok: false; readonly problem: string; readonly end: number; readonly extra: number };

export interface JsonOptions {
  /** Give up at the first thing that no JSON writer would produce: for braces found in prose. */
  readonly probe?: boolean;
  /** Read no further than here. */
  readonly end?: number;
  /** The value is the arguments of a call: `(a=1, b='x')`. */
  readonly call?: boolean;
}

/** Reads the value that begins at `at`. */
export function readJson(text: string, at = 0, options: JsonOptions = {}): JsonResult {
  const end = options.end ?? text.length;
  const spent = { scanned: 0 };
  const first = text.charCodeAt(at);
  const fast = (first === 123 || first === 91) && !options.call ? readFast(text, at, end, spent) : undefined;
  if (fast !== undefined) return { ok: true, ...fast, ...UNCHANGED };
  const walk = new JsonWalk(text, at, end, options.probe);
  if (options.call) walk.members('call', ')');
  else walk.value();
  const looked = Math.max(walk.furthest, walk.pos, at + spent.scanned);
  if (walk.fail === 'escaped' && !options.probe) return readEscaped(text, at, end, options);
  if (walk.fail !== undefined) return { ok: false, problem: walk.fail, end: looked, extra: walk.extra };
  const source = applyEdits(text, at, walk.pos, walk.edits);
  try {
    const value = JSON.parse(source) as Json;
    const { edits, atEnd, open, duplicates, elided, extra } = walk;
    const lost = walk.cut === 'closers' && !atEnd && membersLost(text.slice(walk.pos, Math.min(end, walk.pos + 400)));
    const cut = lost ? 'value' : walk.cut;
    return { ok: true, value, end: walk.pos, edits, cut, atEnd, open, duplicates, elided, extra };
  } catch {
    return { ok: false, problem: 'unreadable', end: looked, extra: walk.extra };
  }
}

const UNCHANGED = { edits: [], cut: 'none', atEnd: false, open: [], duplicates: [], elided: false, extra: 0 } as const;

/** JSON whose quotes are all escaped, as when a string lost its own quotes: unescapes one level and reads again. */
function readEscaped(text: string, at: number, end: number, options: JsonOptions): JsonResult {
  if (end - at > 1_000_000) return { ok: false, problem: 'escaped text too long', end: at, extra: 0 };
  const map: number[] = [];
  let plain = '';
  for (let i = at; i < end; i++) {
    map.push(i);
    if (text[i] === '\\' && i + 1 < end) {
      i++;
      const char = text[i] as string;
      plain += char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '' : char;
      if (char === 'r') map.pop();
    } else plain += text[i];
  }
  const inner = readJson(plain, 0, { ...options, end: plain.length, probe: true });
  if (!inner.ok) return { ok: false, problem: 'escaped', end: at, extra: inner.extra };
  const stop = inner.end >= map.length ? end : (map[inner.end] as number);
  const edit: Edit = { at, remove: stop - at, insert: JSON.stringify(inner.value), rule: 'escaped text unescaped' };
  return { ...inner, end: stop, edits: [edit] };
}

/**
 * Reads a whole text that should be one JSON value: arguments of a native call, the content of a block.
 * Stray text and code fences around it are passed over. Valid JSON comes back unchanged.
 */
export function readJsonText(text: string): JsonResult {
  const scalar = wholeScalar(text);
  if (scalar !== undefined) return scalar;
  const first = firstValue(text);
  const at = first + (/^\{\s*\}\s*(?=\{)/.exec(text.slice(first, first + 40))?.[0].length ?? 0);
  const { edits: closers, read } = readOn(text, at);
  if (!read.ok) return read;
  const edits: Edit[] = [...closers, ...read.edits];
  if (read.cut === 'closers' && !read.atEnd && LOST_MEMBER.test(text.slice(read.end))) return { ...read, cut: 'value' };
  if (text.slice(0, at).trim() !== '') edits.unshift({ at: 0, remove: at, insert: '', rule: 'text around the value' });
  if (text.slice(read.end).trim() !== '') {
    edits.push({ at: read.end, remove: text.length - read.end, insert: '', rule: 'text around the value' });
  }
  return { ...read, edits };
}

/** A key and its value behind a value that something foreign ended: members were lost. */
const LOST_MEMBER = /"[^"\n]{1,60}"\s{0,4}:/;

/** The same right behind it, before markup or another object. */
const LOST_NEXT = /^[^<`{]{0,120}?"[^"\n]{1,60}"\s{0,4}:/;

/** A closer to which no opener belongs: what stands before it was part of the value. */
const LOST_CLOSER = /^[^<`{}[\]]{0,300}[}\]]/;

const membersLost = (behind: string): boolean => LOST_NEXT.test(behind.slice(0, 200)) || LOST_CLOSER.test(behind);

/** Objects that were closed too early are tried again this often. */
const MAX_REOPENED = 4;

/** Reads a value; when members follow behind the end of an object, its closer was one too many. */
function readOn(text: string, at: number): { read: JsonResult; edits: Edit[] } {
  const edits: Edit[] = [];
  let open = text;
  let read = readJson(open, at);
  while (read.ok && edits.length < MAX_REOPENED && open[read.end - 1] === '}' && memberFollows(open, read.end)) {
    const closer = read.end - 1;
    open = `${open.slice(0, closer)} ${open.slice(read.end)}`;
    const next = readJson(open, at);
    if (!next.ok || next.end < closer) break;
    edits.push({ at: closer, remove: 1, insert: '', rule: 'stray closer' });
    read = next;
  }
  return { read, edits };
}

/** Valid JSON that is no object and no list. */
function wholeScalar(text: string): JsonResult | undefined {
  if (/^\s*[{[]/.test(text)) return undefined;
  try {
    return { ok: true, value: JSON.parse(text) as Json, end: text.length, ...UNCHANGED };
  } catch {
    return undefined;
  }
}

const FENCE = /^\s*`{3,8}[\w-]*\s*/;

/** Where the value begins: behind a fence or stray words. */
function firstValue(text: string): number {
  const fence = FENCE.exec(text)?.[0].length ?? 0;
  const rest = text.slice(fence, fence + 4000);
  const found = openerIn(rest);
  const first = rest.search(/\S/);
  if (first < 0) return fence;
  if (found < 0 || /["'“`\-\d]/.test(rest[first] as string)) return fence + first;
  return fence + found;
}

/** The first bracket in words; or one that JSON follows, when what the first one encloses ends before it. */
function openerIn(text: string): number {
  const first = text.search(/[{[｛［]/);
  const likely = text.search(/\{\s{0,64}["'}]|\[\s{0,64}["'{]/);
  if (first <= 0 || likely <= first) return first;
  return text.slice(first, likely).includes(text[first] === '{' ? '}' : ']') ? likely : first;
}
