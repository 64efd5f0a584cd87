/**
 * Ends an agent that no host can carry on: its journal cannot be read, a bug throws again and again, or its order kills
 * whoever takes it. There is one dead letter, whoever waits for the agent is told, and later messages to it are dropped.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { type Failure, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { Snapshot } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { type Lane, laneOf } from '../domain/lane.js';
import type { Order } from '../domain/task.js';
import { orderOf } from './lookup.js';
import { sendDelivery } from './outbox.js';
import type { Role } from './role.js';

export interface LayAsideOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly role: Role;
  readonly lane: Lane;
}

/** Ends the agent and leaves a dead letter. Safe to call again after a failure: receivers recognise what is sent twice. */
export async function layAside(
  agentId: AgentId,
  reason: Failure,
  detail: JsonObject,
  options: LayAsideOptions,
): Promise<Result<void>> {
  const order = await orderOf(options.bus, agentId);
  if (!order.ok) return order;
  const told = await tellAll(agentId, order.value, reason, options);
  if (!told.ok) return told;
  const buried = await bury(options.bus, agentId, reason, detail);
  return buried.ok ? close(agentId, options) : buried;
}

/** A dead letter that holds the agent's order, if it can be had, so that people may hand it in again. */
export async function bury(bus: Bus, agentId: AgentId, reason: Failure, detail: JsonObject): Promise<Result<void>> {
  const order = await orderOf(bus, agentId);
  const known: JsonObject = order.ok && order.value !== undefined ? { order: order.value as unknown as Json } : {};
  const buried = await bus.dead.put({ agentId, reason, detail: { ...detail, ...known } });
  const isTooLarge = !buried.ok && buried.failure.kind === 'too_large';
  return isTooLarge ? bus.dead.put({ agentId, reason, detail }) : buried;
}

/** The same for an agent of which nobody has to be warned. */
export async function endWithoutMachine(
  order: Order,
  reason: Failure,
  options: LayAsideOptions,
): Promise<Result<void>> {
  const told = await tellAll(order.agentId, order, reason, options);
  return told.ok ? close(order.agentId, options) : told;
}

/** Whoever waits for the agent hears its end, and its children that nobody waits for them. */
async function tellAll(
  agentId: AgentId,
  order: Order | undefined,
  reason: Failure,
  options: LayAsideOptions,
): Promise<Result<void>> {
  const { bus, clock, lane, role } = options;
  const told = order === undefined ? [] : role.abandoned(order, reason, clock.now());
  for (const delivery of told) {
    const sent = await sendDelivery(bus, delivery, { ...lane, agentId });
    if (!sent.ok && sent.failure.kind !== 'conflict') return sent;
  }
  return freeChildren(agentId, options);
}

async function close(agentId: AgentId, options: LayAsideOptions): Promise<Result<void>> {
  const { bus } = options;
  const marked = await bus.buckets.agent.put(agentId, endMark(agentId, options) as unknown as Json);
  return marked.ok ? bus.inbox.clear(agentId) : marked;
}

/** The plan may be unreadable, so its children are known by their orders. */
async function freeChildren(agentId: AgentId, { bus, clock, lane }: LayAsideOptions): Promise<Result<void>> {
  const agents = await bus.inbox.agents();
  if (!agents.ok) return agents;
  for (const child of [...agents.value.keys()].filter((id) => id.startsWith(`${agentId}-`))) {
    const order = await orderOf(bus, child);
    if (!order.ok) return order;
    if (order.value?.parent?.agentId !== agentId) continue;
    const message = { v: 1, type: 'parent.ended', id: `${agentId}.ended.${child}`, at: clock.now() } as const;
    const delivery = { to: 'inbox', agentId: child, ...laneOf(order.value), message } as const;
    const sent = await sendDelivery(bus, delivery, { ...lane, agentId });
    if (!sent.ok) return sent;
  }
  return ok(undefined);
}

/** A snapshot that says no more than that the agent has ended. It includes no record, so nothing is restored from it. */
const endMark = (agentId: AgentId, { lane, role }: LayAsideOptions): Snapshot => ({
  v: 1,
  agentId,
  ...lane,
  machineVersion: role.machineVersion,
  seq: 0,
  inbox: 0,
  epoch: 0,
  effects: 0,
  deliveries: 0,
  value: null,
  context: {},
  parked: true,
  ended: true,
});
