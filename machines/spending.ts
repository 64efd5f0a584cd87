/** Whether the next model call can be afforded, how long its answer may be, and whether it is the last one. */
import {
  type AmountKind,
  type Amounts,
  lacking,
  mostSpent,
  nothing,
  remaining,
  reserve,
  settle,
  sum,
  takeBack,
  warningLevels,
} from '../src/domain/budget.js';
import type { CallUsage } from '../src/domain/decision.js';
import type { AgentContext } from './context.js';
import type { Perception } from './event.js';

export type NextCall =
  | {
      readonly affordable: true;
      readonly outputTokens: number;
      readonly last: AmountKind | undefined;
      readonly bound: Amounts;
    }
  | { readonly affordable: false; readonly lacking: AmountKind };

/**
 * A call is normal when another one like it would still fit afterwards, so that the agent can always report what it
 * has; otherwise it is the last. Its answer is cut to what is left, so the reservation is a true upper bound.
 */
export function nextCall(context: AgentContext, perception: Perception): NextCall {
  const { policy } = context;
  const left = remaining(context.ledger);
  const prompt = expectedPrompt(context, perception.promptTokens);
  const least = policy.leastOutputTokens;
  const wanted = Math.min(policy.outputTokens, Math.max(0, perception.roomTokens - (prompt - perception.promptTokens)));
  const cost = (output: number) => priceOf(perception, prompt, output);

  if (left.rounds < 1) return { affordable: false, lacking: 'rounds' };
  const byTokens = left.tokens - prompt;
  if (wanted < least || byTokens < least) return { affordable: false, lacking: 'tokens' };
  const byCost =
    perception.outputTokenCostUsd > 0 ? (left.costUsd - cost(0)) / perception.outputTokenCostUsd : Infinity;
  if (byCost < least || left.costUsd < cost(least)) return { affordable: false, lacking: 'costUsd' };

  const tokensForTwo = Math.floor((left.tokens - 2 * prompt - least) / 2);
  const costForTwo =
    perception.outputTokenCostUsd > 0
      ? Math.floor(
          (left.costUsd - 2 * cost(0) - least * perception.outputTokenCostUsd) / 2 / perception.outputTokenCostUsd,
        )
      : Infinity;
  const last: AmountKind | undefined =
    left.rounds < 2 ? 'rounds' : tokensForTwo < least ? 'tokens' : costForTwo < least ? 'costUsd' : undefined;
  const room = last === undefined ? Math.min(tokensForTwo, costForTwo) : Math.min(byTokens, byCost);
  const outputTokens = Math.floor(Math.min(wanted, room));
  return { affordable: true, outputTokens, last, bound: modelBound(prompt + outputTokens, cost(outputTokens)) };
}

/** Providers count differently from us: reckon with the larger figure, by what they reported before. */
function expectedPrompt(context: AgentContext, counted: number): number {
  const { ratio, reported, counted: before, growth } = context.calibration;
  if (reported === 0 || ratio <= 1) return counted;
  return Math.ceil(reported + Math.max(growth, (counted - before) * ratio));
}

const priceOf = (perception: Perception, prompt: number, output: number): number =>
  perception.promptTokens === 0
    ? 0
    : (perception.promptCostUsd * prompt) / perception.promptTokens + output * perception.outputTokenCostUsd;

const modelBound = (tokens: number, costUsd: number): Amounts => ({ ...nothing, rounds: 1, tokens, costUsd });

/** The grace call is kept this small: as if the prompt grew twice as much as last time, and a short answer. */
export function graceCall(context: AgentContext): { promptTokens: number; outputTokens: number } {
  const { reported, counted, growth } = context.calibration;
  const least = context.policy.leastOutputTokens;
  return { promptTokens: Math.max(reported, counted) + 2 * growth + least, outputTokens: 2 * least };
}

/** What one more small call takes at the prices of the last prompt. */
export function graceBound(context: AgentContext): Amounts {
  const { promptTokens, outputTokens } = graceCall(context);
  const { promptTokenUsd, outputTokenUsd } = context.prices;
  return modelBound(promptTokens + outputTokens, promptTokens * promptTokenUsd + outputTokens * outputTokenUsd);
}

