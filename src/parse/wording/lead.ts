/** What the words before a call say about it. */
import type { CueMatchers } from './cue.js';

/** The sentence that leads up to the end of `text`: at most 240 characters, not across a blank line. */
export function leadIn(text: string): string {
  return lastSentences(text).at(-1) ?? '';
}

/** The sentences of the last paragraph, without emphasis and list marks; a quoted line is not the speaker's. */
function lastSentences(text: string): string[] {
  const near = text.slice(-240).trimEnd();
  const paragraph = near.slice(near.lastIndexOf('\n\n') + 1).replace(/(?:```|~~~)[ \t]*[\w-]*\s*$/, '');
  return paragraph
    .replace(/^ {0,3}>(?!>).*$/gm, '')
    .split(/(?<=[.!?])["'”’)*]*\s+(?=\S)|(?<=[。！？])|\n/)
    .map((sentence) => sentence.replace(/^[\s>#*_-]+|\*\*|__|[\s*_]+$/g, '').trim())
    .filter((sentence) => /[\p{L}✗✘❌🚫⛔✖]/u.test(sentence));
}

/** Sentences that are looked at for a request to wait. */
const LOOK_BACK = 3;

export interface Lead {
  /** The visible text before the call, back to the call before it. */
  readonly text: string;
  /** Another call stands before that text. */
  readonly afterCall: boolean;
}

export interface Objection {
  readonly reason: string;
  /** The words leave no doubt, so that they count for tools that change nothing, too. */
  readonly firm: boolean;
}

/** `announced`, `clear`: nothing speaks against the call. `goes on`: nothing new was said since the call before. */
export type LeadVerdict =
  | { readonly kind: 'clear' | 'goes on' }
  /** @property own in words that cannot be those of an example's description */
  | { readonly kind: 'announced'; readonly own: boolean }
  | ({ readonly kind: 'holds' } & Objection);

export function leadVerdict({ text, afterCall }: Lead, cues: CueMatchers): LeadVerdict {
  const sentences = lastSentences(text).slice(-LOOK_BACK);
  const lead = sentences.at(-1);
  if (afterCall && (lead === undefined || goesOn(sentences, cues))) return { kind: 'goes on' };
  if (lead === undefined) return CLEAR;
  if (announces(lead, cues)) return { kind: 'announced', own: cues.ownAct.test(lead) };
  // It speaks of the call before, and gives another.
  if (afterCall && (cues.revoked.test(text) || cues.corrected.test(text))) return CLEAR;
  const firm = firmReason(lead, cues);
  const reason = firm ?? weakReason(sentences, lead, cues);
  return reason === undefined ? CLEAR : { kind: 'holds', reason, firm: firm !== undefined };
}

/** Says that the speaker acts now. */
const announces = (lead: string, cues: CueMatchers): boolean =>
  !/[?？]$/.test(lead) && cues.intent.test(lead) && !cues.condition.test(lead);

const CLEAR = { kind: 'clear' } as const;

const goesOn = (sentences: readonly string[], cues: CueMatchers): boolean =>
  sentences.every((sentence) => cues.goesOn.test(sentence) || !/[\p{L}\p{N}]/u.test(sentence));

/** What leaves no doubt that the call shall not be made. */
export function firmReason(lead: string, cues: CueMatchers): string | undefined {
  if (cues.example.test(lead)) return 'the text before it presents it as an example';
  if (cues.retold.test(lead)) return 'the text before it tells of an earlier call';
  if (cues.refused.test(lead)) return 'the text before it says that it shall not be made';
  return undefined;
}

function weakReason(sentences: readonly string[], lead: string, cues: CueMatchers): string | undefined {
  if (cues.supposed.test(lead)) return 'the text before it only supposes it';
  const asks = sentences.some((sentence) => asksLeave(sentence, cues));
  return asks ? 'the text before it asks for leave first' : undefined;
}

/** Asks whether the call may be made; of another one it would say "also". */
export const asksLeave = (sentence: string, cues: CueMatchers): boolean =>
  cues.approval.test(sentence) && !cues.addition.test(sentence);

/** The first sentences of what follows a call. */
export const openingSentences = (text: string): string[] =>
  text
    .slice(0, 300)
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .slice(0, LOOK_BACK);
