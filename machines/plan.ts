/** The plan as a whole: what is under way, what was tried before, and how much trying again may take. */
import { type Amounts, amountKinds, atLeastZero, atMost, subtract, sum } from '../src/domain/budget.js';
import type { FailureKind } from '../src/domain/failure.js';
import type { Delegation, Subtask } from '../src/domain/plan.js';
import type { AgentContext } from './context.js';
import { pledgedCalls } from './round.js';
import { graceBound } from './spending.js';

/** Only what a subtask has reached can be built upon. */
export const isUsable = (state: Subtask['state'] | undefined): boolean => state === 'done' || state === 'partial';

export const atWork = ({ plan }: AgentContext): Subtask[] => plan.filter(({ state }) => state === 'running');

export const unended = ({ plan }: AgentContext): Subtask[] =>
  plan.filter(({ state }) => state === 'running' || state === 'waiting');

/** What the agent keeps for itself when it gives something away: one more call, and the tool calls of this round. */
export const ownNeeds = (context: AgentContext): Amounts => ({
  ...graceBound(context),
  toolCalls: pledgedCalls(context),
});

export const attemptOf = ({ attempt = 1 }: Subtask): number => attempt;

/**
 * The latest subtask that was to do the same: the same work in every word, or one that came to nothing and whose name is
 * given again. Undefined in agents without a plan policy, and for partial results, which may be asked for once more.
 */
export function earlierTry({ plan, policy }: AgentContext, { work, name }: Delegation): Subtask | undefined {
  if (policy.plan === undefined) return undefined;
  return plan.findLast(
    (item) =>
      (work !== undefined && item.work === work && item.state !== 'partial') ||
      (name !== undefined && item.name === name && hasFailed(item)),
  );
}

const hasFailed = ({ state }: Subtask): boolean => state !== 'waiting' && state !== 'running' && !isUsable(state);

/** Why something may not be ordered once more. */
export function refusalToRepeat({ policy }: AgentContext, before: Subtask | undefined): FailureKind | undefined {
  if (before === undefined) return undefined;
  if (!hasFailed(before)) return 'conflict';
  return attemptOf(before) >= (policy.plan?.attempts ?? Infinity) ? 'repair_exhausted' : undefined;
}

/** What is left of the share for repairs, of a slice that is wanted. Undefined when not even one round is left. */
export function repairSlice(context: AgentContext, wanted: Amounts | undefined): Amounts | undefined {
  const share = context.policy.plan?.repairShare;
  if (wanted === undefined || share === undefined) return wanted;
  const repeated = context.plan.filter((item) => attemptOf(item) > 1);
  const taken = sum(repeated.map(({ spent, slice }) => spent ?? slice));
  const slice = atMost(wanted, atLeastZero(subtract(shareOf(context.ledger.granted, share), taken)));
  return slice.rounds >= 1 && slice.tokens >= 1 ? slice : undefined;
}

const shareOf = (granted: Amounts, share: number): Amounts =>
  Object.fromEntries(
    amountKinds.map((kind) => [kind, kind === 'costUsd' ? granted[kind] * share : Math.floor(granted[kind] * share)]),
  ) as Amounts;
