/** Every number that a report states, held against the grounds. */
import { type Claim, supported, unsupported } from './claim.js';
import { sentencesOf } from './clause.js';
import { datesIn, type WrittenDate } from './date.js';
import { type Figures, given } from './figures.js';
import { type Numeral, narrow, numeralsIn } from './numeral.js';
import type { Passage } from './passage.js';
import type { Sourced } from './sorted.js';

interface Stated {
  readonly numeral: Numeral;
  readonly said: string;
  /** Numbers of one place, or of neighbouring lines of one text, may be reckoned from each other. */
  readonly place: string;
  readonly line: number;
  readonly key: string;
  from?: readonly string[];
}

const periods =
  /\b(?:year(?:ly)?|annual(?:ly|ised|ized)?|month(?:ly)?|week(?:ly)?|daily|day|hour(?:ly)?|per|p\.a\.)\b|[年月周日天时]/i;
const reckons =
  /\b(?:total(?:l?ing|s)?|together|sum|altogether|combined|in all|overall|difference|differ|gap|more than|less than|fewer|higher|lower|faster|slower|cheaper|times|ratio|average|mean|half|twice|double|save[sd]?)\b|\d\s?(?:of|out of)\s?\d|[=×]|合计|共|总|差|平均|倍|多|少|高|低|快|慢|贵|便宜|之和|剩/i;

/** Keys under which a judgement or a number of order stands, not a fact. */
const judgements =
  /\b(?:confidence|certainty|probability|likelihood|priority|rank|index|position|step|severity|version|schema version|置信度|优先级|序号)\b|^v$/;

export function numberClaims(passages: readonly Passage[], figures: Figures): Claim[] {
  const dates: Claim[] = [];
  const stated = passages.flatMap((passage) => {
    if (typeof passage.value === 'string') {
      const read = readText(passage, passage.value);
      dates.push(...read.dates.map(({ date, said }) => dateClaim(date, said, figures)));
      return read.stated;
    }
    return typeof passage.value === 'number' && !judgements.test(passage.key) ? [plain(passage, passage.value)] : [];
  });
  for (const one of stated)
    one.from = figures.support(one.numeral, isBound(one, figures), {
      operands: [],
      reckons: false,
      periods: periods.test(one.said),
    });
  // What was reckoned from its neighbours may itself be the neighbour of something.
  for (let pass = 0; pass < 3 && supportByNeighbours(stated, figures); pass += 1);
  return [...dates, ...stated.map(claimOf)];
}

function supportByNeighbours(stated: readonly Stated[], figures: Figures): boolean {
  let some = false;
  for (const one of stated) {
    if (one.from !== undefined) continue;
    const near = stated.filter(
      (other) =>
        other !== one && other.from !== undefined && other.place === one.place && Math.abs(other.line - one.line) <= 1,
    );
    if (near.length === 0) continue;
    const operands = new Map<number, Sourced>(
      near.map((other) => [other.numeral.value, { value: other.numeral.value, from: other.from ?? [] }]),
    );
    one.from = figures.support(one.numeral, isBound(one, figures), {
      operands: [...operands.values()],
      reckons: reckons.test(one.said),
      periods: periods.test(one.said),
    });
    some ||= one.from !== undefined;
  }
  return some;
}

function isBound({ key, numeral }: Stated, figures: Figures): boolean {
  if (key === '') return false;
  const bound = figures.bound(key, numeral);
  return bound !== 'unbound' && bound === undefined;
}

function readText(
  { key, place }: Passage,
  text: string,
): { stated: Stated[]; dates: { date: WrittenDate; said: string }[] } {
  const stated: Stated[] = [];
  const dates: { date: WrittenDate; said: string }[] = [];
  for (const [line, sentence] of sentencesOf(text).entries()) {
    if (!/[\d\uff10-\uff19一二三四五六七八九十百千万]/.test(sentence)) continue;
    const written = datesIn(narrow(sentence));
    for (const date of written) dates.push({ date, said: sentence });
    const numerals = numeralsIn(sentence).filter(
      (numeral) =>
        !numeral.ordinal &&
        !isFactor(sentence, numeral) &&
        !written.some((date) => date.at < numeral.end && numeral.at < date.end),
    );
    const spans = wholeSpans(sentence, numerals);
    for (const numeral of spans)
      stated.push({ numeral, said: sentence, place: `${place} ${key}`, line, key: nounAfter(sentence, numeral) });
  }
  return { stated, dates };
}

