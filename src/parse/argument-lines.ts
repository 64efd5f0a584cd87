/** Arguments on lines of their own, each between a line that names it and a line that ends it: `BEGIN_ARG: city` … `END_ARG`. */
import type { Json } from '../domain/json.js';
import type { Cut } from './json-walk.js';

export interface ArgumentLines {
  readonly values: Readonly<Record<string, Json>>;
  readonly end: number;
  readonly cut: Cut;
  /** Names that are given more than once. */
  readonly repeated: readonly string[];
}

const OPENING = /\s{0,20}BEGIN_ARG(?:UMENT)?[ \t]{0,4}[:：][ \t]{0,4}([\p{L}_][\p{L}\p{N}_.-]{0,63})[ \t]{0,4}\r?\n/iuy;
/** The end of a value, or the beginning of the next whose predecessor lacks its end. */
const CLOSING = /(?:^|\r?\n)[ \t]{0,8}(?:END_ARG(?:UMENT)?[ \t]{0,4}(?=\r?\n|$|`)|(BEGIN_ARG))/gi;

/** Reads the arguments that begin behind `from`; undefined when none does. A value without its end counts as cut. */
export function readArgumentLines(text: string, from: number): ArgumentLines | undefined {
  const values = new Map<string, Json>();
  const repeated: string[] = [];
  let end = from;
  let cut: Cut = 'none';
  while (cut === 'none') {
    OPENING.lastIndex = end;
    const name = OPENING.exec(text)?.[1];
    if (name === undefined) break;
    const start = OPENING.lastIndex;
    CLOSING.lastIndex = start - 1;
    const close = CLOSING.exec(text);
    if (close === null || close[1] !== undefined) cut = 'value';
    const stop = close?.index ?? text.length;
    if (values.has(name)) repeated.push(name);
    values.set(name, text.slice(start, Math.max(start, stop)));
    end = close === null ? text.length : CLOSING.lastIndex;
  }
  if (cut === 'none' && MORE_MAY_COME.test(text.slice(end, end + 120))) cut = 'closers';
  return values.size === 0 ? undefined : { values: Object.fromEntries(values), end, cut, repeated };
}

/** The text ends here, or in the beginning of another argument or of the fence's end. */
const MORE_MAY_COME = /^\s*(?:`{1,2}|b\w{0,12}(?:[ \t]*[:：][^\n]{0,80}\n?)?)?$/i;
