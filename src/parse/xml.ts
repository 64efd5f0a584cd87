/** Calls written as elements: a tag with the tool's name, and a tag, a pair of tags or an element per argument. */
import type { Json } from '../domain/json.js';
import { readElements } from './elements.js';
import { type JsonResult, readJsonText } from './json.js';
import { rulesOf } from './json-edit.js';
import { readOriginal } from './json-original.js';
import type { Cut } from './json-walk.js';
import type { MarkerTable } from './markers.js';
import type { Original } from './rewrite.js';
import { type Lookup, localNameAt, lookupOf, type Tag, tagAt } from './token.js';
import { closesLater } from './xml-after.js';
import { type Ahead, createAhead, keyOf, type Reading, valueEnd } from './xml-value.js';

export interface XmlBody {
  readonly arguments: Json | undefined;
  readonly end: number;
  readonly cut: Cut;
  readonly atEnd: boolean;
  readonly repairs: readonly string[];
  /** Arguments that are given more than once, with different values. */
  readonly repeated: readonly string[];
  /** Arguments found; 0 means that the element was empty. */
  readonly count: number;
  /** Where an argument ends cannot be told. */
  readonly unsure?: boolean;
  /** Every argument says itself whether it is text. */
  readonly typed?: boolean;
}

/** What is known of the call before its arguments are read. */
export interface KnownCall {
  readonly original?: Original | undefined;
  /** Parameters of the tool. */
  readonly keys?: readonly string[];
  /** The first argument's name, whose start tag is missing: the text begins at its end tag. */
  readonly key?: string;
  readonly lookup?: Lookup;
  /** Names of all tools, in lower case. */
  readonly tools?: ReadonlySet<string>;
  readonly ahead?: Ahead;
}

/** Reads the arguments that follow `from`, up to the end tag of `owner`, the next call, or the end. */
export function readXmlBody(
  text: string,
  from: number,
  owner: string,
  table: MarkerTable,
  {
    original,
    keys = [],
    key,
    lookup = lookupOf(table),
    tools = NO_TOOLS,
    ahead = createAhead(text.length),
  }: KnownCall = {},
): XmlBody {
  const r: Reading = {
    text,
    table,
    original,
    keys,
    owner: owner.toLowerCase(),
    values: new Map(),
    repairs: [],
    twice: [],
    pos: from,
    json: undefined,
    cut: 'none',
    atEnd: false,
    unsure: false,
    structural: lookup.structural,
    ahead,
    open: false,
    wordy: false,
    valueTags: new Set(),
    typed: 0,
    tools,
  };
  let more = key === undefined || pairedValue(r, key, from);
  while (more) more = step(r);
  const count = r.values.size + (r.json === undefined ? 0 : 1);
  return {
    arguments: argumentsOf(r),
    end: r.pos,
    cut: r.cut,
    atEnd: r.atEnd,
    repairs: r.repairs,
    repeated: [...repeatedIn(r.values), ...r.twice],
    count,
    unsure: r.unsure || closesLater(r),
    typed: r.typed === r.values.size && count > 0,
  };
}

const NO_TOOLS: ReadonlySet<string> = new Set();

const repeatedIn = (values: Reading['values']): string[] =>
  [...values].flatMap(([key, given]) => (given.length > 1 && given.some((item) => item !== given[0]) ? [key] : []));

function argumentsOf(r: Reading): Json | undefined {
  if (r.json !== undefined && r.values.size === 0) return r.json;
  const entries = [...r.values].map(([key, values]): [string, Json] => [
    key,
    values.length === 1 ? (values[0] as Json) : values,
  ]);
  const base = r.json !== null && typeof r.json === 'object' && !Array.isArray(r.json) ? Object.entries(r.json) : [];
  return Object.fromEntries([...base, ...entries]) as Json;
}

/** Reads one thing inside the call. False at its end. */
function step(r: Reading): boolean {
  const { text } = r;
  let at = r.pos;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  if (at >= text.length) {
    r.cut = r.cut === 'none' ? 'closers' : r.cut;
    r.atEnd = true;
    r.pos = at;
    return false;
  }
  if (text[at] === '<') return element(r, at);
  if (r.values.size > 0 || r.json !== undefined) {
    if (text.length - at < 24) {
      r.cut = 'closers';
      r.atEnd = true;
    }
    return missing(r);
  }
  return text[at] === '{' || text[at] === '[' ? jsonBody(r, at) : textBody(r, at);
}

function missing(r: Reading): false {
  r.repairs.push('end tag missing');
  if (r.cut === 'none') r.cut = 'closers';
  return false;
}

function jsonBody(r: Reading, at: number): boolean {
  const read = readOriginal(r.text, at, r.original);
  if (!read.ok) return textBody(r, at);
  takeJson(r, read);
  r.pos = read.end;
  if (read.cut === 'none') return true;
  r.cut = read.cut;
  r.atEnd = read.atEnd;
  return !read.atEnd;
}

