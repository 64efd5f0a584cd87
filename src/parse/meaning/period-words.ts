/** How English and Chinese name periods of time, as data: the first pattern that fits a place of the text counts. */

export interface PeriodWords {
  readonly names:
    | 'day'
    | 'month'
    | 'quarter'
    | 'half'
    | 'year'
    | 'relative day'
    | 'relative unit'
    | 'ago'
    | 'last days'
    | 'weekday';
  /** Groups: `year`, `month`, `day`, `n`, `unit`, `which`, `weekday`, as the kind needs them. */
  readonly pattern: RegExp;
  /** For `relative day` and `relative unit`: how far from the present one. Else the group `which` says so. */
  readonly steps?: number;
}

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const YEAR = "(?<year>(?:19|20)\\d{2}|(?:this|last|next|previous) year(?:'s)?)";
const NIAN = '(?<year>(?:19|20)\\d{2}年?|今年|去年|前年|明年)';
const YUE = '(?<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])';
const QUARTER = '(?<n>[1-4](?:st|nd|rd|th)|first|second|third|fourth)';
const MANY = '(?<n>\\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)';
const SHU = '(?<n>\\d{1,3}|[一二两三四五六七八九十])';

const named = (names: PeriodWords['names'], source: string, steps?: number): PeriodWords => ({
  names,
  pattern: new RegExp(source, 'giu'),
  ...(steps === undefined ? {} : { steps }),
});

export const periodWords: readonly PeriodWords[] = [
  named('day', '(?<!\\d)(?<year>(?:19|20)\\d{2})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})(?!\\d)'),
  named('day', `${NIAN}\\s*(?<month>1[0-2]|0?[1-9])月(?<day>\\d{1,2})[日号]?`),
  named('day', `\\b${MONTH}\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?:of )?${YEAR})?(?!\\d)`),
  named('day', `\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\.?,?(?: (?:of )?${YEAR})?\\b`),
  named('day', '(?<month>1[0-2]|0?[1-9])月(?<day>\\d{1,2})[日号]'),
  named('quarter', `\\b(?:FY\\s*)?${YEAR}[\\s/-]*Q(?<n>[1-4])\\b(?![\\s,]*(?:19|20)\\d{2})`),
  named('quarter', `\\bQ(?<n>[1-4])(?:\\s*(?:of|in|,|/|-|')?\\s*(?:FY\\s*)?${YEAR})?\\b`),
  named('quarter', `\\b${QUARTER}[ -]quarter(?:,? (?:of |in )?${YEAR})?\\b`),
  named('quarter', `\\b${YEAR},? ${QUARTER}[ -]quarter\\b`),
  named('quarter', `(?:${NIAN}\\s*的?\\s*)?第?(?<n>[一二三四1-4])\\s*个?季度?(?!节)`),
  named('quarter', `${NIAN}\\s*Q(?<n>[1-4])`),
  named('half', `\\bH(?<n>[12])(?:,?\\s*(?:of\\s*)?${YEAR})?\\b`),
  named('half', `\\b(?<n>first|second)[ -]half(?: of)?(?: ${YEAR})?\\b`),
  named('half', `(?:${NIAN}\\s*的?\\s*)?(?<n>[上下])半年`),
  named('month', `\\b${MONTH}\\.?,? (?:of |in )?${YEAR}(?!\\d)`),
  named('month', `\\b${YEAR} ${MONTH}\\b`),
  named('month', `${NIAN}\\s*的?\\s*${YUE}月份?`),
  named('month', '(?<!\\d)(?<year>(?:19|20)\\d{2})[-/](?<month>0[1-9]|1[0-2])(?![-/\\d])'),
  named('month', `(?<=\\b(?:in|of|for|during|throughout|whole|all of) )${MONTH}(?!\\w| \\d)`),
  named('month', `(?<![\\d一二三四五六七八九十])${YUE}月份`),
  named('relative day', '\\b(?:the )?day before yesterday\\b|前天|前日', -2),
  named('relative day', "\\byesterday(?:'s)?\\b|昨[天日]", -1),
  named('relative day', "\\btoday(?:'s)?\\b|今[天日]", 0),
  named('relative day', '\\b(?:the )?day after tomorrow\\b|后天', 2),
  named('relative day', "\\btomorrow(?:'s)?\\b|明[天日]", 1),
  named('ago', `\\b${MANY} (?<unit>day|week|month|year)s? ago\\b`),
  named('ago', `${SHU}\\s*个?(?<unit>天|周|星期|月|年)之?以?前`),
  named('last days', `\\b(?:last|past|previous) ${MANY} (?<unit>day|week)s?\\b`),
  named('last days', `(?:过去|最近|近)的?\\s*${SHU}\\s*个?(?<unit>天|日|周|星期)`),
  named('weekday', '\\b(?<which>last|next) (?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\\b'),
  named('weekday', '(?<which>[上下本这])个?(?:周|星期|礼拜)(?<weekday>[一二三四五六日天])'),
  named(
    'relative unit',
    "\\b(?<which>last|this|next|previous|current|past|prior) (?<unit>week|month|quarter|year)(?:'s)?\\b",
  ),
  named('relative unit', '(?<which>[上下本这])一?个?(?<unit>周(?!年)|星期|礼拜|月|季度|年度)'),
  named('relative unit', '去(?<unit>年)', -1),
  named('relative unit', '今(?<unit>年)(?!以来)', 0),
  named('relative unit', '明(?<unit>年)', 1),
  named('relative unit', '前(?<unit>年)', -2),
  named(
    'year',
    '\\b(?:in|of|for|during|throughout|year|fiscal|calendar year|FY) ?(?<year>(?:19|20)\\d{2})\\b(?!\\s*(?:[a-z]+s\\b(?<!sales|results|earnings|figures|numbers|revenues|expenses|orders)|[$€£¥%,.]\\d))',
  ),
  named(
    'year',
    "\\b(?<year>(?:19|20)\\d{2})(?='s\\b| (?:sales|revenue|results|figures|report|data|budget|season|financials|earnings)\\b)",
  ),
  named('year', '(?<!\\d)(?<year>(?:19|20)\\d{2})(?=年|年度|财年)年(?:度|全年)?(?!前|后)'),
];
