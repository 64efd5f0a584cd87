/** Reads the numbers of a text in whatever notation people write them. */

export interface Numeral {
  /** As written, with its unit when that is joined to it. */
  readonly raw: string;
  readonly at: number;
  readonly end: number;
  readonly value: number;
  /** Worth of the last digit that was written: 0.1 for `3.5`, 10,000 for `5万`. */
  readonly step: number;
  /** Lower case: `%`, `kb`, `ms`, `度`; empty when there is none. */
  readonly unit: string;
  /** Said to be rounded: `about`, `近`. */
  readonly approximate: boolean;
  /** A number of order, part of a name or of a time of day: it states no amount. */
  readonly ordinal: boolean;
}

/** Full-width digits, points and percent signs as plain ones, in as many characters. */
export const narrow = (text: string): string =>
  /[\uff05\uff0b-\uff1a−]/.test(text)
    ? text
        .replace(/[\uff10-\uff19\uff05\uff0e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
        .replace(/(\d)\uff0c(?=\d{3}(?!\d))/g, '$1,')
        .replace(/−/g, '-')
    : text;

const digits =
  /\d{1,3}(?:[,\u00a0\u202f'’]\d{3}){1,6}(?!\d)(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,3}(?![\w]))?/g;

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  trillion: 1e12,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  億: 1e8,
  万亿: 1e12,
};
const scalePattern =
  /^(?:\s?(thousand|millions?|billion|trillion)\b|\s?(万亿|百万|千万|[千万萬亿億])|(k|K|M|mn|bn|B)(?![\p{L}\p{N}]))/u;
const unitPattern =
  /^\s?(?:(%|‰|°\s?[CF]|℃|℉|percent\b|per cent\b|percentage points?\b|pp\b|个?百分点)|([A-Za-zµμ]{1,12}(?:\/[a-z]{1,4})?)(?![\w])|([\u4e00-\u9fff]{1,3}))/u;
const hedgeBefore =
  /(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|more than|less than|under|just|some|circa|ca\.|up to|close to|above|below|at least)|[~≈>＞<约近超逾]|大约|大概|接近|超过|将近|至少|不到|不足|差不多|左右)\s?(?:[$€£¥￥]|US\$|RMB)?\s?$/i;
const hedgeAfter = /^.{0,8}?(?:左右|上下|多(?![少])|余|or so\b|\+)/;
const orderBefore =
  /(?:\b(?:step|section|chapter|figure|fig\.|table|phase|option|item|question|point|part|level|round|top|version|stage|task|subtask|goal|priority|tier|rule|note|no\.|nr\.|number|rank|place|layer|day|week|sprint|milestone|python|node|http|https|port|ipv|utf|iso|sha|rfc|java|windows|gpt|covid|level|class|grade|appendix|example|case|method|v)\s?|[#№§]|第|方案|步骤|章节|版本|阶段|级别|图|表)$/i;
const orderAfter = /^(?:st|nd|rd|th)\b|^\s?(?:步|章|节|版)(?![\u4e00-\u9fff]?\d)/;

/** Numbers that state something, at most `most`. */
export function numeralsIn(given: string, most = 2_000): Numeral[] {
  const text = narrow(given);
  const found: Numeral[] = [];
  for (const match of text.matchAll(digits)) {
    if (found.length >= most) break;
    const numeral = numeralAt(text, match.index, match[0]);
    if (numeral !== undefined) found.push(numeral);
  }
  return [...found, ...chineseNumerals(text, most - found.length)];
}

const englishNumbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const englishNumber = new RegExp(`\\b(?:${englishNumbers.join('|')})\\b`, 'gi');

/**
 * Every number that can be read out of a text, those inside names and dates too: what a claim may rest on. Cheap.
 * @param ofNames takes the small ones that stand in names (`WEB-17`, `/p/7`) instead
 */
export function valuesIn(given: string, most: number, ofNames?: number[]): number[] {
  const text = narrow(given);
  const found: number[] = [];
  for (const { 0: raw, index } of text.matchAll(digits)) {
    if (found.length >= most) return found;
    const value = Number(raw.replace(/[,\u00a0\u202f'’]/g, ''));
    if (ofNames !== undefined && value < smallInName && inName.test(text.slice(Math.max(0, index - 3), index))) {
      ofNames.push(value);
      continue;
    }
    found.push(text.charAt(index - 1) === '-' && !/[\w)]/.test(text.charAt(index - 2)) ? -value : value);
    const next = text.charCodeAt(index + raw.length);
    // A letter, a space before one, or Han: it may be a scale.
    if (next === 32 || next > 64) {
      const [whole] = scalePattern.exec(text.slice(index + raw.length, index + raw.length + 12)) ?? [];
      const scale = whole === undefined ? undefined : (scales[whole.trim()] ?? scales[whole.trim().toLowerCase()]);
      if (scale !== undefined) found.push(value * scale);
    }
  }
  if (/[\u4e00-\u9fff]/.test(text)) for (const { value } of chineseNumerals(text, most)) found.push(value);
  else for (const [word] of text.matchAll(englishNumber)) found.push(englishNumbers.indexOf(word.toLowerCase()));
  return found;
}

const smallInName = 100;
const inName = /[A-Za-z_][-_/]?$/;

function numeralAt(text: string, at: number, raw: string): Numeral | undefined {
  const before = text.slice(Math.max(0, at - 24), at);
  const after = text.slice(at + raw.length, at + raw.length + 24);
  if (partOfName(before, after)) return undefined;
  const plain = raw.replace(/[,\u00a0\u202f'’]/g, '');
  const [, longScale, chinese, short] = scalePattern.exec(after) ?? [];
  const scaleText = longScale ?? chinese ?? short ?? '';
  const scale = scales[scaleText] ?? scales[scaleText.toLowerCase()] ?? 1;
  const scaled = scaleText === '' ? 0 : after.indexOf(scaleText) + scaleText.length;
  const unit = unitAfter(after.slice(scaled), scaled > 0);
  const decimals = /\.(\d+)/.exec(plain)?.[1]?.length ?? 0;
  const negative = /(?:^|[\s(（:：=，,])-$/.test(before);
  return {
    raw: raw + after.slice(0, scaled) + (unit === '%' ? '%' : ''),
    at,
    end: at + raw.length + scaled,
    value: (negative ? -1 : 1) * Number(plain) * scale,
    step: scale * 10 ** -decimals,
    unit: /百分之$/.test(before) ? '%' : unit,
    approximate: hedgeBefore.test(before) || hedgeAfter.test(after) || scale > 1,
    ordinal: decimals === 0 && isOrder(text, at, before, after),
  };
}

/** `A100`, `PO-901`, `v1.2.3`, `10.0.0.1`, `12:30`. */
function partOfName(before: string, after: string): boolean {
  if (/[A-Za-z_@\\]$/.test(before) && !/(?:^|[\s(])(?:US|RMB|USD|EUR|x)$/.test(before)) return true;
  if (/[A-Za-z\d][-/#_.]$/.test(before) && !/\d[-/]$/.test(before)) return true;
  if (/\d[.:]$/.test(before) || /^[.:]\d/.test(after)) return true;
  if (/(?:^|[^\d\s])[/\\]$/.test(before)) return true;
  if (/^[-_][A-Za-z]{2,}\w*\d|^_\w|^@/.test(after)) return true;
  const glued = /^[A-Za-z]+/.exec(after)?.[0];
  return glued !== undefined && !joined.has(glued) && !/^(?:st|nd|rd|th)$/.test(glued);
}

/** What may be joined to a number without making a name of it. */
const joined: ReadonlySet<string> = new Set(
  'k K M B bn mn m s h d g t l L x px em ms us ns sec secs min mins hr hrs kg mg km cm mm nm mi ft in lb oz ml kb KB Kb kB mb MB Mb gb GB Gb tb TB KiB MiB GiB TiB kW kWh MW MWh W V A Hz kHz MHz GHz C F pp pct bps kbps Mbps rpm USD EUR GBP CNY RMB'.split(
    ' ',
  ),
);

function unitAfter(after: string, scaled: boolean): string {
  const [, sign, latin, han] = unitPattern.exec(after) ?? [];
  if (sign !== undefined) return /^[%p个百]/.test(sign) ? '%' : sign.replace(/\s/g, '').toLowerCase();
  if (latin !== undefined) return scaled ? latin.toLowerCase() : latin === 'M' ? 'm' : latin.toLowerCase();
  return han ?? '';
}

const isOrder = (text: string, at: number, before: string, after: string): boolean =>
  orderBefore.test(before) ||
  orderAfter.test(after) ||
  (/^[.)、）]\s/.test(after) && /(?:^|\n)[\s*(（-]*$/.test(before)) ||
  (/^\d{1,2}[)）]\s/.test(text.slice(at, at + 4)) && /(?:^|[\n;,，；。:：])\s*[(（]$/.test(before)) ||
  /(?:^|\s)[QqHh]$/.test(before);

const hanDigits = '零一二三四五六七八九';
const hanRun =
  /(百分之)?([零〇一二两三四五六七八九十百千万亿]{2,16}|(?:[二两三四五六七八九]|十)(?=[个件张条名项份家次台只本位天人元页行]))/g;
const sureHan = /^(?:[一二两三四五六七八九]?[十百千][零一二三四五六七八九十百千万亿]*|[一二两三四五六七八九][万亿].*)$/;
const idioms: ReadonlySet<string> = new Set([
  '十分',
  '千万',
  '百万',
  '万一',
  '一一',
  '三三',
  '万千',
  '七八',
  '三四',
  '五六',
]);

function chineseNumerals(text: string, most: number): Numeral[] {
  const found: Numeral[] = [];
  for (const match of text.matchAll(hanRun)) {
    if (found.length >= most) break;
    const [raw, percent, run = ''] = match;
    const before = text.slice(Math.max(0, match.index - 6), match.index);
    const after = text.slice(match.index + raw.length, match.index + raw.length + 12);
    const short = run.length === 1;
    if (/[\d第一]$/.test(before) || idioms.has(run) || /^分(?!之)/.test(after)) continue;
    if (!short && !sureHan.test(run)) continue;
    const value = hanValue(run);
    found.push({
      raw,
      at: match.index,
      end: match.index + raw.length,
      value,
      step: stepOf(value),
      unit: percent === undefined ? (/^[\u4e00-\u9fff]/.exec(after)?.[0] ?? '') : '%',
      approximate: hedgeBefore.test(before) || hedgeAfter.test(after) || /[几多]/.test(after.slice(0, 1)),
      ordinal: false,
    });
  }
  return found;
}

/** Worth of the last digit that is not zero. */
export function stepOf(value: number): number {
  let step = 1;
  for (let left = Math.abs(value); left >= 10 && left % 10 === 0; left /= 10) step *= 10;
  return step;
}

export function hanValue(run: string): number {
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const c of run) {
    const plain = c === '两' ? 2 : c === '〇' ? 0 : hanDigits.indexOf(c);
    if (plain !== -1) digit = plain;
    else if (c === '万' || c === '亿') {
      total = (total + section + digit) * (c === '万' ? 1e4 : 1e8);
      section = 0;
      digit = 0;
    } else {
      section += (digit === 0 ? 1 : digit) * (c === '十' ? 10 : c === '百' ? 100 : 1_000);
      digit = 0;
    }
  }
  return total + section + digit;
}
