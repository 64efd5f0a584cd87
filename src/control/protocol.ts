/** The requests of service `hact`, as schemas: what each takes and what it answers. Published under `docs/protocol/`. */
import { z } from 'zod';
import { budgetRequestSchema } from '../domain/budget.js';
import { humanRequestSchema } from '../domain/human.js';
import { agentIdSchema, approvalIdSchema, taskIdSchema } from '../domain/id.js';
import { jsonObjectSchema } from '../domain/json.js';
import { reportStatuses } from '../domain/report.js';
import { submissionSchema, taskRecordSchema } from '../domain/task.js';
import { treeSchema } from './tree.js';

const by = z.string().min(1).max(200).default('client').describe('who acts, for people');
const reason = z.string().max(10_000).optional();

/** Steering reaches a whole task, or one agent of it. */
const target = {
  taskId: taskIdSchema.optional().describe('the task; or, instead, agentId'),
  agentId: agentIdSchema.optional().describe('one agent of a task; or, instead, taskId'),
};
type Target = { taskId?: string | undefined; agentId?: string | undefined };
const isTarget = ({ taskId, agentId }: Target) => (taskId === undefined) !== (agentId === undefined);
const eitherTarget = { oneOf: [{ required: ['taskId'] }, { required: ['agentId'] }] };
const oneTarget = { error: 'either "taskId" or "agentId"' };

const steered = z.object({ agentId: agentIdSchema, accepted: z.literal(true) });

/** One line of the list of tasks. */
export const taskLineSchema = taskRecordSchema.omit({ report: true }).extend({
  /** Of an ended task. */
  status: z.enum(reportStatuses).optional(),
});
export type TaskLine = z.infer<typeof taskLineSchema>;

export const acceptedSchema = z.object({
  taskId: taskIdSchema,
  /** Subject on which the task's events are heard. */
  events: z.string(),
});
export type Accepted = z.infer<typeof acceptedSchema>;

/** Listing asks for no more than this. */
export const listLimit = 1_000;

const taskOnly = z.strictObject({ taskId: taskIdSchema });

export const protocol = {
  'task.submit': { request: submissionSchema, response: acceptedSchema },
  'task.get': { request: taskOnly, response: taskRecordSchema },
  'task.list': {
    request: z.strictObject({
      state: z.enum(['accepted', 'ended']).optional(),
      limit: z.number().int().positive().max(listLimit).default(50),
    }),
    response: z.object({ tasks: z.array(taskLineSchema) }),
  },
  'task.tree': { request: taskOnly, response: treeSchema },
  'task.cancel': {
    request: z
      .strictObject({ ...target, by, reason })
      .refine(isTarget, oneTarget)
      .meta(eitherTarget),
    response: steered,
  },
  'task.pause': {
    request: z
      .strictObject({ ...target, by })
      .refine(isTarget, oneTarget)
      .meta(eitherTarget),
    response: steered,
  },
  'task.resume': {
    request: z
      .strictObject({ ...target, by })
      .refine(isTarget, oneTarget)
      .meta(eitherTarget),
    response: steered,
  },
  'task.correct': {
    request: z
      .strictObject({
        ...target,
        text: z.string().trim().min(1).max(100_000),
        memory: jsonObjectSchema.optional().describe('entries to set in working memory'),
        by,
      })
      .refine(isTarget, oneTarget)
      .meta(eitherTarget),
    response: steered,
  },
  'task.budget': {
    request: z
      .strictObject({ ...target, budget: budgetRequestSchema, by })
      .refine(isTarget, oneTarget)
      .meta(eitherTarget),
    response: steered,
  },
  'approval.list': {
    request: z.strictObject({ taskId: taskIdSchema.optional() }),
    response: z.object({ requests: z.array(humanRequestSchema) }),
  },
  'approval.decide': {
    request: z.strictObject({ id: approvalIdSchema, allow: z.boolean(), by, reason }),
    response: z.object({ id: approvalIdSchema, allow: z.boolean() }),
  },
  'question.answer': {
    request: z.strictObject({ id: approvalIdSchema, text: z.string().min(1).max(100_000), by }),
    response: z.object({ id: approvalIdSchema }),
  },
} as const;

export type Endpoint = keyof typeof protocol;
export type RequestOf<E extends Endpoint> = z.output<(typeof protocol)[E]['request']>;
/** As a caller writes it, before defaults. */
export type RequestBody<E extends Endpoint> = z.input<(typeof protocol)[E]['request']>;
export type ResponseOf<E extends Endpoint> = z.output<(typeof protocol)[E]['response']>;
