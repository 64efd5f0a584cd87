/** What an agent may want of a human: leave to run a call, or an answer. Pending ones lie in the APPROVAL bucket. */
import { z } from 'zod';
import { agentIdSchema, approvalIdSchema, taskIdSchema } from './id.js';
import { jsonObjectSchema } from './json.js';
import { laneFields } from './lane.js';

const base = z.object({
  v: z.literal(1),
  id: approvalIdSchema,
  taskId: taskIdSchema,
  agentId: agentIdSchema,
  ...laneFields,
  callId: z.string(),
  /** ms since 1970. */
  askedAt: z.number().int(),
});

export const humanRequestSchema = z.discriminatedUnion('kind', [
  /** Exactly what will run. `hash` binds the decision to tool, canonical arguments and task. */
  base.extend({ kind: z.literal('approval'), tool: z.string(), arguments: jsonObjectSchema, hash: z.string() }),
  base.extend({ kind: z.literal('question'), question: z.string() }),
]);
export type HumanRequest = z.infer<typeof humanRequestSchema>;
