/** What a task has cost so far: in all, and by agent. */
import type { Result } from '../domain/failure.js';
import { ok } from '../domain/failure.js';
import type { AgentId, TaskId } from '../domain/id.js';
import type { Report, ReportStatus } from '../domain/report.js';
import { addUsage, type Usage } from '../domain/usage.js';
import type { Client } from './client.js';
import { totalsOf } from './tree.js';

export interface AgentCost {
  readonly agentId: AgentId;
  readonly depth: number;
  /** Absent while it runs. */
  readonly status?: ReportStatus;
  /** Of the agent alone. Of a running one: with those below it that have reported. */
  readonly usage: Usage;
}

export interface TaskCost {
  readonly taskId: TaskId;
  readonly ended: boolean;
  readonly total: Usage;
  readonly agents: readonly AgentCost[];
}

export async function costOf(client: Client, taskId: TaskId): Promise<Result<TaskCost>> {
  const record = await client.get(taskId);
  if (!record.ok) return record;
  const { report } = record.value;
  if (report !== undefined) {
    return ok({ taskId, ended: true, total: report.usage, agents: agentCosts(report, 0) });
  }
  const tree = await client.tree(taskId);
  if (!tree.ok) return tree;
  const agents = tree.value.agents.map(({ agentId, depth, status, usage }) =>
    status === undefined ? { agentId, depth, usage } : { agentId, depth, status, usage },
  );
  return ok({ taskId, ended: false, total: totalsOf(tree.value).usage, agents });
}

const agentCosts = (report: Report, depth: number): AgentCost[] => [
  { agentId: report.agentId, depth, status: report.status, usage: ownUsage(report) },
  ...report.children.flatMap((child) => agentCosts(child, depth + 1)),
];

/** A report covers the subtree; what its children used is taken off. */
function ownUsage({ usage, children }: Report): Usage {
  const below = children
    .map((child) => child.usage)
    .reduce(addUsage, { ...usage, inputTokens: 0, outputTokens: 0, costUsd: 0, rounds: 0, toolCalls: 0 });
  return {
    inputTokens: usage.inputTokens - below.inputTokens,
    outputTokens: usage.outputTokens - below.outputTokens,
    costUsd: Math.max(0, usage.costUsd - below.costUsd),
    rounds: usage.rounds - below.rounds,
    toolCalls: usage.toolCalls - below.toolCalls,
    ms: usage.ms,
  };
}
