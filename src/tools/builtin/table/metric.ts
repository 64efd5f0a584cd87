/** What is computed over the rows of a group. */
import type { Json } from '../../../domain/json.js';
import { type Decimal, readDecimal, rounded } from './decimal.js';
import { Quantiles, type Quota } from './quantile.js';
import { ExactSum } from './sum.js';
import { copied, isMissing, readDate } from './value.js';

export const metricOps = ['count', 'sum', 'mean', 'min', 'max', 'p50', 'p95', 'distinct'] as const;
export type MetricOp = (typeof metricOps)[number];

/** Limits shared by all groups, and what they cost. */
export interface Shared {
  readonly quantiles: Quota;
  readonly distinct: Quota;
  /** Cells that were no number where one was needed, by column. */
  readonly notNumbers: Map<string, number>;
  /** Quantiles are within 0.5 %, distinct counts too low. */
  coarse: boolean;
}

/** One metric of one group. */
export interface Metric {
  /** Undefined for `count` of rows. */
  add(cell: string | undefined): void;
  /** For ordering: a number or a text. */
  value(): Json;
}

export function createMetric(op: MetricOp, column: string | undefined, shared: Shared): Metric {
  switch (op) {
    case 'count':
      return counter();
    case 'sum':
    case 'mean':
      return summer(op, column ?? '', shared);
    case 'min':
    case 'max':
      return extreme(op);
    case 'p50':
    case 'p95':
      return quantile(op === 'p50' ? 0.5 : 0.95, column ?? '', shared);
    case 'distinct':
      return distinct(shared);
  }
}

/** Rows, or the cells of a column that are not missing. */
function counter(): Metric {
  let count = 0;
  return {
    add: (cell) => {
      if (cell === undefined || !isMissing(cell)) count += 1;
    },
    value: () => count,
  };
}

/** Reads the cell; what is neither missing nor a number is noted. */
function numberIn(cell: string, column: string, out: Decimal, shared: Shared): boolean {
  if (isMissing(cell)) return false;
  if (readDecimal(cell, out)) return true;
  shared.notNumbers.set(column, (shared.notNumbers.get(column) ?? 0) + 1);
  return false;
}

const found: () => Decimal = () => ({ value: 0, units: 0, scale: 0 });

function summer(op: 'sum' | 'mean', column: string, shared: Shared): Metric {
  const sum = new ExactSum();
  const decimal = found();
  let count = 0;
  return {
    add: (cell = '') => {
      if (!numberIn(cell, column, decimal, shared)) return;
      sum.add(decimal);
      count += 1;
    },
    value: () => (op === 'sum' ? sum.toJson() : count === 0 ? null : rounded(sum.value() / count)),
  };
}

/** Of numbers if most cells are numbers, of dates if most are, else of the text. */
function extreme(op: 'min' | 'max'): Metric {
  const sign = op === 'min' ? -1 : 1;
  const decimal = found();
  let number: { best: number; count: number } | undefined;
  let date: { at: number; text: string; count: number } | undefined;
  let text: { best: string; count: number } | undefined;
  return {
    add: (cell = '') => {
      if (isMissing(cell)) return;
      if (readDecimal(cell, decimal)) {
        number ??= { best: decimal.value, count: 0 };
        number.count += 1;
        if (sign * (decimal.value - number.best) > 0) number.best = decimal.value;
        return;
      }
      const moment = readDate(cell);
      if (moment !== undefined) {
        date ??= { at: moment.at, text: copied(cell.trim()), count: 0 };
        date.count += 1;
        if (sign * (moment.at - date.at) > 0) date = { at: moment.at, text: copied(cell.trim()), count: date.count };
        return;
      }
      text ??= { best: copied(cell), count: 0 };
      text.count += 1;
      if (op === 'min' ? cell < text.best : cell > text.best) text.best = copied(cell);
    },
    value: () => {
      const most = Math.max(number?.count ?? 0, date?.count ?? 0, text?.count ?? 0);
      if (most === 0) return null;
      if (number?.count === most) return number.best;
      return date?.count === most ? date.text : (text?.best ?? null);
    },
  };
}

function quantile(share: number, column: string, shared: Shared): Metric {
  const values = new Quantiles(shared.quantiles);
  const decimal = found();
  return {
    add: (cell = '') => {
      if (!numberIn(cell, column, decimal, shared)) return;
      values.add(decimal.value);
      if (!values.exact) shared.coarse = true;
    },
    value: () => values.at(share) ?? null,
  };
}

function distinct(shared: Shared): Metric {
  const seen = new Set<string>();
  let over = false;
  return {
    add: (cell = '') => {
      if (isMissing(cell) || seen.has(cell)) return;
      if (shared.distinct.left > 0) {
        shared.distinct.left -= 1;
        seen.add(copied(cell));
      } else {
        over = true;
        shared.coarse = true;
      }
    },
    value: () => (over ? `over ${seen.size}` : seen.size),
  };
}
