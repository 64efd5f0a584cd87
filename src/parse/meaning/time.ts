/** Arguments about time against the periods that the goal names. */
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject, properties, resolve, type Schema } from '../schema.js';
import { addDays, type Day, daysBetween, withYear, yearOf } from './calendar.js';
import type { Finding, Problem } from './finding.js';
import { inYear, lies, type Period, periodNamedBy, periodsIn } from './period.js';
import { dayIn, rangeIn, type TimeParameter, timeParameter, valueFor, written } from './role.js';

export interface Setting {
  readonly today: Day;
  /** Periods of the goal. */
  readonly periods: readonly Period[];
  /** The goal sets one time against another, so a second period may be meant. */
  readonly compares: boolean;
}

const COMPARES =
  /\b(?:compar\w*|versus|vs\.?|against|year[- ]over[- ]year|yoy|month[- ]over[- ]month|growth|change from|trend|previous years?|prior (?:year|period)|histor\w+|forecast)\b|同比|环比|对比|比较|相比|较去年|增长|变化|趋势|历史|往年|预测/i;

export const settingOf = (goal: string, today: Day): Setting => ({
  today,
  periods: periodsIn(goal, today),
  compares: COMPARES.test(goal.slice(0, 8_000)),
});

const DEPTH_MAX = 3;

/** One finding a parameter, parameters of inner objects included. */
export function timeFindings(args: JsonObject, rawSchema: unknown, setting: Setting, root: Schema): Finding[] {
  return objectFindings(args, rawSchema, setting, root, [], 0);
}

function objectFindings(
  args: JsonObject,
  rawSchema: unknown,
  setting: Setting,
  root: Schema,
  path: readonly string[],
  depth: number,
): Finding[] {
  const known = properties(resolve(rawSchema, root));
  const found: Finding[] = [];
  const parameters: TimeParameter[] = [];
  for (const name of Object.keys(known).slice(0, 64)) {
    const schema = resolve(known[name], root);
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (isObject(value) && depth < DEPTH_MAX)
      found.push(...objectFindings(value, schema, setting, root, [...path, name], depth + 1));
    const parameter = timeParameter(name, schema, value);
    if (parameter !== undefined) parameters.push(parameter);
  }
  const here: Here = { args, path, setting, parameters };
  const spoken = parameters.flatMap((parameter) => spokenDate(parameter, here));
  if (spoken.length > 0) return [...found, ...spoken];
  return [...found, ...pairFindings(here), ...parameters.flatMap((parameter) => single(parameter, here))];
}

interface Here {
  readonly args: JsonObject;
  readonly path: readonly string[];
  readonly setting: Setting;
  readonly parameters: readonly TimeParameter[];
}

function finding(
  here: Here,
  name: string,
  problem: Problem,
  to: Json | undefined,
  confidence: number,
  period: Period,
): Finding {
  const { kind, start, end, text } = period;
  const from = Object.hasOwn(here.args, name) ? here.args[name] : undefined;
  return { problem, path: [...here.path, name], from, to, confidence, goal: text.trim(), period: { kind, start, end } };
}

/** `last month` or `昨天` where a date is wanted. */
function spokenDate(parameter: TimeParameter, here: Here): Finding[] {
  const value = here.args[parameter.name];
  if (typeof value !== 'string' || parameter.role === 'year') return [];
  const named = periodNamedBy(value, here.setting.today);
  const written = valueFor(parameter, named ?? { start: '', end: '' }, undefined);
  if (named === undefined || written === value || dayIn(value) !== undefined) return [];
  if (parameter.role === 'range' && rangeIn(value) !== undefined) return [];
  const narrow = parameter.role === 'day' ? named.kind === 'day' : true;
  if (parameter.role === 'quarter' && named.kind !== 'quarter') return [];
  const sure = parameter.digits || parameter.role === 'start' || parameter.role === 'end' || parameter.role === 'day';
  const confidence = !narrow
    ? 0.5
    : named.vague
      ? 0.75
      : sure && (parameter.digits || named.kind === 'day')
        ? 0.95
        : 0.8;
  return [finding(here, parameter.name, 'words for a date', narrow ? written : undefined, confidence, named)];
}

