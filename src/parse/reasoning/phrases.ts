/** Words and short phrases of a sentence, as features of a classifier. */

const chinese = /[\u4e00-\u9fff]+|[^\u4e00-\u9fff]+/g;

/** Words and pairs of words; of Chinese, characters and pairs of characters. */
export const wordsAndPairs = (text: string): Set<string> => grams(text, [1, 2], [1, 2]);

const mostPhrases = 40;

/** What a correction is about: words and pairs of words; of Chinese, pairs and triples of characters. */
export const phrasesOf = (text: string): Set<string> => new Set([...grams(text, [1, 2], [2, 3])].slice(0, mostPhrases));

function grams(text: string, wordSizes: readonly number[], characterSizes: readonly number[]): Set<string> {
  const found = new Set<string>();
  for (const run of text.match(chinese) ?? []) {
    const isChinese = /[\u4e00-\u9fff]/.test(run);
    const units = isChinese ? [...run] : (run.match(/[\p{L}\p{N}']+/gu) ?? []);
    for (const size of isChinese ? characterSizes : wordSizes)
      for (let i = 0; i + size <= units.length; i++) found.add(units.slice(i, i + size).join(isChinese ? '' : ' '));
  }
  return found;
}
