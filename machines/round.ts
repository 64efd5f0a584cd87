/** One round of an agent: the decision, its calls, their results, and what they say about progress. */
import { nothing, remaining, reserve, settle } from '../src/domain/budget.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { Decision, DecisionOf } from '../src/domain/decision.js';
import { isRetryable } from '../src/domain/failure.js';
import type { AgentContext, CallResult, OpenCall, Round } from './context.js';
import { bookCall } from './spending.js';

/** Books the decision and opens its calls. Bodies stay behind `ref`. */
export function recordDecision(context: AgentContext, decision: Decision, ref: string): AgentContext {
  const booked = bookCall(context, 'decide', decision.usage);
  if (decision.kind === 'failed') return count(booked, { failed: booked.counts.failed + 1 });
  const repairs = booked.counts.repairs + decision.repairs.length;
  const memory = { ...booked.memory, ...decision.state };
  if (decision.kind === 'unreadable') {
    const unreadable = booked.counts.unreadable + 1;
    const noted = { ...count(booked, { unreadable, failed: 0, repairs: repairs + 1 }), memory };
    return unreadable < 2
      ? noted
      : { ...noted, transcript: [...noted.transcript, { kind: 'note', about: 'unreadable', ref }] };
  }
  const read = { ...count(booked, { unreadable: 0, failed: 0, repairs }), memory };
  return decision.kind === 'calls' ? openRound(read, decision, ref) : read;
}

function openRound(context: AgentContext, decision: DecisionOf<'calls'>, ref: string): AgentContext {
  const room = remaining(context.ledger).toolCalls;
  const tools = decision.calls.filter((call) => call.action.route === 'tool');
  const beyondBudget = new Set(tools.slice(Math.max(0, room)).map((call) => call.callId));
  const open = decision.calls.map((call) => openCall(call, beyondBudget.has(call.callId)));
  const refused = open.filter((call) => call.route === 'refused');
  const round: Round = {
    kind: 'round',
    n: context.round,
    decision: ref,
    actionHash: decision.actionHash,
    results: refused.map(({ callId, name }) => ({
      callId,
      name,
      status: 'error',
      ref,
      ...(beyondBudget.has(callId) && { refusal: 'budget_exhausted' }),
    })),
  };
  return { ...context, open: [...context.open, ...open], transcript: [...context.transcript, round] };
}

function openCall(call: PlannedCall, beyondBudget: boolean): OpenCall {
  const { callId, name, action } = call;
  const base = { callId, name };
  if (beyondBudget) return { ...base, route: 'refused', state: 'settled' };
  switch (action.route) {
    case 'tool':
      return call.needsApproval
        ? { ...base, route: 'tool', state: 'approval', waitsFor: call.requestId }
        : { ...base, route: 'tool', state: 'ready' };
    case 'ask':
      return { ...base, route: 'ask', state: 'question', waitsFor: call.requestId };
    // Steering is settled in the same step, once it is known what becomes of it.
    case 'delegate':
    case 'steer':
      return { ...base, route: action.route, state: 'child' };
    case 'finish':
    case 'refused':
      return { ...base, route: action.route, state: 'settled' };
  }
}

/** Tool calls of the present round that are neither paid for nor done: others may not take their budget. */
export function pledgedCalls({ open, ledger }: AgentContext): number {
  const waiting = open.filter(({ route, state }) => route === 'tool' && (state === 'ready' || state === 'approval'));
  return waiting.length - (ledger.reserved.callTools?.toolCalls ?? 0);
}

export const readyCalls = (context: AgentContext): OpenCall[] => context.open.filter((call) => call.state === 'ready');
export const isWaiting = (context: AgentContext): boolean =>
  context.open.some(({ state }) => state === 'approval' || state === 'question' || state === 'child');

/** The tool calls about to run are paid for before they start. */
export const reserveTools = (context: AgentContext): AgentContext => ({
  ...context,
  ledger: reserve(context.ledger, 'callTools', { ...nothing, toolCalls: readyCalls(context).length }),
});

export function recordTools(
  context: AgentContext,
  results: readonly Omit<CallResult, 'ref'>[],
  ref: string,
): AgentContext {
  const toolCalls = results.length;
  const booked: AgentContext = {
    ...context,
    ledger: settle(context.ledger, 'callTools', { ...nothing, toolCalls }),
    usage: { ...context.usage, toolCalls: context.usage.toolCalls + toolCalls },
    unmet: results.some((result) => approvedNow(context, result.callId)) ? undefined : context.unmet,
  };
  return settleCalls(
    booked,
    results.map((result) => ({ ...result, ref })),
  );
}

const approvedNow = (context: AgentContext, callId: string): boolean =>
  context.open.some((call) => call.callId === callId && call.approvedBy !== undefined);

