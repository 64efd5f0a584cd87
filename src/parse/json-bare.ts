/** Values without quotes: numbers in any spelling, literals of any language, and words. */
import { isColon, isComma, isWord, LITERALS, plain } from './json-char.js';
import { type Container, keyAt, markupAt, nextMember, strayWords } from './json-string.js';

/** The repair of a value without quotes. */
export const BARE_VALUE = 'quotes missing around a value';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LOOSE_NUMBER = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** End of a strict JSON number that begins at `at`, or -1. */
export function numberEnd(text: string, at: number): number {
  const short = shortNumberEnd(text, at);
  if (short > 0) return short;
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}

/** A number of so few characters is exact and in range, whatever they are. */
export const PLAIN_DIGITS = 4;

/** The same for a few digits right before a comma or closer, as most numbers are; else -1. */
function shortNumberEnd(text: string, at: number): number {
  let end = at;
  while (end - at < PLAIN_DIGITS && isDigit(text.charCodeAt(end))) end++;
  if (end === at || (end > at + 1 && text.charCodeAt(at) === 48)) return -1;
  const next = text.charCodeAt(end);
  return next === 44 || next === 125 || next === 93 ? end : -1;
}

/** Groups of three digits behind the first, as many as are exact, and then what ends a member. */
const GROUPS = /(?:,\d{3}){1,4}(?:\.\d{1,20})?(?=\s{0,64}(?:[,})]|$))/y;

/** End of a number in groups of three digits, `-12,111.50`, where a comma cannot separate values; else -1. */
export function groupedEnd(text: string, at: number, stop: number, inside: Container): number {
  if (text.charCodeAt(stop) !== 44 || stop - at > 4 || !/^-?[1-9]\d{0,2}$/.test(text.slice(at, stop))) return -1;
  const named = inside === 'object' || (inside === 'call' && /[=:]\s{0,4}$/.test(text.slice(Math.max(0, at - 5), at)));
  GROUPS.lastIndex = stop;
  return named && GROUPS.test(text) ? GROUPS.lastIndex : -1;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

export function startsNumber(char: string): boolean {
  const code = char.charCodeAt(0);
  return isDigit(code) || code === 45;
}

export const endsNumber = (char: string): boolean =>
  char === ',' || char === '}' || char === ']' || char === ' ' || /[\s，、;；｝］)]/.test(char);

/** Letters, digits, `_` and `$` only, so that quotes around it make it JSON. */
export function isPlainWord(text: string): boolean {
  if (text === '' || text.length > 64) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || !isWord(code)) return false;
  }
  return true;
}

export interface BareToken {
  /** Where the token ends; white space behind it is not part of it. */
  readonly end: number;
  /** Valid JSON text for it. */
  readonly json: string;
  readonly rule: string;
  /** Begins like a call of a function, so that its value is not known. */
  readonly expression: boolean;
}

/**
 * Reads an unquoted value: up to a comma, a closer, a line end, a comment or markup. In an object it goes on past a comma
 * that no key follows, and ends before a key whose comma is missing.
 */
export function bareToken(
  text: string,
  at: number,
  end: number,
  inside: Container,
  inCall: boolean,
): BareToken | undefined {
  let i = at;
  let round = 0;
  let curly = 0;
  for (; i < end; i++) {
    if (isWord(text.charCodeAt(i))) continue;
    const char = plain(text[i] as string);
    if (char === ']' || (char === '}' && curly === 0)) break;
    if (char === '\n') {
      const on = inside === 'object' && curly === 0 && round === 0 ? nextLine(text, i, end) : -1;
      if (on < 0) break;
      i = on - 1;
      continue;
    }
    if (char === '{') curly++;
    else if (char === '}') curly--;
    else if (char === '(') round++;
    else if (char === ')') {
      if (round === 0) {
        if (inCall) break;
      } else round--;
    } else if (isComma(char) && char !== '、' && round === 0) {
      if (inside !== 'object' || curly > 0 || endsAtComma(text, at, i, end)) break;
    } else if (char === '"' && inside === 'object' && /\s/.test(text[i - 1] ?? '') && keyAt(text, i)) break;
    else if (
      (char === '/' || char === '#') &&
      /\s/.test(text[i - 1] ?? '') &&
      (char === '#' || '/*'.includes(text[i + 1] ?? ' '))
    )
      break;
    else if ((char === '<' || char === '`') && markupAt(text, i)) {
      const type = char === '<' && i > at ? typeArgument(text, i) : 0;
      if (type === 0) break;
      i += type - 1;
    }
  }
  let stop = i;
  while (stop > at && /\s/.test(text[stop - 1] as string)) stop--;
  const word = text.slice(at, stop);
  if (word === '') return undefined;
  return { end: stop, expression: inCall && (PATH.test(word) || COMPUTED.test(word)), ...readWord(word) };
}

/** How far ahead the end of a value is looked for that goes on over lines. */
const PARAGRAPHS = 2_000;

/**
 * Where a value without quotes goes on behind a line end: its next line is no member, and a closer on a line of its own or
 * a member with a quoted key ends it. -1: the line ends it.
 */
function nextLine(text: string, at: number, end: number): number {
  const gap = /^\s{1,64}/.exec(text.slice(at, at + 64))?.[0].length ?? 1;
  const on = at + gap;
  if (on >= end || !startsProse(text.charCodeAt(on)) || bareKeyEnd(text, on, end) >= 0) return -1;
  const rest = text.slice(on, Math.min(end, on + PARAGRAPHS));
  const stop = /\n\s*[}{]|\{(?![^{}\n]{0,80}\})|\}\s*(?:\n|$)|,\s*"[^"\n]{1,60}"\s{0,4}:|<[/|｜a-zA-Z]|```/.exec(rest);
  return stop !== null && /^(?:\n\s*\}|,)/.test(stop[0]) ? on : -1;
}

