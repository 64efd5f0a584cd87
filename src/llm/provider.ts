/** One endpoint that serves one model: what must be known of it to call it, complete and with defaults applied. */
import type { Price } from './price.js';

/** How an endpoint departs from the common form of the protocol. */
export interface Quirks {
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens';
  readonly sendsTemperature: boolean;
  /** Accepts `stream_options: {include_usage: true}`. */
  readonly streamUsage: boolean;
}

export const commonQuirks: Quirks = { outputLimitField: 'max_tokens', sendsTemperature: true, streamUsage: true };

export interface ProviderOptions {
  /** In logs, events and failures, e.g. `openai`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** The environment variable that the key is read from: named in advice, never with its value. */
  readonly keyVariable: string;
  /** The setting that says where the endpoint is, for advice. */
  readonly urlSetting: string;
  /** What to do when nothing answers, e.g. "start it with `ollama serve`". */
  readonly startHint: string | undefined;
  /** The header that carries the key, beside `Authorization: Bearer`. */
  readonly keyHeader: string | undefined;
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  readonly price: Price | undefined;
  readonly stream: boolean;
  readonly reasoningEffort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | undefined;
  readonly quirks: Quirks;
}

/** Limits of one request. All are checked where they are spent. */
export interface WireLimits {
  readonly connectMs: number;
  /** From the request to the head of the reply. Without streaming this is the whole thinking time. */
  readonly firstByteMs: number;
  /** Longest silence within a reply. */
  readonly idleMs: number;
  /** Longest reply in all, checked whenever a piece arrives. */
  readonly totalMs: number;
  readonly maxReplyBytes: number;
  /** Of the body of an error reply only this much is read. */
  readonly maxErrorBytes: number;
}

export const defaultWireLimits: WireLimits = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  idleMs: 60_000,
  totalMs: 600_000,
  maxReplyBytes: 8 * 1024 * 1024,
  maxErrorBytes: 64 * 1024,
};
