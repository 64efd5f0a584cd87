/** Where the raw text of an argument in tags ends: at structure that belongs to the call, not at tags that are data. */
import type { Json } from '../domain/json.js';
import type { Cut } from './json-walk.js';
import type { MarkerTable } from './markers.js';
import { Nest } from './nest.js';
import type { Original } from './rewrite.js';
import { localNameAt, type Tag, tagAt } from './token.js';

/** The arguments of one call in tags, as far as they are read. */
export interface Reading {
  readonly text: string;
  readonly table: MarkerTable;
  readonly original: Original | undefined;
  /** Parameters of the tool: tags of these names are never wrappers. */
  readonly keys: readonly string[];
  /** Tag that holds the call. */
  readonly owner: string;
  readonly values: Map<string, Json[]>;
  readonly repairs: string[];
  /** Keys that the JSON inside gives more than once. */
  readonly twice: string[];
  pos: number;
  json: Json | undefined;
  cut: Cut;
  atEnd: boolean;
  /** Where an argument ends cannot be told. */
  unsure: boolean;
  /** A value has no end tag, or something that it opens stays open in it. */
  open: boolean;
  /** A value is more than one word: an end tag may stand in it, as one does in a value that follows. */
  wordy: boolean;
  /** Names of the tags that held values. */
  readonly valueTags: Set<string>;
  /** Arguments whose tags tell their type. */
  typed: number;
  /** Names of tools, in lower case: their tags show calls. */
  readonly tools: ReadonlySet<string>;
  /** Names of tags that calls and arguments have. */
  readonly structural: ReadonlySet<string>;
  readonly ahead: Ahead;
}

/** What looking behind an end may still cost in this reply. */
export interface Ahead {
  /** For the ends of values. */
  left: number;
  /** For what stands behind calls. */
  far: number;
  /** By names: the next tag that has one of them. */
  readonly next: Map<string, NextTag>;
}

export interface NextTag {
  readonly at: number;
  readonly end: number;
  readonly closing: boolean;
}

export const createAhead = (length: number): Ahead => ({
  left: length + 20_000,
  far: 2 * length + 20_000,
  next: new Map(),
});

export const keyOf = (tag: Tag): string | undefined => tag.equals ?? tag.attributes.name ?? tag.attributes.key;

export interface ValueEnd {
  readonly end: number;
  readonly next: number;
  readonly closed: boolean;
  readonly cut: boolean;
  /** It may as well end elsewhere. */
  readonly unsure?: boolean;
  /** The text holds an end tag of its own name that nothing in it opened. */
  readonly stray?: boolean;
}

/** How far behind the end of a call the end tag of its last argument may come. */
const LATE_MAX = 200_000;

/** The walk over one value. */
interface Walk {
  readonly r: Reading;
  readonly from: number;
  /** Names that the end tag of the value may have. */
  readonly names: readonly string[];
  readonly key: string;
  readonly keyTag: string;
  /** Calls and arguments that the value shows, as far as they are open. */
  readonly nest: Nest;
  /** Something was opened: a parameter behind it may belong to it. */
  quoted: boolean;
  /** Where the value ends when nothing better comes. */
  fallback: ValueEnd | undefined;
  /** The first argument at the start of a line that no tool is known to have. */
  line: ValueEnd | undefined;
  /** An end tag behind which a parameter comes that the tool does not have: it, and so the end tag, may be shown. */
  foreign: ValueEnd | undefined;
  /** The first end tag that may end what was opened in the value as well as the value. */
  shared: { readonly end: ValueEnd; readonly inCall: boolean } | undefined;
}

/**
 * Where an argument's raw text ends: at the first end tag behind which structure follows and that nothing inside the
 * value opened. A call that the value shows is so part of it. When such an end does not come before the call is over,
 * an opener inside was only mentioned and the first end tag counts, unless the opener stood in a call that was opened too:
 * then the end cannot be told. Without an end tag, at the next argument or the end of the call.
 */
