/** Periods of time that a text names, in English and Chinese: days, weeks, months, quarters, halves and years. */
import {
  addDays,
  type Day,
  dayFrom,
  daysBetween,
  monthOf,
  quarterOf,
  weekdayOf,
  withYear,
  yearOf,
} from './calendar.js';
import { type PeriodWords, periodWords } from './period-words.js';

export type PeriodKind = 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year' | 'span';

export interface Period {
  readonly kind: PeriodKind;
  /** First and last day, both included. */
  readonly start: Day;
  readonly end: Day;
  /** Reckoned from the present day. */
  readonly relative: boolean;
  /** The text names no year: the present one is assumed. */
  readonly yearless: boolean;
  /** The text names only where a stretch of time begins or ends ("since March"). */
  readonly open: boolean;
  /** People differ on which days are meant: when a week begins, which Friday is the next. */
  readonly vague: boolean;
  readonly text: string;
  readonly at: number;
}

type Span = Pick<Period, 'kind' | 'start' | 'end'> & Partial<Pick<Period, 'relative' | 'yearless' | 'vague'>>;

const TEXT_MAX = 8_000;
const PERIODS_MAX = 24;

/** All periods in the text, in order; a narrower reading of the same words is left out. */
export function periodsIn(text: string, today: Day): Period[] {
  const source = text.slice(0, TEXT_MAX).normalize('NFKC');
  const taken = new Uint8Array(source.length);
  const found: Period[] = [];
  for (const words of periodWords) {
    words.pattern.lastIndex = 0;
    for (const match of source.matchAll(words.pattern)) {
      const at = match.index;
      if (found.length >= PERIODS_MAX || taken.subarray(at, at + match[0].length).some((mark) => mark === 1)) continue;
      const span = spanOf(words, match, today);
      if (span === undefined) continue;
      taken.fill(1, at, at + match[0].length);
      found.push({
        relative: false,
        yearless: false,
        vague: false,
        ...span,
        open: isOpen(source, at, at + match[0].length),
        text: match[0],
        at,
      });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The period that the whole text names, as in a value `last month`. */
export function periodNamedBy(text: string, today: Day): Period | undefined {
  if (text.length > 60) return undefined;
  const word = text.trim().normalize('NFKC');
  const [only, more] = periodsIn(word, today);
  if (only === undefined || more !== undefined) return undefined;
  const rest = word.replace(only.text, '').replace(/^the\b|[\s.,'"]+/gi, '');
  return rest === '' ? only : undefined;
}

const OPEN_BEFORE =
  /(?:\b(?:since|after|before|until|till|by|from|to|through|between|and|starting(?: in| on| from| with)?|up to|as of|than)(?: the)?(?: (?:start|beginning|end) of)?|[自从到至]|截至|截止|早于|晚于)\s*$/i;
const OPEN_AFTER =
  /^\s*(?:(?:to|through|until|till|onwards?|or later|or earlier)\b|[-–—~]\s*(?:\d|q\d|[a-z]{3})|以来|之?[前后]|以[前后]|起|[到至](?!底))/i;

const isOpen = (text: string, at: number, end: number): boolean =>
  OPEN_BEFORE.test(text.slice(Math.max(0, at - 40), at)) || OPEN_AFTER.test(text.slice(end, end + 16));

/** The same stretch in another year. */
export function inYear(period: Period, year: number): Period {
  const shift = year - yearOf(period.start);
  const start = withYear(period.start, year);
  const end = wholeEnd(period.kind, start) ?? withYear(period.end, yearOf(period.end) + shift);
  return { ...period, start, end };
}

function wholeEnd(kind: PeriodKind, start: Day): Day | undefined {
  const [year, month] = [yearOf(start), monthOf(start)];
  switch (kind) {
    case 'day':
      return start;
    case 'month':
      return dayFrom(year, month + 1, 0);
    case 'quarter':
      return dayFrom(year, month + 3, 0);
    case 'half':
      return dayFrom(year, month + 6, 0);
    case 'year':
      return dayFrom(year, 12, 31);
    default:
      return undefined;
  }
}

const whole = (kind: PeriodKind, start: Day): Span => ({ kind, start, end: wholeEnd(kind, start) ?? start });

function spanOf(words: PeriodWords, match: RegExpMatchArray, today: Day): Span | undefined {
  const groups = match.groups ?? {};
  const year = yearIn(groups.year, today);
  const dated = {
    ...(year.relative ? { relative: true } : {}),
    ...(groups.year === undefined ? { yearless: true } : {}),
  };
  switch (words.names) {
    case 'day': {
      const month = monthNumber(groups.month ?? '');
      const day = Number(groups.day);
      const start = dayFrom(year.value, month, day);
      return month < 1 || month > 12 || day < 1 || monthOf(start) !== month
        ? undefined
        : { ...whole('day', start), ...dated };
    }
    case 'month': {
      const month = monthNumber(groups.month ?? '');
      return month < 1 || month > 12 ? undefined : { ...whole('month', dayFrom(year.value, month, 1)), ...dated };
    }
    case 'quarter':
      return { ...whole('quarter', dayFrom(year.value, 3 * ordinal(groups.n ?? '') - 2, 1)), ...dated };
    case 'half':
      return { ...whole('half', dayFrom(year.value, ordinal(groups.n ?? '') === 1 ? 1 : 7, 1)), ...dated };
    case 'year':
      return { ...whole('year', dayFrom(year.value, 1, 1)), ...dated };
    default: {
      const span = relativeSpan(words, groups, today);
      return span === undefined ? undefined : { ...span, relative: true };
    }
  }
}

function relativeSpan(words: PeriodWords, groups: Record<string, string | undefined>, today: Day): Span | undefined {
  const steps = words.steps ?? direction(groups.which ?? '');
  switch (words.names) {
    case 'relative day':
      return whole('day', addDays(today, steps));
    case 'relative unit':
      return unitSpan(groups.unit ?? '', steps, today);
    case 'ago': {
      const many = count(groups.n ?? '');
      const unit = unitOf(groups.unit ?? '');
      if (unit === 'day') return whole('day', addDays(today, -many));
      if (unit === 'week') return { ...whole('day', addDays(today, -7 * many)), vague: true };
      const start = dayFrom(yearOf(today), monthOf(today) - (unit === 'month' ? many : 12 * many), 1);
      return { ...whole(unit, unit === 'year' ? dayFrom(yearOf(start), 1, 1) : start), vague: true };
    }
    case 'last days': {
      const many = count(groups.n ?? '') * (unitOf(groups.unit ?? '') === 'week' ? 7 : 1);
      return { kind: 'span', start: addDays(today, 1 - many), end: today, vague: true };
    }
    case 'weekday':
      return weekdaySpan(groups, today);
    default:
      return undefined;
  }
}

function unitSpan(word: string, steps: number, today: Day): Span | undefined {
  const [year, month] = [yearOf(today), monthOf(today)];
  switch (unitOf(word)) {
    case 'week': {
      const start = addDays(today, 7 * steps - weekdayOf(today));
      return { kind: 'week', start, end: addDays(start, 6), vague: true };
    }
    case 'month':
      return whole('month', dayFrom(year, month + steps, 1));
    case 'quarter':
      return whole('quarter', dayFrom(year, 3 * (quarterOf(today) + steps) - 2, 1));
    case 'year':
      return whole('year', dayFrom(year + steps, 1, 1));
    default:
      return undefined;
  }
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function weekdaySpan({ which = '', weekday = '' }: Record<string, string | undefined>, today: Day): Span {
  const latin = WEEKDAYS.indexOf(weekday.slice(0, 3).toLowerCase());
  const wanted = latin >= 0 ? latin : Math.max(0, '一二三四五六日天'.indexOf(weekday) - (weekday === '天' ? 1 : 0));
  if (latin >= 0) {
    const back = (weekdayOf(today) - wanted + 7) % 7;
    const day = direction(which) < 0 ? addDays(today, -(back || 7)) : addDays(today, (7 - back) % 7 || 7);
    return { ...whole('day', day), vague: true };
  }
  return whole('day', addDays(today, 7 * direction(which) - weekdayOf(today) + wanted));
}

/** −1 for the one before, 0 for the present one, 1 for the next. */
const direction = (word: string): number =>
  /^(?:last|previous|prior|past|上|去)/i.test(word) ? -1 : /^(?:next|coming|following|下|明)/i.test(word) ? 1 : 0;

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';
const unitOf = (word: string): Unit =>
  /^(?:week|周|星期|礼拜)/i.test(word)
    ? 'week'
    : /^(?:month|月)/i.test(word)
      ? 'month'
      : /^(?:quarter|季)/i.test(word)
        ? 'quarter'
        : /^(?:year|年)/i.test(word)
          ? 'year'
          : 'day';

function yearIn(word: string | undefined, today: Day): { value: number; relative: boolean } {
  const present = yearOf(today);
  if (word === undefined) return { value: present, relative: false };
  const digits = /\d{2,4}/.exec(word)?.[0];
  if (digits !== undefined)
    return { value: digits.length === 2 ? 2000 + Number(digits) : Number(digits), relative: false };
  return { value: present + (/前年/.test(word) ? -2 : direction(word.trim())), relative: true };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CHINESE = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

function monthNumber(word: string): number {
  const latin = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
  if (latin >= 0) return latin + 1;
  return /\d/.test(word) ? Number(word) : CHINESE.indexOf(word);
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];
const ordinal = (word: string): number => {
  const named = ORDINALS.indexOf(word.toLowerCase());
  if (named >= 0) return named + 1;
  return /\d/.test(word) ? Number.parseInt(word, 10) : word === '上' ? 1 : word === '下' ? 2 : CHINESE.indexOf(word);
};

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const count = (word: string): number =>
  /\d/.test(word)
    ? Number(word)
    : Math.max(1, NUMBERS.indexOf(word.toLowerCase()), CHINESE.indexOf(word), word === '两' ? 2 : 0);

/** The days of the first lie within the second. */
export const lies = (inner: { start: Day; end: Day }, outer: { start: Day; end: Day }): boolean =>
  daysBetween(outer.start, inner.start) >= 0 && daysBetween(inner.end, outer.end) >= 0;
