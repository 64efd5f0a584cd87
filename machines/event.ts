/** Events of the agent's statechart. The host stamps each with the moment it was taken and, where a body stays in the journal, with the reference to it. */
import type { Decision } from '../src/domain/decision.js';
import type { Message } from '../src/domain/message.js';
import type { Report } from '../src/domain/report.js';
import type { CallResult } from './context.js';

export interface Stamp {
  /** ms since 1970. */
  readonly at: number;
  /** Where the body lies: `e<n>` of an effect, `in.<seq>` of a message. */
  readonly ref: string;
}

type Taken<M> = M extends Message ? M & Stamp : never;

/** Messages from the inbox, as the machine takes them. */
export type InboxEvent = Taken<Exclude<Message, { type: 'task.ordered' }>>;

/** A host took the agent over while these effects were under way; they are started again unless the machine stops them. */
export interface RecoveredEvent {
  readonly type: 'host.recovered';
  readonly at: number;
}

/** So many hosts in a row died over the agent that it must end. */
export interface PoisonedEvent {
  readonly type: 'host.poisoned';
  readonly at: number;
  readonly attempts: number;
}

export type AgentEvent = InboxEvent | RecoveredEvent | PoisonedEvent;

/** Outcome of `perceive`: the prompt is ready, and this is what sending it would take. */
export interface Perception {
  /** Exact count of the prompt, tools and overhead included. */
  readonly promptTokens: number;
  /** The model's window less the prompt. */
  readonly roomTokens: number;
  /** Money for the prompt, and for each output token. */
  readonly promptCostUsd: number;
  readonly outputTokenCostUsd: number;
}

/** Outcome of `callTools`: how each call ended. The observations lie in the same record. */
export interface ToolsOutcome {
  readonly results: readonly Omit<CallResult, 'ref'>[];
}

/** Outcome of `reflect`. */
export interface Reflection {
  readonly text: string;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number };
}

export interface Outcomes {
  perceive: Perception;
  decide: Decision;
  callTools: ToolsOutcome;
  reflect: Reflection;
  grace: Decision;
  report: Report;
}

export type DoneEvent<K extends keyof Outcomes> = Stamp & {
  readonly type: `xstate.done.actor.${K}`;
  readonly output: Outcomes[K];
};

/** For an agent on its way out, which heeds no event any more. */
export const unheeded = {
  'host.recovered': {},
  'host.poisoned': {},
  'child.reported': {},
  'human.decided': {},
  'human.answered': {},
  'human.corrected': {},
  'human.paused': {},
  'human.resumed': {},
  'budget.changed': {},
  'slice.changed': {},
  'subtask.budget': {},
  'task.cancelled': {},
  'parent.ended': {},
  'timer.fired': {},
} satisfies Record<AgentEvent['type'], object>;
