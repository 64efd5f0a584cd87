/** Where the raw text of an argument in tags ends: at structure that belongs to the call, not at tags that are data. */
import type { Json } from '../domain/json.js';
import type { Cut } from './json-walk.js';
import type { MarkerTable } from './markers.js';
import type { Original } from './rewrite.js';
import { type Tag, tagAt } from './token.js';

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
  pos: number;
  json: Json | undefined;
  cut: Cut;
  atEnd: boolean;
}

export const keyOf = (tag: Tag): string | undefined => tag.equals ?? tag.attributes.name ?? tag.attributes.key;

export interface ValueEnd {
  readonly end: number;
  readonly next: number;
  readonly closed: boolean;
  readonly cut: boolean;
}

/**
 * Where an argument's raw text ends: at its end tag when structure follows; an end tag inside the text is data.
 * Without an end tag, at the next argument or the end of the call.
 */
export function valueEnd(r: Reading, from: number, names: readonly string[], key: string): ValueEnd {
  const { text } = r;
  const keyTag = r.table.keyTags[r.table.valueTags.indexOf(names[0] ?? '')] ?? '';
  let fallback: ValueEnd | undefined;
  let inner = 0;
  let quoted = false;
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    const pair = keyTag !== '' && text.startsWith(keyTag, at + 1);
    if (fallback === undefined && !pair && !mayEndValue(text, at) && !text.startsWith(names[0] ?? '', at + 1)) continue;
    const tag = tagAt(text, at);
    if (tag !== undefined && fallback === undefined && !quoted) {
      const due = opensDue(r, tag, at, key, keyTag);
      if (due && !insideValue(r, tag)) return { end: at, next: at, closed: false, cut: false };
      quoted = due || (!startsParameter(r, tag) && opensCall(r, tag));
    }
    // A whole argument inside a line is data, together with its end tag.
    if (tag !== undefined && startsParameter(r, tag) && tag.name === names[0] && text[at - 1] !== '\n') {
      inner++;
      continue;
    }
    if (tag?.closing && inner > 0 && tag.name === names[0]) {
      inner--;
      fallback ??= { end: at, next: tag.end, closed: true, cut: false };
      continue;
    }
    // Its own end tag may come yet, with this end of a call as data before it: but not behind the next call.
    if (fallback !== undefined && (at - from > 200_000 || (tag !== undefined && opensCall(r, tag)))) return fallback;
    if (tag === undefined) {
      if (fallback !== undefined && OPENING_TOKEN.test(text.slice(at, at + 48))) return fallback;
      if (fallback === undefined && ENDING_TOKEN.test(text.slice(at, at + 48)))
        fallback = { end: at, next: at, closed: false, cut: false };
      continue;
    }
    if (tag.closing && names.includes(tag.name)) {
      const end: ValueEnd = { end: at, next: tag.end, closed: true, cut: false };
      if (structureAt(r, tag.end, names)) return end;
      fallback ??= end;
    } else if (endsCall(r, tag) && fallback === undefined) fallback = { end: at, next: at, closed: false, cut: false };
    else if (startsParameter(r, tag) && text[at - 1] === '\n' && fallback === undefined)
      fallback = { end: at, next: at, closed: false, cut: false };
    if (fallback?.closed && endsCall(r, tag)) return fallback;
  }
  return fallback ?? { end: text.length, next: text.length, closed: false, cut: true };
}

/** A special token that ends a call or a turn; others are data here. */
const ENDING_TOKEN = /^<[|｜][^|｜<>]{0,40}(?:end|eo[tsm]|close|stop)/i;

/** A special token that opens the next call. */
const OPENING_TOKEN = /^<[|｜](?:tool|function)[^|｜<>\w]?_?calls?[^|｜<>]?(?:start|begin)[|｜]>/i;

/** An end tag, a special token, or a tag at the start of its line; other tags are data, whatever they say. */
function mayEndValue(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 47 || next === 124 || next === 0xff5c || next <= 32 || text.charCodeAt(at - 1) === 10;
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