/** Pays for the call that was found affordable. */
export function reserveDecision(context: AgentContext, perception: Perception): AgentContext {
  const call = nextCall(context, perception);
  if (!call.affordable) return context;
  const { last, outputTokens } = call;
  const prices = { promptTokenUsd: priceOf(perception, 1, 0), outputTokenUsd: perception.outputTokenCostUsd };
  return warn({ ...reserveCall(context, 'decide', call.bound), last, outputTokens, prices });
}

/** Notes, once for each level, that so much of the grant is spent. A grant that was raised is warned of anew. */
function warn(context: AgentContext): AgentContext {
  if (context.policy.plan === undefined) return context;
  const { kind, percent } = mostSpent(context.ledger);
  const level = warningLevels.findLast((one) => percent >= one) ?? 0;
  const before = context.warned?.level ?? 0;
  return level === before
    ? context
    : { ...context, warned: { level, kind, round: level > before ? context.round : 0 } };
}

export const reserveCall = (context: AgentContext, name: string, bound: Amounts): AgentContext => ({
  ...context,
  round: context.round + bound.rounds,
  ledger: reserve(context.ledger, name, bound),
});

/** Books a model call: what it used is spent, and the next estimate learns from it. */
export function bookCall(context: AgentContext, name: string, used: CallUsage): AgentContext {
  const tokens = used.inputTokens + used.outputTokens;
  const rounds = context.ledger.reserved[name]?.rounds ?? 0;
  const { calibration, usage } = context;
  return {
    ...context,
    ledger: settle(context.ledger, name, { ...nothing, rounds, tokens, costUsd: used.costUsd }),
    usage: {
      ...usage,
      rounds: usage.rounds + rounds,
      inputTokens: usage.inputTokens + used.inputTokens,
      outputTokens: usage.outputTokens + used.outputTokens,
      costUsd: usage.costUsd + used.costUsd,
    },
    calibration:
      used.countedInputTokens === 0 || used.estimated
        ? calibration
        : {
            ratio: Math.max(1, used.inputTokens / used.countedInputTokens),
            reported: used.inputTokens,
            counted: used.countedInputTokens,
            growth: calibration.reported === 0 ? 0 : Math.max(0, used.inputTokens - calibration.reported),
          },
  };
}

const modelEffects = ['decide', 'grace', 'reflect'] as const;

/** Model calls that were under way when a host died are spent; they are reserved once more for the next attempt. */
export function chargeLost(context: AgentContext): AgentContext {
  let { ledger, round } = context;
  for (const name of modelEffects) {
    const bound = ledger.reserved[name];
    if (bound === undefined) continue;
    ledger = reserve(settle(ledger, name, bound), name, bound);
    round += bound.rounds;
  }
  return { ...context, ledger, round };
}

/** In which kind the budget is too small to pay a lost model call a second time; undefined when it is not. */
export function lackingToRepeat({ ledger }: AgentContext): AmountKind | undefined {
  const lost = modelEffects.flatMap((name) => ledger.reserved[name] ?? []);
  return lost.length === 0 ? undefined : lacking(sum(lost), remaining(ledger))[0];
}

/** What was given up at the end is not settled any more. What is reserved for it counts as spent: it may have been billed. */
export const chargeGivenUp = (context: AgentContext): AgentContext => ({
  ...context,
  ledger: Object.entries(context.ledger.reserved).reduce(
    (ledger, [name, bound]) => settle(ledger, name, bound),
    context.ledger,
  ),
});

/**
 * What children hold that have not reported counts as spent; those that were never ordered cannot have spent anything.
 */
export function closeSlices(context: AgentContext): AgentContext {
  let { ledger } = context;
  for (const [child, slice] of Object.entries(ledger.slices)) {
    const ordered = context.plan.some(({ agentId, state }) => agentId === child && state === 'running');
    ledger = takeBack(ledger, child, ordered ? slice : nothing);
  }
  return { ...context, ledger };
}
