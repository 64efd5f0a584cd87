/**
 * Who hosts an agent now. Leases are for liveness only: they keep two hosts from working on the same agent most of the
 * time. Safety comes from the journal's compare-and-set.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { AgentId, RoleName } from '../domain/id.js';
import type { Json } from '../domain/json.js';
import type { Priority } from '../domain/task.js';
import { createLiveness, type Liveness } from './liveness.js';

export interface Lease {
  readonly host: string;
  readonly role: RoleName;
  readonly priority: Priority;
}

export interface LeaseOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hostId: string;
  /** After this long without a sign of life a host is taken for dead. */
  readonly leaseMs: number;
  /** How often each host looks after the next one. */
  readonly watchMs: number;
}

export interface Leases {
  /** Announces the host and keeps announcing it until the signal aborts; wakes the agents of hosts that died. */
  keep(signal: AbortSignal): Promise<void>;
  /** False while others may take us for dead: then nothing may be started. */
  confirmed(): boolean;
  /** Fails with `conflict` when a living host has the agent; the message names it. */
  acquire(agentId: AgentId, role: RoleName, priority: Priority): Promise<Result<void>>;
  release(agentId: AgentId): Promise<void>;
}

const asLease = (value: Json): Lease => value as unknown as Lease; // written by this module only

export function createLeases(options: LeaseOptions): Leases {
  const { bus, clock, hostId, leaseMs } = options;
  const { lease } = bus.buckets;
  const liveness = createLiveness(bus, clock, hostId, leaseMs);
  return {
    keep: (signal) => keepWatch(options, liveness, signal),
    confirmed: liveness.confirmed,
    async acquire(agentId, role, priority) {
      const mine: Json = { host: hostId, role, priority };
      const created = await lease.create(agentId, mine);
      if (created.ok) return ok(undefined);
      if (created.failure.kind !== 'conflict') return created;
      const held = await lease.get(agentId);
      if (!held.ok) return held;
      if (held.value === undefined) return fail('conflict', `the lease of ${agentId} is changing hands`);
      const holder = asLease(held.value.value).host;
      if (await liveness.isAlive(holder)) return fail('conflict', `agent ${agentId} is hosted by ${holder}`);
      const taken = await lease.update(agentId, mine, held.value.seq);
      return taken.ok ? ok(undefined) : taken;
    },
    async release(agentId) {
      await lease.delete(agentId);
    },
  };
}

async function keepWatch(options: LeaseOptions, liveness: Liveness, signal: AbortSignal): Promise<void> {
  const { bus, clock, hostId, leaseMs, watchMs } = options;
  const stopAnswering = bus.requests.answerAs(hostId);
  await liveness.announce();
  await sweep(bus, liveness);
  let announcedAt = clock.elapsed();
  let next = await liveness.neighbour();
  for (await clock.sleep(watchMs, signal); !signal.aborted; await clock.sleep(watchMs, signal)) {
    if (clock.elapsed() - announcedAt >= leaseMs / 8) {
      announcedAt = clock.elapsed();
      await liveness.announce();
      next = await liveness.neighbour();
    }
    if (next !== hostId && !(await liveness.isAlive(next))) {
      await sweep(bus, liveness);
      next = await liveness.neighbour();
    }
  }
  stopAnswering();
  await liveness.bury(hostId);
}

/** Wakes the agents of all hosts that do not answer; whoever takes the wake takes the lease over. */
async function sweep(bus: Bus, liveness: Liveness): Promise<void> {
  const held = await allLeases(bus);
  const dead = new Set<string>();
  for (const host of new Set(held.map(([, lease]) => lease.host))) if (!(await liveness.isAlive(host))) dead.add(host);
  const orphans = held.filter(([, { host }]) => dead.has(host));
  await Promise.all(orphans.map(([agentId, { role, priority }]) => bus.wakes.put(role, priority, agentId)));
  await Promise.all([...dead].map(liveness.bury));
}

async function allLeases(bus: Bus): Promise<(readonly [AgentId, Lease])[]> {
  const { lease } = bus.buckets;
  const keys = await lease.keys();
  const found = await Promise.all((keys.ok ? keys.value : []).map(async (key) => [key, await lease.get(key)] as const));
  return found.flatMap(([key, got]) =>
    got.ok && got.value !== undefined ? [[key as AgentId, asLease(got.value.value)] as const] : [],
  );
}
