/** Groups rows and computes over each group. */
import type { Json } from '../../../domain/json.js';
import { nearest } from '../../nearest.js';
import { toolFailure } from '../../tool-failure.js';
import { type Condition, rowTest } from './filter.js';
import { createMetric, type Metric, type MetricOp, type Shared } from './metric.js';
import { columnOf } from './name.js';
import { type Reading, type RowTaker, scanTable, type Table } from './scan.js';
import { copied, isMissing, readDate } from './value.js';

export interface AggregateOptions {
  readonly path: string;
  readonly groupBy: readonly string[];
  readonly metrics: readonly { readonly op: MetricOp; readonly column?: string | undefined }[];
  readonly where: readonly Condition[];
  readonly orderBy?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface AggregateLimits {
  /** Groups that are kept; rows of further ones are counted. */
  readonly groups: number;
  /** Values kept for exact quantiles, and for distinct counts. */
  readonly values: number;
}

export const aggregateLimits: AggregateLimits = { groups: 50_000, values: 4_000_000 };

/** Characters of groups that are shown; below the result limit with room for the rest. */
const groupChars = 7000;

interface Group {
  readonly key: readonly string[];
  readonly metrics: readonly Metric[];
}

interface Spent {
  used: number;
  filtered: number;
  overflow: number;
}

export async function aggregateTable(
  options: AggregateOptions,
  reading: Reading,
  limits: AggregateLimits = aggregateLimits,
): Promise<Json> {
  const shared: Shared = {
    quantiles: { left: limits.values },
    distinct: { left: Math.ceil(limits.values / 4) },
    notNumbers: new Map(),
    coarse: false,
  };
  const groups = new Map<string, Group>();
  const spent: Spent = { used: 0, filtered: 0, overflow: 0 };
  const metricNames = options.metrics.map(metricName);
  let keyNames: string[] = [];
  const table = await scanTable(options.path, reading, (begun) => {
    const keys = options.groupBy.map((name) => keyOf(name, begun.columns));
    keyNames = keys.map((key) => key.name);
    order(options, keyNames, metricNames);
    return taker(options, begun, keys, groups, shared, spent, limits);
  });
  const sorted = sortedGroups([...groups.values()], order(options, keyNames, metricNames));
  return answer(table, sorted, { options, keyNames, metricNames, shared, spent, limits });
}

const metricName = ({ op, column }: AggregateOptions['metrics'][number]): string =>
  column === undefined ? op : `${op}(${column})`;

interface Key {
  readonly name: string;
  of(cells: readonly string[]): string;
}

/** A part of a date by which rows can be grouped, as `day(time)`. */
const parts = {
  year: (day: string) => day.slice(0, 4),
  month: (day: string) => day.slice(0, 7),
  day: (day: string) => day,
  hour: (day: string, hour: number) => `${day} ${String(hour).padStart(2, '0')}h`,
  weekday: (day: string) =>
    ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(`${day}T00:00Z`).getUTCDay()] ?? '',
};

function keyOf(name: string, columns: readonly string[]): Key {
  const part = columns.includes(name) ? null : /^\s*(year|month|day|hour|weekday)\((.*)\)\s*$/s.exec(name);
  if (part === null) {
    const index = columnOf(name, columns);
    return { name: columns[index] ?? name, of: (cells) => keyText(cells[index]) };
  }
  const index = columnOf(part[2] ?? '', columns);
  const cut = parts[part[1] as keyof typeof parts];
  return {
    name: `${part[1]}(${columns[index]})`,
    of: (cells) => {
      const date = readDate(cells[index] ?? '');
      return date === undefined ? '' : cut(date.day, date.hour);
    },
  };
}

const keyText = (cell = ''): string => (isMissing(cell) ? '' : cell.trim());

function taker(
  options: AggregateOptions,
  table: Table,
  keys: readonly Key[],
  groups: Map<string, Group>,
  shared: Shared,
  spent: Spent,
  limits: AggregateLimits,
): RowTaker {
  const places = options.metrics.map(({ column }) => (column === undefined ? -1 : columnOf(column, table.columns)));
  const test = rowTest(options.where, table.columns);
  const [single] = keys;
  const groupFor = (cells: readonly string[]): Group | undefined => {
    const key = keys.map((one) => one.of(cells));
    const id = keys.length === 1 ? (key[0] ?? '') : JSON.stringify(key);
    if (groups.size >= limits.groups) return undefined;
    const metrics = options.metrics.map(({ op, column }) => createMetric(op, column, shared));
    const group = { key: key.map(copied), metrics };
    groups.set(copied(id), group);
    return group;
  };
  const idOf = (cells: readonly string[]): string => {
    if (keys.length === 1 && single !== undefined) return single.of(cells);
    return keys.length === 0 ? '[]' : JSON.stringify(keys.map((key) => key.of(cells)));
  };
  return (cells) => {
    if (!test(cells)) {
      spent.filtered += 1;
      return;
    }
    const group = groups.get(idOf(cells)) ?? groupFor(cells);
    if (group === undefined) {
      spent.overflow += 1;
      return;
    }
    spent.used += 1;
    for (let i = 0; i < group.metrics.length; i += 1) {
      const place = places[i] ?? -1;
      group.metrics[i]?.add(place === -1 ? undefined : (cells[place] ?? ''));
    }
  };
}

