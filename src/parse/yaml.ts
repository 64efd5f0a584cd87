/**
 * A call in YAML: block mappings and lists, quoted and plain values, texts of several lines. Only what has one meaning; the
 * rest (anchors, types, comments behind a value) is not read. Values without quotes stay text unless they are JSON whose
 * text is all that it stands for.
 */
import type { Json } from '../domain/json.js';
import { readJson } from './json.js';
import { numberEnd } from './json-bare.js';
import type { Cut } from './json-walk.js';

export interface YamlRead {
  readonly value: Json;
  readonly end: number;
  readonly cut: Cut;
  readonly atEnd: boolean;
  /** Keys that a mapping gives twice. */
  readonly repeated: readonly string[];
}

interface Line {
  readonly indent: number;
  /** Offset of the first character that is no blank. */
  readonly at: number;
  /** Without blanks at its end. */
  readonly end: number;
  /** With them, which count in a text of several lines. */
  readonly rawEnd: number;
}

interface Walk {
  readonly text: string;
  readonly lines: readonly Line[];
  next: number;
  readonly repeated: string[];
  bad: boolean;
}

const LONGEST = 100_000;
const DEEPEST = 16;
/** A key; behind it, as TOON writes lists, how many items come and the names of their columns. */
const KEY =
  /(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|([\p{L}_][\p{L}\p{N}_.-]{0,80}))(?:\[(\d{1,4})\](?:\{([\w,.-]{1,200})\})?)?[ \t]{0,4}:(?=[ \t\r\n]|$)[ \t]*/uy;

/** The mapping that begins on the line at `from`, up to the end of its region, if it is one; and how far it looked. */
export function readYaml(text: string, from: number): { readonly read: YamlRead | undefined; readonly looked: number } {
  const lines = linesOf(text, from);
  const last = lines?.[lines.length - 1];
  const looked = lines === undefined ? Math.min(LONGEST, text.length - from) : (last?.end ?? from) - from;
  return { read: lines && last && mappingOf(text, lines, last.end), looked };
}

function mappingOf(text: string, lines: readonly Line[], end: number): YamlRead | undefined {
  const first = lines[0] as Line;
  const walk: Walk = { text, lines, next: 0, repeated: [], bad: false };
  const value = mapping(walk, first.indent, 0);
  if (walk.bad || walk.next < lines.length || value === undefined) return undefined;
  const atEnd = text.slice(end).trim() === '';
  return { value, end, cut: atEnd ? 'closers' : 'none', atEnd, repeated: walk.repeated };
}

