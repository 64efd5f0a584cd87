/** Numbers of things: what the results, the order and the report itself let one count. */
import type { Grounds } from './grounds.js';
import { factorsInto } from './measure.js';
import type { Numeral } from './numeral.js';
import { given, type Tables } from './table.js';
import { textsOf } from './text.js';

/** Up to here, a number of things may be a count that only a reader could check. */
export const smallCount = 12;

/** What can be counted in the report itself. */
export interface OwnSizes {
  /** Characters, words and lines. */
  readonly texts: readonly number[];
  readonly things: readonly number[];
}

/** Where there is nothing but data, what can be counted is counted, and what one count leaves of another. */
function leftOver({ counts }: Tables): number[] {
  const all = [...new Set(counts.map(({ value }) => value))];
  return all.length > mostCounts ? all : all.flatMap((one) => [one, ...all.map((other) => one - other)]);
}
const mostCounts = 12;
const fewest = 3;

/** A line that a reader could count things in. */
export const hasProse = ({ calls, children, context, goal }: Grounds): boolean =>
  [
    context,
    goal.length > 400 ? goal : '',
    ...calls.flatMap(({ data }) => textsOf(data)),
    ...children.flatMap(({ result, summary }) => [...textsOf(result), summary]),
  ].some((text) => /(?:\p{L}{2,}[ ,]+){5}\p{L}|[\u4e00-\u9fff]{10}/u.test(text.slice(0, 2_000)));

/** Sizes of texts that are told as such, things that the report itself counts, and counts that only a reader could check. */
export function countsIn(
  tables: Tables,
  own: OwnSizes,
  prose: boolean,
): (claim: Numeral, bound: boolean) => string | undefined {
  const longest = [
    ...tables.counts.map(({ value }) => value),
    ...[...tables.lists.values()].map(({ values }) => values.length),
    ...own.things.filter((value) => value <= smallCount),
  ].reduce((most, value) => Math.max(most, value), 0);
  const things = new Set([...own.things, ...(prose ? [] : leftOver(tables))]);
  const sizes = new Map([
    ...own.texts.map((value) => [value, given] as const),
    ...tables.sizes.map(({ from, value }) => [value, from] as const),
  ]);
  return (claim, bound) => {
    const size = ofTexts.test(claim.unit) ? sizes.get(claim.value) : undefined;
    if (size !== undefined || !isCount(claim)) return size;
    return things.has(claim.value) || (!bound && claim.value <= Math.min(prose ? smallCount : fewest, longest))
      ? given
      : undefined;
  };
}

const ofTexts = /^(?:words?|char(?:acter)?s?|letters?|lines?|b|bytes?|字节?|字符|个字|词|行)/;
const moneyUnits: ReadonlySet<string> = new Set(['usd', 'eur', 'cny', 'rmb', 'gbp', 'jpy', '元', '美元', '欧元', '块']);
const isCount = ({ step, unit, value }: Numeral): boolean =>
  step === 1 &&
  value >= 0 &&
  Number.isInteger(value) &&
  unit !== '%' &&
  !moneyUnits.has(unit) &&
  factorsInto(unit).length === 0;
