/** The tree of a task's agents as the feed tells it: a pure fold of events, for terminal, inspector and `task.tree`. */
import { z } from 'zod';
import { amountsSchema } from '../domain/budget.js';
import type { FeedEvent } from '../domain/event.js';
import { humanRequestSchema } from '../domain/human.js';
import { agentIdSchema, parentAgentOf, roleNameSchema, taskIdSchema } from '../domain/id.js';
import { planStepSchema } from '../domain/plan.js';
import { type Report, reportStatuses, terminations, unverifiedSchema } from '../domain/report.js';
import { agentPhaseSchema } from '../domain/task.js';
import { addUsage, noUsage, usageSchema } from '../domain/usage.js';

const count = z.number().int().nonnegative();

export const agentViewSchema = z.object({
  agentId: agentIdSchema,
  role: roleNameSchema.optional(),
  parent: agentIdSchema.optional(),
  /** 0 for the root agent. */
  depth: count,
  goal: z.string(),
  state: agentPhaseSchema,
  /** What a person wants to read beside the state. */
  detail: z.string(),
  /** Event that moved it last. */
  cause: z.string(),
  round: count,
  /** Process that hosts it, or did last. */
  host: z.string(),
  granted: amountsSchema.optional(),
  remaining: amountsSchema.optional(),
  /** Of the agent and those below it that have reported. */
  usage: usageSchema,
  /** Counted like `usage`. */
  repairs: count,
  /** How often another process had to take it over. */
  takeovers: count,
  /** What humans are asked for. */
  waiting: z.array(humanRequestSchema),
  children: z.array(agentIdSchema),
  /** What it delegates, in the order in which it was planned; steps that wait have no agent yet. */
  plan: z.array(planStepSchema).optional(),
  startedAt: z.number().int(),
  movedAt: z.number().int(),
  /** Of an ended agent. */
  status: z.enum(reportStatuses).optional(),
  termination: z.enum(terminations).optional(),
  summary: z.string().optional(),
  /** What it claims and its journal does not support. */
  unverified: z.array(unverifiedSchema).optional(),
});
export type AgentView = z.infer<typeof agentViewSchema>;

export const treeSchema = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  /** Feed sequence up to which events are in it. */
  seq: count,
  /** Parents stand before their children. */
  agents: z.array(agentViewSchema),
});
export type TaskTree = z.infer<typeof treeSchema>;

export const emptyTree = (taskId: TaskTree['taskId']): TaskTree => ({ v: 1, taskId, seq: 0, agents: [] });

/** Takes one event in. Events of one agent come in the order of its journal; a repeat changes nothing. */
export function grow(tree: TaskTree, event: FeedEvent, seq: number): TaskTree {
  if (event.taskId !== tree.taskId) return tree;
  const known = tree.agents.find((agent) => agent.agentId === event.agentId);
  const changed = change(known ?? newcomer(event), event);
  const grown: TaskTree = { ...tree, seq: Math.max(tree.seq, seq), agents: withAgent(tree.agents, known, changed) };
  return event.kind === 'ended' ? reported(grown, event.report, event.at) : grown;
}

const newcomer = (event: FeedEvent): AgentView => ({
  agentId: event.agentId,
  role: event.role,
  parent: event.kind === 'started' ? event.parent : parentAgentOf(event.agentId),
  depth: event.kind === 'started' ? event.depth : depthOf(event.agentId),
  goal: '',
  state: 'queued',
  detail: '',
  cause: '',
  round: 0,
  host: event.host,
  usage: noUsage,
  repairs: 0,
  takeovers: 0,
  waiting: [],
  children: [],
  startedAt: event.at,
  movedAt: event.at,
});

function change(agent: AgentView, event: FeedEvent): AgentView {
  if (agent.status !== undefined && event.kind !== 'ended') return agent;
  const now = { ...agent, host: event.host, movedAt: event.at, round: Math.max(agent.round, event.round) };
  switch (event.kind) {
    case 'started':
      return {
        ...now,
        role: event.role,
        parent: event.parent,
        depth: event.depth,
        goal: event.goal,
        granted: event.granted,
      };
    case 'moved':
      return {
        ...now,
        state: event.state,
        detail: event.detail,
        cause: event.cause,
        remaining: event.remaining,
        usage: event.usage,
        repairs: event.repairs,
        ...(event.granted !== undefined && { granted: event.granted }),
        ...(event.plan !== undefined && { plan: event.plan }),
        waiting: stillWaiting(agent, event),
      };
    case 'asked':
      return { ...now, waiting: [...agent.waiting.filter(({ id }) => id !== event.request.id), event.request] };
    case 'taken_over':
      return { ...now, takeovers: agent.takeovers + 1 };
    case 'alerted':
    case 'ended':
      return now;
  }
}

