/** What stands in for the model in the scripted model: something that answers a request at once. */
import type { AssistantMessage, ChatMessage } from '../../domain/chat.js';

/** A request as the server read it. */
export interface Asked {
  readonly messages: readonly ChatMessage[];
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
  /** The agent by its header; without one, a hash of the opening messages. Tells conversations apart, nothing else. */
  readonly conversation: string;
  /** The provider that was addressed: `/p/NAME/v1` in the path, else `default`. */
  readonly provider: string;
  readonly maxOutputTokens: number;
  countText(text: string): number;
}

export interface ReplyMessage {
  readonly content: string | null;
  readonly tool_calls?: NonNullable<AssistantMessage['tool_calls']>;
  /** Reasoning and whatever else a provider may send. */
  readonly [extra: string]: unknown;
}

export interface Reply {
  readonly kind: 'reply';
  readonly message: ReplyMessage;
  readonly finishReason: string;
  /** Counted by the server when absent. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

export type Fault =
  /** An error status in place of a reply. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection closes before the head. */
  | { readonly kind: 'reset' }
  /** The reply begins and the connection closes in the middle of it. */
  | { readonly kind: 'cut'; readonly reply: Reply }
  /** The reply begins and never goes on. */
  | { readonly kind: 'stall'; readonly reply: Reply }
  /** A body that is no completion. */
  | { readonly kind: 'garbage'; readonly contentType: string; readonly body: string };

export type Answer = Reply | { readonly kind: 'fault'; readonly fault: Fault };

/** Never throws. The same request gets the same reply, but for faults, which happen a set number of times. */
export type Brain = (asked: Asked) => Answer;
