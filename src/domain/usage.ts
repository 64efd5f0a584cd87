/** What model calls used, as reported at the end of every task. */
import { z } from 'zod';

const count = z.number().int().nonnegative();

export const usageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nonnegative(),
  rounds: count,
  toolCalls: count,
  /** Wall-clock milliseconds from acceptance to the end; of a subtree, its root's. */
  ms: z.number().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, rounds: 0, toolCalls: 0, ms: 0 };

/** Sums everything but time. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
  rounds: a.rounds + b.rounds,
  toolCalls: a.toolCalls + b.toolCalls,
  ms: a.ms,
});
