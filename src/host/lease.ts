/**
 * Who hosts an agent now. Leases are for liveness only: they keep two hosts from working on the same agent most of the
 * time. Safety comes from the journal's compare-and-set.
 *
 * A host proves that it lives by one key for all its agents; a lease names its host. When a host's connection is gone,
 * a request to it fails at once with "no responders": that is how a killed process is noticed within a fraction of a
 * second, while the lease time is only for hosts that vanish without closing their sockets.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { AgentId, RoleName } from '../domain/id.js';
import type { Json } from '../domain/json.js';
import type { Priority } from '../domain/task.js';

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
  /** Announces the host and keeps announcing it until the signal aborts; buries hosts that died. */
  keep(signal: AbortSignal): Promise<void>;
  /** True when our sign of life was stored recently enough that nobody may have buried us. */
  confirmed(): boolean;
  /** Fails with `conflict` when a living host has the agent; the message names it. */
  acquire(agentId: AgentId, role: RoleName, priority: Priority): Promise<Result<void>>;
  release(agentId: AgentId): Promise<void>;
  /** Wakes the agents of all hosts that do not answer. */
  sweep(): Promise<void>;
}

const asLease = (value: Json): Lease => value as unknown as Lease; // written by this module only

export function createLeases(options: LeaseOptions): Leases {
  const { bus, clock, hostId, leaseMs, watchMs } = options;
  const { lease, host } = bus.buckets;
  let confirmedAt = Number.NEGATIVE_INFINITY;

  async function announce(): Promise<void> {
    const asked = clock.elapsed();
    const put = await host.put(hostId, { at: clock.now() });
    if (put.ok) confirmedAt = asked;
  }

  async function isAlive(other: string): Promise<boolean> {
    if (other === hostId) return true;
    if (!(await bus.requests.ping(other))) return false;
    const sign = await host.get(other);
    return !sign.ok || sign.value !== undefined;
  }

  async function leases(): Promise<Map<AgentId, Lease>> {
    const keys = await lease.keys();
    const found = await Promise.all(
      (keys.ok ? keys.value : []).map(async (key) => [key, await lease.get(key)] as const),
    );
    return new Map(
      found.flatMap(([key, got]) => (got.ok && got.value ? [[key as AgentId, asLease(got.value.value)] as const] : [])),
    );
  }

  async function sweep(): Promise<void> {
    const held = await leases();
    const hosts = new Set([...held.values()].map(({ host: name }) => name));
    const dead = new Set<string>();
    for (const name of hosts) if (!(await isAlive(name))) dead.add(name);
    const orphans = [...held].filter(([, { host: name }]) => dead.has(name));
    await Promise.all(orphans.map(([agentId, { role, priority }]) => bus.wakes.put(role, priority, agentId)));
    await Promise.all([...dead].map((name) => host.delete(name)));
  }

  /** The next host in the ring of all hosts: watching costs the same however many there are. */
  async function neighbour(): Promise<string | undefined> {
    const keys = await host.keys();
    const ring = [...new Set([...(keys.ok ? keys.value : []), hostId])].sort();
    return ring[(ring.indexOf(hostId) + 1) % ring.length];
  }

  return {
    sweep,
    confirmed: () => clock.elapsed() - confirmedAt < leaseMs,
    async keep(signal) {
      const stopAnswering = bus.requests.answerAs(hostId);
      await announce();
      await sweep();
      let announcedAt = clock.elapsed();
      let next = await neighbour();
      for (await clock.sleep(watchMs, signal); !signal.aborted; await clock.sleep(watchMs, signal)) {
        if (clock.elapsed() - announcedAt >= leaseMs / 8) {
          announcedAt = clock.elapsed();
          await announce();
          next = await neighbour();
        }
        if (next !== undefined && next !== hostId && !(await isAlive(next))) {
          await sweep();
          next = await neighbour();
        }
      }
      stopAnswering();
      await host.delete(hostId);
    },
    async acquire(agentId, role, priority) {
      const mine: Json = { host: hostId, role, priority };
      const created = await lease.create(agentId, mine);
      if (created.ok) return ok(undefined);
      if (created.failure.kind !== 'conflict') return created;
      const held = await lease.get(agentId);
      if (!held.ok) return held;
      if (held.value === undefined) return fail('conflict', `the lease of ${agentId} is changing hands`);
      const holder = asLease(held.value.value).host;
      if (holder === hostId || (await isAlive(holder)))
        return fail('conflict', `agent ${agentId} is hosted by ${holder}`);
      const taken = await lease.update(agentId, mine, held.value.seq);
      return taken.ok ? ok(undefined) : taken;
    },
    async release(agentId) {
      await lease.delete(agentId);
    },
  };
}
