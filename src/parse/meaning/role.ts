/** What a parameter that has to do with time takes, by its schema, its name and its description. */
import type { Json } from '../../domain/json.js';
import { isObject, type Schema, typesOf } from '../schema.js';
import { type Day, dayFrom, monthOf, quarterOf, yearOf } from './calendar.js';
import type { Period } from './period.js';

/** `day`: one day. `start` and `end`: of a stretch. `range`: both in one text. */
export type TimeRole = 'day' | 'start' | 'end' | 'range' | 'quarter' | 'month' | 'year';

export interface TimeParameter {
  readonly name: string;
  readonly role: TimeRole;
  /** How a period is written here: text with `{start}`, `{end}`, `{year}`, `{month}`, `{quarter}`. */
  readonly form: string;
  /** The schema says that a date in digits is wanted, so that words in its place are a fault. */
  readonly digits: boolean;
}

const ISO = /^(\d{4})[-/](\d{2})[-/](\d{2})(?=$|[T ])/;
const WORDY =
  /natural[- ]language|relative (?:date|time|expression)|"?(?:yesterday|last month|today|now)"?|自然语言|相对(?:日期|时间)|昨天|上个月/i;
const SAMPLE_RANGE =
  /(?:\d{4}-\d{2}-\d{2}|YYYY-MM-DD|start)(\s?(?:\/|\.\.\.?|~|—|–|,|至|到|\sto\s|\s-\s|:)\s?)(?:\d{4}-\d{2}-\d{2}|YYYY-MM-DD|end)/i;

export function timeParameter(name: string, raw: unknown, value: Json | undefined): TimeParameter | undefined {
  const schema: Schema = isObject(raw) ? raw : {};
  const said = [schema.description, schema.title, schema.example, schema.default, ...list(schema.examples)]
    .filter((part): part is string => typeof part === 'string')
    .join(' ');
  if (WORDY.test(said)) return undefined;
  const words = wordsOf(name);
  const has = (...wanted: string[]): boolean =>
    wanted.some((word) => words.includes(word) || (/[^a-z]/.test(word) && name.includes(word)));
  const types = typesOf(schema);
  const make = (role: TimeRole, form: string): TimeParameter => ({ name, role, form, digits: dated(schema, said) });
  if (has('year', '年份', '年度') && (types.includes('integer') || /^\d{4}$/.test(String(value))))
    return make('year', '{year}');
  if (!types.includes('string') && types.length > 0) return undefined;
  if (has('quarter', '季度')) return make('quarter', quarterForm(said, schema));
  if (has('month', '月份') && (/YYYY-MM(?!-)|\d{4}-\d{2}(?!-|\d)/.test(said) || /^\d{4}-\d{2}/.test(String(value))))
    return make('month', '{year}-{month}');
  const range = SAMPLE_RANGE.exec(said);
  if (
    schema.format !== 'date' &&
    schema.format !== 'date-time' &&
    (range !== null || has('range', 'period', 'interval', 'timeframe', '区间', '范围', '期间'))
  )
    return make('range', `{start}${range?.[1] ?? '/'}{end}`);
  if (
    !dated(schema, said) &&
    !has('date', 'day', 'time', '日期', '时间') &&
    !(typeof value === 'string' && ISO.test(value))
  )
    return undefined;
  if (has('start', 'from', 'since', 'begin', 'beginning', 'after', '开始', '起始')) return make('start', '{start}');
  if (has('end', 'to', 'until', 'till', 'before', 'through', 'finish', '结束', '截止', '终止'))
    return make('end', '{end}');
  return make('day', '{start}');
}

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const dated = (schema: Schema, said: string): boolean =>
  schema.format === 'date' ||
  schema.format === 'date-time' ||
  /YYYY[-/]MM[-/]DD|ISO[- ]?8601|\d{4}-\d{2}-\d{2}/i.test(said);

/** `startDate`, `start_date` and `START-DATE` are the same two words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d\u4e00-\u9fff]+/);

function quarterForm(said: string, schema: Schema): string {
  const sample = [said, ...list(schema.enum).map(String)].join(' ');
  const yearFirst = /(?:\d{4}|YYYY)([-/ ]?)Q(?:\d|N|\[)/i.exec(sample);
  if (yearFirst !== null) return `{year}${yearFirst[1]}Q{quarter}`;
  const yearLast = /Q(?:\d|N)([-/ ]?)(?:\d{4}|YYYY)/i.exec(sample);
  if (yearLast !== null) return `Q{quarter}${yearLast[1]}{year}`;
  return /\bQ\d\b/.test(sample) && list(schema.enum).length > 0 ? 'Q{quarter}' : '{year}-Q{quarter}';
}

/** The period in a parameter's form, with the time of day that `like` has. */
export function written(period: { start: Day; end: Day }, form: string, like?: Json): string {
  const text = typeof like === 'string' ? like : '';
  const style = (day: Day, last: boolean): string => {
    const shown = /^\d{4}\//.test(text) ? day.replaceAll('-', '/') : day;
    const clock = /^\d{4}.\d{2}.\d{2}([T ])\d{2}:\d{2}(:\d{2}(?:\.\d+)?)?(.*)$/.exec(text);
    if (clock === null) return shown;
    const [, mark, seconds, zone] = clock;
    const time = last ? '23:59' : '00:00';
    return `${shown}${mark}${time}${seconds === undefined ? '' : last ? ':59' : ':00'}${zone}`;
  };
  return form
    .replaceAll('{start}', style(period.start, false))
    .replaceAll('{end}', style(period.end, true))
    .replaceAll('{year}', period.start.slice(0, 4))
    .replaceAll('{month}', String(monthOf(period.start)).padStart(2, '0'))
    .replaceAll('{quarter}', String(quarterOf(period.start)));
}

/** The day that a value writes in digits, year first. */
export function dayIn(value: Json | undefined): Day | undefined {
  const match = typeof value === 'string' ? ISO.exec(value.trim()) : null;
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const exact = dayFrom(year, month, day);
  return monthOf(exact) === month && yearOf(exact) === year ? exact : undefined;
}

const TWO_DAYS = /^(\d{4}-\d{2}-\d{2})\s?(?:\/|\.{2,3}|~|—|–|,|至|到|to|-|:)\s?(\d{4}-\d{2}-\d{2})$/;

export function rangeIn(value: Json | undefined): { start: Day; end: Day } | undefined {
  const match = typeof value === 'string' ? TWO_DAYS.exec(value.trim()) : null;
  const [start, end] = [dayIn(match?.[1]), dayIn(match?.[2])];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** The value that the parameter should have for a period. */
export const valueFor = (
  parameter: TimeParameter,
  period: Period | { start: Day; end: Day },
  like: Json | undefined,
): Json => {
  const text = written(period, parameter.form, like);
  return parameter.role === 'year' && typeof like === 'number' ? Number(text) : text;
};
