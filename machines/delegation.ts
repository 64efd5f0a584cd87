/** Handing out subtasks: slices of the budget, orders for children, dependencies between them, and their reports. */
import {
  type Amounts,
  amountKinds,
  atLeastZero,
  atMost,
  type BudgetRequest,
  handOut,
  nothing,
  remaining,
  subtract,
  takeBack,
} from '../src/domain/budget.js';
import type { PlannedCall } from '../src/domain/call.js';
import { type AgentId, childAgentId, type RoleName, rootAgentOf } from '../src/domain/id.js';
import type { Delivery } from '../src/domain/journal.js';
import { narrowed } from '../src/domain/permission.js';
import type { Delegation, Subtask } from '../src/domain/plan.js';
import type { Report } from '../src/domain/report.js';
import type { Order } from '../src/domain/task.js';
import { addUsage } from '../src/domain/usage.js';
import type { AgentContext, CallResult, OpenCall } from './context.js';
import { count, settleCalls } from './round.js';
import { graceBound } from './spending.js';

/** Turns the delegating calls of a decision into subtasks; the first come first where the budget is short. */
export function planSubtasks(
  context: AgentContext,
  calls: readonly PlannedCall[],
  ref: string,
  at: number,
): AgentContext {
  const delegating = calls.filter((call) => call.action.route === 'delegate' && isOpen(context, call.callId));
  const names = new Map<string, AgentId>(context.plan.map((subtask) => [subtask.name, subtask.agentId]));
  delegating.forEach((call, index) => {
    if (call.action.route !== 'delegate') return;
    const agentId = childAgentId(context.me.agentId, context.counts.children + index + 1);
    for (const name of [call.action.delegation.name, call.callId, call.modelCallId]) if (name) names.set(name, agentId);
  });
  return delegating.reduce(
    (now, call, index) =>
      call.action.route === 'delegate'
        ? planSubtask(now, {
            call,
            delegation: call.action.delegation,
            names,
            ref,
            at,
            sharers: delegating.length - index,
          })
        : now,
    context,
  );
}

const isOpen = (context: AgentContext, callId: string): boolean =>
  context.open.some((call) => call.callId === callId && call.state === 'child');

interface Planned {
  call: PlannedCall;
  delegation: Delegation;
  names: ReadonlyMap<string, AgentId>;
  ref: string;
  at: number;
  /** Delegations of this round that still want a share, this one included. */
  sharers: number;
}

function planSubtask(context: AgentContext, planned: Planned): AgentContext {
  const { call, delegation, names, ref } = planned;
  const n = context.counts.children + 1;
  const agentId = childAgentId(context.me.agentId, n);
  const numbered = count(context, { children: n });
  const dependsOn = (delegation.dependsOn ?? []).map((name) => names.get(name));
  const slice = sliceFor(context, delegation.budget, planned.sharers);
  const refused =
    context.me.depth + 1 > context.policy.depth ||
    slice === undefined ||
    dependsOn.some((id) => !context.plan.some((item) => item.agentId === id));
  if (refused || slice === undefined) {
    return settleCalls(numbered, [{ callId: call.callId, name: call.name, status: 'error', ref }]);
  }
  const role = delegation.role ?? (context.policy.childRole as RoleName);
  const subtask: Subtask = {
    agentId,
    callId: call.callId,
    name: delegation.name ?? call.callId,
    goal: delegation.goal.slice(0, 200),
    role,
    dependsOn: dependsOn.filter((id) => id !== undefined),
    state: 'waiting',
    slice,
  };
  return {
    ...numbered,
    ledger: handOut(numbered.ledger, agentId, slice),
    plan: [...numbered.plan, subtask],
    held: { ...numbered.held, [agentId]: orderFor(context, planned, subtask) },
    open: numbered.open.map((open): OpenCall => (open.callId === call.callId ? { ...open, waitsFor: agentId } : open)),
  };
}

/**
 * The slice of one child: what it asks for, at most an equal share of what is left after the parent's own reserve for
 * two more calls. Undefined when not even one round can be given.
 */
function sliceFor(context: AgentContext, wanted: BudgetRequest | undefined, sharers: number): Amounts | undefined {
  const own = graceBound(context);
  const left = remaining(context.ledger);
  if (left.children < 1) return undefined;
  const free = atLeastZero(subtract(subtract(left, own), { ...nothing, children: 1 }));
  const share = (kind: keyof Amounts): number => {
    const equal = free[kind] / (sharers + 1);
    return kind === 'costUsd' ? equal : Math.floor(equal);
  };
  const asked: Amounts = {
    rounds: wanted?.rounds ?? Math.max(1, share('rounds')),
    tokens: wanted?.tokens ?? share('tokens'),
    costUsd: wanted?.costUsd ?? share('costUsd'),
    toolCalls: wanted?.toolCalls ?? share('toolCalls'),
    children: wanted?.children ?? share('children'),
  };
  const slice = atMost(asked, free);
  return slice.rounds >= 1 && slice.tokens >= 1 && amountKinds.every((kind) => slice[kind] >= 0) ? slice : undefined;
}

