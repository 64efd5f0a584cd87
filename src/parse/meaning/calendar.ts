/** Days as YYYY-MM-DD text, and arithmetic on them. No clock: what day it is comes from the caller. */

/** YYYY-MM-DD. */
export type Day = string;

const DAY_MS = 86_400_000;

/** The day at a moment (ms since 1970), in a zone that many minutes ahead of UTC. */
export const dayOf = (ms: number, zoneMinutes = 0): Day =>
  new Date(ms + zoneMinutes * 60_000).toISOString().slice(0, 10);

/** Months outside 1 to 12 run over into other years, days outside a month into other months. */
export const dayFrom = (year: number, month: number, day: number): Day =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

export const yearOf = (day: Day): number => Number(day.slice(0, 4));
export const monthOf = (day: Day): number => Number(day.slice(5, 7));
export const quarterOf = (day: Day): number => Math.ceil(monthOf(day) / 3);
/** The same day of another year; 29 February becomes 1 March where there is none. */
export const withYear = (day: Day, year: number): Day => dayFrom(year, monthOf(day), Number(day.slice(8, 10)));
export const addDays = (day: Day, days: number): Day =>
  dayFrom(yearOf(day), monthOf(day), Number(day.slice(8, 10)) + days);
export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
/** 0 for Monday. */
export const weekdayOf = (day: Day): number => (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
