/** How often the results speak of something: lines of a text, items of a list that hold a word. */
import type { Json } from '../../src/domain/json.js';
import type { Grounds } from './grounds.js';
import type { Numeral } from './numeral.js';
import type { Related } from './subject.js';
import { trustedChildren } from './trust.js';

export interface Tally {
  /**
   * Whether a number of things can be counted in the results. `true`: so many are there. `false`: lines and items speak of
   * them, and there are not so many. @param noun what is counted. @param others words beside it
   */
  holds(count: number, noun: string, others: readonly string[]): readonly string[] | false | undefined;
  /** How many there are of what a sentence names, and how many in all. */
  related(words: readonly string[]): Related;
}

interface Pieces {
  readonly from: string;
  readonly texts: readonly string[];
}

const mostPieces = 5_000;
const mostChars = 300_000;
/** Of fewer a reader may count something else. */
const fewestPieces = 5;
const mostOthers = 8;

export function tallyOf(grounds: Grounds): Tally {
  let made: Pieces[] | undefined;
  const all = (): Pieces[] => {
    made ??= piecesOf(grounds);
    return made;
  };
  return {
    holds(count, noun, others) {
      let isSpokenOf = false;
      for (const { from, texts } of all()) {
        const hits = texts.filter((text) => text.includes(noun));
        if (hits.length === 0) continue;
        if (countsOf(hits, others.slice(0, mostOthers)).has(count)) return [from];
        // The first line may be a heading; and what is more than there are lines is no count of them.
        const isOnlyHead = hits.length === 1 && hits[0] === texts[0];
        isSpokenOf ||=
          texts.length >= fewestPieces && hits.length < texts.length && count <= texts.length && !isOnlyHead;
      }
      return isSpokenOf ? false : undefined;
    },
    related(words) {
      return all().flatMap(({ from, texts }) => {
        const own = words.slice(0, mostOthers).flatMap((word) => {
          const hits = texts.reduce((count, text) => count + (text.includes(word) ? 1 : 0), 0);
          return hits === 0 || hits === texts.length ? [] : [{ value: hits, from: [from] }];
        });
        return own.length === 0 ? [] : [{ own, kin: [{ value: texts.length, from: [from] }] }];
      });
    },
  };
}

/** All of them, each kind once, and those with or without another word. */
function countsOf(hits: readonly string[], others: readonly string[]): Set<number> {
  const found = new Set([hits.length, new Set(hits.map((text) => text.replace(/\d+/g, ''))).size]);
  for (const other of others) {
    const both = hits.filter((text) => text.includes(other)).length;
    found.add(both).add(hits.length - both);
  }
  return found;
}

function piecesOf(grounds: Grounds): Pieces[] {
  const into: Into = { found: [], pieces: mostPieces, chars: mostChars };
  for (const { callId, data, status } of grounds.calls) if (status === 'ok') collect(data, callId, into);
  for (const { callId, result } of trustedChildren(grounds)) collect(result, callId, into);
  collect(grounds.context, 'given', into);
  return into.found;
}

interface Into {
  readonly found: Pieces[];
  pieces: number;
  chars: number;
}

function collect(data: Json, from: string, into: Into): void {
  if (into.pieces <= 0 || into.chars <= 0) return;
  if (typeof data === 'string') {
    if (data.includes('\n')) take(data.slice(0, into.chars).split('\n'), from, into);
  } else if (Array.isArray(data)) {
    const items = data as readonly Json[];
    if (items.length > 1)
      take(
        items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
        from,
        into,
      );
    for (const item of items) if (item !== null && typeof item === 'object') collect(item, from, into);
  } else if (data !== null && typeof data === 'object')
    for (const item of Object.values(data as { readonly [name: string]: Json })) collect(item, from, into);
}

function take(texts: readonly string[], from: string, into: Into): void {
  const some = texts
    .filter((text) => text.trim() !== '')
    .slice(0, into.pieces)
    .map((text) => text.toLowerCase());
  into.pieces -= some.length;
  into.chars -= some.reduce((sum, text) => sum + text.length, 0);
  if (some.length > 1) into.found.push({ from, texts: some });
}

/** The word that is counted: behind the number, or the key before it. */
export function countedIn(sentence: string, { at, end }: Numeral): string | undefined {
  const behind = /^[\s×x]{0,2}(?:(?:are|were|is|was) )?([\p{Script=Latin}]{3,20})/u.exec(sentence.slice(end))?.[1];
  const before = /([\p{Script=Latin}]{3,20})\s?[:：=|]\s?$/u.exec(sentence.slice(0, at))?.[1];
  return behind ?? before ?? hanCounted(sentence.slice(end)) ?? hanKey(sentence.slice(0, at));
}

const hanCounted = (after: string): string | undefined =>
  /^\s?[个条次笔件份项张行名位起例处]([\u4e00-\u9fff]{2,4})/.exec(after)?.[1]?.slice(0, 2);
const hanKey = (before: string): string | undefined => /([\u4e00-\u9fff]{2,4})\s?[:：=|]\s?$/.exec(before)?.[1];