function orderFor(context: AgentContext, { call, delegation, at }: Planned, subtask: Subtask): Order {
  const { me } = context;
  const seconds = delegation.budget?.seconds;
  const deadlineAt = Math.min(context.deadlineAt, seconds === undefined ? Infinity : at + Math.round(seconds * 1000));
  return {
    v: 1,
    taskId: me.taskId,
    agentId: subtask.agentId,
    role: subtask.role,
    parent: { agentId: me.agentId, role: me.role, callId: call.callId },
    depth: me.depth + 1,
    goal: delegation.goal,
    context: delegation.context,
    files: [],
    kind: 'general',
    priority: me.priority,
    budget: { ...subtask.slice, deadlineAt },
    permission: narrowed(context.permission, delegation.tools),
    resultSchema: delegation.resultSchema,
    traceId: me.traceId,
    submittedAt: me.submittedAt,
  };
}

const isSettled = (context: AgentContext, agentId: string): boolean =>
  context.plan.some(
    (subtask) => subtask.agentId === agentId && subtask.state !== 'waiting' && subtask.state !== 'running',
  );

const releasable = (context: AgentContext): Order[] =>
  context.plan
    .filter((subtask) => subtask.state === 'waiting' && subtask.dependsOn.every((id) => isSettled(context, id)))
    .flatMap((subtask) => context.held[subtask.agentId] ?? []);

/** Orders whose dependencies are done, on their way to executors. */
export const ordersToSend = (context: AgentContext, at: number): Delivery[] =>
  releasable(context).map((order) => ({
    to: 'inbox',
    agentId: order.agentId,
    role: order.role,
    priority: order.priority,
    message: { v: 1, type: 'task.ordered', id: `${order.agentId}.order`, at, order },
    inject: dependenciesOf(context, order.agentId).flatMap((agentId) => context.reports[agentId] ?? []),
  }));

const dependenciesOf = (context: AgentContext, agentId: AgentId): readonly AgentId[] =>
  context.plan.find((subtask) => subtask.agentId === agentId)?.dependsOn ?? [];

export function releaseOrders(context: AgentContext): AgentContext {
  const sent = new Set<string>(releasable(context).map((order) => order.agentId));
  if (sent.size === 0) return context;
  return {
    ...context,
    held: Object.fromEntries(Object.entries(context.held).filter(([agentId]) => !sent.has(agentId))),
    plan: context.plan.map((subtask) => (sent.has(subtask.agentId) ? { ...subtask, state: 'running' } : subtask)),
  };
}

/** Takes a child's report: settles its slice and its call; gives up subtasks that depended on it if it failed. A repeat changes nothing. */
export function recordReport(context: AgentContext, report: Report, ref: string): AgentContext {
  const subtask = context.plan.find((item) => item.agentId === report.agentId);
  if (subtask === undefined || isSettled(context, report.agentId)) return context;
  const usable = report.status === 'done' || report.status === 'partial';
  const lost = usable ? [] : dependents(context, report.agentId);
  const taken: AgentContext = {
    ...context,
    ledger: lost.reduce(
      (ledger, item) => takeBack(ledger, item.agentId, nothing),
      takeBack(context.ledger, report.agentId, report.spent),
    ),
    usageBelow: addUsage(context.usageBelow, report.usage),
    counts: { ...context.counts, repairs: context.counts.repairs + report.repairs },
    reports: { ...context.reports, [report.agentId]: ref },
    held: Object.fromEntries(Object.entries(context.held).filter(([id]) => !lost.some((item) => item.agentId === id))),
    plan: context.plan.map((item): Subtask => {
      if (item.agentId === report.agentId) return { ...item, state: report.status, termination: report.termination };
      return lost.includes(item) ? { ...item, state: 'cancelled', termination: 'parent_gone' } : item;
    }),
  };
  return settleCalls(taken, [
    resultOf(subtask, usable ? 'ok' : 'error', ref),
    ...lost.map((item) => resultOf(item, 'error', ref)),
  ]);
}

const resultOf = (subtask: Subtask, status: CallResult['status'], ref: string): CallResult => ({
  callId: subtask.callId,
  name: subtask.name,
  status,
  ref,
});

function dependents(context: AgentContext, agentId: string): Subtask[] {
  const direct = context.plan.filter((item) => item.state === 'waiting' && item.dependsOn.some((id) => id === agentId));
  return [...new Set(direct.flatMap((item) => [item, ...dependents(context, item.agentId)]))];
}

/** Tells every child that has not reported to stop. */
export const cancellations = (context: AgentContext, at: number): Delivery[] =>
  context.plan
    .filter((subtask) => subtask.state === 'running')
    .map((subtask) => ({
      to: 'inbox',
      agentId: subtask.agentId,
      role: subtask.role,
      priority: context.me.priority,
      message: { v: 1, type: 'parent.ended', id: `${subtask.agentId}.parent-ended`, at },
    }));

export const isRoot = (context: AgentContext): boolean => context.me.agentId === rootAgentOf(context.me.taskId);
