/**
 * Turns of phrase that say what a thought does, in English and Chinese. Each entry is the source of a regular
 * expression without nested repetition, matched against one sentence in lower case, of at most 400 characters.
 * A cue counts once a sentence: `strong` 4, `fair` 2, `weak` 1.
 */

/** What a thought does. `statement` is the plain kind: a fact or an inference, none of the others. */
export const thoughtTypes = [
  'planning',
  'self_correction',
  'evaluation',
  'memory_retrieval',
  'uncertainty',
  'statement',
] as const;
export type ThoughtType = (typeof thoughtTypes)[number];

export interface CueGroup {
  readonly strong?: readonly string[];
  readonly fair?: readonly string[];
  readonly weak?: readonly string[];
}

export type LanguageCues = Readonly<Partial<Record<ThoughtType, CueGroup>>>;

/** Sentences of each type; single words and pairs that are commoner in one type than in the others count for it. */
export type ThoughtExamples = Readonly<Partial<Record<ThoughtType, readonly string[]>>>;

export interface ThoughtCues {
  readonly en: LanguageCues;
  readonly zh: LanguageCues;
  readonly examples: { readonly en: ThoughtExamples; readonly zh: ThoughtExamples };
  /** Weights of phrases learned from corrections; see `correctThought`. */
  readonly learned: Readonly<Record<string, Readonly<Partial<Record<ThoughtType, number>>>>>;
}
