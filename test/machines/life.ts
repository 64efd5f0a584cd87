/**
 * One agent's life as an immutable value, seen from where the host would stand: the machine's state, the effects under
 * way, what was sent, and books kept beside the machine's own.
 */
import type { AnyMachineSnapshot, SnapshotFrom } from 'xstate';
import type { agentMachine } from '../../machines/agent.js';
import type { AgentContext } from '../../machines/context.js';
import type { InboxEvent, Outcomes } from '../../machines/event.js';
import { type Amounts, nothing } from '../../src/domain/budget.js';
import type { PlannedCall } from '../../src/domain/call.js';
import type { Delivery } from '../../src/domain/journal.js';
import type { ReportStatus } from '../../src/domain/report.js';

/** An event as the machine takes it; done and error events of effects are not in its own type. */
export interface AnyEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface EffectUnderWay {
  readonly ref: string;
  readonly input: unknown;
}

export interface Books {
  /** Used by effects that came back. */
  readonly billed: Amounts;
  /** Bounds of attempts that never came back: they may have been billed. */
  readonly lost: Amounts;
  /** Reported by children, or in the hands of children that had not reported when the agent ended. */
  readonly below: Amounts;
  readonly decisions: Readonly<Record<string, readonly PlannedCall[]>>;
  /** Ids of human requests. */
  readonly asked: readonly string[];
  readonly allowed: readonly string[];
  readonly withdrawn: readonly string[];
  /** Ids of children: ordered, reported with which status, told that nobody waits for them. */
  readonly ordered: readonly string[];
  readonly reported: Readonly<Record<string, ReportStatus>>;
  readonly told: readonly string[];
  /** Ids of calls handed to `callTools`. */
  readonly started: readonly string[];
  /** Names of timers set. */
  readonly timers: readonly string[];
  readonly farewells: number;
}

export const emptyBooks: Books = {
  billed: nothing,
  lost: nothing,
  below: nothing,
  decisions: {},
  asked: [],
  allowed: [],
  withdrawn: [],
  ordered: [],
  reported: {},
  told: [],
  started: [],
  timers: [],
  farewells: 0,
};

export interface Life {
  readonly snapshot: SnapshotFrom<typeof agentMachine>;
  /** Its context as JSON. */
  readonly text: string;
  readonly now: number;
  readonly effects: Readonly<Record<string, EffectUnderWay>>;
  readonly effectCount: number;
  readonly messageCount: number;
  readonly sent: readonly Delivery[];
  /** Sent by the last step. */
  readonly latest: readonly Delivery[];
  readonly books: Books;
  /** Types of the events so far. */
  readonly history: readonly string[];
}

export interface Action {
  readonly type: string;
  readonly params?: unknown;
}

/** What a transition asked for. */
export interface Asked {
  readonly begun: Readonly<Record<string, unknown>>;
  readonly stopped: readonly string[];
  readonly deliveries: readonly Delivery[];
  /** Names that were begun twice in one step. */
  readonly doubled: readonly string[];
}

export function read(actions: readonly Action[]): Asked {
  const begun: Record<string, unknown> = {};
  const doubled: string[] = [];
  const stopped: string[] = [];
  const deliveries: Delivery[] = [];
  for (const { type, params } of actions) {
    if (type === 'xstate.spawnChild') {
      const { src, input } = params as { src: string; input?: unknown };
      if (src in begun) doubled.push(src);
      begun[src] = input ?? null;
    } else if (type === 'xstate.stopChild') {
      // A machine that was fetched from its snapshot does not know its children: the action has no name then.
      const { id } = (params ?? {}) as { id?: string };
      if (id !== undefined) stopped.push(id);
    } else if (type === 'deliver') {
      deliveries.push(...(params as { deliveries: Delivery[] }).deliveries);
    } else {
      throw new Error(`the machine asked for ${type}, which no host knows`);
    }
  }
  return { begun, stopped, deliveries, doubled };
}

/** Name of the effect that an event settles. */
export const effectOf = ({ type }: AnyEvent): string | undefined =>
  /^xstate\.(?:done|error)\.actor\.(?<name>.+)$/.exec(type)?.groups?.name;

/** What an effect under way was given. */
export function inputOf<T>({ effects }: Life, effect: string): T {
  const underWay = effects[effect];
  if (underWay === undefined) throw new Error(`${effect} is not under way`);
  return underWay.input as T;
}

export const contextOf = (life: Life): AgentContext => life.snapshot.context;
export const isActive = (life: Life): boolean => life.snapshot.status === 'active';

/** `act.running`, `parked`, … */
export function stateOf({ snapshot }: { snapshot: AnyMachineSnapshot }): string {
  const { value } = snapshot;
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}

export const outcome = <K extends keyof Outcomes>(life: Life, effect: K, output: Outcomes[K]): AnyEvent => ({
  type: `xstate.done.actor.${effect}`,
  output,
  at: life.now,
  ref: life.effects[effect]?.ref ?? 'e0',
});

export const breakdown = (life: Life, effect: keyof Outcomes): AnyEvent => ({
  type: `xstate.error.actor.${effect}`,
  error: 'a bug',
  at: life.now,
  ref: life.effects[effect]?.ref ?? 'e0',
});

type Fields<T extends InboxEvent['type']> = Omit<Extract<InboxEvent, { type: T }>, 'v' | 'id' | 'at' | 'ref' | 'type'>;

export const message = <T extends InboxEvent['type']>(life: Life, type: T, fields: Fields<T>): AnyEvent => ({
  v: 1,
  type,
  id: `m${life.messageCount + 1}`,
  at: life.now,
  ref: `in.${life.messageCount + 1}`,
  ...fields,
});

export const recovered = (life: Life): AnyEvent => ({ type: 'host.recovered', at: life.now });
export const poisoned = (life: Life): AnyEvent => ({ type: 'host.poisoned', at: life.now, attempts: 5 });

/** The upper bound that the machine reserved for an effect. */
export const reservedFor = (life: Life, effect: string) => contextOf(life).ledger.reserved[effect];
