/** Holds a number of a report against what the agent was given and saw. */
import { countsIn, hasProse, type OwnSizes, smallCount } from './count.js';
import { agrees, datesIn, type WrittenDate } from './date.js';
import { aggregates } from './derive.js';
import type { Grounds, Reported } from './grounds.js';
import { factorsInto, otherScale } from './measure.js';
import { type Numeral, numeralsIn, stepOf } from './numeral.js';
import { type Reckoned, reckonedFrom, type SortedDerived, sourced } from './reckon.js';
import { type Sorted, type Sourced, sortedOf } from './sorted.js';
import type { Related } from './subject.js';
import { addData, addText, countResults, emptyTables, given, type Tables } from './table.js';
import { textsOf } from './text.js';
import { trustedChildren } from './trust.js';

/**
 * Chance at which a random number would be met as well; above it, meeting says nothing. Aggregates are the usual thing to
 * report; pairs are many.
 */
const chanceOfAggregate = 0.5;
const chanceBeside = 0.25;
/** The sentence says that it was reckoned. */
const chanceReckoned = 0.6;
/** Of the only two numbers beside it. */
const chanceOfTwo = 0.6;
const chanceOfPair = 0.06;
const chanceOfScale = 0.03;
/** Of what one short column or two whole columns give: the first that anybody would reckon. */
const chanceInColumn = 0.35;
const chanceOfFew = 0.4;
const chanceWithOrder = 0.15;
const chanceWithKin = 0.25;
/** Smaller ones stand somewhere in any result. */
const nothingElse = 100;

export interface FigureLimits {
  readonly numbers: number;
}

/** What stands beside a claim. */
export interface Beside {
  readonly operands: readonly Sourced[];
  readonly related: Related;
  /** A word stands before it, whose name it may be part of: `page 7`. */
  readonly named: boolean;
  /** It is said to be what is left. */
  readonly remains: boolean;
  /** The results say another number of it: chance is no support. */
  readonly contradicted: boolean;
  /** The sentence says that it was reckoned: `in total`, `the difference`, `相差`. */
  readonly reckons: boolean;
  /** It speaks of a year, a month, a day. */
  readonly periods: boolean;
}

export interface Figures {
  /** Where it comes from; undefined when it comes from nowhere. */
  support(claim: Numeral, bound: boolean, beside: Beside): readonly string[] | undefined;
  /** Where it stands just so. */
  stated(claim: Numeral): readonly string[] | undefined;
  supportOfDate(claim: WrittenDate): readonly string[] | undefined;
  /** Figures under this key in a result, when there are any. */
  bound(key: string, claim: Numeral): readonly string[] | undefined | 'unbound';
}

export function figuresOf(grounds: Grounds, own: OwnSizes, limits: FigureLimits): Figures {
  const tables = emptyTables(limits.numbers);
  const orders = emptyTables(limits.numbers);
  for (const text of [grounds.goal, grounds.context, ...grounds.told, ...grounds.files]) addText(orders, text, given);
  const dates: (WrittenDate & { from: string })[] = [];
  const noteDates = (text: string, from: string): void =>
    void dates.push(...datesIn(text).map((date) => ({ ...date, from })));
  for (const text of [grounds.goal, grounds.context, ...grounds.told]) noteDates(text, given);
  fillFromCalls(grounds, tables, noteDates);
  const children = trustedChildren(grounds);
  addParts(tables, children);
  for (const { callId, result, summary } of children) {
    addData(tables, result, callId, 'child');
    if (summary !== result) addText(tables, summary, callId);
    for (const text of [...textsOf(result), summary]) noteDates(text, callId);
  }
  return figuresOver(tables, orders, dates, own, hasProse(grounds));
}

