/** What changes the course of an agent from outside or from looking back: corrections, budgets, reflection; and the inputs of its effects. */
import {
  type AmountKind,
  type Amounts,
  add,
  amountKinds,
  fits,
  nothing,
  remaining,
  reserve,
  settle,
  subtract,
  sum,
} from '../src/domain/budget.js';
import type { Delivery } from '../src/domain/journal.js';
import type { AgentContext } from './context.js';
import type { DoneEvent, InboxEvent, Reflection } from './event.js';
import { count, pledgedCalls, readyCalls } from './round.js';
import { steeringOrders } from './slice.js';
import { graceBound } from './spending.js';
import { humanRequests } from './waiting.js';

type EventOf<T extends InboxEvent['type']> = Extract<InboxEvent, { type: T }>;

export const recordCorrection = (context: AgentContext, event: EventOf<'human.corrected'>): AgentContext => ({
  ...context,
  memory: { ...context.memory, ...event.memory },
  transcript: [...context.transcript, { kind: 'note', about: 'correction', ref: event.ref }],
});

/**
 * Sets new limits; never below what is spent, reserved, handed out or about to run. The budget of a child is a slice of
 * its parent's and can only shrink.
 */
export function changeBudget(context: AgentContext, event: EventOf<'budget.changed'>): AgentContext {
  const { ledger, last } = context;
  const { seconds } = event.budget;
  const isSlice = context.me.parent !== undefined;
  const committed = add(subtract(ledger.granted, remaining(ledger)), { ...nothing, toolCalls: pledgedCalls(context) });
  const wanted = (kind: AmountKind): number => {
    const limit = event.budget[kind] ?? ledger.granted[kind];
    return Math.max(committed[kind], isSlice ? Math.min(limit, ledger.granted[kind]) : limit);
  };
  const granted = Object.fromEntries(amountKinds.map((kind) => [kind, wanted(kind)])) as Amounts;
  const until = seconds === undefined ? context.deadlineAt : event.at + Math.round(seconds * 1000);
  const deadlineAt = isSlice ? Math.min(until, context.deadlineAt) : until;
  return {
    ...context,
    ledger: { ...ledger, granted },
    last: last !== undefined && granted[last] > ledger.granted[last] ? undefined : last,
    deadlineAt,
    timed: context.timed && deadlineAt === context.deadlineAt,
  };
}

/** Money by the dearer of the two prices: what a reflection reads and writes is not known beforehand. */
const reflectionBound = ({ policy, prices }: AgentContext): Amounts => ({
  ...nothing,
  tokens: policy.reflectTokens,
  costUsd: policy.reflectTokens * Math.max(prices.promptTokenUsd, prices.outputTokenUsd),
});

/** Reflection must leave enough for two more calls. */
export function canReflect(context: AgentContext): boolean {
  const call = graceBound(context);
  return fits(sum([call, call, reflectionBound(context)]), remaining(context.ledger));
}

export const reserveReflection = (context: AgentContext): AgentContext => ({
  ...context,
  ledger: reserve(context.ledger, 'reflect', reflectionBound(context)),
});

export function recordReflection(context: AgentContext, { usage }: Reflection, ref: string): AgentContext {
  const used = usage ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const tokens = used.inputTokens + used.outputTokens;
  return {
    ...afterReflection(context),
    ledger: settle(context.ledger, 'reflect', { ...nothing, tokens, costUsd: used.costUsd }),
    usage: {
      ...context.usage,
      inputTokens: context.usage.inputTokens + used.inputTokens,
      outputTokens: context.usage.outputTokens + used.outputTokens,
      costUsd: context.usage.costUsd + used.costUsd,
    },
    transcript: [...context.transcript, { kind: 'note', about: 'reflection', ref }],
  };
}

/** A reflection that broke may have been billed, and is not tried again at once. */
export const loseReflection = (context: AgentContext): AgentContext => ({
  ...afterReflection(context),
  ledger: settle(context.ledger, 'reflect', reflectionBound(context)),
});

const afterReflection = (context: AgentContext): AgentContext =>
  count(context, { sinceReflection: 0, poor: { tool: '', times: 0 } });

/** Input of `decide`: how long the answer may be, and whether it must be the last. */
export const decideInput = ({ last, outputTokens, round }: AgentContext) => ({
  round,
  outputTokens,
  last: last ?? null,
});

/** Input of `callTools`: which calls of which decision. */
export const toolsInput = (context: AgentContext) => ({
  decision: context.transcript.findLast((entry) => entry.kind === 'round')?.decision ?? '',
  calls: readyCalls(context).map(({ callId, approvedBy }) => ({ callId, approvedBy: approvedBy ?? null })),
});

/** What a decision asks of subtasks at work, and of people. */
export const askedBy = (context: AgentContext, { output, at }: DoneEvent<'decide'>): Delivery[] =>
  output.kind === 'calls'
    ? [...steeringOrders(context, output.calls, at), ...humanRequests(context, output.calls, at)]
    : [];