/** `<arguments>{…}</arguments>`: a whole object, whatever end tags stand in its texts. */
function wrappedJson(r: Reading, from: number): boolean {
  const space = /^\s*/.exec(r.text.slice(from, from + 40))?.[0].length ?? 0;
  const read = r.text[from + space] === '{' ? readOriginal(r.text, from + space, r.original) : undefined;
  if (read?.ok !== true || read.cut !== 'none' || !/^\s*<\//.test(r.text.slice(read.end, read.end + 40))) return false;
  takeJson(r, read);
  r.pos = read.end;
  return true;
}

function takeJson(r: Reading, read: JsonResult & { ok: true }): void {
  r.json = read.value;
  r.twice.push(...read.duplicates);
  r.repairs.push(...rulesOf(read.edits));
}

/** Text straight inside the call's tag. */
function textBody(r: Reading, at: number): boolean {
  if (showsCall(r, at)) return shownText(r, at);
  const own = r.text.indexOf(`</${r.owner}>`, at);
  const stop = own < 0 || /(?<!<)<\w/.test(r.text.slice(at, own)) ? r.text.indexOf('<', at) : own;
  const end = stop < 0 ? r.text.length : stop;
  r.json = written(r, at, end).trim();
  r.pos = end;
  if (stop >= 0) return true;
  r.cut = 'value';
  r.atEnd = true;
  return false;
}

/** The first tag behind the text that begins at `at` opens one more call: the text shows it. */
function showsCall({ text, owner, table }: Reading, at: number): boolean {
  const from = text.indexOf('<', at);
  const tag = from < 0 ? undefined : tagAt(text, from);
  return tag !== undefined && !tag.closing && (tag.name === owner || table.callTags.includes(tag.name));
}

function shownText(r: Reading, at: number): boolean {
  const found = valueEnd(r, at, [r.owner], '');
  r.unsure = found.unsure === true || !found.closed;
  r.json = written(r, at, found.end).trim();
  r.pos = r.unsure ? found.next : found.end;
  return !r.unsure;
}

function element(r: Reading, at: number): boolean {
  const { table, text } = r;
  if (text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at);
    r.pos = close < 0 ? text.length : close + 3;
    return close >= 0;
  }
  const tag = tagAt(text, at);
  if (tag === undefined) {
    if (/^<\/?[\w:=.\- "']*$/.test(text.slice(at, at + 200)) && text.length - at < 200) {
      r.cut = 'value';
      r.atEnd = true;
      r.pos = text.length;
    } else missing(r);
    return false;
  }
  if (tag.closing) return closing(r, tag);
  if (isParameterOf(r, tag)) return parameter(r, tag, tag.fullName);
  if (table.parameterTags.includes(tag.name) && keyOf(tag) !== undefined)
    return parameter(r, tag, keyOf(tag) as string);
  if (table.keyTags.includes(tag.name)) return pair(r, tag);
  if (
    tag.name === r.owner ||
    (table.callTags.includes(tag.name) && (tag.equals !== undefined || tag.attributes.name !== undefined)) ||
    Object.hasOwn(table.tags, tag.name)
  ) {
    return missing(r);
  }
  const wraps = /^(?:args|arguments|parameters|params|input|inputs)$/.test(tag.name) && !r.keys.includes(tag.fullName);
  if (wraps && tag.equals === undefined) {
    r.pos = tag.end;
    if (
      text
        .slice(tag.end, tag.end + 40)
        .trimStart()
        .startsWith('<')
    )
      return true;
    return wrappedJson(r, tag.end) || parameter(r, tag, '');
  }
  if (tag.selfClosing) {
    r.pos = tag.end;
    return true;
  }
  return parameter(r, tag, tag.fullName);
}

/** A tag that is named after a parameter of the tool, whatever else it may mean. */
const isParameterOf = (r: Reading, tag: Tag): boolean =>
  r.keys.includes(tag.fullName) && tag.name !== r.owner && keyOf(tag) === undefined && !tag.selfClosing;

function closing(r: Reading, tag: Tag): boolean {
  const own = tag.name === r.owner || r.table.callTags.includes(tag.name);
  const inner =
    /^(?:args|arguments|parameters|params|input|inputs)$/.test(tag.name) ||
    r.table.parameterTags.includes(tag.name) ||
    r.table.valueTags.includes(tag.name);
  if (own || inner) r.pos = tag.end;
  if (inner && !own) return true;
  return own ? false : missing(r);
}

/** A name, a path, a number: nothing in which an end tag would stand. */
const ONE_WORD = /^[\p{L}\p{N}_./\\@~:+-]*[\p{L}\p{N}_/]$/u;

/** One argument in its own tag. */
function parameter(r: Reading, tag: Tag, key: string): boolean {
  const local = key.slice(key.lastIndexOf(':') + 1);
  const found = valueEnd(r, tag.end, [tag.name, local.toLowerCase()], key);
  const raw = written(r, tag.end, found.end);
  r.pos = found.next;
  r.valueTags.add(tag.name);
  if ((tag.attributes.string ?? tag.attributes.type) !== undefined) r.typed++;
  if (found.unsure || (found.stray && r.wordy)) r.unsure = true;
  if (found.cut) {
    r.cut = 'value';
    r.atEnd = true;
  }
  if (!found.closed && !found.cut) {
    r.repairs.push('end tag of an argument missing');
    if (r.cut === 'none') r.cut = 'closers';
  }
  const value = rawValue(raw, tag, r.table.valueTags);
  if (typeof value === 'string' && value !== '' && !ONE_WORD.test(value)) r.wordy = true;
  if (key === '') {
    const read = readJsonText(raw);
    if (read.ok) r.json = read.value;
  } else {
    const given = r.values.get(local);
    if (given === undefined) r.values.set(local, [value]);
    else given.push(value);
  }
  return !found.cut && !r.unsure;
}

/** A value as the model wrote it, unless it is elements, whose tags had to be rewritten. Those of a call are a text about it. */
function written({ text, original, structural }: Reading, from: number, to: number): string {
  const read = text.slice(from, to);
  const source = original?.(from, to);
  if (source === undefined) return read;
  const first = read.search(/\S/);
  const elements = read[first] === '<' && !structural.has(localNameAt(read, first)) && readElements(read) !== undefined;
  return elements ? read : source;
}

/** `<arg_key>K</arg_key><arg_value>V</arg_value>` */
function pair(r: Reading, tag: Tag): boolean {
  const { text } = r;
  const stop = text.indexOf('<', tag.end);
  if (stop < 0) {
    r.cut = 'value';
    r.atEnd = true;
    r.pos = text.length;
    return false;
  }
  const key = text.slice(tag.end, stop).trim();
  return pairedValue(r, key, stop);
}

/** The value that belongs to a key, from the tag behind the key. */
function pairedValue(r: Reading, key: string, stop: number): boolean {
  const { text, table } = r;
  let next = tagAt(text, stop);
  let own: Tag | undefined;
  while (next?.closing && (own === undefined || next.name === own.name)) {
    own = next;
    let at = next.end;
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    next = text[at] === '<' ? tagAt(text, at) : undefined;
    const opener = text[at] === '<' ? undefined : unopened(r, own);
    if (opener !== undefined) return parameter(r, opener, key);
    if (next === undefined && at >= text.length) {
      r.cut = 'value';
      r.atEnd = true;
    }
  }
  if (next === undefined) {
    r.cut = 'value';
    r.atEnd = true;
  }
  if (next !== undefined && !table.valueTags.includes(next.name)) next = behindType(text, next);
  if (next === undefined || !table.valueTags.includes(next.name)) {
    r.pos = next?.start ?? text.length;
    return next !== undefined;
  }
  return parameter(r, next, key);
}

const UNOPENED_MAX = 20_000;

/** `<arg_key>K</arg_key>V</arg_value>`: the start tag that a value lacks. */
function unopened({ text, table }: Reading, key: Tag): Tag | undefined {
  const name = table.valueTags[table.keyTags.indexOf(key.name)];
  const ahead = text.slice(key.end, key.end + UNOPENED_MAX);
  const close = name === undefined ? -1 : ahead.indexOf(`</${name}>`);
  const other = ahead.search(new RegExp(`<(?:${key.name}|${name})\\b`));
  if (name === undefined || close < 0 || (other >= 0 && other < close)) return undefined;
  return { ...key, name, fullName: name, closing: false };
}

const TYPE_ELEMENT = /^<(\w*type)>\s*\w{1,20}\s*<\/\1>\s*(?=<)/i;

/** `<arg_type>integer</arg_type>` between a key and its value: the schema says so already. */
function behindType(text: string, tag: Tag): Tag {
  const length = TYPE_ELEMENT.exec(text.slice(tag.start, tag.start + 100))?.[0].length;
  return (length === undefined ? undefined : tagAt(text, tag.start + length)) ?? tag;
}

/** The value of raw text: framing newlines off (of pairs only both), CDATA unwrapped, typed by attribute when there is one. */
function rawValue(raw: string, tag: Tag, pairs: readonly string[]): Json {
  let text = raw;
  const cdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text);
  if (cdata) return cdata[1] as string;
  if (text.startsWith('\n')) text = text.slice(1);
  else if (text.startsWith('\r\n')) text = text.slice(2);
  if (text.endsWith('\n') && (text !== raw || !pairs.includes(tag.name)))
    text = text.slice(0, text.endsWith('\r\n') ? -2 : -1);
  const type = tag.attributes.string === 'false' ? 'json' : tag.attributes.type;
  if (type !== undefined && !/^(?:string|str|text)$/i.test(type)) {
    const read = readJsonText(text);
    if (read.ok && read.cut === 'none') return read.value;
  }
  return text;
}