export function valueEnd(r: Reading, from: number, names: readonly string[], key: string): ValueEnd {
  const { text } = r;
  const keyTag = r.table.keyTags[r.table.valueTags.indexOf(names[0] ?? '')] ?? '';
  const nest = new Nest();
  const w: Walk = {
    r,
    from,
    names,
    key,
    keyTag,
    nest,
    quoted: false,
    fallback: undefined,
    line: undefined,
    foreign: undefined,
    shared: undefined,
  };
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    if (!concerns(w, at)) continue;
    const found = spent(w, at) ? unsure(text.length) : endAt(w, at);
    if (found === undefined) continue;
    r.ahead.left -= Math.max(0, at - found.end);
    if (nest.depth > 0 || w.shared !== undefined || !found.closed) r.open = true;
    return found;
  }
  const found = w.foreign ?? (w.shared === undefined ? w.fallback : undefined);
  r.ahead.left -= text.length - (found?.end ?? text.length);
  return found ?? { end: text.length, next: text.length, closed: false, cut: true };
}

/** The look behind the first possible end has cost what is left for that. */
function spent({ r, shared, fallback, foreign }: Walk, at: number): boolean {
  const first = foreign?.end ?? shared?.end.end ?? fallback?.end;
  return first !== undefined && at - first > r.ahead.left;
}

const unsure = (at: number): ValueEnd => ({ end: at, next: at, closed: true, cut: false, unsure: true });

/** An end without an end tag. */
const unclosed = (at: number): ValueEnd => ({ end: at, next: at, closed: false, cut: false });

/** The value's end as the `<` at `at` tells it; undefined when it goes on there. */
function endAt(w: Walk, at: number): ValueEnd | undefined {
  const { r, nest } = w;
  const tag = tagAt(r.text, at);
  if (tag === undefined) return atToken(w, at);
  if (tag.closing) return atEndTag(w, tag);
  if (tag.selfClosing) return undefined;
  const own = w.names.includes(tag.name);
  const opens = own || opensCall(r, tag) || r.tools.has(tag.name);
  if (w.foreign !== undefined) {
    if (nest.depth === 0 && opens && !isForeign(r, tag)) return w.foreign;
  } else if (w.fallback === undefined && w.shared === undefined && !w.quoted) {
    const due = opensDue(r, tag, at, w.key, w.keyTag);
    if (due && !insideValue(r, tag)) return w.line ?? unclosed(at);
    w.quoted = due || (!startsParameter(r, tag) && opensCall(r, tag));
  }
  if (!opens) return undefined;
  // Its own end tag may come yet, with this end of a call as data before it: but not behind the next call.
  if (w.foreign === undefined && w.fallback !== undefined && nest.depth === 0)
    return w.fallback.closed && own ? unsure(at) : w.fallback;
  if (nest.depth === 0 && startsParameter(r, tag) && r.text[at - 1] === '\n') w.line ??= unclosed(at);
  nest.open(tag.name);
  return undefined;
}

function atToken(w: Walk, at: number): ValueEnd | undefined {
  const token = w.r.text.slice(at, at + 48);
  if (w.foreign !== undefined) return OPENING_TOKEN.test(token) || ENDING_TOKEN.test(token) ? w.foreign : undefined;
  if (w.fallback !== undefined) return OPENING_TOKEN.test(token) ? w.fallback : undefined;
  if (w.nest.depth === 0 && ENDING_TOKEN.test(token)) w.fallback = unclosed(at);
  return undefined;
}

function atEndTag(w: Walk, tag: Tag): ValueEnd | undefined {
  const { r, nest, names } = w;
  if (names.includes(tag.name)) {
    const end: ValueEnd = { end: tag.start, next: tag.end, closed: true, cut: false };
    const other = names[0] as string;
    const opened = nest.holds(tag.name) ? tag.name : nest.holds(other) && tag.name !== other ? other : undefined;
    if (opened === undefined) {
      if (!structureAt(r, tag.end, names)) w.fallback ??= end;
      else if (w.foreign === undefined && foreignBehind(r, tag.end)) w.foreign = end;
      else return w.fallback === undefined && w.foreign === undefined ? end : { ...end, stray: true };
      return undefined;
    }
    if (w.shared === undefined && structureAt(r, tag.end, names)) w.shared = { end, inCall: nest.within(opened) };
    nest.close(opened);
    return undefined;
  }
  if (nest.holds(tag.name)) {
    nest.close(tag.name);
    return undefined;
  }
  if (!endsCall(r, tag)) return undefined;
  if (w.foreign !== undefined) return w.foreign;
  if (w.shared !== undefined) return w.shared.inCall ? unsure(tag.start) : w.shared.end;
  if (w.fallback?.closed) return w.fallback;
  w.fallback ??= w.line ?? unclosed(tag.start);
  return tag.start - w.from > LATE_MAX ? w.fallback : undefined;
}