/** Start and end of a stretch, in two parameters. */
function pairFindings(here: Here): Finding[] {
  const starts = here.parameters.filter(({ role }) => role === 'start');
  const ends = here.parameters.filter(({ role }) => role === 'end');
  const [first, second] = [starts[0], ends[0]];
  if (first === undefined || second === undefined || starts.length > 1 || ends.length > 1) return [];
  const start = dayIn(here.args[first.name]);
  if (start === undefined) return [];
  const end = dayIn(here.args[second.name]);
  const whole = wholeFrom(start, here.setting);
  if (whole !== undefined && (end === undefined || end === start)) {
    const like = here.args[second.name] ?? here.args[first.name];
    return [finding(here, second.name, 'first day only', valueFor(second, whole, like), sureOf(whole, 0.9), whole)];
  }
  const meant = otherPeriod({ start, end: end ?? start }, here.setting);
  if (meant === undefined) return [];
  const { period, problem, confidence } = meant;
  return [first, second].flatMap((parameter) => {
    const value = here.args[parameter.name];
    return value === undefined
      ? []
      : [finding(here, parameter.name, problem, valueFor(parameter, period, value), confidence, period)];
  });
}

function single(parameter: TimeParameter, here: Here): Finding[] {
  const value = here.args[parameter.name];
  if (value === undefined || parameter.role === 'start' || parameter.role === 'end') return [];
  if (parameter.role === 'year') return yearFinding(parameter, value, here);
  const day = dayIn(value);
  const range = parameter.role === 'range' ? rangeIn(value) : undefined;
  const start = day ?? range?.start;
  if (parameter.role === 'quarter' || parameter.role === 'month') return part(parameter, value, day, here);
  if (start === undefined) return [];
  const whole = wholeFrom(start, here.setting);
  if (whole !== undefined && (range === undefined || range.end === start)) {
    const fixable = parameter.role === 'range';
    const to = fixable ? valueFor(parameter, whole, undefined) : undefined;
    return [finding(here, parameter.name, 'first day only', to, fixable ? sureOf(whole, 0.9) : 0.6, whole)];
  }
  const meant = otherPeriod({ start, end: range?.end ?? start }, here.setting);
  if (meant === undefined) return [];
  const to =
    meant.problem === 'wrong year' && parameter.role === 'day' && typeof value === 'string'
      ? `${yearOf(meant.period.start)}${value.slice(4)}`
      : meant.period.kind === 'day' || parameter.role === 'range'
        ? valueFor(parameter, meant.period, value)
        : undefined;
  return [finding(here, parameter.name, meant.problem, to, to === undefined ? 0.6 : meant.confidence, meant.period)];
}

/** A quarter or a month in a parameter of its own, given as a date or of another year. */
function part(parameter: TimeParameter, value: Json, day: Day | undefined, here: Here): Finding[] {
  const kinds = here.setting.periods.filter(({ kind, open }) => kind === parameter.role && !open);
  const [only, more] = kinds;
  if (only === undefined || more !== undefined || parameter.form === 'Q{quarter}') return [];
  if (day !== undefined) {
    const meant = only.yearless ? inYear(only, yearOf(day)) : only;
    if (day !== meant.start) return [];
    return [finding(here, parameter.name, 'first day only', written(meant, parameter.form), 0.9, meant)];
  }
  const year = /\b(?:19|20)\d{2}\b/.exec(String(value))?.[0];
  if (year === undefined || only.yearless || here.setting.compares || Number(year) === yearOf(only.start)) return [];
  const other = written(inYear(only, Number(year)), parameter.form);
  return other === value
    ? [finding(here, parameter.name, 'wrong year', written(only, parameter.form), 0.85, only)]
    : [];
}

