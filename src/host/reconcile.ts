/** Finds agents that nobody works on although they should be worked on, and wakes them. */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { ok } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { snapshotSchema } from '../domain/journal.js';
import { asLease } from './lease.js';
import { orderOf } from './lookup.js';

export interface ReconcileOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly everyMs: number;
  /** True when this host has room and its queues were empty of late: only then is a quiet agent a lost one. */
  readonly isIdle: () => boolean;
}

export async function keepReconciling(options: ReconcileOptions, signal: AbortSignal): Promise<void> {
  const { clock, everyMs, isIdle } = options;
  for (await clock.sleep(everyMs, signal); !signal.aborted; await clock.sleep(everyMs, signal)) {
    if (isIdle()) await reconcile(options.bus);
  }
}

/** One pass over all agents that have not ended. Agents that a living host holds are left to that host. */
export async function reconcile(bus: Bus): Promise<void> {
  const agents = await bus.inbox.agents();
  const hosts = await bus.buckets.host.keys();
  if (!agents.ok || !hosts.ok) return;
  for (const [agentId, lastMessage] of agents.value) {
    const held = await bus.buckets.lease.get(agentId);
    if (!held.ok) continue;
    if (held.value !== undefined && hosts.value.includes(asLease(held.value.value).host)) continue;
    await revive(bus, agentId, lastMessage);
  }
}

async function revive(bus: Bus, agentId: AgentId, lastMessage: number): Promise<void> {
  const stored = await bus.buckets.agent.get(agentId);
  if (!stored.ok) return;
  const snapshot = snapshotSchema.safeParse(stored.value?.value);
  if (snapshot.success && snapshot.data.ended) {
    await bus.inbox.clear(agentId); // a late message to an agent that has ended
    return;
  }
  if (snapshot.success && snapshot.data.parked && snapshot.data.inbox >= lastMessage) return;
  const address = snapshot.success ? ok(snapshot.data) : await orderOf(bus, agentId);
  if (address.ok && address.value !== undefined)
    await bus.wakes.put(address.value.role, address.value.priority, agentId);
}
