/** What stands at one place of the text: a marker, a tag, or nothing. Lengths are limited, so each look is constant time. */
import type { MarkerTable, Role } from './markers.js';

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
  readonly equals?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const TAG_REACH = 400;
const TAG_NAME = /^[\w\u00c0-\uffef][\w.\-:\u00c0-\uffef]*/;
const ATTRIBUTE = /([\w\-:]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const SPECIAL = /<([|｜])([^|｜<>\n]{1,48})[|｜]>/y;
const BRACKETED = /\[(\/?)([A-Za-z][A-Za-z_ ]{2,30})\]/y;

/** The token at `at`: the longest literal of the table, else a special token classified by its words. */
export function tokenAt(
  text: string,
  at: number,
  table: MarkerTable,
  literals: ReadonlyMap<string, readonly string[]>,
): Token | undefined {
  for (const literal of literals.get(text.slice(at, at + 2)) ?? []) {
    if (text.startsWith(literal, at)) {
      return {
        kind: 'token',
        start: at,
        end: at + literal.length,
        role: table.tokens[literal] as Role,
        word: wordOf(literal),
      };
    }
  }
  const bar = text.charCodeAt(at + 1);
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

/** Literals by their first two characters, longest first. */
export function literalsOf(table: MarkerTable): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const literal of Object.keys(table.tokens)) {
    const first = literal.slice(0, 2);
    map.set(first, [...(map.get(first) ?? []), literal]);
  }
  for (const group of map.values()) group.sort((a, b) => b.length - a.length);
  return map;
}

const wordOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');

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
  const end = closing || /(?:^|_)(?:end|close|stop|suffix)(?:_|$)|_end$|^end/.test(word);
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

/** The tag at `at`, with attributes; its namespace is taken off its name. */
export function tagAt(text: string, at: number): Tag | undefined {
  const reach = text.slice(at + 1, at + TAG_REACH);
  const close = reach.indexOf('>');
  if (close < 1) return undefined;
  let inner = reach.slice(0, close);
  if (inner.includes('<')) return undefined;
  const end = at + close + 2;
  const selfClosing = inner.endsWith('/');
  if (selfClosing) inner = inner.slice(0, -1);
  inner = inner.trim();
  const closing = inner.startsWith('/');
  if (closing) inner = inner.slice(1).trimStart();
  const fullName = TAG_NAME.exec(inner)?.[0];
  if (fullName === undefined) return undefined;
  const rest = inner.slice(fullName.length);
  if (rest !== '' && !/^[\s=]/.test(rest)) return undefined;
  const name = fullName.slice(fullName.lastIndexOf(':') + 1).toLowerCase();
  const given = /^\s*=\s*/.exec(rest);
  const base = { kind: 'tag', start: at, end, closing, selfClosing, name, fullName } as const;
  if (given === null) return { ...base, attributes: rest === '' ? {} : attributesOf(rest) };
  const equals = rest.slice(given[0].length).trim();
  const quoted = /^(["'])(.*)\1$/.exec(equals);
  return { ...base, attributes: {}, equals: quoted ? (quoted[2] as string) : equals };
}

function attributesOf(text: string): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  for (const match of text.matchAll(ATTRIBUTE)) {
    result[(match[1] as string).toLowerCase()] = match[2] ?? match[3] ?? match[4] ?? '';
  }
  return result;
}
