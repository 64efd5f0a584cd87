/** How an agent comes to its end: the reason, the last words, and who is told. */
import { type AmountKind, fits, nothing, remaining } from '../src/domain/budget.js';
import type { Decision } from '../src/domain/decision.js';
import { type Failure, failure } from '../src/domain/failure.js';
import type { Delivery } from '../src/domain/journal.js';
import { laneOf } from '../src/domain/lane.js';
import type { Report, Termination } from '../src/domain/report.js';
import type { AgentContext, Ending } from './context.js';
import { cancellations, isRoot } from './delegation.js';
import type { AgentEvent } from './event.js';
import { lastRound } from './round.js';
import { bookCall, graceBound } from './spending.js';
import { isDeadline, withdrawals } from './waiting.js';

export const end = (context: AgentContext, ending: Ending): AgentContext =>
  context.ending === undefined ? { ...context, ending } : context;

const exhaustion: Record<AmountKind, Termination> = {
  rounds: 'rounds_exhausted',
  tokens: 'tokens_exhausted',
  costUsd: 'cost_exhausted',
  toolCalls: 'rounds_exhausted',
  children: 'rounds_exhausted',
};

export const endExhausted = (context: AgentContext, lacking: AmountKind, ref?: string): AgentContext =>
  end(context, {
    status: 'exhausted',
    termination: exhaustion[lacking],
    failure: failure(
      'budget_exhausted',
      `the budget for ${lacking} is used up: granted ${context.ledger.granted[lacking]}, left ${remaining(context.ledger)[lacking]}`,
      'submit again with a larger budget, or a smaller goal',
    ),
    ref,
  });

/** The last call was spent on more calls: they are not run, so nobody is asked for them. */
export const endLastCall = (context: AgentContext, ref: string): AgentContext =>
  endExhausted({ ...context, open: [] }, context.last ?? 'rounds', ref);

/** The model answered in words: that is the result, unless a human stood in the way. */
export const endFinal = (context: AgentContext, ref: string): AgentContext =>
  end(context, {
    status: context.unmet === undefined ? 'done' : 'partial',
    termination: context.unmet ?? 'finished',
    ref,
  });

/** The model called `finish`; its own status stands in the call. */
export const endFinished = (context: AgentContext): AgentContext =>
  endFinal(context, lastRound(context)?.decision ?? '');

export const endRepeating = (context: AgentContext): AgentContext =>
  end(context, {
    status: 'partial',
    termination: 'no_progress',
    failure: failure('no_progress', 'the same action with the same arguments came again and again'),
  });

export const endBeyondCorrection = (context: AgentContext): AgentContext =>
  end(context, {
    status: 'failed',
    termination: 'failed',
    failure: failure('unknown_tool', `${context.policy.corrections} corrections in a row did not lead to a valid call`),
    ref: lastRound(context)?.decision,
  });

export function endFailed(context: AgentContext, decision: Decision): AgentContext {
  const cause: Failure =
    decision.kind === 'failed'
      ? decision.failure
      : failure('reply_unreadable', decision.kind === 'unreadable' ? decision.problem : 'the reply could not be used');
  if (cause.kind === 'deadline_passed') return endLate(context);
  return end(context, { status: 'failed', termination: 'failed', failure: cause });
}

export const endCancelled = (context: AgentContext, by: string, reason: string | undefined): AgentContext =>
  end(context, {
    status: 'cancelled',
    termination: 'cancelled',
    failure: failure('cancelled', `cancelled by ${by}${reason === undefined ? '' : `: ${reason}`}`),
  });

export const endOrphaned = (context: AgentContext): AgentContext =>
  end(context, {
    status: 'cancelled',
    termination: 'parent_gone',
    failure: failure('parent_gone', 'the agent that ordered this has ended'),
  });

export const endLate = (context: AgentContext): AgentContext =>
  end(context, {
    status: 'exhausted',
    termination: 'deadline_passed',
    failure: failure('deadline_passed', `the deadline (${context.deadlineAt} ms since 1970) has passed`),
  });

