/** What came of one model call, after the output pipeline: the outcome of the effects `decide` and `grace`. */
import { z } from 'zod';
import { plannedCallSchema } from './call.js';
import { failureSchema } from './failure.js';
import { jsonObjectSchema } from './json.js';

const count = z.number().int().nonnegative();

/** Tokens and money of one model call, as billed: the provider's figures when they are credible, else our own count. */
export const callUsageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nonnegative(),
  /** Our own exact count of the prompt, kept for calibration; 0: nothing to learn from this call. */
  countedInputTokens: count,
  /** The provider reported nothing credible. */
  estimated: z.boolean(),
});
export type CallUsage = z.infer<typeof callUsageSchema>;

const untrustedSchema = z.object({ thought: z.string(), reason: z.string() });
export type Untrusted = z.infer<typeof untrustedSchema>;

/** `from` and `to` are ids of thoughts in the tree of the decision's reasoning. */
const bridgeSchema = z.object({ from: z.string(), to: z.string(), content: z.string() });
export type Bridge = z.infer<typeof bridgeSchema>;

const common = {
  usage: callUsageSchema,
  /** The assistant message to send back to the model next time, as the API wants it. */
  message: jsonObjectSchema,
  /** Exact tokens of that message. */
  messageTokens: count,
  /** Visible text, cleaned. */
  text: z.string(),
  reasoning: z.string().optional(),
  /** Facts the reply stated, for working memory. */
  state: jsonObjectSchema,
  /** One entry per repair, in words. */
  repairs: z.array(z.string()),
  /** Calls that were seen and not run, with the reason. */
  rejected: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Thoughts that claim a result which no tool gave; absent when there are none. */
  untrusted: z.array(untrustedSchema).optional(),
  /** Thoughts that were put in where the reasoning had a gap; absent when there are none. */
  bridges: z.array(bridgeSchema).optional(),
  model: z.string(),
  provider: z.string(),
  /** Requests sent, failed ones included. */
  attempts: count,
  /** Moves to the next provider after one had failed. */
  fallbacks: count,
  ms: z.number().nonnegative(),
};

export const decisionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('calls'),
    ...common,
    calls: z.array(plannedCallSchema).min(1),
    /** Hash over the round's calls; equal hashes mean the same action with the same arguments. */
    actionHash: z.string(),
  }),
  /** `shortfall`: how the answer misses what was asked for, when no further call could be paid for to mend it. */
  z.object({ kind: z.literal('final'), ...common, shortfall: z.string().optional() }),
  /** Nothing usable: unparseable, cut inside a call, or empty. */
  z.object({ kind: z.literal('unreadable'), ...common, problem: z.string(), incomplete: z.boolean() }),
  /** No reply. `usage` holds what was billed or may have been billed all the same. */
  z.object({
    kind: z.literal('failed'),
    failure: failureSchema,
    usage: callUsageSchema,
    attempts: count,
    ms: z.number().nonnegative(),
  }),
]);
export type Decision = z.infer<typeof decisionSchema>;
export type DecisionOf<K extends Decision['kind']> = Extract<Decision, { kind: K }>;
