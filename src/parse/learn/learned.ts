/** What has been learned, as one value: rules, patterns, samples. All changes are functions from one value to the next. */
import { z } from 'zod';
import { markerFileSchema } from '../extend.js';
import { idOf, type Life, lifeSchema, newLife, used } from './life.js';
import type { MarkerAddition } from './proposal.js';
import { type Rule, ruleSchema } from './rule.js';
import { type Sample, sampleSchema } from './sample.js';

const patternSchema = lifeSchema.extend({ id: z.string().max(40), addition: markerFileSchema });
export type Pattern = z.infer<typeof patternSchema>;

export const learnedSchema = z.object({
  v: z.literal(1),
  rules: z.array(ruleSchema).max(400),
  patterns: z.array(patternSchema).max(100),
  samples: z.array(sampleSchema).max(100),
});
export type Learned = z.infer<typeof learnedSchema>;

export const nothingLearned: Learned = { v: 1, rules: [], patterns: [], samples: [] };

/** So that the whole stays far below the largest message of a server. */
const RULES_MAX = 200;
const PATTERNS_MAX = 40;
const SAMPLES_MAX = 40;

/** The best are kept; what was retired is kept longest of all, lest it be learned again. */
const bounded = <T extends Life>(items: readonly T[], most: number): T[] =>
  items.length <= most
    ? [...items]
    : [...items]
        .sort(
          (a, b) =>
            Number(b.state === 'retired') - Number(a.state === 'retired') ||
            b.weight - a.weight ||
            b.learnedAt - a.learnedAt,
        )
        .slice(0, most);

/** Adds rules that are not there yet. One that was retired stays retired. */
export const withRules = (learned: Learned, rules: readonly Rule[]): Learned => {
  const known = new Set(learned.rules.map(({ id }) => id));
  const fresh = rules.filter(({ id }, i) => !known.has(id) && rules.findIndex((rule) => rule.id === id) === i);
  return fresh.length === 0 ? learned : { ...learned, rules: bounded([...learned.rules, ...fresh], RULES_MAX) };
};

/** Weighs rules and patterns by how a call that they made went. */
export const withUse = (learned: Learned, ids: readonly string[], succeeded: boolean): Learned => ({
  ...learned,
  rules: learned.rules.map((rule) => (ids.includes(rule.id) ? used(rule, succeeded) : rule)),
  patterns: learned.patterns.map((pattern) => (ids.includes(pattern.id) ? used(pattern, succeeded) : pattern)),
});

/** The newest samples are kept, each text once. */
export const withSample = (learned: Learned, sample: Sample): Learned => ({
  ...learned,
  samples: [...learned.samples.filter(({ id }) => id !== sample.id), sample].slice(-SAMPLES_MAX),
});

/** Adds the pattern; the samples that it explains are no longer needed. */
export const withPattern = (learned: Learned, pattern: Pattern, explained: readonly string[]): Learned => ({
  ...learned,
  patterns: learned.patterns.some(({ id }) => id === pattern.id)
    ? learned.patterns
    : bounded([...learned.patterns, pattern], PATTERNS_MAX),
  samples: learned.samples.filter(({ id }) => !explained.includes(id)),
});

const PATTERN_CONFIDENCE = 0.8;

export const newPattern = (addition: MarkerAddition, at: number): Pattern => ({
  ...newLife('samples', PATTERN_CONFIDENCE, at),
  id: idOf('pattern_', JSON.stringify(addition)),
  addition: markerFileSchema.parse(addition),
});
