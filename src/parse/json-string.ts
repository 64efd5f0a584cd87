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

function commentAt(text: string, at: number): boolean {
  const char = text[at];
  return char === '#' || (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*'));
}

/** After a comma: does what follows look like the next member? */
function nextMember(text: string, at: number, end: number, container: Container): boolean {
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
      (i > quote + 1 && (isQuote(char) || char === '{' || (char >= '0' && char <= '9')))
    );
  if (isComma(char)) return nextMember(text, i + 1, end, container);
  if (char === '}' || char === ']' || char === ')') return closerFits(text, i, end, char, container, depth);
  if (isQuote(char)) return nextQuoted(text, quote, i, end, container);
  if (char === '/' || char === '#') return commentAt(text, i);
  if (char === '<') return CLOSING_MARKUP.test(text.slice(i, i + 16)) || text.startsWith('<!--', i);
  if (char === '`') return text.startsWith('```', i);
  if (char === '+') return isQuote(text[skipSpace(text, i + 1, end)]);
  if (container === 'call' && /^if\s[^\n]{1,100}\selse\s/.test(text.slice(i, i + 110))) return true;
  const gap = text.slice(quote + 1, i);
  if (container === 'object' && gap !== '' && isWord(text.charCodeAt(i)) && bareMemberAt(text, i, end)) return true;
  if (!gap.includes('\n')) return false;
  if (container === 'object' && bareKeyAt(text, i, end)) return true;
  return gap.indexOf('\n') !== gap.lastIndexOf('\n');
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
