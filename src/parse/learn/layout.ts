/** How one unread reply lays out its call: the texts around the tool's name and its arguments. */
import type { Json, JsonObject } from '../../domain/json.js';
import { readJson } from '../json.js';
import { isObject, properties } from '../schema.js';
import type { Sample } from './sample.js';

/** Longest text that a marker table takes. */
export const MARKER_MAX = 48;

export type Layout =
  /** An object that holds name and arguments under keys of its own, maybe in a list. */
  | {
      readonly shape: 'object';
      readonly before: string;
      /** From the object's brace to the name, from the name to the arguments. */
      readonly head: string;
      readonly mid: string;
      readonly after: string;
      readonly arguments: JsonObject;
      /** The arguments stand beside the name. */
      readonly flat: boolean;
    }
  /** The name, something, a JSON object. */
  | {
      readonly shape: 'name and object';
      readonly before: string;
      readonly mid: string;
      readonly after: string;
      readonly arguments: JsonObject;
    }
  /** The name, then arguments in brackets as a program has them. */
  | {
      readonly shape: 'program';
      readonly before: string;
      readonly open: string;
      readonly inner: string;
      readonly close: string;
      readonly after: string;
    }
  /** The name, then a key and a value after the other. `keys`: where each stands in `rest`. */
  | {
      readonly shape: 'keys';
      readonly before: string;
      readonly rest: string;
      readonly keys: readonly { readonly name: string; readonly at: number }[];
    };

/** Every reading of the sample that is possible. */
export function layoutsOf({ text, tool }: Sample): Layout[] {
  const at = text.indexOf(tool.name);
  if (at < 0) return [];
  const names = Object.keys(properties(isObject(tool.parameters) ? tool.parameters : {}));
  const found = [
    objectLayout(text, at, tool.name, names),
    payloadLayout(text, at, tool.name, names),
    programLayout(text, at, tool.name),
    keysLayout(text, at, tool.name, names),
  ];
  return found.filter((layout) => layout !== undefined);
}

const BACK_MAX = 400;
/** Readings that may fail before the search is given up: each may look at the whole sample. */
const TRIES_MAX = 12;

function objectLayout(text: string, at: number, name: string, names: readonly string[]): Layout | undefined {
  let tries = 0;
  for (let from = Math.max(0, at - BACK_MAX); from < at; from += 1) {
    if (text[from] !== '{' && text[from] !== '[') continue;
    if (++tries > TRIES_MAX) return undefined;
    const read = readJson(text, from);
    if (!read.ok || read.end <= at || read.cut !== 'none') continue;
    const start = innermost(text, from, at);
    if (start === undefined) return undefined;
    const end = at + name.length;
    const around = {
      shape: 'object',
      before: text.slice(0, from),
      head: text.slice(start, at),
      after: text.slice(read.end),
    } as const;
    const payload = payloadAfter(text, end, read.end, names);
    if (payload !== undefined)
      return { ...around, mid: text.slice(end, payload.start), arguments: payload.value, flat: false };
    const beside = flatArguments(text, start, name, names);
    const comma = text.indexOf(',', end);
    return beside === undefined || comma < 0
      ? undefined
      : { ...around, mid: text.slice(end, comma + 1), arguments: beside, flat: true };
  }
  return undefined;
}

/** The outermost brace of the list element, or of the object, that holds the name. */
function innermost(text: string, from: number, at: number): number | undefined {
  if (text[from] === '{') return from;
  const brace = text.indexOf('{', from);
  return brace >= 0 && brace < at ? brace : undefined;
}

function flatArguments(text: string, start: number, name: string, names: readonly string[]): JsonObject | undefined {
  const read = readJson(text, start);
  if (!read.ok || !isObject(read.value)) return undefined;
  const entries = Object.entries(read.value as JsonObject);
  const args = entries.filter(([key]) => names.includes(key));
  return args.length > 0 && args.length === entries.filter(([, value]) => value !== name).length
    ? Object.fromEntries(args)
    : undefined;
}

const PAYLOAD_REACH = 160;

/** The first object behind `from` that has a parameter as a key. */
function payloadAfter(
  text: string,
  from: number,
  to: number,
  names: readonly string[],
): { start: number; end: number; value: JsonObject } | undefined {
  let tries = 0;
  for (
    let at = text.indexOf('{', from);
    at >= 0 && at < Math.min(to, from + PAYLOAD_REACH) && ++tries <= TRIES_MAX;
    at = text.indexOf('{', at + 1)
  ) {
    const read = readJson(text, at);
    if (!read.ok || read.cut !== 'none') continue;
    const value: Json = read.value;
    if (isObject(value) && Object.keys(value).some((key) => names.includes(key)))
      return { start: at, end: read.end, value };
  }
  return undefined;
}

function payloadLayout(text: string, at: number, name: string, names: readonly string[]): Layout | undefined {
  const end = at + name.length;
  const payload = payloadAfter(text, end, text.length, names);
  if (payload === undefined) return undefined;
  return {
    shape: 'name and object',
    before: text.slice(0, at),
    mid: text.slice(end, payload.start),
    after: text.slice(payload.end),
    arguments: payload.value,
  };
}

const BRACKETS: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '⟦': '⟧',
  '«': '»',
  '（': '）',
  '【': '】',
};

function programLayout(text: string, at: number, name: string): Layout | undefined {
  const from = at + name.length;
  const open = text[from] ?? '';
  const close = BRACKETS[open];
  if (close === undefined) return undefined;
  let quoted = '';
  let depth = 0;
  for (let i = from; i < text.length; i += 1) {
    const char = text[i] as string;
    if (quoted !== '') quoted = char === quoted && text[i - 1] !== '\\' ? '' : quoted;
    else if (char === '"' || char === "'") quoted = char;
    else if (char === open) depth += 1;
    else if (char === close && --depth === 0)
      return {
        shape: 'program',
        before: text.slice(0, at),
        open,
        inner: text.slice(from + 1, i),
        close,
        after: text.slice(i + 1),
      };
  }
  return undefined;
}

function keysLayout(text: string, at: number, name: string, names: readonly string[]): Layout | undefined {
  const rest = text.slice(at + name.length);
  const keys = names
    .map((key) => ({ name: key, at: placeOf(rest, key) }))
    .filter((key) => key.at >= 0)
    .sort((a, b) => a.at - b.at);
  return keys.length === 0 ? undefined : { shape: 'keys', before: text.slice(0, at), rest, keys };
}

/** The key as a word of its own. */
function placeOf(text: string, key: string): number {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if (!/[\p{L}\p{N}_]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}_]/u.test(text[at + key.length] ?? ' ')) return at;
  }
  return -1;
}
