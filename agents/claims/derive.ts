/** What can be reckoned from numbers that belong together. Everything else would make any number come out of some pair. */
import { Pile, type Sourced } from './sorted.js';
import type { List, Tables } from './table.js';

/** Longer lists have so many pairs that one of them would fit anything. */
const mostPaired = 12;
const mostShares = 200;

/** Sums, means, extremes and the like: one or a few for each list. */
export function aggregates({ lists, counts }: Tables): Sourced[] {
  return [
    ...counts.map(({ value, from }) => ({ value, from: [from] })),
    ...[...lists]
      .filter(([, { values }]) => values.length > 1)
      .flatMap(([path, list]) => (path.includes('{}') ? ofFields(list) : aggregatesOf(list))),
  ];
}

/** The fields of one object may be of one kind: `{mon: 390, tue: 431, …}`. */
function ofFields({ from, values }: List): Sourced[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length < 3 || low <= 0 || high > 10 * low) return [];
  const sum = values.reduce((total, value) => total + value, 0);
  return [sum, sum / values.length].map((value) => ({ value, from: [...from] }));
}

function aggregatesOf({ values, from }: List): Sourced[] {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const low = sorted[0] ?? 0;
  const high = sorted.at(-1) ?? 0;
  const sum = values.reduce((total, value) => total + value, 0);
  const mean = sum / values.length;
  const spread = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  const found = [sum, mean, median, low, high, high - low, values.length, new Set(values).size, spread];
  return found.map((value) => ({ value, from: [...from] }));
}

/** What numbers that belong together give, by how usual it is to tell it. */
export interface Derived {
  readonly sums: Pile;
  /** In percent: shares, changes, ratios. */
  readonly shares: Pile;
  /** Products, ratios, means. */
  readonly others: Pile;
}

export const nothingDerived = (): Derived => ({ sums: new Pile(), shares: new Pile(), others: new Pile() });

function addPair({ others, shares, sums }: Derived, a: number, b: number, from: readonly string[]): void {
  sums.add(a + b, from);
  sums.add(Math.abs(a - b), from);
  others.add(a * b, from);
  others.add((a + b) / 2, from);
  addRatio(shares, others, a, b, from);
  addRatio(shares, others, b, a, from);
}

function addRatio(shares: Pile, others: Pile, x: number, y: number, from: readonly string[]): void {
  if (y === 0) return;
  others.add(x / y, from);
  shares.add((x / y) * 100, from);
  shares.add((Math.abs(x - y) / Math.abs(y)) * 100, from);
  if (x + y !== 0) shares.add((x / (x + y)) * 100, from);
  if (y <= 0 || y >= 100) return;
  others.add((x * y) / 100, from);
  others.add(x * (1 - y / 100), from);
  others.add(x * (1 + y / 100), from);
}

const mostInColumn = 6;
const mostColumns = 6;

/** Figures of one kind against each other, and whole columns against the others beside them: `both rates together`. */
export function addColumns(found: Derived, { lists }: Tables): void {
  const beside = new Map<string, List[]>();
  for (const [path, list] of lists) {
    if (path.includes('{}') || list.values.length < 2) continue;
    const sources = [...list.from];
    if (list.values.length <= mostInColumn)
      for (const [at, a] of list.values.entries())
        for (const b of list.values.slice(at + 1)) addPair(found, a, b, sources);
    const parent = `${path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('|')))} ${list.values.length}`;
    const kin = beside.get(parent);
    if (kin === undefined) beside.set(parent, [list]);
    else if (kin.length < mostColumns) kin.push(list);
  }
  for (const kin of beside.values())
    for (const [at, one] of kin.entries())
      for (const other of kin.slice(at + 1)) {
        const from = [...new Set([...one.from, ...other.from])];
        addRatio(found.shares, found.others, total(one), total(other), from);
        addRatio(found.shares, found.others, total(other), total(one), from);
      }
}

const total = ({ values }: List): number => values.reduce((sum, value) => sum + value, 0);

/** Beyond so many, some pair fits anything. */
const mostDerived = 100_000;

/** Pairs inside short lists, each value's share of its list, and what is left of the whole without it. */
export function addPairs(found: Derived, { lists }: Tables): void {
  for (const { values, from } of [...lists.values()].sort((a, b) => a.values.length - b.values.length)) {
    if (values.length < 2) continue;
    if (values.length > mostShares || found.sums.size > mostDerived) return;
    const sources = [...from];
    const sum = values.reduce((total, value) => total + value, 0);
    if (sum !== 0) for (const value of values) found.shares.add((value / sum) * 100, sources);
    if (values.length > mostPaired) continue;
    for (const [at, a] of values.entries()) for (const b of values.slice(at + 1)) addPair(found, a, b, sources);
    found.sums.add(sum, sources);
    if (values.length > 2) for (const value of values) found.sums.add(sum - value, sources);
  }
}

/** Whole lists against the numbers of the order: what is left of a budget. */
export function addTotals(found: Derived, { lists }: Tables, orders: readonly Sourced[]): void {
  for (const list of lists.values()) {
    if (list.values.length < 2 || list.values.length > mostShares) continue;
    const sum = total(list);
    for (const order of orders) addPair(found, sum, order.value, [...list.from]);
  }
}

/** How many of a list reach a number that the order names, and what share of it that is. */
export function addReaching(found: Derived, { lists }: Tables, marks: readonly Sourced[]): void {
  for (const { values, from } of lists.values()) {
    if (values.length < 2 || values.length > mostShares) continue;
    for (const { value: mark } of marks) {
      const reach = values.filter((value) => value >= mark).length;
      const pass = values.filter((value) => value > mark).length;
      for (const count of new Set([reach, pass, values.length - reach, values.length - pass])) {
        if (count === 0 || count === values.length) continue;
        found.sums.add(count, [...from]);
        found.shares.add((count / values.length) * 100, [...from]);
      }
    }
  }
}

/** Every pair of the one with the other. None when there are so many that some pair would fit. */
export function addAcross(found: Derived, one: readonly Sourced[], other: readonly Sourced[], most: number): void {
  if (one.length * other.length > most) return;
  for (const a of one) for (const b of other) if (a !== b) addPair(found, a.value, b.value, [...a.from, ...b.from]);
}

/** From the numbers that stand beside a claim: all pairs, and all of them together. */
export function beside(operands: readonly Sourced[]): Derived {
  const found = nothingDerived();
  const few = operands.slice(0, mostPaired);
  for (const [at, a] of few.entries()) addAcross(found, [a], few.slice(at + 1), mostPaired);
  if (few.length < 3) return found;
  const from = few.flatMap((one) => one.from);
  const sum = few.reduce((total, { value }) => total + value, 0);
  found.sums.add(sum, from);
  found.others.add(sum / few.length, from);
  for (const { value } of few) {
    found.sums.add(sum - value, from);
    found.shares.add((value / (sum - value)) * 100, from);
  }
  return found;
}
