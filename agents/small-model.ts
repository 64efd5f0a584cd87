/** Questions to the small model, paid from what the reservation of a decision leaves. */
import type { ChatMessage } from '../src/domain/chat.js';
import type { CallUsage } from '../src/domain/decision.js';
import type { EffectScope } from '../src/host/role.js';
import type { Model } from '../src/llm/model.js';
import { contextIn } from './record.js';

/** What the decision's reservation leaves when the main call is paid. */
export interface Spare {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface SmallAnswer {
  /** Undefined when the call failed. It was paid all the same. */
  readonly text: string | undefined;
  readonly usage: CallUsage;
}

const OUTPUT_MAX = 400;
/** Small models may count more tokens than we do. */
const MARGIN = 1.5;

/** Undefined when the question is dearer than what is left: then it was not asked. */
export async function askSmall(
  messages: readonly ChatMessage[],
  spare: Spare,
  scope: EffectScope,
  model: Model,
): Promise<SmallAnswer | undefined> {
  const promptTokens = messages.reduce((sum, message) => sum + model.countMessage(message), model.overheadTokens);
  const maxOutputTokens = Math.min(OUTPUT_MAX, model.maxOutputTokens);
  const bound = Math.ceil(promptTokens * MARGIN * Math.max(1, contextIn(scope).calibration.ratio));
  if (bound + maxOutputTokens > spare.tokens || model.costUsd(bound, maxOutputTokens) > spare.costUsd) return undefined;
  const { agentId, signal } = scope;
  const outcome = await model.call(
    { messages: [...messages], tools: [], maxOutputTokens, temperature: 0, agentId, promptTokens },
    { signal, mayBegin: () => scope.stands() },
  );
  const content = outcome.ok ? outcome.message.content : undefined;
  return { text: typeof content === 'string' ? content : undefined, usage: outcome.usage };
}

export const spareAfter = (spare: Spare, { inputTokens, outputTokens, costUsd }: CallUsage): Spare => ({
  tokens: spare.tokens - inputTokens - outputTokens,
  costUsd: spare.costUsd - costUsd,
});

/** Together they say nothing of how the main model's provider counts. */
export const usageOf = (main: CallUsage, small: CallUsage): CallUsage => ({
  inputTokens: main.inputTokens + small.inputTokens,
  outputTokens: main.outputTokens + small.outputTokens,
  costUsd: main.costUsd + small.costUsd,
  countedInputTokens: 0,
  estimated: main.estimated || small.estimated,
});
