/** The planner's ledger of subtasks. */
import { z } from 'zod';
import { amountsSchema, budgetRequestSchema } from './budget.js';
import { agentIdSchema, roleNameSchema } from './id.js';
import { jsonObjectSchema } from './json.js';
import { queueNameSchema } from './lane.js';
import { reportStatuses, terminations } from './report.js';

/** A request for a sub-agent, as read from the arguments of a delegating tool. */
export const delegationSchema = z.object({
  goal: z.string().trim().min(1),
  context: z.string().optional(),
  role: roleNameSchema.optional(),
  queue: queueNameSchema.optional(),
  tools: z.array(z.string()).optional(),
  budget: budgetRequestSchema.optional(),
  resultSchema: jsonObjectSchema.optional(),
  /** Names of subtasks (`name` or call id) that must be done first; their results are added to the context. */
  dependsOn: z.array(z.string()).optional(),
  /** A short name by which other subtasks can depend on this one. */
  name: z.string().max(80).optional(),
  /** Hash of what is to be done (goal, context, role, tools, result schema), by which the same work is recognised. */
  work: z.string().optional(),
  /** Hash of goal and role alone, by which an agent's own errand is recognised when it is handed on. */
  errand: z.string().optional(),
});
export type Delegation = z.infer<typeof delegationSchema>;

/** What a planner may do about a subtask that has not ended: stop it, or change what it may spend. */
export const steeringSchema = z.object({
  /** Name, call id or agent id. */
  subtask: z.string().min(1),
  cancel: z.boolean().optional(),
  /** New limits in all; kinds that are absent stay. */
  budget: budgetRequestSchema.optional(),
});
export type Steering = z.infer<typeof steeringSchema>;

export const subtaskSchema = z.object({
  agentId: agentIdSchema,
  callId: z.string(),
  name: z.string(),
  goal: z.string(),
  role: roleNameSchema,
  queue: queueNameSchema.optional(),
  dependsOn: z.array(agentIdSchema),
  state: z.enum(['waiting', 'running', ...reportStatuses]),
  termination: z.enum(terminations).optional(),
  slice: amountsSchema,
  /** Absent in journals of statechart version 1. */
  work: z.string().optional(),
  /** How often this was ordered, this time included; absent the first time. */
  attempt: z.number().int().positive().optional(),
  /** Spent by it and everything below it, once it has reported. */
  spent: amountsSchema.optional(),
});
export type Subtask = z.infer<typeof subtaskSchema>;

/** A line of the plan, as people see it. */
export const planStepSchema = subtaskSchema.pick({
  agentId: true,
  name: true,
  dependsOn: true,
  state: true,
  attempt: true,
});
export type PlanStep = z.infer<typeof planStepSchema>;
