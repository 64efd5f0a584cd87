/** Dates as people write them, with the parts that they give. */

export interface WrittenDate {
  readonly raw: string;
  readonly at: number;
  readonly end: number;
  readonly year?: number;
  readonly month: number;
  readonly day?: number;
}

const months = 'january february march april may june july august september october november december'.split(' ');
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

const forms: readonly (readonly [RegExp, string])[] = [
  [
    /(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
    'ymd',
  ],
  [/(\d{4}) ?年 ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号])?/g, 'ymd'],
  [/(?<![\d年] ?)(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]/g, 'md'],
  [new RegExp(`\\b${month}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?!\\d|[,.]\\d)`, 'gi'), 'Mdy'],
  [new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}\\b\\.?(?:,? (\\d{4}))?`, 'gi'), 'dMy'],
  [new RegExp(`\\b${month}\\.? (\\d{4})\\b`, 'gi'), 'My'],
];

export function datesIn(text: string, most = 1_000): WrittenDate[] {
  const found: WrittenDate[] = [];
  for (const [pattern, parts] of forms) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= most) return found;
      const end = match.index + match[0].length;
      const date = { raw: match[0], at: match.index, end, ...partsOf(match, parts) };
      if (!isDate(date) || found.some((other) => other.at < end && match.index < other.end)) continue;
      found.push(date);
    }
  }
  return found;
}

const isDate = ({ month: m, day }: { month: number; day?: number }): boolean =>
  m >= 1 && m <= 12 && (day === undefined || (day >= 1 && day <= 31));

function partsOf(match: RegExpMatchArray, parts: string): Pick<WrittenDate, 'year' | 'month' | 'day'> {
  const part = (name: string): number | undefined => {
    const at = parts.indexOf(name);
    const text = at === -1 ? undefined : match[at + 1];
    if (text === undefined) return undefined;
    return name === 'M'
      ? months.findIndex((known) => known.startsWith(text.slice(0, 3).toLowerCase())) + 1
      : Number(text);
  };
  const year = part('y');
  const day = part('d');
  return {
    month: part('m') ?? part('M') ?? 0,
    ...(year === undefined ? {} : { year }),
    ...(day === undefined ? {} : { day }),
  };
}

/** Whether a date says nothing that the other does not say. */
export const agrees = (claim: WrittenDate, ground: WrittenDate): boolean =>
  claim.month === ground.month &&
  (claim.day === undefined || claim.day === ground.day) &&
  (claim.year === undefined || ground.year === undefined || claim.year === ground.year);
