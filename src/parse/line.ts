/** Looking around in a text over limited distances, so that every look costs a constant. */

/** Where the line that holds `at` begins, or `reach` characters before it when it is longer. */
export function lineStart(text: string, at: number, reach: number): number {
  const floor = Math.max(0, at - reach);
  for (let i = at - 1; i >= floor; i--) if (text.charCodeAt(i) === 10) return i + 1;
  return floor;
}

/** Where the line that holds `at` ends, or `reach` characters behind it. */
export function lineEnd(text: string, at: number, reach: number): number {
  const ceiling = Math.min(text.length, at + reach);
  for (let i = at; i < ceiling; i++) if (text.charCodeAt(i) === 10) return i;
  return ceiling;
}

/** First place of `mark` within `reach` characters from `at`, or -1. */
export function findNear(text: string, mark: string, at: number, reach: number): number {
  const found = text.slice(at, at + reach).indexOf(mark);
  return found < 0 ? -1 : at + found;
}