/** What each child found, where that is one number: parts of a whole, under whatever name each gave it. */
function addParts(tables: Tables, children: readonly Reported[]): void {
  const parts = children.flatMap(({ callId, result, summary }) => {
    const numbers = new Set([
      ...numbersOf(result),
      ...textsOf(result).flatMap((text) => numeralsIn(text, 8).map(({ value }) => value)),
    ]);
    if (numbers.size === 0) for (const { value } of numeralsIn(summary, 8)) numbers.add(value);
    // `{plant: 2, mwh: 4200}`: a small number beside it says which one it is.
    const [one, ...more] = numbers.size === 1 ? [...numbers] : [...numbers].filter((value) => value > smallCount);
    return one === undefined || more.length > 0 ? [] : [{ value: one, callId }];
  });
  if (parts.length > 1)
    tables.lists.set('children', {
      values: parts.map(({ value }) => value),
      from: new Set(parts.map(({ callId }) => callId)),
    });
}

function fillFromCalls({ calls }: Grounds, tables: Tables, noteDates: (text: string, from: string) => void): void {
  for (const { args, callId, data, error, status, tool } of calls) {
    if (status === 'ok') addData(tables, data, callId, tool);
    if (error !== undefined) addText(tables, error, callId);
    for (const text of textsOf(args)) {
      // What it wrote itself proves nothing, but how much it wrote can be counted.
      if (text.length <= shortArgument && !text.includes('\n')) addText(tables, text, callId);
      else tables.sizes.push(...measures(text).map((value) => ({ value, from: callId })));
      noteDates(text.slice(0, shortArgument), callId);
    }
    for (const value of numbersOf(args)) tables.stated.push({ value, from: callId });
    if (status === 'ok') for (const text of textsOf(data)) noteDates(text, callId);
  }
  const ended = calls.filter(({ status }) => status === 'ok').length;
  tables.counts.push({ value: ended, from: calls[0]?.callId ?? given }, { value: calls.length - ended, from: given });
  for (const tool of new Set(calls.map((one) => one.tool))) {
    const own = calls.filter((one) => one.tool === tool);
    tables.counts.push({ value: own.length, from: given });
    countResults(
      tables,
      own.flatMap(({ data, status }) => (status === 'ok' ? [data] : [])),
      own[0]?.callId ?? given,
    );
  }
}

const shortArgument = 80;

/** Characters, words and lines of a text. */
export const measures = (text: string): number[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const words = text.split(/\s+/).filter(Boolean).length;
  return [text.length, words, lines.length, text.split('\n').length, text.replace(/\s/g, '').length];
};

function numbersOf(args: unknown): number[] {
  if (typeof args === 'number') return [args];
  if (args === null || typeof args !== 'object') return [];
  const items = Array.isArray(args) ? [args.length, ...args] : Object.values(args);
  return items.flatMap(numbersOf);
}

function figuresOver(
  tables: Tables,
  orders: Tables,
  dates: readonly (WrittenDate & { from: string })[],
  own: OwnSizes,
  prose: boolean,
): Figures {
  const stated = sortedOf([...tables.stated, ...orders.stated].map(sourced));
  const ofNames = sortedOf([...tables.ofNames, ...orders.ofNames].map(sourced));
  const reckoned = reckonedFrom(tables, orders);
  const isCounted = countsIn(tables, own, prose);
  return {
    support(claim, bound, beside) {
      // A figure of the very thing that is another one: it must follow from that.
      if (beside.contradicted && Math.abs(claim.value) < nothingElse)
        return (fromRelated(reckoned, claim, beside) ?? derivedFrom(reckoned.columns(), claim, chanceInColumn))?.from;
      const found =
        statedOr(claim, stated) ??
        (beside.named ? statedOr(claim, ofNames) : undefined) ??
        measured(claim, stated) ??
        scaled(claim, stated) ??
        likely(reckoned.summed(), claim, chanceOfAggregate) ??
        scaled(claim, reckoned.summed()) ??
        inUnit(reckoned.summed(), claim, chanceOfAggregate / 2) ??
        (beside.periods ? perPeriod(stated, claim) : undefined);
      if (found !== undefined) return found.from;
      const counted = isCounted(claim, bound);
      if (counted !== undefined) return [counted];
      const from =
        fromRelated(reckoned, claim, beside) ??
        fromOperands(reckoned, claim, beside) ??
        fromResults(reckoned, claim, beside);
      return from?.from ?? (claim.unit === '%' && claim.value === 100 && claim.step === 1 ? [given] : undefined);
    },
    stated: ({ value }) => (stated.near(value, 1e-6) ?? ofNames.near(value, 1e-6))?.from,
    supportOfDate(claim) {
      const ground = dates.find((date) => agrees(claim, date));
      return ground === undefined ? undefined : [ground.from];
    },
    bound(key, claim) {
      const list = tables.keyed.get(key);
      if (list === undefined) return 'unbound';
      const column = sortedOf([
        ...list.values.map((value) => ({ value, from: [...list.from] })),
        ...aggregates({ ...emptyTables(0), lists: new Map([[key, list]]) }),
      ]);
      return (statedOr(claim, column) ?? measured(claim, column) ?? column.near(claim.value, claim.step / 2))?.from;
    },
  };
}

