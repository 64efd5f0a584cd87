/** What is known of a schedule that was played, from outside of Hermes: client, ledger, model, processes. */
import type { LedgerLine } from '../support/demo/ledger.js';

export interface TaskHistory {
  readonly key: string;
  /** Ids under which submissions of this key were acknowledged. */
  readonly ids: readonly string[];
  readonly cancelled: boolean;
  /** Final records as several readers saw them, as text; an empty list when none came in time. */
  readonly results: readonly string[];
  /** ms since 1970. */
  readonly endedAt?: number;
  /** From the acknowledged pause to the moment at which it was to go on. */
  readonly paused?: { readonly from: number; readonly to: number };
  /** What people decided, when every call had to be asked for. */
  readonly decisions?: readonly Decision[];
}

/** What a client decided on one call, at the moment before it first said so. */
export interface Decision {
  readonly agentId: string;
  readonly callId: string;
  readonly allow: boolean;
  readonly at: number;
}

/** A time in which a process, or all of them (`pid` 0: the server or the model was away), was disturbed. */
export interface Disturbance {
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}

export interface History {
  readonly tasks: readonly TaskHistory[];
  readonly ledger: readonly LedgerLine[];
  /** Whole replies of the model, by agent. */
  readonly replies: Readonly<Record<string, number>>;
  readonly disturbances: readonly Disturbance[];
  /** Agents that still are in an inbox, a lease or a queue after all tasks ended, and what is still asked of people. */
  readonly leftovers: readonly string[];
  readonly budget: { readonly rounds: number; readonly toolCalls: number };
}
