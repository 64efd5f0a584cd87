/** Handing out subtasks: slices of the budget, orders for children, dependencies between them, and their reports. */
import {
  type AmountKind,
  type Amounts,
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
import type { FailureKind } from '../src/domain/failure.js';
import { type AgentId, childAgentId, type RoleName, rootAgentOf } from '../src/domain/id.js';
import type { Delivery } from '../src/domain/journal.js';
import { type Lane, laneOf, placementOf } from '../src/domain/lane.js';
import { narrowed } from '../src/domain/permission.js';
import type { Delegation, Subtask } from '../src/domain/plan.js';
import type { Report } from '../src/domain/report.js';
import type { Order } from '../src/domain/task.js';
import { addUsage } from '../src/domain/usage.js';
import type { AgentContext, CallResult, OpenCall } from './context.js';
import { attemptOf, atWork, earlierTry, isUsable, ownNeeds, refusalToRepeat, repairSlice, unended } from './plan.js';
import { count, settleCalls } from './round.js';

interface Planned {
  readonly call: PlannedCall;
  readonly delegation: Delegation;
  readonly agentId: AgentId;
  /** What it names in `dependsOn`; undefined where nobody has that name. */
  readonly dependsOn: readonly (AgentId | undefined)[];
}

/**
 * Turns the delegating calls of a decision into subtasks, each after those it depends on. Where the budget is short, the
 * first come first.
 */
export function planSubtasks(
  context: AgentContext,
  calls: readonly PlannedCall[],
  ref: string,
  at: number,
): AgentContext {
  let unplanned = delegationsIn(context, calls);
  let now = count(context, { children: context.counts.children + unplanned.length });
  while (unplanned.length > 0) {
    const next = unplanned.find((item) => item.dependsOn.every((id) => findSubtask(now, id))) ?? unplanned[0];
    if (next === undefined) break;
    now = planSubtask(now, next, { ref, at, sharers: unplanned.length });
    unplanned = unplanned.filter((item) => item !== next);
  }
  return now;
}

function delegationsIn(context: AgentContext, calls: readonly PlannedCall[]): Planned[] {
  const names = new Map<string, AgentId>();
  for (const { name, callId, agentId } of context.plan) names.set(callId, agentId).set(name, agentId);
  const delegating = calls.flatMap((call) =>
    call.action.route === 'delegate' && isOpen(context, call.callId)
      ? [{ call, delegation: call.action.delegation }]
      : [],
  );
  const numbered = delegating.map((item, index) => ({
    ...item,
    agentId: childAgentId(context.me.agentId, context.counts.children + index + 1),
  }));
  for (const { call, delegation, agentId } of numbered) {
    for (const name of [call.modelCallId, call.callId, delegation.name]) if (name) names.set(name, agentId);
  }
  return numbered.map((item) => ({
    ...item,
    dependsOn: (item.delegation.dependsOn ?? []).map((name) => names.get(name)),
  }));
}

const isOpen = (context: AgentContext, callId: string): boolean =>
  context.open.some((call) => call.callId === callId && call.state === 'child');

const findSubtask = (context: AgentContext, agentId: AgentId | undefined): Subtask | undefined =>
  context.plan.find((subtask) => subtask.agentId === agentId);

interface Circumstances {
  readonly ref: string;
  readonly at: number;
  /** Delegations of this round that still want a share, this one included. */
  readonly sharers: number;
}

function planSubtask(context: AgentContext, planned: Planned, { ref, at, sharers }: Circumstances): AgentContext {
  const { call, delegation, agentId } = planned;
  const before = earlierTry(context, delegation);
  const known = before !== undefined && isUsable(before.state) ? context.reports[before.agentId] : undefined;
  if (known !== undefined)
    return settleCalls(context, [{ callId: call.callId, name: call.name, status: 'ok', ref: known }]);
  const share = sliceFor(context, delegation.budget, sharers);
  const slice = before === undefined ? share : repairSlice(context, share);
  const refusal =
    refusalOf(context, planned) ??
    refusalToRepeat(context, before) ??
    (share === undefined ? 'budget_exhausted' : slice === undefined ? 'repair_exhausted' : undefined);
  if (refusal !== undefined || slice === undefined) {
    return settleCalls(context, [{ callId: call.callId, name: call.name, status: 'error', ref, refusal }]);
  }
  const subtask: Subtask = {
    agentId,
    callId: call.callId,
    name: delegation.name ?? call.callId,
    goal: delegation.goal.slice(0, 200),
    role: delegation.role ?? (context.policy.childRole as RoleName),
    ...placementOf({ queue: delegation.queue }),
    dependsOn: planned.dependsOn.filter((id) => id !== undefined),
    state: 'waiting',
    slice,
    ...(delegation.work !== undefined && { work: delegation.work }),
    ...(before !== undefined && { attempt: attemptOf(before) + 1 }),
  };
  return {
    ...context,
    ledger: handOut(context.ledger, agentId, slice),
    plan: [...context.plan, subtask],
    held: { ...context.held, [agentId]: orderFor(context, planned, subtask, at) },
    open: context.open.map((open): OpenCall => (open.callId === call.callId ? { ...open, waitsFor: agentId } : open)),
  };
}

/** Why a subtask cannot be planned whatever the budget. */
function refusalOf(context: AgentContext, { delegation, dependsOn }: Planned): FailureKind | undefined {
  if (context.me.depth + 1 > context.policy.depth) return 'depth_exceeded';
  if (delegation.errand !== undefined && context.me.lineage?.includes(delegation.errand)) return 'circular';
  if (unended(context).length >= (context.policy.plan?.fanOut ?? Infinity)) return 'fan_out_exceeded';
  const states = dependsOn.map((id) => findSubtask(context, id)?.state);
  if (states.includes(undefined)) return 'invalid_arguments';
  return states.every((state) => state === 'waiting' || state === 'running' || isUsable(state))
    ? undefined
    : 'conflict';
}

/**
 * The slice of one child: what it asks for, or an equal share, of what is left after the tool calls of this round and
 * one more call of the parent itself. Undefined when not even one round can be given.
 */
function sliceFor(context: AgentContext, wanted: BudgetRequest | undefined, sharers: number): Amounts | undefined {
  const left = remaining(context.ledger);
  if (left.children < 1) return undefined;
  const free = atLeastZero(subtract(left, { ...ownNeeds(context), children: 1 }));
  const share = (kind: AmountKind): number => {
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
  return slice.rounds >= 1 && slice.tokens >= 1 ? slice : undefined;
}

/** A child has its own role and queue; urgency and tenant are those of the tree. */
export const childLane = ({ me }: AgentContext, { role, queue }: Pick<Subtask, 'role' | 'queue'>): Lane =>
  laneOf({ role, priority: me.priority, queue, tenant: me.tenant });

function orderFor(context: AgentContext, { call, delegation }: Planned, subtask: Subtask, at: number): Order {
  const { me } = context;
  const seconds = delegation.budget?.seconds;
  const deadlineAt = Math.min(context.deadlineAt, seconds === undefined ? Infinity : at + Math.round(seconds * 1000));
  return {
    v: 1,
    taskId: me.taskId,
    agentId: subtask.agentId,
    ...childLane(context, subtask),
    parent: { agentId: me.agentId, role: me.role, callId: call.callId, ...placementOf({ queue: me.queue }) },
    depth: me.depth + 1,
    ...(delegation.errand !== undefined && { lineage: [...(me.lineage ?? []), delegation.errand] }),
    goal: delegation.goal,
    context: delegation.context,
    files: [],
    kind: 'general',
    budget: { ...subtask.slice, deadlineAt },
    permission: narrowed(context.permission, delegation.tools),
    resultSchema: delegation.resultSchema,
    traceId: me.traceId,
    submittedAt: me.submittedAt,
  };
}

const isDone = (context: AgentContext, agentId: AgentId): boolean => isUsable(findSubtask(context, agentId)?.state);

/** In the order in which they were planned, as many as may be at work at once. */
const releasable = (context: AgentContext): Order[] =>
  context.plan
    .filter(({ state, dependsOn }) => state === 'waiting' && dependsOn.every((id) => isDone(context, id)))
    .slice(0, Math.max(0, (context.policy.plan?.parallel ?? Infinity) - atWork(context).length))
    .flatMap((subtask) => context.held[subtask.agentId] ?? []);

/** Orders whose dependencies are done, on their way to executors. */
export const ordersToSend = (context: AgentContext, at: number): Delivery[] =>
  releasable(context).map((order) => ({
    to: 'inbox',
    agentId: order.agentId,
    ...laneOf(order),
    message: { v: 1, type: 'task.ordered', id: `${order.agentId}.order`, at, order },
    inject: dependenciesOf(context, order.agentId).flatMap((agentId) => context.reports[agentId] ?? []),
  }));

const dependenciesOf = (context: AgentContext, agentId: AgentId): readonly AgentId[] =>
  findSubtask(context, agentId)?.dependsOn ?? [];

export function releaseOrders(context: AgentContext): AgentContext {
  const sent = new Set<string>(releasable(context).map((order) => order.agentId));
  if (sent.size === 0) return context;
  return {
    ...context,
    held: Object.fromEntries(Object.entries(context.held).filter(([agentId]) => !sent.has(agentId))),
    plan: context.plan.map((subtask) => (sent.has(subtask.agentId) ? { ...subtask, state: 'running' } : subtask)),
  };
}

/**
 * Takes a child's report: settles its slice and its call, and gives up subtasks that depended on it if it failed. A
 * repeat, or the report of anybody else, changes nothing.
 */
export function recordReport(context: AgentContext, report: Report, ref: string): AgentContext {
  const subtask = findSubtask(context, report.agentId);
  if (subtask?.state !== 'running') return context;
  const usable = isUsable(report.status);
  const taken: AgentContext = {
    ...context,
    ledger: takeBack(context.ledger, report.agentId, report.spent),
    usageBelow: addUsage(context.usageBelow, report.usage),
    counts: { ...context.counts, repairs: context.counts.repairs + report.repairs },
    reports: { ...context.reports, [report.agentId]: ref },
    plan: context.plan.map(
      (item): Subtask =>
        item === subtask
          ? {
              ...item,
              state: report.status,
              termination: report.termination,
              ...(context.policy.plan !== undefined && { spent: report.spent }),
            }
          : item,
    ),
  };
  const settled = settleCalls(taken, [resultOf(context, subtask, usable ? 'ok' : 'error', ref)]);
  return usable ? settled : giveUp(settled, waitingFor(settled, report.agentId), ref);
}

/** Subtasks that were never ordered, and all that wait for them, are not done any more. */
export function giveUp(
  context: AgentContext,
  first: readonly Subtask[],
  ref: string,
  refusal?: FailureKind,
): AgentContext {
  const lost = [...new Set(first.flatMap((item) => [item, ...dependents(context, item.agentId)]))];
  if (lost.length === 0) return context;
  const given: AgentContext = {
    ...context,
    ledger: lost.reduce((ledger, item) => takeBack(ledger, item.agentId, nothing), context.ledger),
    held: Object.fromEntries(Object.entries(context.held).filter(([id]) => !lost.some((item) => item.agentId === id))),
    plan: context.plan.map(
      (item): Subtask => (lost.includes(item) ? { ...item, state: 'cancelled', termination: 'parent_gone' } : item),
    ),
  };
  return settleCalls(
    given,
    lost.map((item) => ({ ...resultOf(context, item, 'error', ref), ...(refusal && { refusal }) })),
  );
}

const resultOf = (context: AgentContext, { callId, name }: Subtask, status: CallResult['status'], ref: string) => ({
  callId,
  name: context.open.find((call) => call.callId === callId)?.name ?? name,
  status,
  ref,
});

const waitingFor = ({ plan }: AgentContext, agentId: string): Subtask[] =>
  plan.filter((item) => item.state === 'waiting' && item.dependsOn.some((id) => id === agentId));

const dependents = (context: AgentContext, agentId: string): Subtask[] =>
  waitingFor(context, agentId).flatMap((item) => [item, ...dependents(context, item.agentId)]);

/** Tells every child that has not reported to stop. */
export const cancellations = (context: AgentContext, at: number): Delivery[] =>
  context.plan
    .filter((subtask) => subtask.state === 'running')
    .map((subtask) => ({
      to: 'inbox',
      agentId: subtask.agentId,
      ...childLane(context, subtask),
      message: { v: 1, type: 'parent.ended', id: `${subtask.agentId}.parent-ended`, at },
    }));

export const isRoot = (context: AgentContext): boolean => context.me.agentId === rootAgentOf(context.me.taskId);
