/** Likeness of two short words, for names and enum values. */

const LIMIT = 128;

/** Edit distance with neighbouring swaps counted once. Words are cut at 128 characters. */
export function distance(left: string, right: string): number {
  const a = left.slice(0, LIMIT);
  const b = right.slice(0, LIMIT);
  let before: number[] = [];
  let last: number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(
        (row[j - 1] as number) + 1,
        (last[j] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}

/** 1 for equal words, 0 for words with nothing in common. */
export function similarity(a: string, b: string): number {
  const longest = Math.max(Math.min(a.length, LIMIT), Math.min(b.length, LIMIT));
  return longest === 0 ? 1 : 1 - distance(a, b) / longest;
}

/** The word in common forms of its characters, and Latin letters without their accents. */
export const withoutAccents = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})[\u0300-\u036f]+/gu, '')
    .normalize('NFKC');

/** Opposites that a slip of the fingers away from each other would be. */
const OPPOSITES: readonly (readonly [string, string])[] = [['min', 'max']];

/** A slip keeps the first letter and all digits: `increase` is none of `decrease`, nor `gpt-3` of `gpt-4`. */
function maybeSlip(a: string, b: string): boolean {
  if (a[0] !== b[0] || a.replace(/\D/g, '') !== b.replace(/\D/g, '')) return false;
  return !OPPOSITES.some(([x, y]) => (a.includes(x) && b.includes(y)) || (a.includes(y) && b.includes(x)));
}

/** The one candidate within `limit` edits that is closer than all others, and may be meant. */
export function onlyClose(word: string, candidates: readonly string[], limit: number): string | undefined {
  let best: string | undefined;
  let bestDistance = limit + 1;
  let tied = false;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit || !maybeSlip(word, candidate)) continue;
    const d = distance(word, candidate);
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
      tied = false;
    } else if (d === bestDistance) tied = true;
  }
  return tied ? undefined : best;
}
