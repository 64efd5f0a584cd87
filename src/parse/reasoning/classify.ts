/**
 * What a thought does, by a linear model over a table of data: turns of phrase, words that are commoner in the
 * examples of one type, and phrases learned from corrections. Pure; a correction gives a new table.
 */
import {
  type CueGroup,
  type LanguageCues,
  type ThoughtCues,
  type ThoughtExamples,
  type ThoughtType,
  thoughtTypes,
} from './cues.js';
import { ENGLISH_CUES } from './cues-en.js';
import { CHINESE_CUES } from './cues-zh.js';
import { ENGLISH_EXAMPLES } from './examples-en.js';
import { CHINESE_EXAMPLES } from './examples-zh.js';
import { phrasesOf, wordsAndPairs } from './phrases.js';

export interface Classified {
  readonly type: ThoughtType;
  /** 0 to 1: how far the type leads over the next, and how much speaks for it at all. */
  readonly confidence: number;
}

interface Feature {
  readonly type: ThoughtType;
  readonly pattern: RegExp;
  readonly weight: number;
}

type Scores = Record<ThoughtType, number>;

interface LanguageModel {
  readonly features: readonly Feature[];
  /** Weights of words and pairs, from the examples. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

/** A table ready for use. */
export interface ThoughtClassifier {
  readonly cues: ThoughtCues;
  readonly en: LanguageModel;
  readonly zh: LanguageModel;
}

/** The built-in table. */
export const THOUGHT_CUES: ThoughtCues = {
  en: ENGLISH_CUES,
  zh: CHINESE_CUES,
  examples: { en: ENGLISH_EXAMPLES, zh: CHINESE_EXAMPLES },
  learned: {},
};

const weights = { strong: 4, fair: 2, weak: 1 } as const;
/** Corrections are often worded as plans or judgements (`let me fix that`, `that is wrong`); their cues weigh more. */
const correctionFactor = 1.25;
/** A cue at the head frames the sentence: `perhaps …`, `I remember …`. So many characters count as the head. */
const headFactor = 1.25;
const headChars = { en: 14, zh: 3 } as const;
/** What the examples' words count beside the cues. */
const wordFactor = 0.2;
/** What speaks for the plain kind before anything is read. */
const plain = 1;
/** Longer sentences are judged by their beginning. */
const longest = 400;

const compiled = new WeakMap<ThoughtCues, ThoughtClassifier>();

/** Takes some milliseconds, once for a table. */
export function compileThoughtCues(cues: ThoughtCues = THOUGHT_CUES): ThoughtClassifier {
  const known = compiled.get(cues);
  if (known !== undefined) return known;
  const model = (language: 'en' | 'zh'): LanguageModel => ({
    features: featuresOf(cues[language]),
    words: weighWords(cues.examples[language]),
  });
  const classifier = { cues, en: model('en'), zh: model('zh') };
  compiled.set(cues, classifier);
  return classifier;
}

function featuresOf(groups: LanguageCues): Feature[] {
  return (Object.entries(groups) as [ThoughtType, CueGroup][]).flatMap(([type, group]) =>
    (Object.entries(weights) as [keyof typeof weights, number][]).flatMap(([strength, weight]) =>
      (group[strength] ?? []).map((source) => ({
        type,
        weight: type === 'self_correction' ? weight * correctionFactor : weight,
        pattern: new RegExp(source),
      })),
    ),
  );
}

/** Log of how much commoner a word is in one type's examples than in the others', smoothed. */
function weighWords(examples: ThoughtExamples): Map<string, number[]> {
  const totals = thoughtTypes.map((type) => examples[type]?.length ?? 0);
  const all = totals.reduce((sum, count) => sum + count, 0);
  const counts = new Map<string, number[]>();
  for (const [index, type] of thoughtTypes.entries()) {
    for (const example of examples[type] ?? []) {
      for (const word of wordsAndPairs(plainText(example))) {
        const row = counts.get(word) ?? thoughtTypes.map(() => 0);
        row[index] = (row[index] ?? 0) + 1;
        counts.set(word, row);
      }
    }
  }
  const smooth = 0.3;
  for (const [word, row] of counts) {
    const seen = row.reduce((sum, count) => sum + count, 0);
    // A word seen once says more about that example than about its type.
    if (seen < 2) {
      counts.delete(word);
      continue;
    }
    const weighed = row.map((count, index) => {
      const total = totals[index] ?? 0;
      const here = (count + smooth) / (total + 2 * smooth);
      const elsewhere = (seen - count + smooth) / (all - total + 2 * smooth);
      return wordFactor * Math.log(here / elsewhere);
    });
    counts.set(word, weighed);
  }
  return counts;
}

export function classifyThought(sentence: string, classifier: ThoughtClassifier): Classified {
  const scores = scoresOf(plainText(sentence), classifier);
  const ranked = [...thoughtTypes].sort((a, b) => scores[b] - scores[a]);
  const [type, next] = ranked as [ThoughtType, ThoughtType];
  const lead = scores[type] - Math.max(0, scores[next]);
  const evidence = Math.max(0, scores[type] + lead);
  return { type, confidence: Math.round((100 * evidence) / (evidence + 2)) / 100 };
}

function scoresOf(text: string, classifier: ThoughtClassifier): Scores {
  const scores = Object.fromEntries(thoughtTypes.map((type) => [type, type === 'statement' ? plain : 0])) as Scores;
  for (const language of languagesOf(text)) {
    const { features, words } = classifier[language];
    for (const { type, pattern, weight } of features) {
      const at = text.search(pattern);
      if (at !== -1) scores[type] += at <= headChars[language] ? weight * headFactor : weight;
    }
    for (const word of wordsAndPairs(text)) {
      for (const [index, weight] of words.get(word)?.entries() ?? [])
        scores[thoughtTypes[index] as ThoughtType] += weight;
    }
  }
  const { learned } = classifier.cues;
  if (Object.keys(learned).length === 0) return scores;
  for (const phrase of phrasesOf(text)) {
    if (!Object.hasOwn(learned, phrase)) continue;
    for (const [type, weight] of Object.entries(learned[phrase] ?? {})) scores[type as ThoughtType] += weight;
  }
  return scores;
}

/** English counts when it stands for itself and not as a name or number between Chinese words. */
function languagesOf(text: string): ('en' | 'zh')[] {
  const outside = text.replaceAll(/[\u4e00-\u9fff][^\u4e00-\u9fff]{0,24}(?=[\u4e00-\u9fff])/g, '');
  return [
    ...(/[\u4e00-\u9fff]/.test(text) ? (['zh'] as const) : []),
    ...(/[a-z]{2}/.test(outside) ? (['en'] as const) : []),
  ];
}

/** In lower case, without list marks and emphasis, with plain quotes. */
const plainText = (sentence: string): string =>
  sentence
    .slice(0, longest)
    .replace(/^[\s>*\-•#–—]+/, '')
    .replace(/^\(?\d{1,2}[.)、]\s*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll('’', "'")
    .trim()
    .toLowerCase();

const margin = 2;

/**
 * The table after a correction: phrases of the sentence gain weight for the right type and lose it for the wrong one,
 * just enough that the sentence is read rightly with a margin (passive-aggressive update, Crammer et al. 2006).
 */
export function correctThought(cues: ThoughtCues, sentence: string, type: ThoughtType): ThoughtCues {
  const classifier = compileThoughtCues(cues);
  const text = plainText(sentence);
  const scores = scoresOf(text, classifier);
  const rival = thoughtTypes.filter((other) => other !== type).reduce((a, b) => (scores[b] > scores[a] ? b : a));
  const loss = margin - (scores[type] - scores[rival]);
  const phrases = [...phrasesOf(text)];
  if (loss <= 0 || phrases.length === 0) return cues;
  const step = loss / (2 * phrases.length);
  const learned: Record<string, Partial<Record<ThoughtType, number>>> = { ...cues.learned };
  for (const phrase of phrases) {
    const old = Object.hasOwn(learned, phrase) ? learned[phrase] : undefined;
    learned[phrase] = { ...old, [type]: (old?.[type] ?? 0) + step, [rival]: (old?.[rival] ?? 0) - step };
  }
  return { ...cues, learned };
}
