/** How long to wait before the next attempt. */
import type { World } from './world.js';

export interface RetryOptions {
  /** Requests to one provider in one call, while another provider is there to turn to. */
  readonly attempts: number;
  /** Requests to the last provider of the chain in one call. */
  readonly lastAttempts: number;
  /** First step of the waits between them. */
  readonly baseMs: number;
  /** The same while another provider is there: a call is to be with the next one within a second. */
  readonly hurriedBaseMs: number;
  readonly maxMs: number;
  /** A provider that asks us to wait longer than this is left for now. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetry: RetryOptions = {
  attempts: 3,
  lastAttempts: 5,
  baseMs: 500,
  hurriedBaseMs: 200,
  maxMs: 15_000,
  maxRetryAfterMs: 60_000,
};

/**
 * Exponential backoff with jitter over the upper half: 0.5 to 1 times the step, so that many agents refused at once do
 * not return at once. A Retry-After wins, and gets up to a tenth on top for the same reason.
 */
export function delayBefore(
  attempt: number,
  retryAfterSeconds: number | undefined,
  options: Pick<RetryOptions, 'baseMs' | 'maxMs'>,
  world: Pick<World, 'random'>,
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 * (1 + world.random() / 10);
  const step = Math.min(options.maxMs, options.baseMs * 2 ** (attempt - 1));
  return step * (0.5 + world.random() / 2);
}

/** Seconds to wait, out of `retry-after-ms`, or `Retry-After` in seconds or as a date. Undefined when there is none. */
export function retryAfterOf(
  headers: { get(name: string): string | null } | undefined,
  now: number,
): number | undefined {
  const ms = numberOf(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms / 1000;
  const value = headers?.get('retry-after');
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function numberOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
