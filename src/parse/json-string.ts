/** Strings of the tolerant JSON reader: where they end when their quotes are not escaped, and what they hold. */
import { closes, isColon, isComma, isOddSpace, isQuote, isSpace, isWord, plain, QUOTES } from './json-char.js';
import { TextBuilder } from './text-builder.js';

export type Container = 'object' | 'array' | 'call' | 'top';
export type Role = 'key' | 'value';

/** How far ahead a key is looked for. A constant, so that the whole stays linear. */
const KEY_REACH = 160;

function skipSpace(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && (isSpace(text.charCodeAt(i)) || isOddSpace(text.charCodeAt(i)))) i++;
  return i;
}

/** Whether a quoted text begins at `at` that is followed by a colon. True when it is too long to tell. */
export function quotedKeyAt(text: string, at: number, end: number): boolean {
  const closers = QUOTES[text[at] ?? ''];
  if (closers === undefined) return false;
  const reach = Math.min(end, at + KEY_REACH);
  for (let i = at + 1; i < reach; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 10) return false;
    else if (closes(closers, code)) return colonOrValue(text, i + 1, Math.min(end, i + 200));
  }
  return reach < end;
}

/** A key between plain quotes, and its colon. */
export const keyAt = (text: string, at: number): boolean => /^"[^"\n]{1,60}"\s{0,4}[:：]/.test(text.slice(at, at + 70));

/** A comma, and a key between plain quotes: members go on here. */
export const memberFollows = (text: string, at: number): boolean => {
  const comma = /^\s{0,16}[,，]\s{0,64}/.exec(text.slice(at, at + 82));
  return comma !== null && keyAt(text, at + comma[0].length);
};

