/** What a call used: the provider's figures when they are credible, else our own count. */
import type { CallUsage } from '../domain/decision.js';
import { isFields } from '../domain/fields.js';
import { costOf, type Price } from './price.js';

export interface Counted {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Bounds {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
}

/**
 * A provider is believed when its figures are whole, positive and possible: not beyond the window or many times what we
 * counted, not a vanishing part of it. Its own tokenizer may well differ from ours, so that the limits are wide.
 */
export function usageOf(reported: unknown, counted: Counted, bounds: Bounds, price: Price | undefined): CallUsage {
  const figures = isFields(reported) ? reported : {};
  const input = figures.prompt_tokens;
  const output = figures.completion_tokens;
  const credible =
    isCount(input) &&
    input > 0 &&
    isCount(output) &&
    (output > 0 || counted.outputTokens === 0) &&
    input <= Math.max(bounds.windowTokens, counted.inputTokens * 4) &&
    output <= Math.max(bounds.maxOutputTokens * 2, counted.outputTokens * 8) &&
    input >= counted.inputTokens / 100;
  if (!credible) return ownUsage(counted, price);
  const details = isFields(figures.prompt_tokens_details) ? figures.prompt_tokens_details : {};
  const cached = isCount(details.cached_tokens) ? details.cached_tokens : 0;
  return {
    inputTokens: input,
    outputTokens: output,
    costUsd: costOf(price, input, output, cached),
    countedInputTokens: counted.inputTokens,
    estimated: false,
  };
}

/** Our own count, marked as an estimate. */
export const ownUsage = (counted: Counted, price: Price | undefined): CallUsage => ({
  inputTokens: counted.inputTokens,
  outputTokens: counted.outputTokens,
  costUsd: costOf(price, counted.inputTokens, counted.outputTokens),
  countedInputTokens: counted.inputTokens,
  estimated: true,
});

/** Nothing was billed. */
export const noCallUsage = (countedInputTokens: number): CallUsage => ({
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  countedInputTokens,
  estimated: false,
});

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
