/** Dates in the spellings of English and Chinese, brought to the form that `format: date` asks for. */

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** The date as YYYY-MM-DD. Undefined when the text is none, or could mean two days. */
export function isoDate(text: string): string | undefined {
  const word = text.trim().normalize('NFKC');
  if (word.length > 40) return undefined;
  const numeric = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(word) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(word);
  if (numeric) return date(Number(numeric[1]), Number(numeric[2]), Number(numeric[3]));
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?([A-Za-z]{3,9})\.?,?[\s-]+(\d{4})$/.exec(word);
  if (dayFirst) return date(Number(dayFirst[3]), month(dayFirst[2] as string), Number(dayFirst[1]));
  const monthFirst = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/.exec(word);
  if (monthFirst) return date(Number(monthFirst[3]), month(monthFirst[1] as string), Number(monthFirst[2]));
  const slashed = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(word);
  if (!slashed) return undefined;
  const [a, b] = [Number(slashed[1]), Number(slashed[2])];
  if (a > 12) return date(Number(slashed[3]), b, a);
  return b > 12 || a === b ? date(Number(slashed[3]), a, b) : undefined;
}

/** Number of a month by its name or the beginning of it; 0 for another word. */
function month(name: string): number {
  const word = name.toLowerCase();
  return word === 'sept' ? 9 : MONTHS.findIndex((full) => word.length >= 3 && full.startsWith(word)) + 1;
}

function date(year: number, monthNumber: number, day: number): string | undefined {
  const days = [
    31,
    year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ];
  const longest = days[monthNumber - 1];
  if (longest === undefined || day < 1 || day > longest) return undefined;
  return `${String(year).padStart(4, '0')}-${String(monthNumber).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
