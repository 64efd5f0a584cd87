/**
 * The ports through which everything above reaches NATS. Real adapters lie in this folder; simulated ones in `test/sim`.
 *
 * Common contract: no method throws for an expected failure (server away, storage refused, conflict): it returns a
 * `Result`. Server away means `bus_unreachable` after the adapter's own patience; a refused write is `storage_refused`
 * or `too_large`; a lost compare-and-set is `conflict`. Values are plain JSON. Nothing here knows agents' machines,
 * roles' meaning, models or tools.
 */

import type { FeedEvent } from '../domain/event.js';
import type { Failure, Result } from '../domain/failure.js';
import type { AgentId, RoleName, TaskId } from '../domain/id.js';
import type { JournalRecord } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Lane, QueueName, TenantName } from '../domain/lane.js';
import type { Message } from '../domain/message.js';

/** A stored value with the sequence under which the store keeps it. */
export interface Stored<T> {
  readonly seq: number;
  readonly value: T;
}

/** One append-only log per agent. The only fence there is. */
export interface Journal {
  /**
   * Appends when the last sequence of this agent's log is still `after` (0: the log is empty), and resolves once the
   * server has stored it. Appends issued for different agents at the same time share socket writes.
   * Fails with `conflict` when somebody else appended. A lost reply is settled inside; when that takes longer than the
   * patience (`bus_unreachable`, `storage_refused`), it is not known whether the record was stored: read before going on.
   */
  append(agentId: AgentId, record: JournalRecord, after: number): Promise<Result<number>>;
  /** All records after `after`, in order, validated. Fails with `damaged` when one is missed or cannot be read. */
  read(agentId: AgentId, after: number): Promise<Result<Stored<JournalRecord>[]>>;
}

/** Messages to an agent, kept until it has ended. */
export interface Inbox {
  /** Stores the message. A repeat of a message id may be stored twice: receivers recognise it. */
  put(agentId: AgentId, message: Message): Promise<Result<number>>;
  /**
   * Those after a sequence; all of them when the inbox has begun anew since then. `likely`: there is probably a new one;
   * the answer is the same either way, and comes sooner when that is right.
   */
  read(agentId: AgentId, after: number, likely?: boolean): Promise<Result<Stored<Message>[]>>;
  /** Calls back (possibly spuriously) when something may have arrived, with its sequence where that is known. Never blocks. */
  onArrival(agentId: AgentId, callback: (seq?: number) => void): () => void;
  /** Tells whoever hosts the agent to look at its inbox, where the message of that sequence is. Fire and forget. */
  nudge(agentId: AgentId, seq?: number): void;
  /** Drops all messages of an agent that has ended. */
  clear(agentId: AgentId): Promise<Result<void>>;
  /** Agents that have messages stored, i.e. that have not ended, with the last inbox sequence of each. */
  agents(): Promise<Result<Map<AgentId, number>>>;
}

/** A hint "look at your inbox", given to one worker of the role. */
export interface Wake extends Lane {
  readonly agentId: AgentId;
  /** 1 for the first delivery. */
  readonly deliveries: number;
  ack(): void;
  /** Gives it back, to be delivered again after `delayMs`. */
  giveBack(delayMs: number): void;
  /** Says that work on it goes on; call more often than the redelivery time. */
  extend(): void;
}

/** What a tenant gets of the places of a worker. */
export interface TenantTerms {
  /** Its share, against the weights of the other tenants that have work waiting. */
  readonly weight: number;
  /** Wakes of one lane that may be unfinished at once, at all workers together; undefined: any number. */
  readonly running: number | undefined;
}

export interface ConsumeOptions {
  readonly capacity: () => number;
  /** Served besides the default one. */
  readonly queues?: readonly QueueName[] | undefined;
  /** Of each tenant; absent: all are equal and unlimited. */
  readonly terms?: ((tenant: TenantName) => TenantTerms) | undefined;
  readonly signal: AbortSignal;
  readonly onFailure: (failure: Failure) => void;
}

export interface WakeQueue {
  put(lane: Lane, agentId: AgentId): Promise<Result<void>>;
  /** Wakes of a tenant that no worker has taken yet. */
  waiting(tenant: TenantName): Promise<Result<number>>;
  /**
   * Delivers wakes for a role, never more than `capacity()` unfinished at once, until the signal aborts: tenants by
   * weight, and for each tenant high priority first. Survives reconnects and a deleted consumer by making it anew.
   */
  consume(role: RoleName, options: ConsumeOptions, deliver: (wake: Wake) => void): Promise<void>;
}

