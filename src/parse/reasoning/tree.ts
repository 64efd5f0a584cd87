/**
 * Reasoning as a tree of thoughts: what kind each is, what it builds on, what it leads to, what it takes back.
 * Names of fields are those of reasoning records on the wire.
 */
import { classifyThought, type ThoughtClassifier } from './classify.js';
import type { ThoughtType } from './cues.js';
import { overlap, shared, type Words, wordsOf } from './overlap.js';
import { sentencesOf } from './sentences.js';

export interface ThoughtNode {
  /** `rn_0`, `rn_1`, … */
  readonly id: string;
  readonly type: ThoughtType;
  readonly content: string;
  readonly confidence: number;
  /** Place in the sequence of thoughts, from 0. */
  readonly order: number;
  /** Where it stands: in a reasoning field of the message, or in the reply's text; offsets in that. */
  readonly position: { readonly source: 'field' | 'text'; readonly start: number; readonly end: number };
  /** Ids of earlier thoughts. */
  readonly based_on: readonly string[];
  /** Ids of later thoughts. */
  readonly led_to: readonly string[];
  /** A later thought takes it back. */
  readonly superseded: boolean;
  /** Inserted to bridge a gap, not said by the model in this reply. */
  readonly auto_filled: boolean;
}

/** `next`: `to` came after `from`. `corrects`: `from` takes `to` back. */
export interface ThoughtEdge {
  readonly kind: 'next' | 'corrects';
  readonly from: string;
  readonly to: string;
}

export interface ReasoningTree {
  readonly nodes: readonly ThoughtNode[];
  readonly edges: readonly ThoughtEdge[];
}

/** Reasoning of one place. `offset` is where `text` begins there. */
export interface ReasoningSource {
  readonly source: 'field' | 'text';
  readonly text: string;
  readonly offset: number;
}

/** Thoughts after these are left out: a tree is for looking at, the text has it all. */
const mostThoughts = 1_000;
/** What a longer thought is, and what it is about, its beginning says. */
const longestRead = 4_000;
/** How far back a thought may build on another. */
const reach = 12;
const correctionReach = 6;

export const noReasoning: ReasoningTree = { nodes: [], edges: [] };

/** Time is linear in the text. */
export function reasoningTree(sources: readonly ReasoningSource[], thoughts: ThoughtClassifier): ReasoningTree {
  const drafts: Draft[] = [];
  for (const { source, text, offset } of sources) {
    for (const { start, end } of sentencesOf(text, mostThoughts - drafts.length)) {
      const content = text.slice(start, end);
      const read = content.slice(0, longestRead);
      const { type, confidence } = classifyThought(read, thoughts);
      const position = { source, start: start + offset, end: end + offset };
      drafts.push({ type, confidence, content, position, words: wordsOf(read), basedOn: [], ledTo: [] });
    }
  }
  const steps = new Map<number, number>();
  for (const [index, draft] of drafts.entries()) {
    connect(drafts, draft, index, steps);
    const label = labelled.exec(draft.content);
    if (label !== null) steps.set(stepOf(label), index);
  }
  return settled(drafts);
}

interface Draft extends Pick<ThoughtNode, 'type' | 'confidence' | 'content' | 'position'> {
  readonly words: Words;
  readonly basedOn: number[];
  readonly ledTo: number[];
  supersededBy?: number;
}

const idOf = (index: number): string => `rn_${index}`;

function settled(drafts: readonly Draft[]): ReasoningTree {
  const nodes = drafts.map(
    ({ type, content, confidence, position, basedOn, ledTo, supersededBy }, order): ThoughtNode => ({
      id: idOf(order),
      type,
      content,
      confidence,
      order,
      position,
      based_on: basedOn.map(idOf),
      led_to: ledTo.map(idOf),
      superseded: supersededBy !== undefined,
      auto_filled: false,
    }),
  );
  const edges = drafts.flatMap(({ supersededBy }, index): ThoughtEdge[] => [
    ...(index === 0 ? [] : [{ kind: 'next' as const, from: idOf(index - 1), to: idOf(index) }]),
    ...(supersededBy === undefined ? [] : [{ kind: 'corrects' as const, from: idOf(supersededBy), to: idOf(index) }]),
  ]);
  return { nodes, edges };
}

const consequence =
  /^(?:so|therefore|thus|hence|consequently|accordingly|as a result|(?:this|that|which) (?:means|implies|shows|suggests|gives)|in that case|given (?:this|that)|based on (?:this|that)|因此|因而|所以|于是|故|那么|由此|可见|这(?:意味着|说明|表明)|既然如此|这样一来|综上)/i;

/** `steps`: the last thought before this one that bears each number. */
function connect(drafts: readonly Draft[], draft: Draft, index: number, steps: ReadonlyMap<number, number>): void {
  if (index === 0) return;
  if (draft.type === 'self_correction') {
    correct(drafts, draft, index);
    return;
  }
  const found = new Set<number>(named(draft, steps));
  const near = mostAlike(drafts, draft, Math.max(0, index - reach), index);
  if (near !== undefined) found.add(near);
  const before = index - 1;
  const follows = consequence.test(draft.content) || draft.type === 'evaluation';
  if (follows && (found.size === 0 || consequence.test(draft.content))) found.add(before);
  for (const base of [...found].sort((a, b) => a - b)) link(drafts, base, index);
}

/** A correction takes back the thought it is most about: the one before, unless an earlier one is clearly meant. */
function correct(drafts: readonly Draft[], draft: Draft, index: number): void {
  const before = drafts[index - 1] as Draft;
  const near = mostAlike(drafts, draft, Math.max(0, index - correctionReach), index);
  const goesOn = before.type === 'self_correction' && near === undefined;
  const target = near ?? index - 1;
  link(drafts, target, index);
  const old = drafts[target] as Draft;
  if (!goesOn && old.supersededBy === undefined && draft.confidence >= 0.6) old.supersededBy = index;
}

function link(drafts: readonly Draft[], base: number, index: number): void {
  (drafts[index] as Draft).basedOn.push(base);
  (drafts[base] as Draft).ledTo.push(index);
}

/** Least overlap, and least number of words in common, at which two thoughts are about the same thing. */
const leastOverlap = 0.34;
const leastShared = 2;

/** The earlier thought that has most in common with this one; of equals the latest. */
function mostAlike(drafts: readonly Draft[], draft: Draft, from: number, to: number): number | undefined {
  let best: number | undefined;
  let most = leastShared;
  for (let i = from; i < to; i++) {
    const other = drafts[i] as Draft;
    const count = shared(other.words, draft.words);
    if (other.supersededBy !== undefined || count < most || overlap(other.words, draft.words) < leastOverlap) continue;
    best = i;
    most = count;
  }
  return best;
}

const stepWords: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};
const reference = /\bstep (\d{1,2})\b|第([一二三四五六七八九十]|\d{1,2})步/gi;
const labelled = /^(?:step |\()?(\d{1,2})[.):：、]|^第([一二三四五六七八九十]|\d{1,2})步/i;

const stepOf = (match: RegExpMatchArray): number => Number(match[1] ?? stepWords[match[2] ?? ''] ?? match[2]);

/** Steps that are called by their number. */
function named({ content }: Draft, steps: ReadonlyMap<number, number>): number[] {
  if (!/step|步/i.test(content)) return [];
  const wanted = [...content.matchAll(reference)].filter(({ index }) => index > 0).map(stepOf);
  return [...new Set(wanted)].flatMap((step) => steps.get(step) ?? []);
}
