/** Whether the next model call can be afforded, how long its answer may be, and whether it is the last one. */
import { type AmountKind, type Amounts, nothing, remaining, reserve, settle } from '../src/domain/budget.js';
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

/** The bound of the grace call, from what the last prompt took. */
export function graceBound(context: AgentContext): Amounts {
  const { reported, counted, growth } = context.calibration;
  const prompt = Math.max(reported, counted) + 2 * growth + context.policy.leastOutputTokens;
  const tokens = prompt + 2 * context.policy.leastOutputTokens;
  const spent = context.usage.inputTokens + context.usage.outputTokens;
  const perToken = spent === 0 ? 0 : context.usage.costUsd / spent;
  return modelBound(tokens, 2 * tokens * perToken);
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
  return modelEffects.reduce((now, name) => {
    const bound = now.ledger.reserved[name];
    if (bound === undefined) return now;
    const lost = settle(now.ledger, name, bound);
    return { ...now, round: now.round + bound.rounds, ledger: reserve(lost, name, bound) };
  }, context);
}

/** False when a lost model call cannot be paid a second time. */
export function canRepeat(context: AgentContext): boolean {
  const { ledger } = chargeLost(context);
  const left = remaining(ledger);
  return left.rounds >= 0 && left.tokens >= 0 && left.costUsd >= 0;
}

/** Whatever is reserved when the agent ends counts as spent: it may have been billed. */
export function forfeit(context: AgentContext): AgentContext {
  const ledger = Object.entries(context.ledger.reserved).reduce(
    (now, [name, bound]) => settle(now, name, bound),
    context.ledger,
  );
  return { ...context, ledger };
}
