/** The form of the tables of turns of phrase by which a reply says what a call next to them is worth. */

/** Alternatives for one idea, joined by `|`; patterns name them as `{class}`. */
export type WordClasses = Readonly<Record<string, string>>;

/**
 * Sources of regular expressions without nested repetition, matched without regard to case against a few hundred characters at
 * most. `{class}` stands for the words of a class.
 */
export interface CueTable {
  /** Announces, in its last clause, that the speaker is about to act: then the words before mean that. */
  readonly intent: readonly string[];
  /** Names the speaker or the present, so that the act announced is his own. */
  readonly ownAct: readonly string[];
  /** A heading over calls that are shown. */
  readonly title: readonly string[];
  /** Makes it depend on something. */
  readonly condition: readonly string[];
  /** The call that follows is an illustration. */
  readonly example: readonly string[];
  /** The call that follows was made before, or by another. */
  readonly retold: readonly string[];
  /** The call that follows shall not be made, was stopped, or is called wrong. */
  readonly refused: readonly string[];
  /** The call may be made when somebody allows it. */
  readonly approval: readonly string[];
  /** The call is imagined. */
  readonly supposed: readonly string[];
  /** Behind a call on its line: makes the call the subject of a sentence. */
  readonly spokenOf: readonly string[];
  /** Words between two calls that say nothing new: what was said before the first holds on. */
  readonly goesOn: readonly string[];
  /** Takes back a call that it points at, whatever comes next. */
  readonly revoked: readonly string[];
  /** Corrects something: replaces the call before when the next is of the same tool. */
  readonly corrected: readonly string[];
  /** Hints at a correction. */
  readonly hesitation: readonly string[];
  /** Says that the next call comes in addition. */
  readonly addition: readonly string[];
  /** Takes a call back without giving another. */
  readonly withdrawn: readonly string[];
  /** Several earlier calls are meant. */
  readonly plural: readonly string[];
}