/** Lines of words begin so, and members, comments, marks and closers do not. */
const startsProse = (code: number): boolean => isWord(code) || code === 42 || code === 45;

const TYPE =
  /^<(?!(?:tool|func|call|invoke|param|arg|action|think|end|start|im_|eo[ts]))[\p{L}_][\p{L}\p{N}_.,\s[\]|&?<>]{0,60}>(?=\s*(?:[,;})\]]|$))/u;

/** Length of the type argument that follows a name directly, as in `Promise<string[]>`; 0 when markup stands there. */
function typeArgument(text: string, at: number): number {
  return isWord(text.charCodeAt(at - 1)) ? (TYPE.exec(text.slice(at, at + 80))?.[0].length ?? 0) : 0;
}

/** Whether the comma ends a value without quotes: a literal stands before it, or a member, words or dots behind it. */
function endsAtComma(text: string, at: number, comma: number, end: number): boolean {
  const length = comma - at;
  if (length <= LONGEST_LITERAL && Object.hasOwn(LITERALS, text.slice(at, comma).trimEnd().toLowerCase())) return true;
  const next = /^\s{0,64}/.exec(text.slice(comma + 1, comma + 65))?.[0].length ?? 0;
  const behind = comma + 1 + next;
  return (
    nextMember(text, comma + 1, end, 'object') ||
    strayWords(text, behind) > 0 ||
    text.startsWith('...', behind) ||
    text[behind] === '…' ||
    markupAt(text, behind)
  );
}

/** Functions that only give a literal its type: `date("2026-01-31")`, `ObjectId("5f")`, `str('x')`. */
const CONSTRUCTOR =
  /^(?:(?:[a-z_]+\.)*(?:date|time|datetime|timestamp|str|int|float|bool|long|bytes|list|set|tuple|dict|uuid|decimal|[A-Z][A-Za-z]{1,39}))\(\s*(?:"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?))\s*\)$/;
/** `user.email`: a member of something that the reply does not hold. */
const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
/** A sum, a choice, an item of a list, a text with values put in. */
const COMPUTED =
  /^(?:\d+(?:\.\d+)?|[A-Za-z_]\w*)\s*(?:\+|\*\*?|\/\/|%|\s-\s|\s\/\s)\s*[\w("']|\sif\s.{1,200}\selse\s|^[A-Za-z_]\w*\[|^[fF]{1,2}["']/;
const EXPRESSION = /^[\p{L}_][\p{L}\p{N}_.]{0,80}\(/u;

const LONGEST_LITERAL = Math.max(...Object.keys(LITERALS).map((word) => word.length));

function readWord(word: string): { json: string; rule: string; expression?: boolean } {
  const lower = word.length > LONGEST_LITERAL ? '' : word.toLowerCase();
  const literal = Object.hasOwn(LITERALS, lower) ? LITERALS[lower] : undefined;
  if (literal !== undefined) return { json: literal, rule: 'literal of another language' };
  if (LOOSE_NUMBER.test(word) && !/^[+-]?0\d/.test(word)) {
    const number = Number(word.replaceAll('_', ''));
    if (Number.isFinite(number)) return { json: String(number), rule: 'number in another form' };
  }
  const hex = /^([+-]?)(0[xX][0-9a-fA-F]{1,13})$/.exec(word);
  if (hex) return { json: `${hex[1] === '-' ? '-' : ''}${Number(hex[2])}`, rule: 'number in another form' };
  const wrapped = word.includes('(') ? CONSTRUCTOR.exec(word) : null;
  if (wrapped) {
    const inner = wrapped[1] ?? wrapped[2];
    return {
      json: inner === undefined ? (wrapped[3] as string) : JSON.stringify(inner),
      rule: 'constructor taken off a value',
    };
  }
  if (word.includes('(') && EXPRESSION.test(word)) return { json: 'null', rule: 'expression', expression: true };
  const open = /^([^"'“]*?)["'”]$/.exec(word);
  return {
    json: JSON.stringify(open ? open[1] : word),
    rule: open ? 'opening quote missing' : BARE_VALUE,
  };
}

/** Words between brackets, in which nothing stands as in JSON: a text that has brackets. */
export const bracketedWords = (text: string): boolean =>
  text.length < 1000 && /^(?:\{(?=\S*\s)[^"'“:：={}]*\}|\[(?=[^\]\d]*\s)[^"'“:：=,，[]*\])$/.test(text);

/** End of a bare key that begins at `at`: the place before its colon; -1 when there is none. */
export function bareKeyEnd(text: string, at: number, end: number): number {
  const reach = Math.min(end, at + 128);
  let i = at;
  while (i < reach) {
    const char = plain(text[i] as string);
    if (isColon(char)) break;
    if (char === '"' && i > at && isColon(text[i + 1])) break;
    if (char === '\n' || isComma(char) || '{}[]()"<>'.includes(char)) return -1;
    i++;
  }
  if (i >= reach) return -1;
  let stop = i;
  if (text[stop - 1] === '-' && text[i + 1] === '>') stop--;
  while (stop > at && /\s/.test(text[stop - 1] as string)) stop--;
  return stop > at ? stop : -1;
}
