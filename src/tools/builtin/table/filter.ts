/** Conditions on rows. */
import { type Decimal, readDecimal } from './decimal.js';
import { columnOf } from './name.js';
import { isMissing, readDate } from './value.js';

export const operators = ['=', '!=', '>', '>=', '<', '<=', 'contains'] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly column: string;
  readonly op: Operator;
  readonly value: string | number | boolean | null;
}

export type RowTest = (cells: readonly string[]) => boolean;

/**
 * Numbers compare as numbers, dates as moments, all else as text. A missing cell equals only null (or an empty text),
 * differs from everything else, and is neither more nor less than anything.
 */
export function rowTest(conditions: readonly Condition[], columns: readonly string[]): RowTest {
  const tests = conditions.map((condition) => {
    const index = columnOf(condition.column, columns);
    const test = cellTest(condition);
    return (cells: readonly string[]): boolean => test(cells[index] ?? '');
  });
  return (cells) => tests.every((test) => test(cells));
}

function cellTest({ op, value }: Condition): (cell: string) => boolean {
  const wanted = value === null ? '' : String(value).trim();
  if (op === 'contains') {
    const part = wanted.toLowerCase();
    return (cell) => cell.toLowerCase().includes(part);
  }
  if (isMissing(wanted)) {
    if (op === '=') return isMissing;
    return op === '!=' ? (cell) => !isMissing(cell) : () => false;
  }
  const compare = comparer(wanted);
  const holds = (order: number | undefined): boolean => (order === undefined ? op === '!=' : means(op, order));
  return (cell) => holds(isMissing(cell) ? undefined : compare(cell));
}

/** Below 0, 0, above 0: the cell is less than, equal to, more than what is wanted; undefined: of another kind. */
function comparer(wanted: string): (cell: string) => number | undefined {
  const found: Decimal = { value: 0, units: 0, scale: 0 };
  if (readDecimal(wanted, found)) {
    const number = found.value;
    return (cell) => (readDecimal(cell, found) ? found.value - number : undefined);
  }
  const date = readDate(wanted);
  if (date !== undefined) {
    return (cell) => {
      const at = readDate(cell)?.at;
      return at === undefined ? undefined : at - date.at;
    };
  }
  return (cell) => {
    const text = cell.trim();
    return text === wanted ? 0 : text < wanted ? -1 : 1;
  };
}

function means(op: Exclude<Operator, 'contains'>, order: number): boolean {
  switch (op) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}
