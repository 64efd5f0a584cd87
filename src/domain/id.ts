/** Identifiers. All are subject-safe: they can stand as one token of a NATS subject and as a KV key. */
import { z } from 'zod';

/** One token of a NATS subject: letters, digits, `_` and `-`, at most 128 characters. */
export const subjectTokenPattern = /^[A-Za-z0-9_-]{1,128}$/;

const subjectToken = (what: string) =>
  z.string().regex(subjectTokenPattern, {
    error: `${what} of 1 to 128 characters out of letters, digits, "_" and "-"`,
  });

export const taskIdSchema = subjectToken('a task id').brand<'TaskId'>();
export const agentIdSchema = subjectToken('an agent id').brand<'AgentId'>();
export const approvalIdSchema = subjectToken('an approval id').brand<'ApprovalId'>();
export const roleNameSchema = subjectToken('a role name').brand<'RoleName'>();

export type TaskId = z.infer<typeof taskIdSchema>;
export type AgentId = z.infer<typeof agentIdSchema>;
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export type RoleName = z.infer<typeof roleNameSchema>;

/** The root agent of a task has the task's own id. */
export const rootAgentOf = (taskId: TaskId): AgentId => taskId as string as AgentId;

/** Child number `n` (from 1) of an agent. Deterministic, so that a repeated delegation names the same child. */
export const childAgentId = (parent: AgentId, n: number): AgentId => `${parent}-${n}` as AgentId;

/** Undefined for the root of a task. */
export const parentAgentOf = (agent: AgentId): AgentId | undefined =>
  /-\d+$/.test(agent) ? (agent.replace(/-\d+$/, '') as AgentId) : undefined;

/** The human request for a call. */
export const requestIdOf = (agent: AgentId, callId: string): ApprovalId => `apr_${agent}_${callId}` as ApprovalId;