/** `2 × 60 + 35`: what units are converted by. */
const isFactor = (sentence: string, { at, end, value }: Numeral): boolean =>
  [7, 12, 24, 52, 60, 100, 365, 1_000, 3_600].includes(value) &&
  (/[×*÷/]\s?$/.test(sentence.slice(0, at)) || /^\s?[×*]/.test(sentence.slice(end))) &&
  /\d\s?[×*÷/]|[×*÷/]\s?\d/.test(sentence) &&
  /=|×|÷|\*/.test(sentence);

/** `2 h 15 min` is one duration. */
function wholeSpans(sentence: string, numerals: readonly Numeral[]): Numeral[] {
  const whole: Numeral[] = [];
  for (const numeral of numerals) {
    const before = whole.at(-1);
    const smaller = before === undefined ? undefined : nextSmaller[before.unit];
    if (
      before !== undefined &&
      smaller?.unit.test(numeral.unit) &&
      sentence.slice(before.end, numeral.at).length <= 12
    ) {
      const factor = smaller.factor;
      whole[whole.length - 1] = {
        ...numeral,
        raw: sentence.slice(before.at, numeral.end),
        at: before.at,
        value: before.value * factor + numeral.value,
      };
    } else whole.push(numeral);
  }
  return whole;
}

const minutes = { unit: /^(?:m|mins?|minutes?|分钟?)$/, factor: 60 };
const seconds = { unit: /^(?:s|secs?|seconds?|秒钟?)$/, factor: 60 };
const hours = { unit: /^(?:h|hrs?|hours?|小时|个小时)$/, factor: 24 };
const nextSmaller: Readonly<Record<string, { unit: RegExp; factor: number }>> = {
  ...Object.fromEntries(['h', 'hr', 'hrs', 'hour', 'hours', '小时', '个小时'].map((unit) => [unit, minutes])),
  ...Object.fromEntries(['m', 'min', 'mins', 'minute', 'minutes', '分', '分钟'].map((unit) => [unit, seconds])),
  ...Object.fromEntries(['d', 'day', 'days', '天'].map((unit) => [unit, hours])),
};

/** The word behind a number, as a key may have it. */
const nounAfter = (sentence: string, { end, unit }: Numeral): string =>
  unit === '%' ? '' : (/^\s?([A-Za-z]{3,20})/.exec(narrow(sentence).slice(end))?.[1]?.toLowerCase() ?? '');

function plain({ key, place }: Passage, value: number): Stated {
  const written = String(value);
  const decimals = /\.(\d+)$/.exec(written)?.[1]?.length ?? 0;
  const unit = /\b(?:percent|pct|percentage|share|rate|ratio)\b|率|比例|占比|%/.test(key)
    ? '%'
    : (/\b([a-zµ]{1,12})$/.exec(key)?.[1] ?? '');
  const numeral: Numeral = {
    raw: written,
    at: 0,
    end: written.length,
    value,
    step: 10 ** -decimals,
    unit,
    approximate: false,
    ordinal: false,
  };
  return { numeral, said: `${key === '' ? '' : `${key}: `}${written}`, place, line: 0, key };
}

function claimOf({ from, numeral, said }: Stated): Claim {
  if (from !== undefined) return supported('number', numeral.raw, said, calls(from));
  return unsupported(
    'number',
    numeral.raw,
    said,
    'no tool result, child report or word of the order holds this number, and it does not follow from those that do',
  );
}

function dateClaim(date: WrittenDate, said: string, figures: Figures): Claim {
  const from = figures.supportOfDate(date);
  if (from !== undefined) return supported('number', date.raw, said, calls(from));
  return unsupported('number', date.raw, said, 'no tool result, child report or word of the order holds this date');
}

const calls = (from: readonly string[]): string[] => from.filter((id) => id !== given);
