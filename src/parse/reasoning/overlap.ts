/** How much two thoughts have in common, by their words; of Chinese by pairs of characters. */

export type Words = ReadonlySet<string>;

const common = new Set(
  (
    'the and that this with for from are was were has have had not but can will would should could into its they them ' +
    'then than there here what which when who how all any you your our let need now also just one two first next ' +
    'about does did been being more some only very because since'
  ).split(' '),
);

export function wordsOf(text: string): Words {
  const words = new Set<string>();
  for (const run of text.toLowerCase().match(/[\u4e00-\u9fff]+|[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? []) {
    if (/^[\u4e00-\u9fff]/.test(run)) for (let i = 0; i + 2 <= run.length; i++) words.add(run.slice(i, i + 2));
    else if (/\d/.test(run)) words.add(run);
    else if (run.length > 2 && !common.has(run)) words.add(stem(run));
  }
  return words;
}

/** Enough to bring `rows` and `row`, `sorted` and `sort` together. */
const stem = (word: string): string => (word.length > 3 ? word.replace(/(?:ies|ing|ed|es|s|ly)$/, '') : word);

export function shared(a: Words, b: Words): number {
  let count = 0;
  for (const word of a.size < b.size ? a : b) if ((a.size < b.size ? b : a).has(word)) count++;
  return count;
}

/** Overlap coefficient: 1 when the smaller is contained in the larger, 0 when nothing is shared. */
export function overlap(a: Words, b: Words): number {
  const least = Math.min(a.size, b.size);
  return least === 0 ? 0 : shared(a, b) / least;
}
