/** Finds agents that nobody works on although they should be worked on, and wakes them. */
import { isServed, type Served, servedQueues } from '../bus/presence.js';
import { failure } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { type Snapshot, snapshotSchema } from '../domain/journal.js';
import { laneOf } from '../domain/lane.js';
import { asLease } from './lease.js';
import { orderOf } from './lookup.js';
import { findLostTasks } from './lost.js';
import { endUnserved, type UnservedOptions } from './unserved.js';

export interface ReconcileOptions extends UnservedOptions {
  readonly everyMs: number;
  /** True when this host has room and its queues were empty of late: only then is a quiet agent a lost one. */
  readonly isIdle: () => boolean;
}

/** So much after its deadline, an agent that has not ended will not be told of it by a timer any more. */
const overdueMs = 60_000;
/** How long messages are kept for an agent that nobody has ordered. */
const strayMs = 600_000;

/** Tasks are looked through at the first pass and then once in so many: there is much to read, and seldom one to find. */
const taskPassEvery = 20;

export async function keepReconciling(options: ReconcileOptions, signal: AbortSignal): Promise<void> {
  const { clock, everyMs, isIdle } = options;
  let since = '';
  let passes = 0;
  for (await clock.sleep(everyMs, signal); !signal.aborted; await clock.sleep(everyMs, signal)) {
    if (!isIdle()) continue;
    await reconcile(options);
    if (passes++ % taskPassEvery === 0) since = await findLostTasks(since, options);
  }
}

/** One pass over all agents that have not ended. Agents that a living host holds are left to that host. */
export async function reconcile(options: UnservedOptions): Promise<void> {
  const { bus } = options;
  const agents = await bus.inbox.agents();
  const hosts = await bus.buckets.host.keys();
  const served = await servedQueues(bus.buckets.host);
  if (!agents.ok || !hosts.ok || !served.ok) return;
  for (const [agentId, lastMessage] of agents.value) {
    const held = await bus.buckets.lease.get(agentId);
    if (!held.ok) continue;
    if (held.value !== undefined && hosts.value.includes(asLease(held.value.value).host)) continue;
    await revive(agentId, lastMessage, served.value, options);
  }
}

async function revive(agentId: AgentId, lastMessage: number, served: Served, options: UnservedOptions): Promise<void> {
  const { bus } = options;
  const stored = await bus.buckets.agent.get(agentId);
  if (!stored.ok) return;
  const snapshot = snapshotSchema.safeParse(stored.value?.value);
  if (snapshot.success && snapshot.data.ended) {
    await bus.inbox.clear(agentId); // a late message to an agent that has ended
    return;
  }
  if (snapshot.success && rests(snapshot.data, lastMessage, options)) return;
  if (snapshot.success) {
    await bus.wakes.put(laneOf(snapshot.data), agentId);
    return;
  }
  const order = await orderOf(bus, agentId);
  if (!order.ok) return;
  if (order.value === undefined) await bury(agentId, options);
  else if (isServed(served, order.value)) await bus.wakes.put(laneOf(order.value), agentId);
  else await endUnserved(agentId, order.value, options);
}

/** It waits for what has not come yet; a timer that should have told it of its deadline is lost when it waits on. */
function rests(
  { context, inbox, machineVersion, parked }: Snapshot,
  lastMessage: number,
  { clock, spokesman }: UnservedOptions,
): boolean {
  if (!parked || inbox !== lastMessage) return false;
  return machineVersion !== spokesman.machineVersion || clock.now() < spokesman.alarm(context).dueAt + overdueMs;
}

/**
 * An order is always the first message: what comes without one is for an agent that never was, forged or mistaken. It
 * is kept for a while, and then becomes a dead letter.
 */
async function bury(agentId: AgentId, { bus, clock }: UnservedOptions): Promise<void> {
  const [messages, journal] = await Promise.all([bus.inbox.read(agentId, 0), bus.journal.read(agentId, 0)]);
  if (!messages.ok || !journal.ok || journal.value.length > 0) return;
  if (messages.value.some(({ value: { at } }) => clock.now() - at < strayMs)) return;
  const reason = failure('not_found', `messages to ${agentId}, which nobody has ordered`);
  const detail = { messages: messages.value.map(({ value: { id, type } }) => ({ id, type })).slice(0, 100) };
  const buried = await bus.dead.put({ agentId, reason, detail });
  if (buried.ok) await bus.inbox.clear(agentId);
}