/** Closes open calls with their results; a result for a call that is not open is ignored. */
export function settleCalls(context: AgentContext, results: readonly CallResult[]): AgentContext {
  const fresh = results.flatMap((result) => {
    const call = context.open.find(({ callId, state }) => callId === result.callId && state !== 'settled');
    return call === undefined ? [] : [{ ...result, name: call.name }];
  });
  if (fresh.length === 0) return context;
  const settled = new Set(fresh.map((result) => result.callId));
  const open = context.open.map((call): OpenCall => (settled.has(call.callId) ? { ...call, state: 'settled' } : call));
  const latest = lastRound(context)?.decision;
  const roundOf = new Map(context.open.map(({ callId, decision = latest }) => [callId, decision]));
  const transcript = context.transcript.map((entry) => {
    if (entry.kind !== 'round') return entry;
    const own = fresh.filter(({ callId }) => roundOf.get(callId) === entry.decision);
    return own.length === 0 ? entry : { ...entry, results: [...entry.results, ...own] };
  });
  return { ...context, open, transcript };
}

export const lastRound = (context: AgentContext): Round | undefined =>
  context.transcript.findLast((entry): entry is Round => entry.kind === 'round');

/** The round is over: counts what it says about progress. Subtasks that are still at work are carried into the next. */
export function closeRound(context: AgentContext): AgentContext {
  const { counts } = context;
  const corrections = allRefused(context) ? counts.corrections + 1 : 0;
  const latest = lastRound(context)?.decision;
  const carried = context.open
    .filter(({ state }) => state === 'child')
    .map((call): OpenCall => ({ decision: latest, ...call }));
  const poor = newResults(context).reduce(
    (now, { name, status }) =>
      status === 'ok' ? { tool: '', times: 0 } : { tool: name, times: now.tool === name ? now.times + 1 : 1 },
    counts.poor,
  );
  return { ...count(context, { corrections, poor, sinceReflection: counts.sinceReflection + 1 }), open: carried };
}

const isCarried = ({ decision }: OpenCall): boolean => decision !== undefined;

/** Results that the model has not seen. */
function newResults(context: AgentContext): readonly CallResult[] {
  if (!context.open.some(isCarried)) return lastRound(context)?.results ?? [];
  const settled = new Set(context.open.flatMap(({ callId, state }) => (state === 'settled' ? [callId] : [])));
  return context.transcript.flatMap((entry) =>
    entry.kind === 'round' ? entry.results.filter(({ callId }) => settled.has(callId)) : [],
  );
}

/**
 * Subtasks are at work, and yet there is something to decide: one of them came to nothing, or the calls that were made
 * beside them are done. Nobody is asked while a human or a tool is waited for, or the agent has finished.
 */
export function mustDecide(context: AgentContext): boolean {
  if (context.policy.plan?.early !== true) return false;
  const waiting = context.open.filter(({ state }) => state !== 'settled');
  if (waiting.length === 0 || waiting.some(({ state }) => state !== 'child')) return false;
  const settled = context.open.filter(({ state }) => state === 'settled');
  const reported = new Map(
    newResults(context).flatMap(({ callId, ref, status }) => (isReport(ref) ? [[callId, status]] : [])),
  );
  const ofSubtasks = settled.filter(({ route, callId }) => route === 'delegate' && reported.has(callId));
  const others = settled.filter((call) => !isCarried(call) && !ofSubtasks.includes(call));
  if (others.length > 0 && waiting.every(isCarried)) return true;
  return !hasFinished(context) && ofSubtasks.some(({ callId }) => reported.get(callId) !== 'ok');
}

const isReport = (ref: string): boolean => ref.startsWith('in.');

const allRefused = (context: AgentContext): boolean => {
  const own = context.open.filter((call) => !isCarried(call));
  return own.length > 0 && own.every((call) => call.route === 'refused');
};

export const hasFinished = (context: AgentContext): boolean => context.open.some((call) => call.route === 'finish');

export const isBeyondCorrection = (context: AgentContext): boolean =>
  allRefused(context) && context.counts.corrections >= context.policy.corrections;

/** The same action with the same arguments too often of late. */
export function isRepeating(context: AgentContext): boolean {
  const { window, count: limit } = context.policy.repetition;
  const recent = context.transcript.filter((entry): entry is Round => entry.kind === 'round').slice(-window);
  const latest = recent.at(-1)?.actionHash;
  return recent.filter((round) => round.actionHash === latest).length >= limit;
}

/** Due every so many rounds, or after two poor results in a row from one tool. `open` still holds the round. */
export function isReflectionDue(context: AgentContext): boolean {
  const { reflectEvery } = context.policy;
  if (reflectEvery === 0) return false;
  const closed = closeRound(context);
  return closed.counts.sinceReflection >= reflectEvery || closed.counts.poor.times >= 2;
}

/** A model failure that may pass, or a reply that may come out right next time. */
export const mayAskAgain = (context: AgentContext, decision: Decision): boolean =>
  decision.kind === 'failed'
    ? isRetryable(decision.failure) && context.counts.failed + 1 < context.policy.unreadable
    : context.counts.unreadable + 1 < context.policy.unreadable;

export const count = (context: AgentContext, changes: Partial<AgentContext['counts']>): AgentContext => ({
  ...context,
  counts: { ...context.counts, ...changes },
});
