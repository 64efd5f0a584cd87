/**
 * Learns for one process and shares with the others through a store: rules from repairs that succeeded, marker patterns
 * from replies that nobody could read. What is admitted anywhere works here as soon as the store tells of it.
 */
import { extendMarkers } from '../extend.js';
import { MARKERS, type MarkerTable } from '../markers.js';
import type { ParseTool } from '../name.js';
import type { Reply } from '../reply.js';
import { rewriteRepair } from '../rewrite.js';
import { type Learned, newPattern, withPattern, withRules, withSample, withUse } from './learned.js';
import type { Life } from './life.js';
import { enoughSamples, proposeMarkers } from './propose.js';
import { type RegressionRow, rewriteRegressions, ruleRegressions } from './regression.js';
import { type Lesson, newRule, type Rule } from './rule.js';
import { newSample } from './sample.js';

/**
 * Where the lessons of all processes lie. `read` gives what is known here and now, the same object until it changes.
 * `change` applies a function to the newest value, here at once and in the store soon; it may be applied more than once.
 * Neither blocks nor throws; what cannot be stored is lost.
 */
export interface LessonStore {
  read(): Learned;
  change(apply: (now: Learned) => Learned): void;
}

export interface Unparsed {
  /** Unparsed replies since the last one that was read, in this process. */
  readonly inRow: number;
  /** A human should look: said once for a row. */
  readonly alert: boolean;
  /** Id of a pattern that was found now. */
  readonly pattern?: string;
}

export interface Learner {
  markers(): MarkerTable;
  rules(): readonly Rule[];
  /** Tests the lessons against the corpus and admits those that do no harm; returns the ids. */
  learn(lessons: readonly Lesson[], tool: ParseTool, origin: Life['origin'], at: number): string[];
  /** A call that these rules made went well, or did not. */
  used(ids: readonly string[], succeeded: boolean): void;
  /** Queues a reply that could not be read, and looks for the pattern behind all queued ones. `text` holds no personal data. */
  unparsed(text: string, tool: ParseTool, at: number): Unparsed;
  /** A reply was read: the row of unparsed ones ends, and patterns that took part are weighed. */
  parsed(reply?: Reply): void;
  /** All unparsed replies of this process. */
  unparsedCount(): number;
}

export interface LearnerOptions {
  readonly store: LessonStore;
  readonly corpus: () => readonly RegressionRow[];
  /** Unparsed replies in a row after which a human is alerted. */
  readonly alertAfter: number;
  /** The table that learned patterns add to. Default: the built-in one. */
  readonly markers?: MarkerTable;
}

const PROVEN = 0.9;

export function createLearner({ store, corpus, alertAfter, markers: own = MARKERS }: LearnerOptions): Learner {
  let inRow = 0;
  let count = 0;
  let table: { readonly of: Learned['patterns']; readonly markers: MarkerTable } | undefined;

  const markers = (): MarkerTable => {
    const { patterns } = store.read();
    if (table?.of !== patterns) table = { of: patterns, markers: tableWith(patterns, own) };
    return table.markers;
  };

  const discover = (at: number): string | undefined => {
    const { samples } = store.read();
    if (samples.length < enoughSamples) return undefined;
    const proposal = proposeMarkers(samples, markers());
    if (proposal === undefined) return undefined;
    const pattern = newPattern(proposal.addition, at);
    const known = store.read().patterns.some(({ id }) => id === pattern.id);
    if (known || rewriteRegressions(proposal.addition.rewrites, corpus(), markers()).length > 0) return undefined;
    store.change((now) => withPattern(now, pattern, proposal.samples));
    return pattern.id;
  };

  /** The success of what is proven is not reported every time: each report is a write that all workers read. */
  const weigh = (ids: readonly string[], succeeded: boolean): void => {
    const { patterns, rules } = store.read();
    const proven = succeeded ? [...patterns, ...rules].filter(({ weight }) => weight > PROVEN).map(({ id }) => id) : [];
    const news = ids.filter((id) => !proven.includes(id));
    if (news.length > 0) store.change((now) => withUse(now, news, succeeded));
  };

  return {
    markers,
    rules: () => store.read().rules,
    learn(lessons, tool, origin, at) {
      const known = new Set(store.read().rules.map(({ id }) => id));
      const admitted = lessons
        .map((lesson) => newRule(lesson, origin, at))
        .filter((rule) => !known.has(rule.id) && ruleRegressions(rule, tool, corpus()).length === 0);
      if (admitted.length > 0) store.change((now) => withRules(now, admitted));
      return admitted.map(({ id }) => id);
    },
    used: weigh,
    unparsed(text, tool, at) {
      inRow += 1;
      count += 1;
      const sample = newSample(text, tool, at);
      if (sample !== undefined) store.change((now) => withSample(now, sample));
      const pattern = sample === undefined ? undefined : discover(at);
      return { inRow, alert: inRow === alertAfter, ...(pattern === undefined ? {} : { pattern }) };
    },
    parsed(reply) {
      inRow = 0;
      if (reply === undefined || reply.meta.repairs.length === 0) return;
      const { repairs } = reply.meta;
      const taken = store
        .read()
        .patterns.filter(({ addition }) =>
          addition.rewrites?.some(({ from }) => repairs.includes(rewriteRepair(from))),
        );
      weigh(
        taken.map(({ id }) => id),
        reply.calls.length > 0,
      );
    },
    unparsedCount: () => count,
  };
}

function tableWith(patterns: Learned['patterns'], own: MarkerTable): MarkerTable {
  let markers = own;
  for (const { state, addition } of patterns) {
    const extended = state === 'admitted' ? extendMarkers(markers, addition) : undefined;
    if (extended?.ok) markers = extended.table;
  }
  return markers;
}