/** A special token that ends a call or a turn; others are data here. */
const ENDING_TOKEN = /^<[|｜][^|｜<>]{0,40}(?:end|eo[tsm]|close|stop)/i;

/** A special token that opens the next call. */
const OPENING_TOKEN = /^<[|｜](?:tool|function)[^|｜<>\w]?_?calls?[^|｜<>]?(?:start|begin)[|｜]>/i;

/** A special token stands there, or a tag of a name that calls and arguments have; all else is data. */
function concerns({ r, names, keyTag }: Walk, at: number): boolean {
  const next = r.text.charCodeAt(at + 1);
  if (next === 124 || next === 0xff5c) return true;
  const name = localNameAt(r.text, at);
  return (
    r.structural.has(name) ||
    r.tools.has(name) ||
    names.includes(name) ||
    name === r.owner ||
    (name !== '' && name === keyTag)
  );
}

/** A tag opens a parameter that is due and not given yet: no part of the value before it, whose end tag is missing. */
function opensDue(r: Reading, tag: Tag, at: number, key: string, keyTag: string): boolean {
  const { text } = r;
  if (tag.closing) return false;
  const end = tag.name === keyTag ? text.indexOf('<', tag.end) : -1;
  const paired = end >= 0 && end - tag.end < 120 ? text.slice(tag.end, end).trim() : undefined;
  const due = startsParameter(r, tag) && text[at - 1] === '\n' ? keyOf(tag) : paired;
  return due !== undefined && due !== key && r.keys.includes(due) && !r.values.has(due);
}

const SIBLINGS_MAX = 40;
/** How long an argument that is data may be. */
const SIBLING_REACH = 20_000;

/** Whole arguments from `tag` on that are followed by one more end tag or by text: all of them are data. */
function insideValue(r: Reading, tag: Tag): boolean {
  const { table, text } = r;
  let at: Tag | undefined = tag;
  for (let i = 0; i < SIBLINGS_MAX && at !== undefined && !at.closing; i++) {
    const name = table.valueTags[table.keyTags.indexOf(at.name)] ?? (startsParameter(r, at) ? at.fullName : undefined);
    const close = name === undefined ? -1 : text.slice(at.end, at.end + SIBLING_REACH).indexOf(`</${name}>`);
    if (name === undefined || close < 0) return false;
    const from = at.end + close + name.length + 3;
    if (!structureAt(r, from, [name])) return true;
    at = tagAt(text, text.indexOf('<', from));
  }
  return false;
}

const startsParameter = (r: Reading, tag: Tag): boolean =>
  !tag.closing && r.table.parameterTags.includes(tag.name) && keyOf(tag) !== undefined;

/** A parameter that the tool, whose parameters are known, does not have. */
const isForeign = (r: Reading, tag: Tag): boolean =>
  startsParameter(r, tag) && r.keys.length > 0 && !r.keys.includes(keyOf(tag) as string);

function foreignBehind(r: Reading, from: number): boolean {
  const at = from + (/^\s{0,20}/.exec(r.text.slice(from, from + 20))?.[0].length ?? 0);
  const tag = r.text[at] === '<' ? tagAt(r.text, at) : undefined;
  return tag !== undefined && isForeign(r, tag);
}

const opensCall = (r: Reading, tag: Tag): boolean =>
  !tag.closing &&
  (tag.name === r.owner ||
    r.table.callTags.includes(tag.name) ||
    r.table.tags[tag.name] === 'call' ||
    startsParameter(r, tag));

function endsCall(r: Reading, tag: Tag): boolean {
  return (
    tag.closing && (tag.name === r.owner || r.table.callTags.includes(tag.name) || r.table.tags[tag.name] === 'call')
  );
}

/** After an end tag: the end of the text, another tag of the call, or its end. */
function structureAt(r: Reading, from: number, names: readonly string[]): boolean {
  const { text } = r;
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at++;
  if (at >= text.length) return true;
  if (text[at] !== '<') return false;
  const tag = tagAt(text, at);
  if (tag === undefined) return true;
  return !(tag.closing && names.includes(tag.name) && !r.table.callTags.includes(tag.name));
}
