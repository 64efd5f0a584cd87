/** Changing what a subtask may spend, and stopping it, while it is at work: by the agent that ordered it, or by a person. */
import {
  type Amounts,
  add,
  amountKinds,
  atLeast,
  atLeastZero,
  type BudgetRequest,
  nothing,
  remaining,
  subtract,
} from '../src/domain/budget.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { FailureKind } from '../src/domain/failure.js';
import type { Delivery } from '../src/domain/journal.js';
import type { Steering, Subtask } from '../src/domain/plan.js';
import type { AgentContext } from './context.js';
import { childLane, giveUp } from './delegation.js';
import type { InboxEvent } from './event.js';
import { ownNeeds, unended } from './plan.js';
import { pledgedCalls, settleCalls } from './round.js';

type EventOf<T extends InboxEvent['type']> = Extract<InboxEvent, { type: T }>;

interface Grant {
  /** What the subtask is told. */
  readonly told: Amounts;
  /** What the ledger holds for it: never less than before while it is at work, since it may have spent that much. */
  readonly held: Amounts;
}

/** More comes out of what the agent has left beside its own needs; what cannot be given is left away. */
function grantOf(context: AgentContext, { slice, state, agentId }: Subtask, budget: BudgetRequest): Grant {
  const before = context.ledger.slices[agentId] ?? slice;
  const free = atLeastZero(subtract(remaining(context.ledger), ownNeeds(context)));
  const told = ofEach((kind) => Math.min(budget[kind] ?? slice[kind], before[kind] + free[kind]));
  return { told, held: state === 'waiting' ? told : ofEach((kind) => Math.max(before[kind], told[kind])) };
}

const ofEach = (amount: (kind: (typeof amountKinds)[number]) => number): Amounts =>
  Object.fromEntries(amountKinds.map((kind) => [kind, amount(kind)])) as Amounts;

const deadlineFor = (context: AgentContext, { seconds }: BudgetRequest, at: number): number | undefined =>
  seconds === undefined ? undefined : Math.min(context.deadlineAt, at + Math.round(seconds * 1000));

function withGrant(context: AgentContext, subtask: Subtask, budget: BudgetRequest, at: number): AgentContext {
  const { agentId } = subtask;
  const { told, held } = grantOf(context, subtask, budget);
  const order = context.held[agentId];
  const deadlineAt = deadlineFor(context, budget, at) ?? order?.budget.deadlineAt;
  return {
    ...context,
    ledger: { ...context.ledger, slices: { ...context.ledger.slices, [agentId]: held } },
    plan: context.plan.map((item) => (item === subtask ? { ...item, slice: told } : item)),
    held:
      order === undefined || deadlineAt === undefined
        ? context.held
        : { ...context.held, [agentId]: { ...order, budget: { ...told, deadlineAt } } },
  };
}

const toChild = (
  context: AgentContext,
  subtask: Subtask,
  message: Extract<Delivery, { to: 'inbox' }>['message'],
): Delivery => ({ to: 'inbox', agentId: subtask.agentId, ...childLane(context, subtask), message });

function grantDelivery(
  context: AgentContext,
  subtask: Subtask,
  budget: BudgetRequest,
  cause: { readonly id: string; readonly at: number },
): Delivery[] {
  if (subtask.state !== 'running') return [];
  const { id, at } = cause;
  const deadlineAt = deadlineFor(context, budget, at);
  const { told } = grantOf(context, subtask, budget);
  const message = { v: 1, type: 'slice.changed', id: `${subtask.agentId}.${id}`, at, slice: told } as const;
  return [toChild(context, subtask, deadlineAt === undefined ? message : { ...message, deadlineAt })];
}

const findUnended = (context: AgentContext, name: string): Subtask | undefined =>
  unended(context).findLast((item) => item.name === name || item.callId === name || item.agentId === name);

interface Steered {
  readonly call: PlannedCall;
  readonly steering: Steering;
}

const steeredIn = (context: AgentContext, calls: readonly PlannedCall[]): Steered[] =>
  calls.flatMap((call) =>
    call.action.route === 'steer' &&
    context.open.some(({ callId, state }) => callId === call.callId && state === 'child')
      ? [{ call, steering: call.action.steering }]
      : [],
  );

/** What the steering calls of a decision send to subtasks at work. */
export function steeringOrders(context: AgentContext, calls: readonly PlannedCall[], at: number): Delivery[] {
  let now = context;
  return steeredIn(context, calls).flatMap(({ call, steering: { subtask: name, cancel, budget } }) => {
    const subtask = findUnended(now, name);
    if (subtask === undefined) return [];
    const { agentId, state } = subtask;
    if (cancel) {
      const id = `${agentId}.${call.callId}`;
      const by = context.me.agentId;
      return state === 'running' ? [toChild(now, subtask, { v: 1, type: 'task.cancelled', id, at, by })] : [];
    }
    if (budget === undefined) return [];
    const sent = grantDelivery(now, subtask, budget, { id: call.callId, at });
    now = withGrant(now, subtask, budget, at);
    return sent;
  });
}

/** Settles the steering calls of a decision at once; what they change is known here. */
export function steerSubtasks(
  context: AgentContext,
  calls: readonly PlannedCall[],
  ref: string,
  at: number,
): AgentContext {
  return steeredIn(context, calls).reduce((now, { call, steering: { subtask: name, cancel, budget } }) => {
    const { callId, name: tool } = call;
    const subtask = findUnended(now, name);
    const settled = (refusal?: FailureKind) =>
      settleCalls(now, [{ callId, name: tool, status: refusal ? 'error' : 'ok', ref, ...(refusal && { refusal }) }]);
    if (subtask === undefined) return settled('not_found');
    if (!cancel && budget === undefined) return settled('invalid_arguments');
    const after = settled();
    if (cancel) return subtask.state === 'waiting' ? giveUp(after, [subtask], ref, 'cancelled') : after;
    return withGrant(after, subtask, budget ?? {}, at);
  }, context);
}

/** A person changes what a subtask may spend; nothing happens when it has ended. */
export function changeSubtask(context: AgentContext, { agentId, budget, at }: EventOf<'subtask.budget'>): AgentContext {
  const subtask = findUnended(context, agentId);
  return subtask === undefined ? context : withGrant(context, subtask, budget, at);
}

export function subtaskDelivery(
  context: AgentContext,
  { agentId, budget, at, id }: EventOf<'subtask.budget'>,
): Delivery[] {
  const subtask = findUnended(context, agentId);
  return subtask === undefined ? [] : grantDelivery(context, subtask, budget, { id, at });
}

/** Takes the slice that the parent now grants. */
export const changeSlice = (context: AgentContext, { slice, deadlineAt }: EventOf<'slice.changed'>): AgentContext =>
  context.me.parent === undefined ? context : regrant(context, slice, deadlineAt ?? context.deadlineAt);

/** Another grant and deadline; never less than is spent, reserved, handed out or about to run. */
export function regrant(context: AgentContext, wanted: Amounts, deadlineAt: number): AgentContext {
  const { ledger, last } = context;
  const committed = add(subtract(ledger.granted, remaining(ledger)), { ...nothing, toolCalls: pledgedCalls(context) });
  const granted = atLeast(wanted, committed);
  return {
    ...context,
    ledger: { ...ledger, granted },
    last: last !== undefined && granted[last] > ledger.granted[last] ? undefined : last,
    deadlineAt,
    timed: context.timed && deadlineAt === context.deadlineAt,
  };
}