/** Requests live no longer than their round. Within it, the event that moved the agent tells which kind was settled. */
function stillWaiting(agent: AgentView, event: Extract<FeedEvent, { kind: 'moved' }>): AgentView['waiting'] {
  if (event.state !== 'act' && event.state !== 'parked') return [];
  const settled = settledKinds[event.cause];
  if (settled === undefined) return agent.waiting;
  const first = agent.waiting.find(({ kind }) => settled.includes(kind));
  return agent.waiting.filter((request) => request !== first);
}

const settledKinds: Readonly<Record<string, readonly string[]>> = {
  'human.decided': ['approval'],
  'human.answered': ['question'],
  'timer.fired': ['approval', 'question'],
};

/** A report closes its agent and everything below it, also where events were missed. */
function reported(tree: TaskTree, report: Report, at: number): TaskTree {
  const known = tree.agents.find((agent) => agent.agentId === report.agentId);
  const base = known ?? missed(report, at);
  const closed: AgentView = {
    ...base,
    state: 'done',
    detail: '',
    usage: report.usage,
    remaining: report.budgetLeft,
    repairs: report.repairs,
    waiting: [],
    movedAt: known?.status === undefined ? at : base.movedAt,
    status: report.status,
    termination: report.termination,
    summary: report.summary,
    ...(report.unverified === undefined ? {} : { unverified: report.unverified }),
  };
  const agents = withAgent(tree.agents, known, closed);
  return report.children.reduce((now, child) => reported(now, child, at), { ...tree, agents });
}

/** Used by the whole tree so far: what has not reported is not in anybody else's sum yet. */
export const totalsOf = ({ agents }: TaskTree): Pick<AgentView, 'usage' | 'repairs'> =>
  agents
    .filter(({ parent, status }) => parent === undefined || status === undefined)
    .reduce((total, agent) => ({ usage: addUsage(total.usage, agent.usage), repairs: total.repairs + agent.repairs }), {
      usage: agents[0]?.status === undefined ? noUsage : { ...noUsage, ms: agents[0].usage.ms },
      repairs: 0,
    });

const missed = (report: Report, at: number): AgentView => ({
  agentId: report.agentId,
  parent: parentAgentOf(report.agentId),
  depth: depthOf(report.agentId),
  goal: '',
  state: 'done',
  detail: '',
  cause: '',
  round: report.usage.rounds,
  host: '',
  usage: noUsage,
  repairs: 0,
  takeovers: 0,
  waiting: [],
  children: [],
  startedAt: at,
  movedAt: at,
});

/** The tree of an ended task from its report alone: what is left when its events are gone. */
export const treeOfReport = (report: Report, at: number): TaskTree => reported(emptyTree(report.taskId), report, at);

const depthOf = (agentId: string): number => (/(?:-\d+)*$/.exec(agentId)?.[0] ?? '').split('-').length - 1;

const numberOf = ({ agentId }: AgentView): number => Number(/\d+$/.exec(agentId)?.[0] ?? 0);

const withAgent = (agents: readonly AgentView[], known: AgentView | undefined, agent: AgentView): AgentView[] =>
  known === undefined ? arranged([...agents, agent]) : agents.map((other) => (other === known ? agent : other));

/** Children are linked to their parents and stand behind them depth first; strays come last. */
function arranged(agents: readonly AgentView[]): AgentView[] {
  const known = new Set<string>(agents.map(({ agentId }) => agentId));
  const childrenOf = new Map<string, AgentView[]>();
  const roots: AgentView[] = [];
  for (const agent of agents) {
    if (agent.parent === undefined || !known.has(agent.parent)) roots.push(agent);
    else childrenOf.set(agent.parent, [...(childrenOf.get(agent.parent) ?? []), agent]);
  }
  const walk = (agent: AgentView): AgentView[] => {
    const children = (childrenOf.get(agent.agentId) ?? []).sort((a, b) => numberOf(a) - numberOf(b));
    return [{ ...agent, children: children.map(({ agentId }) => agentId) }, ...children.flatMap(walk)];
  };
  return roots.flatMap(walk);
}