interface Order {
  /** Index of a metric, or of a key with `byKey`. */
  readonly index: number;
  readonly byKey: boolean;
  readonly descending: boolean;
}

/** By the first metric, the largest first, unless told otherwise. */
function order(options: AggregateOptions, keyNames: readonly string[], metricNames: readonly string[]): Order {
  const { orderBy } = options;
  if (orderBy === undefined) return { index: 0, byKey: false, descending: options.descending ?? true };
  const plain = (name: string): string => name.replaceAll(/\s+/g, '').toLowerCase();
  const find = (names: readonly string[]): number => {
    const exact = names.indexOf(orderBy);
    return exact !== -1 ? exact : names.findIndex((name) => plain(name) === plain(orderBy));
  };
  const metric = find(metricNames);
  if (metric !== -1) return { index: metric, byKey: false, descending: options.descending ?? true };
  const key = find(keyNames);
  if (key !== -1) return { index: key, byKey: true, descending: options.descending ?? false };
  const all = [...metricNames, ...keyNames];
  const near = nearest(orderBy, all);
  throw toolFailure({
    kind: 'invalid_arguments',
    message: `order_by ${JSON.stringify(orderBy.slice(0, 100))} is neither a metric nor a group of this call`,
    hint: `${near.length > 0 ? `did you mean ${near.join(' or ')}? ` : ''}possible: ${all.join(', ')}`,
  });
}

function sortedGroups(groups: readonly Group[], by: Order): Group[] {
  const sign = by.descending ? -1 : 1;
  const valued = groups.map((group) => ({
    group,
    value: by.byKey ? (group.key[by.index] ?? '') : (group.metrics[by.index]?.value() ?? null),
  }));
  return valued
    .sort((a, b) => sign * compared(a.value, b.value) || compareKeys(a.group.key, b.group.key))
    .map(({ group }) => group);
}

const compareKeys = (a: readonly string[], b: readonly string[]): number =>
  a.reduce((found, part, index) => found || compared(part, b[index] ?? ''), 0);

/** Numbers before text, numbers in text by value, nothing last of all. */
function compared(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null || a === '') return -1;
  if (b === null || b === '') return 1;
  const x = Number(a);
  const y = Number(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return String(a) < String(b) ? -1 : 1;
}

interface Answering {
  readonly options: AggregateOptions;
  readonly keyNames: readonly string[];
  readonly metricNames: readonly string[];
  readonly shared: Shared;
  readonly spent: Spent;
  readonly limits: AggregateLimits;
}

function answer(table: Table, sorted: readonly Group[], about: Answering): Json {
  const { options, keyNames, metricNames, shared, spent, limits } = about;
  const shown: Json[] = [];
  let chars = 0;
  for (const group of sorted.slice(options.offset, options.offset + options.limit)) {
    const row = {
      key: Object.fromEntries(keyNames.map((name, i) => [name, group.key[i] === '' ? null : (group.key[i] ?? null)])),
      values: Object.fromEntries(metricNames.map((name, i) => [name, group.metrics[i]?.value() ?? null])),
    };
    chars += JSON.stringify(row).length + 1;
    if (chars > groupChars && shown.length > 0) break;
    shown.push(row);
  }
  const next = options.offset + shown.length;
  return {
    groups: shown,
    groups_total: spent.overflow > 0 ? `over ${limits.groups}` : sorted.length,
    rows_used: spent.used,
    rows_skipped: table.rejected,
    ...(options.where.length > 0 ? { rows_filtered_out: spent.filtered } : {}),
    ...(shared.notNumbers.size > 0 ? { not_numbers: Object.fromEntries(shared.notNumbers) } : {}),
    ...(next < sorted.length ? { more: `${sorted.length - next} more groups; continue with offset ${next}` } : {}),
    ...(spent.overflow > 0
      ? { warning: `${spent.overflow} rows belong to further groups and are in none of these; group by less or filter` }
      : {}),
    ...(shared.coarse ? { approximate: 'p50 and p95 are within 0.5 %, distinct counts are lower bounds' } : {}),
  };
}