export const endPoisoned = (context: AgentContext, attempts: number): AgentContext =>
  end(context, {
    status: 'failed',
    termination: 'poisoned',
    failure: failure(
      'poisoned',
      `${attempts} hosts in a row died over this agent`,
      'see the dead letters for the reason',
    ),
  });

/** No host can carry the agent on, or nobody ever began it. */
export function endAbandoned(context: AgentContext, reason: Failure): AgentContext {
  switch (reason.kind) {
    case 'cancelled':
    case 'parent_gone':
      return end(context, { status: 'cancelled', termination: reason.kind, failure: reason });
    case 'deadline_passed':
      return end(context, { status: 'exhausted', termination: reason.kind, failure: reason });
    default:
      return end(context, {
        status: 'failed',
        termination: reason.kind === 'poisoned' ? 'poisoned' : 'failed',
        failure: { ...reason, hint: 'see the dead letters' },
      });
  }
}

/** An effect broke: a bug, or an outcome that could not be recorded. */
export const endBroken = (context: AgentContext, cause: Failure): AgentContext =>
  end(context, { status: 'failed', termination: 'failed', failure: cause });

/** One more call to say what there is, when the agent was stopped for going nowhere and can pay for it. */
export function wantsGrace(context: AgentContext): boolean {
  const stuck = context.ending?.termination === 'no_progress' || context.ending?.failure?.kind === 'unknown_tool';
  return stuck && !context.graceUsed && fits({ ...nothing, ...graceBound(context) }, remaining(context.ledger));
}

/** The time is over, and the grace call is not back. Timers in journals of version 3 did not end it. */
export const isTooLateForGrace = (
  context: AgentContext,
  event: Extract<AgentEvent, { type: 'timer.fired' }>,
): boolean => isDeadline(context, event) && !('sparesGrace' in event);

/** Subtasks are at work of which it must be known what they spent. Agents of older journals did not wait for that. */
export const gathers = ({ plan, policy }: AgentContext): boolean =>
  policy.plan?.gatherMs !== undefined && plan.some(({ state }) => state === 'running');

const gatherTimer = 'gather';

export const isGathered = ({ timer }: { readonly timer: string }): boolean => timer === gatherTimer;

/** Tells the subtasks that are at work to stop; a timer ends the wait for those that cannot answer. */
export function recall(context: AgentContext, event: unknown): Delivery[] {
  if (!gathers(context)) return [];
  const { at } = event as { readonly at: number };
  const dueAt = at + (context.policy.plan?.gatherMs ?? 0);
  return [...cancellations(context, at), { to: 'timer', name: gatherTimer, dueAt }];
}

/** The report goes to the parent, or to the client; children and humans are told that nobody waits for them. */
export function farewells(context: AgentContext, report: Report, at: number): Delivery[] {
  const { parent, agentId, priority, taskId, tenant } = context.me;
  const told: Delivery =
    isRoot(context) || parent === undefined
      ? { to: 'task', taskId, report, endedAt: at }
      : {
          to: 'inbox',
          agentId: parent.agentId,
          ...laneOf({ role: parent.role, priority, queue: parent.queue, tenant }),
          message: { v: 1, type: 'child.reported', id: `${agentId}.report`, at, report },
        };
  // Who gathers has told them before, and those that are silent still know.
  const alone = context.policy.plan?.gatherMs === undefined ? cancellations(context, at) : [];
  return [told, ...alone, ...withdrawals(context)];
}

/** The grace call's words go into the report; calls in it are not carried out. */
export function recordGrace(context: AgentContext, decision: Decision, ref: string): AgentContext {
  const booked = bookCall(context, 'grace', decision.usage);
  const spoke = decision.kind === 'final' || decision.kind === 'calls';
  return spoke && booked.ending !== undefined ? { ...booked, ending: { ...booked.ending, ref } } : booked;
}
