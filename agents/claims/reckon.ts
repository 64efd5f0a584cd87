/** What can be reckoned from the numbers of the results, the order and those beside a claim; each made when first asked for. */
import {
  addAcross,
  addColumns,
  addPairs,
  addReaching,
  addTotals,
  aggregates,
  beside,
  type Derived,
  nothingDerived,
} from './derive.js';
import { type Sorted, type Sourced, sortedOf } from './sorted.js';
import type { Tables } from './table.js';

export interface SortedDerived {
  readonly sums: Sorted;
  readonly shares: Sorted;
  readonly others: Sorted;
}

export interface Reckoned {
  /** Sums, means, extremes of lists. */
  summed(): Sorted;
  /** Within short columns, and whole columns against each other. */
  columns(): SortedDerived;
  /** Whole lists against the numbers of the order. */
  totals(): SortedDerived;
  /** What counts leave of the numbers. */
  rest(): SortedDerived;
  /** Sums and differences of all numbers, when the results and the order hold but a few. */
  few(): SortedDerived;
  /** Pairs of everything that belongs together. */
  paired(): SortedDerived;
  besides(operands: readonly Sourced[]): SortedDerived;
  /** Each of the one with each of the other. */
  across(operands: readonly Sourced[], others: readonly Sourced[]): SortedDerived;
  /** For so many as the order says, where the results say it for others. */
  inProportion(operands: readonly Sourced[]): SortedDerived;
  /** With the numbers of the order. */
  withOrder(operands: readonly Sourced[]): SortedDerived;
  /** With others of the results that the operands come from. */
  withKin(operands: readonly Sourced[]): SortedDerived;
}

const mostOfOrder = 12;
const mostMarks = 6;
const mostOfFew = 5;
const mostKin = 24;
const mostAcrossCounts = 300;
const mostBases = 8;
const mostPairsAcross = 2_500;

export const sourced = ({ value, from }: { value: number; from: string }): Sourced => ({ value, from: [from] });

export function reckonedFrom(tables: Tables, orders: Tables): Reckoned {
  const few = distinct(orders).slice(0, mostOfOrder);
  const across = (operands: readonly Sourced[], others: readonly Sourced[], most: number): SortedDerived =>
    derived((found) => addAcross(found, operands, others, most));
  return {
    summed: lazily(() => sortedOf(aggregates(tables))),
    columns: lazily(() =>
      derived((found) => {
        addColumns(found, tables);
        addReaching(found, tables, few.slice(0, mostMarks));
      }),
    ),
    totals: lazily(() => derived((found) => addTotals(found, tables, few.slice(0, mostMarks)))),
    rest: lazily(() =>
      derived((found) => {
        const counts = [...new Map(tables.counts.map((one) => [one.value, sourced(one)])).values()];
        addAcross(found, counts, [...distinct(tables), ...few], mostAcrossCounts);
      }),
    ),
    few: lazily(() =>
      derived((found) => {
        const all = [...new Map([...few, ...distinct(tables)].map((one) => [one.value, one])).values()];
        if (all.length <= mostOfFew) addAcross(found, all, all, mostOfFew ** 2);
      }),
    ),
    paired: lazily(() =>
      derived((found) => {
        addPairs(found, tables);
        addAcross(found, few, few, 200);
        addAcross(found, few, distinct(tables), mostPairsAcross);
      }),
    ),
    besides: (operands) => sorted(beside(operands)),
    across: (operands, others) => across(operands, others, 200),
    inProportion(operands) {
      const bases = distinct(tables).slice(0, mostBases);
      return derived((found) => {
        if (tables.stated.length > mostBases) return;
        for (const one of operands)
          for (const wanted of few.slice(0, mostMarks))
            for (const base of bases)
              if (base.value !== 0 && base.value !== one.value)
                found.sums.add((one.value * wanted.value) / base.value, [...one.from, ...base.from]);
      });
    },
    withOrder: (operands) => across(operands, few, 200),
    withKin(operands) {
      const sources = new Set(operands.flatMap(({ from }) => from));
      const kin = tables.stated.filter(({ from }) => sources.has(from)).slice(0, mostKin);
      return across(operands, kin.map(sourced), 4 * mostKin);
    },
  };
}

const distinct = ({ stated }: Tables): Sourced[] => [
  ...new Map(stated.map((item) => [item.value, sourced(item)])).values(),
];

function derived(fill: (found: Derived) => void): SortedDerived {
  const found = nothingDerived();
  fill(found);
  return sorted(found);
}

const sorted = ({ others, shares, sums }: Derived): SortedDerived => ({
  sums: sums.sorted(),
  shares: shares.sorted(),
  others: others.sorted(),
});

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
