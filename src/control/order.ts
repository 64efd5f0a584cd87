/** Turns a submission into the order for its root agent, with every default applied. */
import { type RoleName, rootAgentOf, type TaskId } from '../domain/id.js';
import { placementOf } from '../domain/lane.js';
import { permissionSchema } from '../domain/permission.js';
import type { Order, Submission } from '../domain/task.js';
import type { Defaults } from './control.js';

/** Of a task that names none. */
export const defaultRole = 'planner' as RoleName;

/** What is decided when a task is accepted, and stays the same when an interrupted acceptance is completed. */
export interface Acceptance {
  readonly taskId: TaskId;
  readonly traceId: string;
  /** ms since 1970. */
  readonly submittedAt: number;
}

export function orderFrom(submission: Submission, acceptance: Acceptance, defaults: Defaults): Order {
  const { goal, context, files, resultSchema, budget = {} } = submission;
  const kind = submission.kind ?? 'general';
  const given = defaults.budget;
  const seconds = budget.seconds ?? given.seconds;
  return {
    v: 1,
    taskId: acceptance.taskId,
    agentId: rootAgentOf(acceptance.taskId),
    role: submission.role ?? defaultRole,
    depth: 0,
    goal,
    ...(context === undefined ? {} : { context }),
    files: files ?? [],
    kind,
    priority: submission.priority ?? 'normal',
    ...placementOf(submission),
    budget: {
      rounds: budget.rounds ?? given.rounds ?? given.roundsByKind[kind],
      tokens: budget.tokens ?? given.tokens,
      costUsd: budget.costUsd ?? given.usd,
      toolCalls: budget.toolCalls ?? given.toolCalls,
      children: budget.children ?? given.children,
      deadlineAt: acceptance.submittedAt + Math.round(seconds * 1000),
    },
    permission: permissionSchema.parse({ approval: defaults.approval.policy, ...submission.permission }),
    ...(resultSchema === undefined ? {} : { resultSchema }),
    traceId: acceptance.traceId,
    submittedAt: acceptance.submittedAt,
  };
}
