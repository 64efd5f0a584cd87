/** What the host needs to know of a role: its statechart, and how effects and deliveries are carried out. */

import type { AnyStateMachine } from 'xstate';
import type { FeedEvent } from '../domain/event.js';
import type { Failure } from '../domain/failure.js';
import type { AgentId, RoleName } from '../domain/id.js';
import type { Delivery } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Order } from '../domain/task.js';
import type { Migration } from './version.js';

/** A recorded body, by reference: `e<n>` an effect's outcome, `in.<seq>` an inbox message, `order` the order. */
export type Recall = (ref: string) => Json | undefined;

/** What an earlier attempt recorded of one part of an effect. */
export interface Part {
  readonly state: 'begun' | 'settled';
  readonly outcome: Json;
}

/** What carries out an effect gets from the host. */
export interface EffectScope {
  readonly agentId: AgentId;
  /** Of this effect: `<agent>.e<n>`; the same for every attempt. */
  readonly effectId: string;
  readonly input: Json;
  /** 1 for the first. */
  readonly attempt: number;
  /** Context of the statechart when the effect was started. */
  readonly context: unknown;
  /** Aborts when the machine gives the effect up, or the agent is lost to another host. */
  readonly signal: AbortSignal;
  readonly recall: Recall;
  /** What earlier attempts recorded. */
  readonly parts: ReadonlyMap<string, Part>;
  /**
   * To be asked before anything begins, each attempt of a call included: waits while others may take this host for dead.
   * Resolves false when the effect was given up or the agent is lost: then nothing may begin any more.
   */
  stands(): Promise<boolean>;
  /** Records durably that a part begins. Resolves false when the agent is lost: then it must not begin. */
  begin(part: string): Promise<boolean>;
  /** Records durably how a part ended, so that it is never done again. */
  settle(part: string, outcome: Json): Promise<boolean>;
  /** Scratch space that lives as long as the agent is hosted. */
  readonly memo: Map<string, unknown>;
}

/** The state of an agent after a step, as the feed describes it. */
export interface StepView {
  readonly agentId: AgentId;
  /** First word of the state value: `act`, `parked`, … */
  readonly state: string;
  readonly context: unknown;
  readonly events: readonly JsonObject[];
  readonly deliveries: readonly Delivery[];
  /** Journal sequence of the step. */
  readonly seq: number;
  /** True for the first step of the agent's life. */
  readonly born: boolean;
  readonly ended: boolean;
  readonly host: string;
  readonly at: number;
}

export interface Role {
  readonly name: RoleName;
  readonly machine: AnyStateMachine;
  readonly machineVersion: number;
  /** Of journals that older versions of the machine wrote. */
  readonly migrations?: readonly Migration[];
  /** Effects that only compute: done at once, their outcome rides in the step's own record. */
  readonly local: ReadonlySet<string>;
  /** Machine input for a new agent. Recorded, so that a replay does not depend on today's settings. */
  inputFor(order: Order): Json;
  /** Carries out an effect. May throw only for bugs; expected failures are outcomes. */
  perform(src: string, scope: EffectScope): Promise<Json>;
  /** Completes a delivery with bodies that stay in the journal until it is sent. */
  complete(delivery: Delivery, recall: Recall): Delivery;
  /** Feed events for a step; an empty list when nobody would care. */
  describe(view: StepView, recall: Recall): readonly FeedEvent[];
  /** When the agent must hear of the time (ms since 1970) while it is hosted, and under which timer's name. */
  alarm(context: unknown): { readonly dueAt: number; readonly timer: string };
  /** The event that makes the machine end an agent that keeps killing its hosts. */
  poisoned(attempts: number): JsonObject;
  /** What leaves on behalf of an agent that ends without a step of its own: whoever waits for it is told. */
  abandoned(order: Order, reason: Failure, at: number): readonly Delivery[];
}
