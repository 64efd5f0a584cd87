/** What stands at one place of the text: a marker, a tag, or nothing. Lengths are limited, so each look is constant time. */
import { MARKERS, type MarkerTable, type Role } from './markers.js';

export interface Token {
  readonly kind: 'token';
  readonly start: number;
  readonly end: number;
  readonly role: Role;
  /** Normal form of the word inside, e.g. `tool_call_begin`. */
  readonly word: string;
}

export interface Tag {
  readonly kind: 'tag';
  readonly start: number;
  readonly end: number;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  /** Local name in lower case, without namespace. */
  readonly name: string;
  /** As written, with namespace. */
  readonly fullName: string;
  /** `N` of `<function=N>`. */
  readonly equals: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

const TAG_REACH = 400;
const NAME_MAX = 120;
const ATTRIBUTE = /([\w\-:]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const SPECIAL = /<([|｜])([^|｜<>\n]{1,48})[|｜]>/y;
const BRACKETED = /\[(\/?)([A-Za-z][A-Za-z_ ]{2,30})\]/y;

/** The token at `at`: the longest literal of the table, else a special token classified by its words. */
export function tokenAt(text: string, at: number, table: MarkerTable, { literals }: Lookup): Token | undefined {
  const bar = text.charCodeAt(at + 1);
  for (const { literal, role, word } of literals.get((text.charCodeAt(at) << 16) | bar) ?? NO_LITERALS)
    if (text.startsWith(literal, at)) return { kind: 'token', start: at, end: at + literal.length, role, word };
  SPECIAL.lastIndex = at;
  const special = text.charCodeAt(at) === 60 && (bar === 124 || bar === 0xff5c) ? SPECIAL.exec(text) : null;
  if (special !== null) {
    const word = wordOf(special[2] as string);
    const closing = (special[2] as string).trimStart().startsWith('/');
    return { kind: 'token', start: at, end: SPECIAL.lastIndex, role: roleOf(word, closing, table), word };
  }
  BRACKETED.lastIndex = at;
  const bracketed = text.charCodeAt(at) === 91 && isCapital(text, at + 1) ? BRACKETED.exec(text) : null;
  if (bracketed === null) return undefined;
  const word = wordOf(bracketed[2] as string);
  const role =
    bracketed[2] === (bracketed[2] as string).toUpperCase() ? roleByWords(word, bracketed[1] === '/') : undefined;
  return role === undefined ? undefined : { kind: 'token', start: at, end: BRACKETED.lastIndex, role, word };
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(text.charCodeAt(at) === 47 ? at + 1 : at);
  return code >= 65 && code <= 90;
}

/** What a look at the table needs at every place of the text, made once per table. */
export interface Lookup {
  /** Literal markers by the codes of their first two characters, longest first. */
  readonly literals: ReadonlyMap<number, readonly Literal[]>;
  /** Codes of the characters that labels end with. */
  readonly labelEnds: ReadonlySet<number>;
  /** Names of tags that calls and arguments have. */
  readonly structural: ReadonlySet<string>;
}

interface Literal {
  readonly literal: string;
  readonly role: Role;
  readonly word: string;
}

export const lookupOf = (table: MarkerTable): Lookup => (table === MARKERS ? LOOKUP : madeLookup(table));

function madeLookup(table: MarkerTable): Lookup {
  const ends = Object.keys(table.labels).map((label) => label.charCodeAt(label.length - 1));
  const regions = Object.keys(table.tags).filter((name) => table.tags[name] === 'call');
  const structural = new Set([...regions, ...table.callTags, ...table.parameterTags]);
  return { literals: literalsOf(table), labelEnds: new Set(ends), structural };
}

const NO_LITERALS: readonly Literal[] = [];

function literalsOf(table: MarkerTable): ReadonlyMap<number, readonly Literal[]> {
  const map = new Map<number, Literal[]>();
  for (const [literal, role] of Object.entries(table.tokens)) {
    const first = (literal.charCodeAt(0) << 16) | literal.charCodeAt(1);
    map.set(first, [...(map.get(first) ?? []), { literal, role, word: wordOf(literal) }]);
  }
  for (const group of map.values()) group.sort((a, b) => b.literal.length - a.literal.length);
  return map;
}

function wordOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
}

const LOOKUP = madeLookup(MARKERS);

function roleOf(word: string, closing: boolean, table: MarkerTable): Role {
  const own = Object.hasOwn(table.words, word) ? table.words[word] : undefined;
  if (own !== undefined) return closing ? endOf(own) : own;
  return roleByWords(word, closing) ?? 'litter';
}

export function endOf(role: Role): Role {
  if (role === 'call' || role === 'reasoning' || role === 'output' || role === 'answer') return `${role}-end`;
  return role;
}

/** Markers that no table lists, by the words in them. */
export function roleByWords(word: string, closing: boolean): Role | undefined {
  const end = closing || /(?:^|_)(?:end|close|stop|suffix|done|finished)(?:_|$)|_end$|^end/.test(word);
  const give = (role: Role): Role => (end ? endOf(role) : role);
  if (/(?:tool|function|fn|api|plugin|action)s?_?(?:response|result|output|content)/.test(word)) return give('output');
  if (
    /(?:^|_)(?:sep|separator|argument_begin|arguments_begin|args_begin|arg_begin|args|arguments|argument|name)(?:_|$)/.test(
      word,
    )
  )
    return 'separator';
  if (
    /(?:tool|function|fn|api|action|plugin|invoke|invocation).{0,4}(?:call|use|invo|request|section|begin|start|end|exec|block|run)|toolcall|call.{0,6}(?:begin|start|end|tool)|invoke|^tool_?calls?$|^function_?calls?$/.test(
      word,
    )
  ) {
    return give('call');
  }
  if (/think|thought|reason|scratchpad|analysis|monologue|reflect/.test(word)) return give('reasoning');
  return undefined;
}

/** Where the tag that begins at `at` has its `>`; -1 when another `<` comes first or it is too far. */
function tagClose(text: string, at: number): number {
  const reach = Math.min(text.length, at + TAG_REACH);
  for (let i = at + 1; i < reach; i++) {
    const code = text.charCodeAt(i);
    if (code === 62) return i;
    if (code === 60) {
      const stray = text.charCodeAt(i + 1) === 124 ? text.slice(i + 2, i + 26).indexOf('|>') : -1;
      if (stray < 0) return -1;
      i += stray + 3;
    }
  }
  return -1;
}

function skipBlank(text: string, at: number): number {
  let i = at;
  while (text.charCodeAt(i) <= 32) i++;
  return i;
}

/** What a tag's name begins with; `-`, `.` and `:` may follow. */
const inTagName = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  (code >= 0xc0 && code <= 0xffef);

/** The local name, in lower case, of a tag that may begin at `at`; empty where none can. */
export function localNameAt(text: string, at: number): string {
  let i = skipBlank(text, at + 1);
  if (text.charCodeAt(i) === 47) i = skipBlank(text, i + 1);
  let local = i;
  for (let code = text.charCodeAt(i); inTagName(code) || code === 58; code = text.charCodeAt(i)) {
    i++;
    if (code === 58) local = i;
    if (i - local > NAME_MAX) return '';
  }
  return text.slice(local, i).toLowerCase();
}

/** The tag at `at`, with attributes; its namespace is taken off its name. */
export function tagAt(text: string, at: number): Tag | undefined {
  let from = skipBlank(text, at + 1);
  const closing = text.charCodeAt(from) === 47;
  if (closing) from = skipBlank(text, from + 1);
  let nameEnd = from;
  let local = from;
  for (let code = text.charCodeAt(nameEnd); ; code = text.charCodeAt(++nameEnd)) {
    if (code === 58) local = nameEnd + 1;
    if (!(inTagName(code) || (nameEnd > from && (code === 58 || code === 45 || code === 46)))) break;
    if (nameEnd - from > NAME_MAX) return undefined;
  }
  const close = nameEnd === from ? -1 : tagClose(text, nameEnd - 1);
  if (close < 0) return undefined;
  const selfClosing = text.charCodeAt(close - 1) === 47;
  const restEnd = selfClosing ? close - 1 : close;
  const rest = nameEnd >= restEnd ? '' : text.slice(nameEnd, restEnd).trimEnd();
  if (rest !== '' && !/^[\s=]/.test(rest)) return undefined;
  const given = rest === '' ? null : /^\s*=\s*/.exec(rest);
  return {
    kind: 'tag',
    start: at,
    end: close + 1,
    closing,
    selfClosing,
    name: text.slice(local, nameEnd).toLowerCase(),
    fullName: text.slice(from, nameEnd),
    equals: given === null ? undefined : unquoted(rest.slice(given[0].length)),
    attributes: rest === '' || given !== null ? NO_ATTRIBUTES : attributesOf(rest),
  };
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Entities read, and special tokens that slipped in taken out. */
const attributeText = (value: string): string =>
  value
    .replace(/<\|\w{1,20}\|>/g, '')
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] as string);

/** One attribute between plain quotes, as nearly every tag of a call has. */
const SINGLE = /^\s{1,8}([\w\-:]{1,64})="([^"<&]*)"$/;

function attributesOf(text: string): Record<string, string> {
  const single = SINGLE.exec(text);
  if (single !== null)
    return { __proto__: null, [(single[1] as string).toLowerCase()]: single[2] as string } as Record<string, string>;
  const result: Record<string, string> = Object.create(null);
  for (const match of text.matchAll(ATTRIBUTE)) {
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    result[(match[1] as string).toLowerCase()] = /[<&]/.test(value) ? attributeText(value) : value;
  }
  return result;
}
