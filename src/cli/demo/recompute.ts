/** Computes over rows of a table by the plainest code there is. */
import type { PlainTable, Row } from './table-file.js';

const absent = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', '-', '--', '\\n']);
export const isAbsent = (cell: string): boolean => absent.has(cell.trim().toLowerCase());

/** A number as people write it: `1,234.5`, `$12`, `7 %`. Undefined for anything else, `007` too. */
export function numberOf(cell: string): number | undefined {
  const plain = cell
    .trim()
    .replace(/^([+-]?)[$£¥€￥]/, '$1')
    .replace(/%$/, '');
  const joined = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(joined) || /^[+-]?0\d/.test(joined)) return undefined;
  const number = Number(joined);
  return Number.isInteger(number) && Math.abs(number) > Number.MAX_SAFE_INTEGER ? undefined : number;
}

/** What a metric is over cells that are there; undefined: this code does not know how to compute it. */
export function metric(op: string, cells: readonly string[]): number | string | undefined {
  const numbers = cells.map(numberOf).filter((number) => number !== undefined);
  switch (op) {
    case 'count':
      return cells.length;
    case 'distinct':
      return new Set(cells.map((cell) => cell.trim())).size;
    case 'sum':
      return total(numbers);
    case 'mean':
      return numbers.length === 0 ? undefined : total(numbers) / numbers.length;
    case 'min':
    case 'max':
      return extreme(op, numbers, cells);
    case 'p50':
      return quantile(numbers, 0.5);
    case 'p95':
      return quantile(numbers, 0.95);
    default:
      return undefined;
  }
}

/** Added up in whole billionths, so that decimals do not drift. */
function total(numbers: readonly number[]): number {
  const billionths = numbers.reduce((sum, number) => sum + BigInt(Math.round(number * 1e9)), 0n);
  return Number(billionths) / 1e9;
}

/** Of numbers when most cells are numbers; of moments written year first when not. */
function extreme(op: 'min' | 'max', numbers: readonly number[], cells: readonly string[]): number | string | undefined {
  if (numbers.length * 2 > cells.length) {
    return numbers.reduce((best, number) => ((op === 'min') === number < best ? number : best));
  }
  const moments = cells.map((cell) => cell.trim()).filter((cell) => /^\d{4}-\d\d-\d\d/.test(cell));
  if (moments.length < cells.length || moments.length === 0) return undefined;
  return moments.reduce((best, moment) => ((op === 'min') === moment < best ? moment : best));
}

/** Linear between the two nearest ranks. */
function quantile(numbers: readonly number[], share: number): number | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const low = sorted[Math.floor(rank)] ?? 0;
  const high = sorted[Math.ceil(rank)] ?? low;
  return low + (high - low) * (rank - Math.floor(rank));
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The cell of a group key: a column, or a part of a date like `month(date)`. Undefined: not known how. */
export function keyCell(name: string, { head }: PlainTable): ((row: Row) => string) | undefined {
  const direct = head.indexOf(name);
  if (direct >= 0) return (row) => row[direct] ?? '';
  const [, part = '', column = ''] = /^(\w+)\((.*)\)$/s.exec(name) ?? [];
  const at = head.indexOf(column);
  if (at < 0 || !['year', 'month', 'day', 'hour', 'weekday'].includes(part)) return undefined;
  return (row) => datePart(part, row[at] ?? '');
}

function datePart(part: string, cell: string): string {
  const [, year = '', month = '', day = '', hour = '0'] =
    /^\s*(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ]\s*(\d{1,2}))?/.exec(cell) ?? [];
  if (year === '') return '';
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (part === 'year') return year;
  if (part === 'month') return date.slice(0, 7);
  if (part === 'hour') return `${date} ${hour.padStart(2, '0')}h`;
  return part === 'weekday' ? (weekdays[new Date(`${date}T00:00Z`).getUTCDay()] ?? '') : date;
}
