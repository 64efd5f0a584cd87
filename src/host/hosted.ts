/** An agent while a host has it: the machine's state, its place in journal and inbox, and the bodies behind references. */
import type { AnyMachineSnapshot } from 'xstate';
import { type Failure, FailureError, failure } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { Intent, Outgoing, RecordOf, Snapshot } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { type Lane, laneOf } from '../domain/lane.js';
import type { Message } from '../domain/message.js';
import type { Order } from '../domain/task.js';
import type { Part, Recall, Role } from './role.js';
import { phaseOf, type Stepper, type Transition } from './stepper.js';

export interface OpenEffect {
  readonly intent: Intent;
  /** Its outcome will be known under this reference. */
  readonly ref: string;
  readonly parts: Map<string, Part>;
  /** Attempts that were begun or may have been, those of earlier hosts included. */
  attempts: number;
}

export interface Hosted {
  readonly agentId: AgentId;
  readonly role: Role;
  readonly stepper: Stepper;
  readonly lane: Lane;
  /** Undefined until the order has come. */
  snapshot: AnyMachineSnapshot | undefined;
  /** Last journal sequence. */
  seq: number;
  /** When the journal last showed that the agent is ours; ms of the monotonic clock. */
  provenAt: number;
  /** Inbox sequence up to which messages are consumed. */
  inbox: number;
  epoch: number;
  /** Effects and deliveries so far; their numbers make their ids. */
  effects: number;
  deliveries: number;
  readonly open: Map<string, OpenEffect>;
  readonly outcomes: Map<string, Json>;
  /** Ids of inbox messages already consumed. */
  readonly seen: Set<string>;
  readonly unsent: Map<string, Outgoing>;
  /** Ids that were sent and not yet recorded as sent. */
  sent: string[];
  readonly memo: Map<string, unknown>;
}

export const newHosted = (agentId: AgentId, role: Role, stepper: Stepper, lane: Lane): Hosted => ({
  agentId,
  role,
  stepper,
  lane,
  snapshot: undefined,
  seq: 0,
  provenAt: Number.NEGATIVE_INFINITY,
  inbox: 0,
  epoch: 0,
  effects: 0,
  deliveries: 0,
  open: new Map(),
  outcomes: new Map(),
  seen: new Set(),
  unsent: new Map(),
  sent: [],
  memo: new Map(),
});

export const recallIn =
  (hosted: Hosted): Recall =>
  (ref) =>
    hosted.outcomes.get(ref);

export const isEnded = (hosted: Hosted): boolean => hosted.snapshot?.status === 'done';

const donePrefix = 'xstate.done.actor.';
const errorPrefix = 'xstate.error.actor.';

/** The event that creates an agent. */
export const createdEvent = (role: Role, order: Order, id: string, at: number): JsonObject => ({
  type: 'agent.created',
  id,
  at,
  input: role.inputFor(order),
  order: order as unknown as JsonObject,
  machineVersion: role.machineVersion,
});

/** The event for an inbox message, stamped with the moment it was taken: senders' clocks may differ. */
export const messageEvent = (message: Message, seq: number, at: number): JsonObject => ({
  ...(message as unknown as JsonObject),
  at,
  ref: `in.${seq}`,
});

export const doneEvent = (effect: OpenEffect, output: Json, at: number): JsonObject => ({
  type: `${donePrefix}${effect.intent.src}`,
  output,
  at,
  ref: effect.ref,
});

export const errorEvent = (effect: OpenEffect, cause: Failure, at: number): JsonObject => ({
  type: `${errorPrefix}${effect.intent.src}`,
  error: cause.message,
  failure: cause,
  at,
  ref: effect.ref,
});

/** The outcome of an effect that was given up, and perhaps begun anew under the same name, while the outcome waited its turn. */
export function isStale(hosted: Hosted, { type, ref }: JsonObject): boolean {
  const src = effectIn(String(type));
  return src !== undefined && hosted.open.get(src)?.ref !== ref;
}

export const isTooLarge = (error: unknown): error is FailureError =>
  error instanceof FailureError && error.failure.kind === 'too_large';

/** A part of an effect that stands for all of it: its outcome was too large for a record, and it is not made again. */
export const refusedOutcome = 'outcome';

/** Which of these outcomes makes a record too large: the largest. Undefined when there is none. */
export function largestOutcome(events: readonly JsonObject[], local: ReadonlySet<string>): JsonObject | undefined {
  const size = ({ output }: JsonObject): number => JSON.stringify(output).length;
  return events
    .filter(({ type }) => String(type).startsWith(donePrefix) && !local.has(effectIn(String(type)) ?? ''))
    .sort((one, other) => size(other) - size(one))[0];
}

