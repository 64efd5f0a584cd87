/** The planner's ledger of subtasks. */
import { z } from 'zod';
import { amountsSchema, budgetRequestSchema } from './budget.js';
import { agentIdSchema, roleNameSchema } from './id.js';
import { jsonObjectSchema } from './json.js';
import { reportStatuses, terminations } from './report.js';

/** A request for a sub-agent, as read from the arguments of a delegating tool. */
export const delegationSchema = z.object({
  goal: z.string().trim().min(1),
  context: z.string().optional(),
  role: roleNameSchema.optional(),
  tools: z.array(z.string()).optional(),
  budget: budgetRequestSchema.optional(),
  resultSchema: jsonObjectSchema.optional(),
  /** Names of subtasks (`name` or call id) that must be done first; their results are added to the context. */
  dependsOn: z.array(z.string()).optional(),
  /** A short name by which other subtasks can depend on this one. */
  name: z.string().max(80).optional(),
});
export type Delegation = z.infer<typeof delegationSchema>;

export const subtaskSchema = z.object({
  agentId: agentIdSchema,
  callId: z.string(),
  name: z.string(),
  goal: z.string(),
  role: roleNameSchema,
  dependsOn: z.array(agentIdSchema),
  state: z.enum(['waiting', 'running', ...reportStatuses]),
  termination: z.enum(terminations).optional(),
  slice: amountsSchema,
});
export type Subtask = z.infer<typeof subtaskSchema>;