/** What closes a region: an end tag or token, a fence, `[/…`. */
const CLOSER = /^(?:<\/|<[|｜]|```|\[\/)/;
/** The same behind a value, when nothing but tags follows on the line. */
const CLOSED = /<(?:\/[\w:]*(?:tool|func|call|action)[\w:]*|[|｜][^<>\n]{1,60})>(?=\s*(?:<|$))/i;

/**
 * The lines up to the end of the region. What stands further in than the first line is data, whatever it looks like.
 * Undefined when something else than a closer stands in the way, or no end comes: then part of it would be taken for all.
 */
function linesOf(text: string, from: number): Line[] | undefined {
  const limit = Math.min(text.length, from + LONGEST);
  const lines: Line[] = [];
  for (let start = from; start < limit; ) {
    const stop = text.indexOf('\n', start);
    const next = stop < 0 ? text.length : stop;
    if (next > limit) return undefined;
    const end = text.charCodeAt(next - 1) === 13 ? next - 1 : next;
    let at = start;
    while (at < end && text.charCodeAt(at) === 32) at++;
    const isOuter = at - start <= (lines[0]?.indent ?? 0) && at < end;
    if (isOuter && CLOSER.test(text.slice(at, at + 4))) return withoutBlank(lines);
    if (isOuter && text[at] === '<') return undefined;
    const row = text.slice(at, end);
    const closed = row.search(CLOSED);
    const stopAt = closed > 0 ? at + closed : end;
    lines.push({ indent: at - start, at, end: at + text.slice(at, stopAt).trimEnd().length, rawEnd: stopAt });
    if (closed > 0) return withoutBlank(lines);
    start = next + 1;
  }
  return limit < text.length ? undefined : withoutBlank(lines);
}

/** Empty lines belong to what stands around them. */
function withoutBlank(lines: Line[]): Line[] {
  while (lines.length > 0 && isBlank(lines[lines.length - 1] as Line)) lines.pop();
  return lines;
}

const isBlank = ({ at, end }: Line): boolean => end <= at;

/** The next line that holds something. */
function peek(walk: Walk): Line | undefined {
  while (walk.next < walk.lines.length && isBlank(walk.lines[walk.next] as Line)) walk.next++;
  return walk.lines[walk.next];
}

function mapping(walk: Walk, indent: number, depth: number): Json | undefined {
  const members = new Map<string, Json>();
  for (let line = peek(walk); line !== undefined && line.indent >= indent && !walk.bad; line = peek(walk)) {
    KEY.lastIndex = line.at;
    const match = line.indent === indent ? KEY.exec(walk.text) : null;
    if (match === null || depth > DEEPEST) {
      walk.bad = true;
      break;
    }
    const key = (match[1] ?? match[2] ?? match[3]) as string;
    walk.next++;
    const at = KEY.lastIndex;
    const value = match[4] === undefined ? member(walk, at, line, depth) : counted(walk, at, line, match);
    if (members.has(key)) walk.repeated.push(key);
    members.set(key, value);
  }
  return members.size === 0 ? undefined : (Object.fromEntries(members) as Json);
}

/** What stands behind a key: a value on its line, or a block on the lines below. */
function member(walk: Walk, at: number, line: Line, depth: number): Json {
  if (at < line.end) return scalar(walk, at, line);
  const below = peek(walk);
  if (below === undefined || below.indent < line.indent) return null;
  if (isItem(walk, below)) return list(walk, below.indent, depth + 1);
  return below.indent > line.indent ? (mapping(walk, below.indent, depth + 1) ?? null) : null;
}

/** `tags[2]: a,b`, and rows below `people[2]{name,age}:`. As many as are told, or it is not read. */
function counted(walk: Walk, at: number, line: Line, match: RegExpExecArray): Json {
  const count = Number(match[4]);
  const columns = match[5]?.split(',');
  if (columns === undefined) {
    const items = at < line.end ? cells(walk, at, line.end) : [];
    return items.length === count ? items : refuse(walk);
  }
  const rows: Json[] = [];
  for (let row = peek(walk); row !== undefined && row.indent > line.indent; row = peek(walk)) {
    walk.next++;
    const values = cells(walk, row.at, row.end);
    if (values.length !== columns.length) return refuse(walk);
    rows.push(Object.fromEntries(columns.map((column, i) => [column, values[i] as Json])));
  }
  return rows.length === count && at >= line.end ? rows : refuse(walk);
}

/** Values between commas; of those with quotes, more than commas would have to be told apart. */
function cells(walk: Walk, from: number, to: number): Json[] {
  const row = walk.text.slice(from, to);
  if (row.includes('"')) refuse(walk);
  return row.split(',').map((cell) => plainValue(cell.trim()));
}

const isItem = ({ text }: Walk, { at, end }: Line): boolean =>
  text.charCodeAt(at) === 45 && (at + 1 === end || text.charCodeAt(at + 1) === 32);

function list(walk: Walk, indent: number, depth: number): Json {
  const items: Json[] = [];
  for (let line = peek(walk); line?.indent === indent && isItem(walk, line) && !walk.bad; line = peek(walk)) {
    let at = line.at + 1;
    while (at < line.end && walk.text.charCodeAt(at) === 32) at++;
    KEY.lastIndex = at;
    if (at < line.end && depth <= DEEPEST && KEY.test(walk.text)) {
      // A mapping that begins behind the dash: its other keys stand below the first.
      (walk.lines as Line[])[walk.next] = { ...line, indent: indent + (at - line.at), at };
      items.push(mapping(walk, indent + (at - line.at), depth + 1) ?? null);
      continue;
    }
    walk.next++;
    items.push(at < line.end ? scalar(walk, at, line) : null);
  }
  return items;
}

function scalar(walk: Walk, at: number, line: Line): Json {
  const { text } = walk;
  const raw = text.slice(at, line.end);
  const block = /^([|>])(-?)$/.exec(raw);
  if (block !== null) return blockText(walk, line.indent, block[1] === '>', block[2] as string);
  const below = peek(walk);
  if (/^["{[]/.test(raw)) {
    const read = readJson(text, at, { end: line.end });
    if (!read.ok || read.cut !== 'none' || read.end !== line.end) return refuse(walk);
    return read.value;
  }
  const quoted = /^'((?:[^']|'')*)'$/.exec(raw);
  if (quoted !== null) return (quoted[1] as string).replaceAll("''", "'");
  const goesOn = below !== undefined && below.indent > line.indent;
  if (goesOn || /^[&*!%@`'|>?]|\s#/.test(raw)) return refuse(walk);
  return plainValue(raw);
}

function refuse(walk: Walk): null {
  walk.bad = true;
  return null;
}

function plainValue(raw: string): Json {
  if (raw === 'true' || raw === 'false') return raw === 'true';
  if (raw === 'null' || raw === '~') return null;
  const number = numberEnd(raw, 0) === raw.length ? Number(raw) : Number.NaN;
  return String(number) === raw ? number : raw;
}

/** The lines that are set in more than the key: as they stand, or as paragraphs. */
function blockText(walk: Walk, indent: number, folded: boolean, chomp: string): Json {
  const rows: string[] = [];
  let depth = -1;
  for (; walk.next < walk.lines.length; walk.next++) {
    const line = walk.lines[walk.next] as Line;
    if (!isBlank(line) && line.indent <= indent) break;
    if (depth < 0 && !isBlank(line)) depth = line.indent;
    const start = line.at - line.indent;
    if (!isBlank(line) && line.indent < depth) return refuse(walk);
    rows.push(isBlank(line) ? '' : walk.text.slice(start + depth, line.rawEnd));
  }
  while (rows.length > 0 && rows[rows.length - 1] === '') rows.pop();
  const body = folded ? rows.join('\n').replace(/([^\n])\n(?=[^\n ])/g, '$1 ') : rows.join('\n');
  return chomp === '-' || rows.length === 0 ? body : `${body}\n`;
}
