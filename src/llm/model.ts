/** The port to a language model: what the agents see of it. Implementations: `create.ts` (any OpenAI-compatible endpoint). */
import type { AssistantMessage, ChatMessage } from '../domain/chat.js';
import type { CallUsage } from '../domain/decision.js';
import type { Failure } from '../domain/failure.js';
import type { ToolDeclaration } from '../domain/tool.js';

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  /** Keep one array per tool set and pass the same one: its wire form and its token count are cached by identity. */
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
  readonly temperature: number;
  /** Sent as the header `x-hact-agent`, so that a provider's log and the scripted model can tell agents apart. */
  readonly agentId?: string;
  /**
   * Exact tokens of the prompt (messages, tools and overhead), when the caller has added them up already.
   * Without it the whole prompt is counted anew on each call.
   */
  readonly promptTokens?: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Asked before each request; false: it must not be sent. */
  readonly mayBegin?: () => Promise<boolean>;
  /** Visible text as it arrives. Never called again once the outcome is there; must not throw. */
  readonly onDelta?: (text: string) => void;
}

export type ModelOutcome =
  | {
      readonly ok: true;
      readonly message: AssistantMessage;
      /** As the provider said (`stop`, `tool_calls`, `length`…); `unknown` when it ended properly without saying. */
      readonly finishReason: string;
      readonly usage: CallUsage;
      readonly model: string;
      readonly provider: string;
      /** Requests sent, failed ones included. */
      readonly attempts: number;
      /** Moves to the next provider after one had failed. */
      readonly fallbacks: number;
      readonly ms: number;
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** What was billed or may have been billed all the same. */
      readonly usage: CallUsage;
      readonly attempts: number;
      readonly ms: number;
    };

/**
 * `call` never throws and always settles. It retries (with backoff, Retry-After and the next provider) only what
 * cannot have been billed: no connection, 429, 5xx, a connection lost before the first byte of the reply. Anything
 * later comes back as `model_interrupted` or `reply_unreadable` with its usage, for the caller to weigh against the
 * budget. On abort it closes the connection at once and the outcome is `cancelled`. A reply cut inside a tool call is
 * never returned as a success: `finishReason` is `length`, or the outcome is `model_interrupted`.
 * Counting and prices are pure, synchronous and the same for every call of one model.
 */
export interface Model {
  /** Of the first provider, for people. */
  readonly name: string;
  /** The smallest window of the chain; prompt and output together must fit. */
  readonly windowTokens: number;
  /** The most that any provider of the chain may be asked to write in one reply. */
  readonly maxOutputTokens: number;
  /** False when a provider of the chain has no known price: `costUsd` is then 0 for it. */
  readonly priceKnown: boolean;
  /** Tokens of any prompt beyond its messages and tools. */
  readonly overheadTokens: number;
  call(request: ModelRequest, options: CallOptions): Promise<ModelOutcome>;
  countText(text: string): number;
  countMessage(message: ChatMessage): number;
  countTools(tools: readonly ToolDeclaration[]): number;
  /** The dearest of the chain, so that a reservation is an upper bound. */
  costUsd(inputTokens: number, outputTokens: number): number;
}
