/** Inbox messages: everything that can reach an agent from outside. Each carries an id by which a repeat is recognised. */
import { z } from 'zod';
import { amountsSchema, budgetRequestSchema } from './budget.js';
import { agentIdSchema, approvalIdSchema } from './id.js';
import { jsonObjectSchema } from './json.js';
import { reportSchema } from './report.js';
import { orderSchema } from './task.js';

const base = z.object({
  v: z.literal(1),
  /** Unique per sender and intent; the same for a repeat. */
  id: z.string().min(1).max(300),
  /** ms since 1970, set by the sender. */
  at: z.number().int(),
});
/** Who acted, for people. */
const by = z.string().min(1).max(200);

export const messageSchema = z.discriminatedUnion('type', [
  base.extend({ type: z.literal('task.ordered'), order: orderSchema }),
  base.extend({ type: z.literal('child.reported'), report: reportSchema }),
  base.extend({
    type: z.literal('human.decided'),
    approvalId: approvalIdSchema,
    allow: z.boolean(),
    by,
    reason: z.string().max(10_000).optional(),
  }),
  base.extend({ type: z.literal('human.answered'), requestId: approvalIdSchema, text: z.string().max(100_000), by }),
  base.extend({
    type: z.literal('human.corrected'),
    text: z.string().min(1).max(100_000),
    /** Entries to set in working memory. */
    memory: jsonObjectSchema.optional(),
    by,
  }),
  base.extend({ type: z.literal('human.paused'), by }),
  base.extend({ type: z.literal('human.resumed'), by }),
  base.extend({ type: z.literal('task.cancelled'), by, reason: z.string().max(10_000).optional() }),
  base.extend({ type: z.literal('parent.ended') }),
  base.extend({ type: z.literal('budget.changed'), budget: budgetRequestSchema, by }),
  /** From the parent: what the agent may spend in all from now on, and until when. */
  base.extend({
    type: z.literal('slice.changed'),
    slice: amountsSchema,
    deadlineAt: z.number().int().positive().optional(),
  }),
  /** To the parent: a person wants to change what a subtask may spend. */
  base.extend({
    type: z.literal('subtask.budget'),
    agentId: agentIdSchema,
    budget: budgetRequestSchema,
    by,
  }),
  base.extend({ type: z.literal('timer.fired'), timer: z.string() }),
]);
export type Message = z.infer<typeof messageSchema>;
export type MessageOf<T extends Message['type']> = Extract<Message, { type: T }>;