/** A colon, or a gap and a value that lacks its colon. */
function colonOrValue(text: string, at: number, end: number): boolean {
  const i = skipSpace(text, at, end);
  const char = text[i];
  return isColon(char) || (i > at && i < end && char !== undefined && /["\d{[]/.test(char));
}

/** `"key: value`: the quote behind the key is missing. */
export function unclosedKey(text: string, at: number): string | undefined {
  let word = at + 1;
  while (word <= at + 40 && (isWord(text.charCodeAt(word)) || text.charCodeAt(word) === 45)) word++;
  const next = text[word];
  if (word === at + 1 || !(next === ':' || next === '：' || /\s/.test(next ?? ''))) return undefined;
  return /^["'“]([\w-]{1,40})\s?[:：]\s?(?=["'“\d{[tfn-])/.exec(text.slice(at, at + 48))?.[1];
}

/** Whether a bare word followed by a colon begins at `at`. */
export function bareKeyAt(text: string, at: number, end: number): boolean {
  const reach = Math.min(end, at + 64);
  let i = at;
  while (i < reach && (isWord(text.charCodeAt(i)) || text[i] === '-' || text[i] === '.')) i++;
  if (i > at && text[i] === '"') i++;
  return i > at && isColon(text[skipSpace(text, i, end)]);
}

/** A bare key, its colon, and the start of a value that needs no guessing. */
function bareMemberAt(text: string, at: number, end: number): boolean {
  let word = at;
  while (word < end && word < at + 41 && isWord(text.charCodeAt(word))) word++;
  const colon = skipSpace(text, word, Math.min(end, word + 4));
  if (word > at + 40 || !isColon(text[colon])) return false;
  const match = /^[\w$-]{1,40}\s{0,4}[:：=]\s{0,4}/.exec(text.slice(at, Math.min(end, at + 60)));
  return match !== null && at + match[0].length < end && valueStarts(text, at + match[0].length, end);
}

function valueStarts(text: string, at: number, end: number): boolean {
  if (at >= end) return true;
  const char = plain(text[at] as string);
  if (isQuote(char) || '{[(-'.includes(char)) return true;
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return true;
  return /^(?:true|false|null|none)\b/i.test(text.slice(at, at + 6));
}

/** A number, or a literal of JSON or Python. */
export const literalAt = (text: string, at: number): boolean =>
  /^(?:\d|(?:true|false|null|none)\b)/i.test(text.slice(at, at + 6));

/** A single word on a line of its own, behind an item on the line before. */
export const wordOnLine = (text: string, last: number, at: number): boolean =>
  /[,\]\n]/.test(/^[\p{L}_][\p{L}\p{N}_.-]{0,60}[ \t]{0,4}([,\]\n])/u.exec(text.slice(at, at + 70))?.[1] ?? '') &&
  text.slice(last, at).includes('\n');

/** Length of up to three bare words before a quoted key; 0 when there are none. */
export function strayWords(text: string, at: number): number {
  const words = /^(?:[A-Za-z_]\w{0,30}\s{1,4}){1,3}(?=")/.exec(text.slice(at, at + 110));
  return words !== null && keyAt(text, at + words[0].length) ? words[0].length : 0;
}

function commentAt(text: string, at: number): boolean {
  const char = text[at];
  return char === '#' || (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*'));
}

/** After a comma: does what follows look like the next member? */
export function nextMember(text: string, at: number, end: number, container: Container): boolean {
  const i = skipSpace(text, at, end);
  if (i >= end || commentAt(text, i)) return true;
  const char = plain(text[i] as string);
  if (container === 'object') {
    if (char === '}' || char === '{' || (isComma(char) && char !== '、')) return true;
    return isQuote(char) ? quotedKeyAt(text, i, end) || unclosedKey(text, i) !== undefined : bareKeyAt(text, i, end);
  }
  if (char === ']' || char === '}' || char === ')') return true;
  if (container === 'call' && bareKeyAt(text, i, end)) return true;
  return valueStarts(text, i, end);
}

function nextQuoted(text: string, quote: number, at: number, end: number, container: Container): boolean {
  if (container === 'object') return quotedKeyAt(text, at, end);
  if (at > quote + 1) return true;
  const after = text[skipSpace(text, at + 1, end)];
  return !(after === undefined || isComma(after) || after === ']' || after === ')' || after === '}');
}

const MARKUP_AHEAD = /^(?:<\/?[|｜a-zA-Z]|```|\[\/?[A-Z_]{4,})/;
const CLOSING_MARKUP = /^<(?:\/(?:\w+:)?(?:tool|func|call|invoke|param|arg|action|TOOL)|[|｜])/;

/** Whether markup begins here, which ends any JSON. Only asked where a comma or closer is due. */
export function markupAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 60 || code === 96 || code === 91) && MARKUP_AHEAD.test(text.slice(at, at + 8));
}

/**
 * Whether the quote at `quote` ends its string. It does in every valid JSON text; elsewhere what follows decides:
 * structure means the end, anything else means that the quote belongs to the text.
 */
export function endsString(
  text: string,
  quote: number,
  end: number,
  role: Role,
  container: Container,
  depth: number,
): boolean {
  const beside = quote + 1 < end && isWord(text.charCodeAt(quote + 1));
  if (beside && container !== 'top' && container !== 'call') return false;
  const i = skipSpace(text, quote + 1, end);
  if (i >= end || container === 'top') return true;
  const char = plain(text[i] as string);
  if (role === 'key')
    return (
      isColon(char) ||
      isComma(char) ||
      char === '}' ||
      (i > quote + 1 && (isQuote(char) || char === '{' || literalAt(text, i)))
    );
  if (isComma(char)) return nextMember(text, i + 1, end, container);
  if (char === '}' || char === ']' || char === ')') return closerFits(text, i, end, char, container, depth);
  if (text.startsWith('```', i)) return true;
  if (isQuote(char)) return nextQuoted(text, quote, i, end, container);
  if (char === '/' || char === '#') return commentAt(text, i);
  if (char === '<') return CLOSING_MARKUP.test(text.slice(i, i + 16)) || text.startsWith('<!--', i);
  if (char === '+') return isQuote(text[skipSpace(text, i + 1, end)]);
  if (container === 'call' && /^if\s[^\n]{1,100}\selse\s/.test(text.slice(i, i + 110))) return true;
  const gap = text.slice(quote + 1, i);
  if (container === 'array' && gap !== '' && ITEM.test(text.slice(i, i + 24))) return true;
  if (container === 'object' && gap !== '' && isWord(text.charCodeAt(i)) && bareMemberAt(text, i, end)) return true;
  if (!gap.includes('\n')) return false;
  if (container === 'object' && bareKeyAt(text, i, end)) return true;
  return gap.indexOf('\n') !== gap.lastIndexOf('\n');
}

/** A whole number or literal as the next item of a list. */
const ITEM = /^(?:-?\d{1,15}|true|false|null)\s{0,4}[,\]]/;

/**
 * The first quote inside a string opens the next member: the string's own end is missing before the comma. Returns that
 * comma, or -1. In a list only on a line of its own.
 */
export function lostEnd(text: string, from: number, quote: number, container: Container): number {
  if (text[quote] !== '"' || !isWord(text.charCodeAt(quote + 1))) return -1;
  let i = quote - 1;
  while (i > from && quote - i < 64 && isSpace(text.charCodeAt(i))) i--;
  if (text[i] !== ',') return -1;
  const next =
    container === 'object' ? keyAt(text, quote) : container === 'array' && text.slice(i, quote).includes('\n');
  return next ? i : -1;
}

/** More round brackets than a call has, and a quote behind them: program text inside the string. */
const MORE_CLOSERS = /^\)\s?\)[)\s]*["']/;

function closerFits(text: string, at: number, end: number, char: string, container: Container, depth: number): boolean {
  const fits =
    char === '}' ? container !== 'call' : char === ')' ? container !== 'object' : container !== 'call' || depth > 1;
  if (!fits || (container === 'call' && MORE_CLOSERS.test(text.slice(at, at + 16)))) return false;
  if (container === 'object' && char === ']' && depth < 2) return false;
  if (depth <= 1) return true;
  const i = skipSpace(text, at + 1, end);
  if (i >= end) return true;
  const next = plain(text[i] as string);
  return isComma(next) || '}])<`/#'.includes(next) || isQuote(next) || next === '{' || i > at + 1;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
  "'": "'",
  '`': '`',
};

/** A path whose backslashes nobody doubled: none of them begins an escape. */
const WINDOWS_PATH = /^[A-Za-z]:\\[^\\]/;

/** The text that a string's inner characters stand for. Escapes that JSON does not know stay as they are. */
export function decodeString(raw: string): string {
  let at = raw.indexOf('\\');
  if (at < 0) return raw;
  if (WINDOWS_PATH.test(raw)) return raw.replace(/\\([\\"'])/g, '$1');
  const out = new TextBuilder();
  let from = 0;
  while (at >= 0) {
    out.add(raw.slice(from, at));
    const char = raw[at + 1] ?? '';
    const hex = char === 'u' ? 4 : char === 'x' ? 2 : 0;
    if (hex > 0 && /^[0-9a-fA-F]+$/.test(raw.slice(at + 2, at + 2 + hex)) && at + 2 + hex <= raw.length) {
      out.add(String.fromCharCode(Number.parseInt(raw.slice(at + 2, at + 2 + hex), 16)));
      from = at + 2 + hex;
    } else if (char === '\n') {
      from = at + 2;
    } else {
      out.add(ESCAPES[char] ?? `\\${char}`);
      from = at + 1 + char.length;
    }
    at = raw.indexOf('\\', from);
  }
  out.add(raw.slice(from));
  return out.toString();
}
