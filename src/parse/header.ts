/** The name (and id) in the few words between a marker and the arguments: `to=functions.get_weather json`, `NAME[ARGS]`. */
import type { MarkerTable } from './markers.js';
import { bareName, type NameIndex, spelt } from './name.js';

export interface Header {
  readonly name: string;
  readonly id?: string;
  readonly known: boolean;
}

const TOKENS = /<[|｜]?\/?[^<>\n]{1,60}[|｜]?>|\[\/?[A-Z][A-Z_ ]{2,30}\]|```[\w-]*|◁\/?\w+▷/g;
/** `functions.NAME:0`: an id that holds the name. */
const NUMBERED = /^(?:functions?|tools?)[.:]([\w.-]+):\d+$/;
/** Elements of running text: what stands in them is no name. */
const EMPHASIS = /<\/?(?:b|i|s|u|del|ins|em|strong|strike|span|mark|sub|sup|font|small)(?:\s[^<>]*)?>/i;
const HEADER_MAX = 300;
/** Words that a tool's name may be spelt as. */
const NAME_WORDS = 8;

/** @param marked a call marker stood before; then an unknown name counts too */
export function readHeader(raw: string, index: NameIndex, table: MarkerTable, marked: boolean): Header | undefined {
  if (raw.length > HEADER_MAX || (raw.includes('<') && EMPHASIS.test(raw))) return undefined;
  const id = raw.includes(':') || raw.includes('[CALL_ID]') ? idIn(raw) : undefined;
  const numbered = id === undefined ? null : NUMBERED.exec(id);
  if (numbered) return header(numbered[1] as string, id, index, marked);
  const tokens = MAY_BE_TOKEN.test(raw);
  const recipient = raw.includes('to=') ? RECIPIENT.exec(tokens ? raw.replace(TOKENS, ' ') : raw) : null;
  if (recipient) return header(recipient[1] as string, id, index, marked);
  const named = id === undefined ? raw : raw.replace(id, ' ');
  const words = wordsOf(tokens ? named.replace(TOKENS, ' ') : named, table, marked ? HEADER_MAX : NAME_WORDS);
  if (words === undefined || words.length === 0) return undefined;
  if (words.length === 1) return header(words[0] as string, id, index, marked);
  const joined = words.join(' ');
  if (raw.replace(/\s+/g, ' ').includes(joined) && spelt(joined, index) !== undefined)
    return header(joined, id, index, marked);
  if (!marked) return undefined;
  const known = words.filter((word) => spelt(word, index) !== undefined);
  const last = words[words.length - 1] as string;
  return known.length === 1
    ? header(known[0] as string, id, index, marked)
    : words.length === 2 && known.length === 0
      ? header(last, id, index, marked)
      : undefined;
}

const MAY_BE_TOKEN = /[<[`◁]/;
const RECIPIENT = /\bto=\s*([\w.\-:]+)/;
const WORD = /[^\s,;>*"'`]+/g;

/** The words that may belong to a name; undefined when they are more than `most`. */
function wordsOf(text: string, table: MarkerTable, most: number): string[] | undefined {
  const words: string[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const word = match[0];
    if (table.headerWords.includes(word.replace(/[:=.]+$/, '').toLowerCase())) continue;
    words.push(word);
    if (words.length > most) return undefined;
  }
  return words;
}

/** The name in a region that holds nothing else: what is neither name, id, token nor a header word was meant as arguments. */
export function readNameAlone(raw: string, index: NameIndex, table: MarkerTable): Header | undefined {
  if (raw.length > HEADER_MAX) return undefined;
  const plain = raw.replace(/<[\w|/]{1,60}>/g, (tag) => (Object.hasOwn(table.tokens, tag) ? ' ' : tag));
  const header = readHeader(plain, index, table, true);
  if (!header?.known || /<\/?\w/.test(plain)) return undefined;
  const words = plain
    .replace(header.id ?? header.name, ' ')
    .replace(TOKENS, ' ')
    .split(/[\s,;]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !table.headerWords.includes(normalWord(word)));
  return words.every((word) => normalWord(word).endsWith('to')) ? header : undefined;
}

/** Nothing stands there but tokens and words that are no names. */
export const onlyHeaderWords = (raw: string, table: MarkerTable): boolean =>
  raw
    .replace(TOKENS, ' ')
    .split(/\s+/)
    .every((word) => word === '' || table.headerWords.includes(word.toLowerCase()));

const normalWord = (word: string): string => word.replace(/[^\p{L}\p{N}]+$/u, '').toLowerCase();

function idIn(raw: string): string | undefined {
  const numbered = /\b(?:functions?|tools?)[.:][\w.-]+:\d+/.exec(raw);
  if (numbered) return numbered[0];
  return /\[CALL_ID\]\s*([\w-]+)/.exec(raw)?.[1];
}

function header(word: string, id: string | undefined, index: NameIndex, marked: boolean): Header | undefined {
  const known = spelt(word, index) !== undefined;
  if (!known && (!marked || !/^[\p{L}_][\p{L}\p{N}_.\-:/]{0,80}$/u.test(bareName(word)))) return undefined;
  return { name: word, known, ...(id === undefined ? {} : { id }) };
}
