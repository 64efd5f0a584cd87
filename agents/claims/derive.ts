/** What can be reckoned from numbers that belong together. Everything else would make any number come out of some pair. */
import type { Sourced } from './sorted.js';
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
      .flatMap(([path, list]) => (path.includes('{}') ? totalOf(list) : aggregatesOf(list))),
  ];
}

/** Figures of one object are of several kinds: at most they add up. */
const totalOf = ({ values, from }: List): Sourced[] => [
  { value: values.reduce((total, value) => total + value, 0), from: [...from] },
];

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
  readonly sums: Sourced[];
  /** In percent: shares, changes, ratios. */
  readonly shares: Sourced[];
  /** Products, ratios, means. */
  readonly others: Sourced[];
}

export const nothingDerived = (): Derived => ({ sums: [], shares: [], others: [] });

function addPair({ others, shares, sums }: Derived, a: number, b: number, from: readonly string[]): void {
  sums.push({ value: a + b, from }, { value: Math.abs(a - b), from });
  others.push({ value: a * b, from }, { value: (a + b) / 2, from });
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    if (y === 0) continue;
    others.push({ value: x / y, from });
    shares.push({ value: (x / y) * 100, from }, { value: (Math.abs(x - y) / Math.abs(y)) * 100, from });
    if (x + y !== 0) shares.push({ value: (x / (x + y)) * 100, from });
    if (y > 0 && y < 100)
      others.push(
        { value: (x * y) / 100, from },
        { value: x * (1 - y / 100), from },
        { value: x * (1 + y / 100), from },
      );
  }
}

/** Pairs inside short lists, each value's share of its list, and what is left of the whole without it. */
export function addPairs(found: Derived, { lists }: Tables): void {
  for (const { values, from } of lists.values()) {
    const sources = [...from];
    if (values.length < 2 || values.length > mostShares) continue;
    const sum = values.reduce((total, value) => total + value, 0);
    if (sum !== 0) for (const value of values) found.shares.push({ value: (value / sum) * 100, from: sources });
    if (values.length > mostPaired) continue;
    for (const [at, a] of values.entries()) for (const b of values.slice(at + 1)) addPair(found, a, b, sources);
    if (values.length > 2) for (const value of values) found.sums.push({ value: sum - value, from: sources });
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
        found.sums.push({ value: count, from: [...from] });
        found.shares.push({ value: (count / values.length) * 100, from: [...from] });
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
  found.sums.push({ value: sum, from });
  found.others.push({ value: sum / few.length, from });
  for (const { value } of few) {
    found.sums.push({ value: sum - value, from });
    found.shares.push({ value: (value / (sum - value)) * 100, from });
  }
  return found;
}
