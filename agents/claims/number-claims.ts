/** Every number that a report states, held against the grounds. */
import { type Claim, supported, unsupported } from './claim.js';
import { sentencesOf } from './clause.js';
import { datesIn, type WrittenDate } from './date.js';
import { type Equation, equationsIn } from './equation.js';
import type { Beside, Figures } from './figures.js';
import { contentOf } from './known.js';
import { stemmed } from './name.js';
import { type Numeral, narrow, numeralsIn } from './numeral.js';
import type { Passage } from './passage.js';
import type { Sourced } from './sorted.js';
import type { Related, Subjects, Verdict } from './subject.js';
import { given } from './table.js';
import { countedIn, type Tally } from './tally.js';

interface Stated {
  readonly numeral: Numeral;
  readonly said: string;
  /** Numbers of one place, or of neighbouring lines of one text, may be reckoned from each other. */
  readonly place: string;
  readonly line: number;
  readonly key: string;
  readonly verdict: Verdict;
  /** `order 5077`: it is not reckoned. */
  readonly isName: boolean;
  /** `page 7`. */
  readonly isAfterWord: boolean;
  readonly named: Related;
  /** What the sum that it stands behind comes to, and its terms. */
  readonly equation?: Equation;
  from?: readonly string[];
}

const periods =
  /\b(?:year(?:ly)?|annual(?:ly|ised|ized)?|month(?:ly)?|week(?:ly)?|daily|day|hour(?:ly)?|per|p\.a\.)\b|[年月周日天时]/i;
const reckons =
  /\b(?:total(?:l?ing|s)?|together|sum|altogether|combined|in all|overall|difference|differ|gap|more than|less than|fewer|higher|lower|faster|slower|cheaper|times|ratio|average|mean|half|twice|double|save[sd]?)\b|\d\s?(?:of|out of)\s?\d|[=×]|合计|共|总|差|平均|倍|多|少|高|低|快|慢|贵|便宜|之和|剩/i;

/** What is left of something. */
const remains = /\b(?:rest|remaining|remains?|others?|left|missing|not)\b|其余|其他|剩|余下|没|未/i;

/** Keys under which a judgement or a number of order stands, not a fact. */
const judgements =
  /\b(?:confidence|certainty|probability|likelihood|priority|rank|index|position|step|severity|version|schema version|置信度|优先级|序号)\b|^v$/;

/** What the numbers of a report are held against. */
export interface Numbers {
  readonly figures: Figures;
  readonly subjects: Subjects;
  readonly tally: Tally;
}

export function numberClaims(passages: readonly Passage[], numbers: Numbers): Claim[] {
  const { figures } = numbers;
  const dates: Claim[] = [];
  const rows = rowsOf(passages);
  const stated = passages.flatMap((passage) => {
    if (typeof passage.value === 'string') {
      const read = readText(passage, passage.value, numbers);
      dates.push(...read.dates.map(({ date, said }) => dateClaim(date, said, figures)));
      return read.stated;
    }
    return typeof passage.value === 'number' && !judgements.test(passage.key)
      ? [plain(passage, passage.value, numbers, rows.get(passage.place) ?? '')]
      : [];
  });
  for (const one of stated)
    one.from = supportOf(one, figures, {
      operands: [],
      related: one.named,
      contradicted: one.verdict.bound === true,
      named: one.isAfterWord,
      remains: remains.test(one.said),
      reckons: false,
      periods: periods.test(one.said),
    });
  // What was reckoned from its neighbours may itself be the neighbour of something.
  for (let pass = 0; pass < 3 && supportByNeighbours(stated, figures); pass += 1);
  return [...dates, ...stated.map(claimOf)];
}

/** What the results say of the thing itself goes before whatever else may give the number. */
function supportOf(one: Stated, figures: Figures, beside: Beside): readonly string[] | undefined {
  const { bound = false, elsewhere = false, from, miscounted = false } = one.verdict;
  if (from !== undefined) return from;
  if (one.isName) return figures.stated(one.numeral);
  if (elsewhere || miscounted) return undefined;
  const own = figures.support(one.numeral, bound || isBound(one, figures), beside);
  const unscaled = own === undefined ? withoutScale(one.numeral) : undefined;
  return own ?? (unscaled === undefined ? undefined : figures.support(unscaled, true, beside));
}

/** `32 万` where the results count in 万 themselves. */
function withoutScale(numeral: Numeral): Numeral | undefined {
  const plain = Number(numeral.raw.replace(/[^\d.]/g, ''));
  const scale = plain === 0 ? 1 : Math.abs(numeral.value) / plain;
  return scale < 1_000
    ? undefined
    : { ...numeral, value: numeral.value / scale, step: numeral.step / scale, approximate: false };
}

const unrelated: Related = [];

/** Where the terms of a sum come from that comes to this number; factors of conversion need no source. */
function termsOf(
  { numeral, said }: Stated,
  { operands, value }: Equation,
  near: readonly Stated[],
): string[] | undefined {
  if (Math.abs(value - numeral.value) > numeral.step / 2 + 1e-9) return undefined;
  const terms = near.filter((one) => one.said === said && operands.includes(one.numeral.at));
  return terms.length >= Math.min(2, operands.length - 1) ? terms.flatMap(({ from = [] }) => from) : undefined;
}

