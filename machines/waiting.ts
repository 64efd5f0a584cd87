/** Waiting for people: asking for leave or for an answer, and what comes back. */
import type { PlannedCall } from '../src/domain/call.js';
import type { HumanRequest } from '../src/domain/human.js';
import type { ApprovalId } from '../src/domain/id.js';
import type { Delivery } from '../src/domain/journal.js';
import { laneOf } from '../src/domain/lane.js';
import type { AgentContext, OpenCall } from './context.js';
import type { InboxEvent } from './event.js';
import { settleCalls } from './round.js';

type EventOf<T extends InboxEvent['type']> = Extract<InboxEvent, { type: T }>;

/** Requests for the calls of a decision that need a human, each with a timer. */
export function humanRequests(context: AgentContext, calls: readonly PlannedCall[], at: number): Delivery[] {
  return calls
    .filter((call) => context.open.some((open) => open.callId === call.callId && open.waitsFor === call.requestId))
    .flatMap((call): Delivery[] => {
      const request = requestFor(context, call, at);
      if (request === undefined) return [];
      return [
        { to: 'human', key: call.requestId, request },
        { to: 'timer', name: `human.${call.callId}`, dueAt: at + context.policy.humanTimeoutMs },
      ];
    });
}

function requestFor({ me }: AgentContext, call: PlannedCall, at: number): HumanRequest | undefined {
  const { taskId, agentId } = me;
  const base = {
    v: 1 as const,
    id: call.requestId,
    taskId,
    agentId,
    ...laneOf(me),
    callId: call.callId,
    askedAt: at,
  };
  if (call.action.route === 'ask') return { ...base, kind: 'question', question: call.action.question };
  if (call.action.route !== 'tool') return undefined;
  return { ...base, kind: 'approval', tool: call.name, arguments: call.arguments, hash: call.hash };
}

const withdrawal = (key: string): Delivery => ({ to: 'human', key: key as ApprovalId, request: null });

type Asked = 'approval' | 'question';

const waitingFor = (context: AgentContext, requestId: string, asked: Asked): OpenCall | undefined =>
  context.open.find((call) => call.waitsFor === requestId && call.state === asked);

/** The first decision on a request counts; later ones find nothing that waits. */
export function recordHumanDecision(context: AgentContext, event: EventOf<'human.decided'>): AgentContext {
  const call = waitingFor(context, event.approvalId, 'approval');
  if (call === undefined) return context;
  if (!event.allow) return refuse(context, call, 'denied', event.ref);
  return {
    ...context,
    open: context.open.map(
      (open): OpenCall => (open === call ? { ...open, state: 'ready', approvedBy: event.by } : open),
    ),
  };
}

export function recordAnswer(context: AgentContext, event: EventOf<'human.answered'>): AgentContext {
  const call = waitingFor(context, event.requestId, 'question');
  if (call === undefined) return context;
  const answered = { ...context, unmet: context.unmet === 'needs_input' ? undefined : context.unmet };
  return settleCalls(answered, [{ callId: call.callId, name: call.name, status: 'ok', ref: event.ref }]);
}

/** Nobody answered in time. */
export function recordTimeout(context: AgentContext, event: EventOf<'timer.fired'>): AgentContext {
  const callId = event.timer.startsWith('human.') ? event.timer.slice('human.'.length) : undefined;
  const call = context.open.find((open) => open.callId === callId);
  if (call?.state === 'approval') return refuse(context, call, 'denied', event.ref);
  if (call?.state === 'question') return refuse(context, call, 'needs_input', event.ref);
  return context;
}

const refuse = (context: AgentContext, call: OpenCall, unmet: 'denied' | 'needs_input', ref: string): AgentContext => ({
  ...settleCalls(context, [{ callId: call.callId, name: call.name, status: 'error', ref }]),
  unmet,
});

/** Withdraws the request that an event settled. */
export function withdrawalOf(context: AgentContext, event: InboxEvent): Delivery[] {
  switch (event.type) {
    case 'human.decided':
      return withdrawalsFor(waitingFor(context, event.approvalId, 'approval'));
    case 'human.answered':
      return withdrawalsFor(waitingFor(context, event.requestId, 'question'));
    case 'timer.fired':
      return withdrawalsFor(context.open.find(({ callId }) => event.timer === `human.${callId}`));
    default:
      return [];
  }
}

const withdrawalsFor = (call: OpenCall | undefined): Delivery[] =>
  (call?.state === 'approval' || call?.state === 'question') && call.waitsFor ? [withdrawal(call.waitsFor)] : [];

/** Withdraws whatever is still asked when the agent ends. */
export const withdrawals = (context: AgentContext): Delivery[] => context.open.flatMap(withdrawalsFor);

/** A parked agent needs a clock of its own to notice the deadline; set once for each deadline. */
export const deadlineTimer = (context: AgentContext): Delivery[] =>
  context.timed ? [] : [{ to: 'timer', name: deadlineName(context), dueAt: context.deadlineAt }];

/** Timers cannot be taken back: one that was set for an earlier deadline is told by its name. */
export const deadlineName = ({ deadlineAt }: AgentContext): string => `deadline.${deadlineAt}`;

export const isDeadline = (context: AgentContext, event: EventOf<'timer.fired'>): boolean =>
  event.timer === deadlineName(context);
