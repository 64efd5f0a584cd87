/** The feed for watchers: what happened, in a shape fit for a terminal, a browser or another program. Never awaited by an agent. */
import { z } from 'zod';
import { amountsSchema } from './budget.js';
import { humanRequestSchema } from './human.js';
import { agentIdSchema, roleNameSchema, taskIdSchema } from './id.js';
import { planStepSchema } from './plan.js';
import { reportSchema } from './report.js';
import { agentPhaseSchema } from './task.js';
import { usageSchema } from './usage.js';

const base = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  agentId: agentIdSchema,
  role: roleNameSchema,
  /** Journal sequence of the record that caused it; 0 when none did. */
  seq: z.number().int().nonnegative(),
  at: z.number().int(),
  host: z.string(),
  round: z.number().int().nonnegative(),
});

export const feedEventSchema = z.discriminatedUnion('kind', [
  base.extend({
    kind: z.literal('started'),
    goal: z.string(),
    parent: agentIdSchema.optional(),
    depth: z.number().int(),
    granted: amountsSchema,
  }),
  /** The machine moved. `cause` is the event that moved it. */
  base.extend({
    kind: z.literal('moved'),
    state: agentPhaseSchema,
    cause: z.string(),
    /** What a person wants to read: tool names, repairs, waiting for whom. */
    detail: z.string(),
    remaining: amountsSchema,
    usage: usageSchema,
    repairs: z.number().int(),
    /** What it may spend in all, as changed since it started. */
    granted: amountsSchema.optional(),
    /** Of an agent that delegates. */
    plan: z.array(planStepSchema).optional(),
  }),
  /** A human is asked for something. */
  base.extend({ kind: z.literal('asked'), request: humanRequestSchema }),
  /** Something that a human should look at, though nothing waits for them. */
  base.extend({ kind: z.literal('alerted'), text: z.string() }),
  base.extend({ kind: z.literal('taken_over'), from: z.string(), epoch: z.number().int() }),
  base.extend({ kind: z.literal('ended'), report: reportSchema }),
]);
export type FeedEvent = z.infer<typeof feedEventSchema>;