/** A key-value bucket of JSON values. Keys are subject-safe tokens joined by `.`. */
export interface Bucket {
  get(key: string): Promise<Result<Stored<Json> | undefined>>;
  /** Fails with `conflict` when the key exists. */
  create(key: string, value: Json): Promise<Result<number>>;
  /** Fails with `conflict` when the key's revision is not `seq` any more. */
  update(key: string, value: Json, seq: number): Promise<Result<number>>;
  put(key: string, value: Json): Promise<Result<number>>;
  /** With `seq`: only when the revision is still that; otherwise `conflict`. */
  delete(key: string, seq?: number): Promise<Result<void>>;
  /** All, or those below `<below>.`. */
  keys(below?: string): Promise<Result<string[]>>;
  /** Calls back with the present value (undefined: none) and with every later one, in order, until stopped. */
  watch(key: string, callback: (value: Json | undefined, seq: number) => void): () => void;
}

export interface Buckets {
  /** Which host has which agent. Memory only. */
  readonly lease: Bucket;
  /** Hosts that are alive: a key vanishes when it was not put for the lease time. Memory only. */
  readonly host: Bucket;
  /** Snapshots. */
  readonly agent: Bucket;
  /** Task records for clients, and idempotency keys under `key.<hash>`. */
  readonly task: Bucket;
  /** Pending approvals and questions, by approval id. */
  readonly approval: Bucket;
  /** What the workers have learned about reading replies. */
  readonly lesson: Bucket;
  /** What all workers know of the providers of models: which is ill, and who may use how much of a limit. */
  readonly provider: Bucket;
}

/** A durable timer. When it fires, its agent's lane is woken. */
export interface Timer extends Lane {
  readonly agentId: AgentId;
  readonly name: string;
  /** ms since 1970 */
  readonly dueAt: number;
}

/** Fire at or after a moment, at least once, whoever lives then. */
export interface Timers {
  set(timer: Timer): Promise<Result<void>>;
  /** Consumes due timers until the signal aborts; `fire` must have stored its effect before it resolves true. */
  consume(signal: AbortSignal, fire: (timer: Timer) => Promise<boolean>): Promise<void>;
}

/** The feed for watchers. */
export interface Feed {
  /** Fire and forget: never blocks, never fails the caller. */
  publish(event: FeedEvent): void;
  /** Events of a task (or of all: undefined) after a feed sequence, then live ones, until the signal aborts. */
  read(taskId: TaskId | undefined, after: number, signal: AbortSignal): AsyncIterable<Stored<FeedEvent>>;
  /** Feed sequence of the newest event of a task (or of all); 0 when there is none. Tells a reader when it has caught up. */
  last(taskId: TaskId | undefined): Promise<Result<number>>;
}

export interface Blobs {
  /** Stores bytes under their SHA-256 (hex) and returns that name. */
  put(bytes: Uint8Array): Promise<Result<string>>;
  get(name: string): Promise<Result<Uint8Array | undefined>>;
}

export interface DeadLetters {
  put(letter: { agentId: AgentId; reason: Failure; detail: JsonObject }): Promise<Result<void>>;
  /** Those after sequence `after`, the oldest first, at most `most` (1,000 by default). */
  list(after?: number, most?: number): Promise<Result<Stored<Json>[]>>;
}

/** Request and reply in plain JSON, by the NATS services API. */
export interface Requests {
  /**
   * Serves `<prefix>.<name>` in a queue group, discoverable as service `hact`. The handler gets the raw text of the
   * request and returns a JSON body or a failure (sent with `Nats-Service-Error` headers). It may not throw.
   */
  serve(
    endpoints: Readonly<Record<string, (body: string) => Promise<Result<Json>>>>,
  ): Promise<Result<() => Promise<void>>>;
  request(name: string, body: Json, timeoutMs: number): Promise<Result<Json>>;
  /** Answers `ping(hostId)` of others while this process lives. */
  answerAs(hostId: string): () => void;
  /** False at once when no process answers for that host any more; true when one does or when it cannot be told. */
  ping(hostId: string): Promise<boolean>;
}

export interface BusStatus {
  readonly connected: boolean;
  readonly server: string;
  readonly version: string;
}

/** One connection with all ports on it. */
export interface Bus {
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly wakes: WakeQueue;
  readonly buckets: Buckets;
  readonly timers: Timers;
  readonly feed: Feed;
  readonly blobs: Blobs;
  readonly dead: DeadLetters;
  readonly requests: Requests;
  status(): BusStatus;
  /** Calls back on every loss and return of the connection. */
  onStatus(callback: (status: BusStatus) => void): () => void;
  /** Sends what is buffered and closes. */
  close(): Promise<void>;
}