/** From what the sentence names: each kind by itself, and with the numbers of the order. */
function fromRelated(
  { across, besides, inProportion, withOrder }: Reckoned,
  claim: Numeral,
  { contradicted, periods, related }: Beside,
): Sourced | undefined {
  for (const { kin, own } of related) {
    const found =
      statedOr(claim, sortedOf(own)) ??
      (periods ? perPeriod(sortedOf(own), claim, chanceBeside) : undefined) ??
      derivedFrom(besides(own), claim, chanceOfTwo) ??
      (contradicted ? undefined : derivedFrom(across(own, kin), claim, chanceWithKin)) ??
      derivedFrom(withOrder(own), claim, chanceWithOrder) ??
      derivedFrom(inProportion(own), claim, chanceWithKin);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromOperands(
  { besides, withOrder, withKin }: Reckoned,
  claim: Numeral,
  { operands, periods, reckons }: Beside,
): Sourced | undefined {
  if (operands.length === 0) return undefined;
  const period = periods ? perPeriod(sortedOf(operands), claim, chanceBeside) : undefined;
  if (period !== undefined) return period;
  const most = operands.length <= 2 ? (reckons ? 1 : chanceOfTwo) : reckons ? chanceReckoned : chanceBeside;
  return (
    derivedFrom(besides(operands), claim, most) ??
    derivedFrom(withKin(operands), claim, chanceWithOrder) ??
    derivedFrom(withOrder(operands), claim, chanceWithOrder)
  );
}

const fromResults = (
  { columns, few, paired, rest: reckonedRest, totals }: Reckoned,
  claim: Numeral,
  { contradicted, reckons, remains }: Beside,
): Sourced | undefined =>
  derivedFrom(columns(), claim, chanceInColumn) ??
  (remains ? likely(reckonedRest().sums, claim, chanceOfFew) : undefined) ??
  derivedFrom(totals(), claim, chanceWithOrder) ??
  (contradicted ? undefined : likely(few().sums, claim, chanceOfFew)) ??
  (contradicted ? undefined : derivedFrom(paired(), claim, reckons ? 2 * chanceOfPair : chanceOfPair));

/** As it stands there, or rounded as it says. A share of one may be told in percent. */
function statedOr(claim: Numeral, grounds: Sorted): Sourced | undefined {
  const { approximate, step, unit, value } = claim;
  const dust = Math.abs(value) * 1e-9 + 1e-12;
  const exact = grounds.near(value, dust) ?? (value < 0 ? undefined : grounds.near(-value, dust));
  if (exact !== undefined) return exact;
  const rounded = grounds.near(value, step / 2 + dust);
  if (rounded !== undefined && !Number.isInteger(rounded.value / step)) return rounded;
  if (unit === '%') {
    const share = grounds.near(value / 100, step / 200 + dust);
    if (share !== undefined && (share.value / step) * 100 !== 0) return share;
  }
  if (!approximate) return undefined;
  const reach = Math.max(step, Number.isInteger(value) ? stepOf(value) : step);
  return grounds.chance(value, reach) < 0.5 ? grounds.near(value, reach) : undefined;
}

/** In another unit of the same measure. */
function measured({ step, unit, value }: Numeral, grounds: Sorted): Sourced | undefined {
  if (unit === '') return undefined;
  for (const factor of factorsInto(unit)) {
    const reach = step / 2 / factor;
    if (grounds.chance(value / factor, reach) > 0.2) continue;
    const found = grounds.near(value / factor, reach * (1 + 1e-9));
    if (found !== undefined) return found;
  }
  const other = otherScale(value, unit);
  return other === undefined ? undefined : grounds.near(other, step * 0.95);
}

/** In thousands, in 万, in millions, where a heading or a key says so once for all. */
function scaled({ approximate, step, value }: Numeral, grounds: Sorted): Sourced | undefined {
  const isScaled = approximate && step >= 100;
  if (Math.abs(value) < 1000 * step && step >= 1) return undefined;
  for (const factor of [1e3, 1e4, 1e6, 1e8, 1e-3, 1e-4, 1e-6]) {
    const reach = (step / 2) * factor;
    const found = grounds.near(value * factor, reach * (1 + 1e-9));
    if (found !== undefined && grounds.chance(value * factor, reach) <= (isScaled ? chanceWithKin : chanceOfScale))
      return found;
  }
  return undefined;
}

function likely(candidates: Sorted, { approximate, step, value }: Numeral, most: number): Sourced | undefined {
  const reach = (approximate && Number.isInteger(value) ? Math.max(step, stepOf(value)) : step) / 2;
  const found = candidates.near(value, reach * (1 + 1e-9) + 1e-9) ?? candidates.near(-value, reach * (1 + 1e-9) + 1e-9);
  if (found === undefined) return undefined;
  return candidates.chance(value, reach) <= most ? found : undefined;
}

/** A percentage comes of shares; a number without a unit may be anything. */
function derivedFrom({ others, shares, sums }: SortedDerived, claim: Numeral, most: number): Sourced | undefined {
  const { step, unit, value } = claim;
  // A share may be told as 0.124 as well.
  const asShare =
    Math.abs(value) <= 1 && step < 1
      ? likely(shares, { ...claim, value: value * 100, step: step * 100 }, most)
      : undefined;
  if (unit === '%') return asShare ?? likely(shares, claim, most) ?? likely(sums, claim, most / 2);
  const found = likely(sums, claim, most) ?? likely(others, claim, most / 2);
  if (found !== undefined) return found;
  if (unit === '' || step < 1) return asShare ?? likely(shares, claim, most / 4);
  return inUnit(sums, claim, most);
}

function inUnit(candidates: Sorted, claim: Numeral, most: number): Sourced | undefined {
  const { step, unit, value } = claim;
  if (unit === '') return undefined;
  for (const factor of factorsInto(unit)) {
    const found = likely(candidates, { ...claim, value: value / factor, step: step / factor }, most);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Months, weeks, days in a year; days in a week; hours in a day; weeks and days in a month. */
const inPeriods = [12, 52, 365, 7, 24, 4, 30, 31, 28, 29];

function perPeriod(stated: Sorted, { step, value }: Numeral, most = 0.1): Sourced | undefined {
  for (const factor of [...inPeriods, ...inPeriods.map((one) => 1 / one)]) {
    const reach = step / 2 / factor;
    if (stated.chance(value / factor, reach) > most) continue;
    const found = stated.near(value / factor, reach * (1 + 1e-9));
    if (found !== undefined) return found;
  }
  return undefined;
}