/** The short strings beside the numbers of one object: which one it is. */
function rowsOf(passages: readonly Passage[]): Map<string, string> {
  const rows = new Map<string, string>();
  for (const { place, value } of passages)
    if (typeof value === 'string' && value.length <= 40) rows.set(place, `${rows.get(place) ?? ''}, ${value}`);
  return rows;
}

function supportByNeighbours(stated: readonly Stated[], figures: Figures): boolean {
  let some = false;
  for (const one of stated) {
    if (one.from !== undefined) continue;
    const near = stated.filter(
      (other) =>
        other !== one && other.from !== undefined && other.place === one.place && Math.abs(other.line - one.line) <= 1,
    );
    const terms = one.equation === undefined ? undefined : termsOf(one, one.equation, near);
    if (terms !== undefined) one.from = terms;
    some ||= terms !== undefined;
    if (near.length === 0 || terms !== undefined) continue;
    const operands = new Map<number, Sourced>(
      near.map((other) => [other.numeral.value, { value: other.numeral.value, from: other.from ?? [] }]),
    );
    one.from = supportOf(one, figures, {
      operands: [...operands.values()],
      related: [],
      contradicted: one.verdict.bound === true,
      named: one.isAfterWord,
      remains: remains.test(one.said),
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
  numbers: Numbers,
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
    const verdicts = verdictsOn(sentence, spans, key, numbers);
    const equations = equationsIn(sentence);
    const named = spans.length === 0 ? unrelated : relatedTo(`${key} ${sentence}`, numbers);
    for (const [at, numeral] of spans.entries()) {
      const equation = equations.find((one) => Math.abs(one.at - numeral.at) <= 1);
      stated.push({
        numeral,
        said: sentence,
        place: `${place} ${key}`,
        line,
        key: nounAfter(sentence, numeral),
        verdict: verdicts[at] ?? {},
        isName: namesOne(sentence, numeral),
        isAfterWord: /[\p{L}#]\s?$/u.test(sentence.slice(0, numeral.at)),
        named,
        ...(equation === undefined ? {} : { equation }),
      });
    }
  }
  return { stated, dates };
}

function verdictsOn(
  sentence: string,
  numerals: readonly Numeral[],
  beside: string,
  { subjects, tally }: Numbers,
): Verdict[] {
  if (numerals.length === 0) return [];
  const stems = contentOf(sentence);
  return subjects.judge(sentence, numerals, beside === '' ? undefined : beside).map((verdict, at) => {
    const numeral = numerals[at];
    if (numeral === undefined || verdict.from !== undefined || !isWhole(numeral)) return verdict;
    const noun = countedIn(narrow(sentence), numeral);
    const [stem] = noun === undefined ? [] : contentOf(stemmed(noun.toLowerCase()));
    if (stem === undefined) return verdict;
    const from = tally.holds(
      numeral.value,
      stem,
      stems.filter((other) => other !== stem),
    );
    if (from === undefined) return verdict;
    return from === false ? { ...verdict, miscounted: true } : { from };
  });
}

/** A number by which something is called, or one more of those. */
const namesOne = (sentence: string, { at, raw }: Numeral): boolean =>
  /^[1-9]\d{2,11}$/.test(raw) &&
  /(?:\b(?:entry|entries|orders?|invoices?|tickets?|ids?|records?|cases?|users?|customers?|accounts?|rooms?|bookings?|receipts?|jobs?|flights?|trains?|patients?|employees?|sku|issues?|pull requests?|pr|builds?)\s?(?:no\.?|numbers?|ids?|#)?|[单编序工][号]|订单|发票|工单)\s?[:：#]?\s?(?:\d{3,12}(?:,\s?|、|\s?(?:and|to|through|和|至|到|[-–])\s?)){0,12}$/i.test(
    sentence.slice(Math.max(0, at - 120), at),
  );

const isWhole = ({ approximate, step, unit, value }: Numeral): boolean =>
  step === 1 && value > 0 && unit !== '%' && !approximate;

function relatedTo(text: string, { subjects, tally }: Numbers): Related {
  const named = subjects.named(text);
  const counted = /%|‰|percent|share|rate|[率占比成]|half|quarter|third/i.test(text)
    ? tally.related(contentOf(text))
    : unrelated;
  return [...named, ...counted];
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
      numeral.value < smaller.factor &&
      Number.isInteger(before.value) &&
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

function plain({ key, place }: Passage, value: number, numbers: Numbers, row: string): Stated {
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
  const said = `${key === '' ? '' : `${key}: `}${written}`;
  const start = said.length - written.length;
  const [verdict = {}] = verdictsOn(said, [{ ...numeral, at: start, end: said.length }], row, numbers);
  return {
    numeral,
    said,
    place,
    line: 0,
    key,
    verdict,
    isName: false,
    isAfterWord: true,
    named: relatedTo(`${key}, ${row}`, numbers),
  };
}

function claimOf({ from, numeral, said, verdict }: Stated): Claim {
  if (from !== undefined) return supported('number', numeral.raw, said, calls(from));
  if (verdict.miscounted === true)
    return unsupported('number', numeral.raw, said, 'counted in the results, there are not so many of it');
  if (verdict.elsewhere === true)
    return unsupported('number', numeral.raw, said, 'the results say this number of something else');
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
