/** What a cell means: missing, a date, a boolean. */

/** Words that stand for no value, in small letters. */
const missingWords: ReadonlySet<string> = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', '-', '--', '\\n']);

export function isMissing(cell: string): boolean {
  if (cell.length > 12) return cell.trim() === '';
  if (cell.length > 0) {
    // Most cells begin with a character that none of the words begins with.
    const code = cell.charCodeAt(0) | 32;
    if (code !== 110 && code !== 45 && code !== 32 && code !== 35 && code !== 124 && code < 0x80 && code !== 41)
      return false;
  }
  return missingWords.has(cell.trim().toLowerCase());
}

const booleanWords: ReadonlySet<string> = new Set(['true', 'false', 'yes', 'no', '是', '否', 't', 'f', 'y', 'n']);

export const isBoolean = (cell: string): boolean => cell.length <= 7 && booleanWords.has(cell.trim().toLowerCase());

const datePattern =
  /^\s*(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*$/;

export interface DateParts {
  /** For comparing: ms since 1970, times without a zone taken as UTC. */
  readonly at: number;
  /** `2026-11-29`, as written. */
  readonly day: string;
  readonly hour: number;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Dates that begin with the year, with or without a time; undefined for anything else. */
export function readDate(cell: string): DateParts | undefined {
  if (cell.length < 8 || cell.length > 45 || !isDigit(cell.charCodeAt(2)) || isDigit(cell.charCodeAt(4)))
    return undefined;
  const match = datePattern.exec(cell);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[3] ?? match[5]);
  const day = Number(match[4] ?? match[6]);
  const hour = Number(match[7] ?? 0);
  const fraction = match[10] === undefined ? 0 : Number(`0.${match[10]}`) * 1000;
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24) return undefined;
  const local = Date.UTC(year, month - 1, day, hour, Number(match[8] ?? 0), Number(match[9] ?? 0), fraction);
  const shown = `${match[1]}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return { at: local - zoneMs(match[11]), day: shown, hour };
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** A copy that does not hold the chunk it was cut from. */
export const copied = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));
