/** Keys of the tolerant JSON reader, in whatever quotes, and what stands between them and their values. */
import { bareKeyEnd, isPlainWord } from './json-bare.js';
import { isColon, isQuote, plain } from './json-char.js';
import { keyOf, plainKeyEnd } from './json-keys.js';
import { quoteTokenAt, type StringWalk, walkBetweenTokens, walkString } from './json-quote.js';
import { skipSpace } from './json-space.js';
import { literalAt, markupAt, quotedKeyAt, strayWords, unclosedKey } from './json-string.js';

/** What reading a key needs of the walk. */
export interface KeyWalk extends StringWalk {
  readonly fail: string | undefined;
}

/** Reads a key and its colon. Undefined: no key here, nothing consumed. */
export function readKey(walk: KeyWalk, kind: 'object' | 'call', count: number): string | undefined {
  const { text, end } = walk;
  const start = walk.pos;
  const close = plainKeyEnd(text, start, end);
  if (close > 0) {
    walk.pos = close + 2;
    return text.slice(start + 1, close);
  }
  const char = text[start] as string;
  let name: string;
  if (isQuote(char)) {
    if (kind === 'call' && !quotedKeyAt(text, start, end)) return positional(walk, count);
    const word = unclosedKey(text, start);
    if (word !== undefined) return keyWithoutQuote(walk, start, word);
    const first = walk.edits.length;
    walkString(walk, 'key');
    if (walk.fail !== undefined || walk.cut === 'value') return undefined;
    name = keyOf(walk.edits[first]?.insert ?? text.slice(start, walk.pos));
    skipSpace(walk);
    if (!isColon(text[walk.pos]) && !text.startsWith('->', walk.pos) && !valueHereAfterKey(walk)) {
      walk.edits.length = first;
      walk.pos = start;
      return undefined;
    }
  } else if (char === '\\' && isQuote(text[start + 1])) {
    walk.giveUp('escaped');
    return undefined;
  } else if (quoteTokenAt(text, start) !== undefined) {
    walkBetweenTokens(walk, quoteTokenAt(text, start) as string);
    name = keyOf(walk.edits.at(-1)?.insert ?? '""');
  } else {
    const stop = bareKeyEnd(text, start, end);
    if (stop < 0) return kind === 'call' && !markupAt(text, start) ? positional(walk, count) : undefined;
    name = text.slice(start, isQuote(text[stop - 1]) ? stop - 1 : stop);
    const plainKey = isPlainWord(name);
    if (walk.probe && !plainKey && !/^[\w$.-]{1,64}$|^[\u0080-\uffff]{1,12}$/.test(name)) return undefined;
    walk.edit(start, stop - start, plainKey ? `"${name}"` : JSON.stringify(name), 'quotes missing around a key');
    walk.pos = text[stop] === '"' ? stop + 1 : stop;
    if (text[stop] === '"') walk.edit(stop, 1, '', 'quotes missing around a key');
  }
  readColon(walk);
  return name;
}

/** Words that stand before the next key or the closer and mean nothing. */
export function skipWords(walk: KeyWalk): void {
  const length = walk.probe ? 0 : strayWords(walk.text, walk.pos);
  if (length === 0) return;
  walk.edit(walk.pos, length, '', 'stray words');
  walk.pos += length;
}

function keyWithoutQuote(walk: KeyWalk, start: number, word: string): string {
  walk.edit(start, word.length + 1, JSON.stringify(word), 'quotes missing around a key');
  walk.pos = start + word.length + 1;
  readColon(walk);
  return word;
}

function valueHereAfterKey(walk: KeyWalk): boolean {
  if (walk.probe || walk.pos >= walk.end) return false;
  const char = plain(walk.text[walk.pos] as string);
  return isQuote(char) || char === '{' || char === '[' || literalAt(walk.text, walk.pos);
}

/** An argument without a name gets its number as a key. */
function positional(walk: KeyWalk, count: number): string {
  const key = `$${count}`;
  walk.edit(walk.pos, 0, `"${key}":`, 'positional argument');
  return key;
}

function readColon(walk: KeyWalk): void {
  skipSpace(walk);
  const { text, pos } = walk;
  const two = text.slice(pos, pos + 2);
  if (two === '=>' || two === '->' || two === ':=' || two === '==') {
    walk.edit(pos, 2, ':', 'other key separator');
    walk.pos += 2;
  } else if (text[pos] === ':') walk.pos++;
  else if (isColon(text[pos])) {
    walk.edit(pos, 1, ':', text[pos] === '：' ? 'full-width punctuation' : 'other key separator');
    walk.pos++;
  } else walk.edit(pos, 0, ':', 'missing colon');
}