function yearFinding(parameter: TimeParameter, value: Json, here: Here): Finding[] {
  const { compares, periods } = here.setting;
  const dated = periods.filter(({ yearless }) => !yearless);
  const years = new Set(dated.flatMap(({ start, end }) => [yearOf(start), yearOf(end)]));
  const [year] = years;
  const [named] = dated;
  if (years.size !== 1 || compares || year === undefined || named === undefined || Number(value) === year) return [];
  if (dated.some(({ open }) => open)) return [];
  const to = typeof value === 'number' ? year : String(year);
  return [finding(here, parameter.name, 'wrong year', to, named.relative ? 0.85 : 0.9, named)];
}

const sureOf = (period: Period, confidence: number): number => (period.vague ? 0.7 : confidence);

/** The one period longer than a day that begins with this day, unless the goal names the day itself. */
function wholeFrom(day: Day, { periods }: Setting): Period | undefined {
  if (
    periods.some(
      ({ kind, start, open, end }) =>
        (kind === 'day' && start === day) ||
        (open && (start === day || lies({ start: day, end: day }, { start, end }))),
    )
  )
    return undefined;
  const fitting = periods
    .filter(({ kind, open }) => kind !== 'day' && kind !== 'span' && !open)
    .map((period) => (period.yearless ? inYear(period, yearOf(day)) : period))
    .filter(({ start }) => start === day);
  const lengths = new Set(fitting.map(({ end }) => end));
  return lengths.size === 1 ? fitting[0] : undefined;
}

/** The period that is meant when the goal names one and the arguments lie in none. */
function otherPeriod(
  given: { start: Day; end: Day },
  { periods, compares }: Setting,
): { period: Period; problem: Problem; confidence: number } | undefined {
  if (periods.length === 0 || periods.some(({ open }) => open)) return undefined;
  const named = narrowest(periods);
  const [period, more] = named;
  if (period === undefined || more !== undefined || period.yearless || period.kind === 'span') return undefined;
  const near = { start: period.start, end: period.end };
  if (lies(given, near)) return undefined;
  // A day more or less may be a matter of time zones, or of an end that is not included.
  if (Math.abs(daysBetween(given.start, near.start)) <= 1 && Math.abs(daysBetween(given.end, near.end)) <= 1)
    return undefined;
  if (daysBetween(given.start, near.start) >= 0 && daysBetween(near.end, given.end) >= 0) return undefined;
  if (period.kind === 'week' && lies(given, { start: addDays(near.start, -1), end: near.end })) return undefined;
  const moved = movedTo(yearOf(period.start), given);
  if (yearOf(given.start) !== yearOf(period.start) && lies(moved, near))
    return { period: { ...period, ...moved }, problem: 'wrong year', confidence: compares ? 0.5 : 0.88 };
  if (!period.relative) return undefined;
  const alike = Math.abs(daysBetween(given.start, given.end) - daysBetween(period.start, period.end)) <= 3;
  return { period, problem: 'other period', confidence: compares || !alike ? 0.5 : period.vague ? 0.7 : 0.85 };
}

/** The same days of the year, so many years away that the first lies in `year`. */
const movedTo = (year: number, { start, end }: { start: Day; end: Day }): { start: Day; end: Day } => ({
  start: withYear(start, year),
  end: withYear(end, year + yearOf(end) - yearOf(start)),
});

/** Without periods that only give the surroundings of another: the year in "in 2025, the third quarter". */
function narrowest(periods: readonly Period[]): Period[] {
  const dated = periods.map((period) => {
    const around = periods.find((other) => other.kind === 'year' && !other.yearless);
    return period.yearless && around !== undefined
      ? { ...inYear(period, yearOf(around.start)), yearless: false }
      : period;
  });
  const distinct = dated.filter(
    (period, i) => dated.findIndex(({ start, end }) => start === period.start && end === period.end) === i,
  );
  return distinct.filter((period) => !distinct.some((other) => other !== period && lies(other, period)));
}