export const tooLargeOutcome = (event: JsonObject): Failure =>
  failure(
    'too_large',
    `the outcome of ${effectIn(String(event.type))} has ${JSON.stringify(event.output).length} characters, more than a record takes`,
    'ask for less at a time, or keep it in a file',
  );

/** The effect whose outcome an event of this type is. */
function effectIn(type: string): string | undefined {
  const prefix = [donePrefix, errorPrefix].find((start) => type.startsWith(start));
  return prefix === undefined ? undefined : type.slice(prefix.length);
}

export interface Applied {
  readonly begun: readonly OpenEffect[];
  readonly givenUp: readonly OpenEffect[];
  readonly outgoing: readonly Outgoing[];
}

/** Takes one event: moves the machine and keeps the books. The same code for replay and for life. */
export function applyEvent(hosted: Hosted, event: JsonObject): Applied {
  remember(hosted, event);
  const src = effectIn(String(event.type));
  if (src !== undefined) hosted.open.delete(src);
  const transition = move(hosted, event);
  hosted.snapshot = transition.snapshot;
  const begun: OpenEffect[] = [];
  const givenUp: OpenEffect[] = [];
  for (const change of transition.effects) {
    const open = hosted.open.get(change.src);
    if (open !== undefined) {
      hosted.open.delete(change.src);
      givenUp.push(open);
    }
    if (change.begins) begun.push(openEffect(hosted, change.src, change.input));
  }
  const outgoing = transition.deliveries.map((delivery): Outgoing => {
    hosted.deliveries += 1;
    return { id: `${hosted.agentId}.d${hosted.deliveries}`, delivery };
  });
  return { begun: begun.filter((effect) => hosted.open.get(effect.intent.src) === effect), givenUp, outgoing };
}

function remember(hosted: Hosted, event: JsonObject): void {
  const { type, id, ref, output } = event;
  if (typeof id === 'string') hosted.seen.add(id);
  if (type === 'agent.created') hosted.outcomes.set('order', event.order ?? null);
  else if (typeof ref === 'string')
    hosted.outcomes.set(ref, String(type).startsWith(donePrefix) ? (output ?? null) : event);
}

function move(hosted: Hosted, event: JsonObject): Transition {
  if (event.type === 'agent.created') return hosted.stepper.start(event.input ?? null);
  if (hosted.snapshot === undefined)
    throw new Error(`agent ${hosted.agentId} took ${String(event.type)} before its order`);
  return hosted.stepper.step(hosted.snapshot, event);
}

function openEffect(hosted: Hosted, src: string, input: Json): OpenEffect {
  hosted.effects += 1;
  const ref = `e${hosted.effects}`;
  const effect: OpenEffect = {
    intent: { id: `${hosted.agentId}.${ref}`, src, input },
    ref,
    parts: new Map(),
    attempts: 0,
  };
  hosted.open.set(src, effect);
  return effect;
}

/** Replays a step that was recorded. Deliveries count as sent when a later record says so. */
export function replayStep(hosted: Hosted, record: RecordOf<'step'>): void {
  for (const event of record.events) applyEvent(hosted, event);
  keepBooks(hosted, record);
}

/** What a recorded step says beyond its events. */
export function keepBooks(hosted: Hosted, record: RecordOf<'step'>): void {
  for (const outgoing of record.outgoing) hosted.unsent.set(outgoing.id, outgoing);
  for (const id of record.sent) hosted.unsent.delete(id);
  hosted.inbox = record.inbox;
  hosted.epoch = record.epoch;
}

/** Bodies of a step that a snapshot already includes. */
export function rememberStep(hosted: Hosted, record: RecordOf<'step'>): void {
  for (const event of record.events) remember(hosted, event);
  keepBooks(hosted, record);
}

export function takeSnapshot(hosted: Hosted, parked: boolean): Snapshot | undefined {
  const { snapshot, agentId, role, lane, seq, inbox, epoch, effects, deliveries } = hosted;
  if (snapshot === undefined) return undefined;
  return {
    v: 1,
    agentId,
    ...laneOf(lane),
    machineVersion: role.machineVersion,
    seq,
    inbox,
    epoch,
    effects,
    deliveries,
    value: snapshot.value as Json,
    context: snapshot.context as JsonObject,
    parked,
    ended: isEnded(hosted),
  };
}

export const phaseIn = (hosted: Hosted): string =>
  hosted.snapshot === undefined ? 'queued' : phaseOf(hosted.snapshot);
