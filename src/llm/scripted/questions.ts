/** Which questions a table invites, by rules over its profile: who, when, how much. */
import type { Column, Profile } from './profile.js';

export interface Metric {
  readonly op: string;
  readonly column?: string;
}

/** The arguments of one `aggregate_table` call. */
export interface Aggregation {
  readonly path: string;
  readonly group_by: readonly string[];
  readonly metrics: readonly Metric[];
  readonly order_by?: string;
  readonly descending?: boolean;
  readonly limit: number;
}

export interface Question {
  /** `q1`, `q2`, `q3`. */
  readonly id: string;
  readonly aggregation: Aggregation;
}

const shownGroups = 10;
const questionCount = 3;
const count: Metric = { op: 'count' };

/** Three questions, or fewer when the table is too plain for three. */
export function questionsFor(path: string, profile: Profile): Question[] {
  if (profile.rows === 0) return [];
  const isLog = has(profile, 'path') && has(profile, 'status') && has(profile, 'method');
  const wanted = isLog ? logQuestions(profile) : tableQuestions(profile);
  const seen = new Set<string>();
  return [...wanted, ...plainQuestions(profile)]
    .filter((one) => {
      const key = JSON.stringify(one);
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, questionCount)
    .map((one, i) => ({ id: `q${i + 1}`, aggregation: { path, limit: shownGroups, ...one } }));
}

type Draft = Omit<Aggregation, 'path' | 'limit'> & { readonly limit?: number };

const has = (profile: Profile, name: string): boolean => profile.columns.some((column) => column.name === name);

/** Slow endpoints, status codes, traffic over time. */
function logQuestions(profile: Profile): Draft[] {
  const time = profile.columns.find(({ name, type }) => name === 'response_time' && type === 'number')?.name;
  const slow: Draft =
    time === undefined
      ? { group_by: ['path'], metrics: [count, { op: 'sum', column: 'bytes' }], order_by: 'count' }
      : {
          group_by: ['path'],
          metrics: [{ op: 'p95', column: time }, { op: 'mean', column: time }, { op: 'max', column: time }, count],
          order_by: `p95(${time})`,
        };
  const day = profile.columns.find(({ name }) => name === 'date');
  const byDay = day?.distinct !== undefined && day.distinct > 1;
  return [
    slow,
    { group_by: ['status'], metrics: [count, { op: 'distinct', column: 'path' }], order_by: 'count' },
    {
      group_by: [byDay ? 'date' : 'hour'],
      metrics: [count, ...(time === undefined ? [] : [{ op: 'p95', column: time }])],
      order_by: byDay ? 'date' : 'hour',
      limit: 24,
    },
  ];
}

/** By the best category, over time, by another category or as a whole. */
function tableQuestions(profile: Profile): Draft[] {
  const [first, second] = categories(profile);
  const [measure, other = measure] = measures(profile);
  const date = profile.columns.find(
    ({ type, distinct }) => type === 'date' && (distinct === undefined || distinct > 1),
  );
  const drafts: Draft[] = [];
  if (first !== undefined) drafts.push(byCategory(first, measure));
  if (date !== undefined) drafts.push(overTime(date, measure));
  if (second !== undefined) drafts.push(byCategory(second, other));
  if (measure !== undefined) drafts.push(spread(measure));
  if (other !== undefined) drafts.push(spread(other));
  return drafts;
}

const byCategory = ({ name }: Column, measure: Column | undefined): Draft => ({
  group_by: [name],
  metrics:
    measure === undefined
      ? [count]
      : [
          { op: 'sum', column: measure.name },
          { op: 'mean', column: measure.name },
          { op: 'max', column: measure.name },
          count,
        ],
});

const spread = ({ name }: Column): Draft => ({
  group_by: [],
  metrics: ['min', 'p50', 'mean', 'p95', 'max']
    .map((op) => ({ op, column: name }))
    .concat({ op: 'count', column: name }),
});

function overTime(date: Column, measure: Column | undefined): Draft {
  const group = `${periodOf(date)}(${date.name})`;
  return {
    group_by: [group],
    metrics: [count, ...(measure === undefined ? [] : [{ op: 'sum', column: measure.name }])],
    order_by: group,
    limit: 12,
  };
}

const dayMs = 86_400_000;

function periodOf({ facts }: Column): 'year' | 'month' | 'day' | 'hour' {
  const days = (Date.parse(String(facts.max)) - Date.parse(String(facts.min))) / dayMs;
  if (Number.isNaN(days)) return 'month';
  if (days > 3 * 366) return 'year';
  if (days > 24) return 'month';
  return days > 1 ? 'day' : 'hour';
}

/** What can be asked of any table. */
function plainQuestions(profile: Profile): Draft[] {
  const named = profile.columns.filter(({ type }) => type !== 'empty').slice(0, 3);
  const columns = named.length > 0 ? named : profile.columns.slice(0, 1);
  return [
    { group_by: [], metrics: [count, ...columns.map(({ name }) => ({ op: 'distinct', column: name }))] },
    ...columns.map(({ name }): Draft => ({ group_by: [name], metrics: [count] })),
    ...columns.map(
      ({ name }): Draft => ({
        group_by: [],
        metrics: [
          { op: 'min', column: name },
          { op: 'max', column: name },
          { op: 'count', column: name },
        ],
      }),
    ),
  ];
}

const mostCategories = 60;

/** Columns with few values, the most telling first: text before numbers, a handful of values before many. */
function categories({ columns, rows }: Profile): Column[] {
  const fits = columns.filter(({ type, distinct }) => {
    if (distinct === undefined || distinct < 2 || distinct > Math.min(mostCategories, rows / 2)) return false;
    return type === 'text' || type === 'boolean' || (type === 'number' && distinct <= 12);
  });
  const rank = ({ type, distinct = 0, missing }: Column) =>
    (type === 'text' ? 0 : type === 'boolean' ? 40 : 80) +
    (distinct < 3 ? 20 : distinct) +
    (missing > rows / 2 ? 50 : 0);
  return fits.sort((a, b) => rank(a) - rank(b));
}

/** `order_id`, `zip code`, `orderId`, `订单号`. */
const isIdentifier = (name: string): boolean =>
  /(?:^|[_\s-])(?:id|no|nr|code|zip|year)$|(?:号|代码|编码|年份|邮编|电话)$/i.test(name) || /[a-z]I[dD]$/.test(name);

/** Numbers worth adding up: no identifiers, no codes, no years, no counter of the rows. */
function measures({ columns, rows }: Profile): Column[] {
  return columns.filter(({ name, type, distinct, facts: { min, max, sum } }) => {
    if (type !== 'number' || (distinct !== undefined && distinct <= 12 && rows > 24)) return false;
    const counts =
      Number.isInteger(min) &&
      Number(max) - Number(min) + 1 === rows &&
      Number(sum) === (rows * (Number(min) + Number(max))) / 2;
    return !isIdentifier(name) && !(counts && rows > 2);
  });
}
