/** Tasks as clients see them: what is submitted, and what is known about one. */
import { z } from 'zod';
import { budgetRequestSchema, budgetSchema } from './budget.js';
import { agentIdSchema, roleNameSchema, taskIdSchema } from './id.js';
import { jsonObjectSchema } from './json.js';
import {
  laneFields,
  placementFields,
  prioritySchema,
  queueNameSchema,
  type TenantName,
  tenantNameSchema,
} from './lane.js';
import { permissionSchema } from './permission.js';
import { reportSchema } from './report.js';

/** What kind of work it is; decides the default number of rounds (question 5, general 20, coding 30). */
export const taskKindSchema = z.enum(['question', 'general', 'coding']);
export type TaskKind = z.infer<typeof taskKindSchema>;

/** The body of `hact.v1.task.submit`. */
export const submissionSchema = z.strictObject({
  goal: z.string().trim().min(1, 'goal must not be empty').max(100_000),
  /** Anything the agent should know beyond the goal. */
  context: z.string().max(200_000).optional(),
  /** Paths of files the task is about. */
  files: z.array(z.string().min(1)).max(100).optional(),
  kind: taskKindSchema.optional(),
  role: roleNameSchema.optional(),
  priority: prioritySchema.optional(),
  /** The queue that the root agent waits in, and the tenant of the whole tree. */
  ...placementFields,
  budget: budgetRequestSchema.optional(),
  permission: permissionSchema.partial().strict().optional(),
  /** JSON Schema that the result must satisfy. */
  resultSchema: jsonObjectSchema.optional(),
  /** Same key and same body: the same task. */
  idempotencyKey: z.string().min(1).max(200).optional(),
});
export type Submission = z.infer<typeof submissionSchema>;
/** As a caller writes it. */
export type SubmissionInput = z.input<typeof submissionSchema>;

/** The order that an agent is created from, complete and with every default applied. First message in its inbox. */
export const orderSchema = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  agentId: agentIdSchema,
  ...laneFields,
  /** Absent for the root agent. */
  parent: z
    .object({
      agentId: agentIdSchema,
      role: roleNameSchema,
      callId: z.string(),
      queue: queueNameSchema.optional(),
    })
    .optional(),
  /** 0 for the root agent. */
  depth: z.number().int().nonnegative(),
  /** Errands (see `Delegation`) of this agent and of those above it; none for a root. */
  lineage: z.array(z.string()).optional(),
  goal: z.string(),
  context: z.string().optional(),
  files: z.array(z.string()),
  kind: taskKindSchema,
  budget: budgetSchema,
  permission: permissionSchema,
  resultSchema: jsonObjectSchema.optional(),
  /** W3C trace id, 32 hex digits; the same for the whole tree. */
  traceId: z.string(),
  /** ms since 1970. */
  submittedAt: z.number().int(),
});
export type Order = z.infer<typeof orderSchema>;

/** What an agent is doing, in one word, for people. */
export const agentPhaseSchema = z.enum([
  'queued',
  'perceive',
  'decide',
  'act',
  'observe',
  'reflect',
  'parked',
  'terminate',
  'done',
]);
export type AgentPhase = z.infer<typeof agentPhaseSchema>;

/** The value of a task in the TASK bucket: what every client reads. */
export const taskRecordSchema = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  goal: z.string(),
  state: z.enum(['accepted', 'ended']),
  submittedAt: z.number().int(),
  /** Absent: the default. */
  tenant: tenantNameSchema.optional(),
  /** It is among the open tasks that its tenant's limit counts. */
  counted: z.literal(true).optional(),
  endedAt: z.number().int().optional(),
  /** Present exactly when `state` is `ended`; then it never changes again. */
  report: reportSchema.optional(),
});
export type TaskRecord = z.infer<typeof taskRecordSchema>;

/** Key of the TASK bucket that says of a task that it counts as open. */
export const openKeyOf = (tenant: TenantName, taskId: string): string => `open.${tenant}.${taskId}`;
