/** What changes the course of an agent from outside or from looking back: corrections, budgets, reflection; and the inputs of its effects. */
import {
  type AmountKind,
  type Amounts,
  amountKinds,
  fits,
  nothing,
  remaining,
  reserve,
  settle,
  sum,
} from '../src/domain/budget.js';
import type { Delivery } from '../src/domain/journal.js';
import type { AgentContext } from './context.js';
import type { DoneEvent, InboxEvent, Reflection } from './event.js';
import { count, readyCalls } from './round.js';
import { regrant, steeringOrders } from './slice.js';
import { graceBound } from './spending.js';
import { humanRequests } from './waiting.js';

type EventOf<T extends InboxEvent['type']> = Extract<InboxEvent, { type: T }>;

export const recordCorrection = (context: AgentContext, event: EventOf<'human.corrected'>): AgentContext => ({
  ...context,
  memory: { ...context.memory, ...event.memory },
  transcript: [...context.transcript, { kind: 'note', about: 'correction', ref: event.ref }],
});

/** Sets new limits. The budget of a child is a slice of its parent's and can only shrink. */
export function changeBudget(context: AgentContext, { budget, at }: EventOf<'budget.changed'>): AgentContext {
  const { granted } = context.ledger;
  const isSlice = context.me.parent !== undefined;
  const wanted = (kind: AmountKind): number => {
    const limit = budget[kind] ?? granted[kind];
    return isSlice ? Math.min(limit, granted[kind]) : limit;
  };
  const until = budget.seconds === undefined ? context.deadlineAt : at + Math.round(budget.seconds * 1000);
  return regrant(
    context,
    Object.fromEntries(amountKinds.map((kind) => [kind, wanted(kind)])) as Amounts,
    isSlice ? Math.min(until, context.deadlineAt) : until,
  );
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
