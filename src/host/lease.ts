/**
 * Who hosts an agent now. Leases are for liveness only: they keep two hosts from working on the same agent most of the
 * time. Safety comes from the journal's compare-and-set.
 */
import type { Bus } from '../bus/contract.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { Json } from '../domain/json.js';
import { type Lane, laneOf } from '../domain/lane.js';
import { createLiveness, type Liveness, type LivenessOptions } from './liveness.js';

export interface Lease extends Lane {
  readonly host: string;
}

/** `leaseMs`: after this long without a sign of life a host is taken for dead. */
export interface LeaseOptions extends LivenessOptions {
  /** How often each host looks after the next one. */
  readonly watchMs: number;
}

export interface Leases {
  /** Announces the host and keeps announcing it until the signal aborts; wakes the agents of hosts that died. */
  keep(signal: AbortSignal): Promise<void>;
  /** False while others may take us for dead: then nothing may be started. */
  confirmed(): boolean;
  /** How often others could take us for dead and then not any more: each time, an agent of ours may have been taken. */
  lapses(): number;
  /**
   * Fails with `conflict` when another living host has the agent; the message names it. `inherited`: a host that is gone
   * had not let it go.
   */
  acquire(agentId: AgentId, lane: Lane): Promise<Result<{ readonly inherited: boolean }>>;
  /** True when the lease was still ours. One that cannot be let go now is let go later. */
  release(agentId: AgentId): Promise<boolean>;
}

/** A lease that this host took, and the revision by which it is known to be still the same. */
interface Held {
  readonly lease: Lease;
  readonly seq: number;
}

/** Values of the lease bucket are written by this module only. */
export const asLease = (value: Json): Lease => value as unknown as Lease;

export function createLeases(options: LeaseOptions): Leases {
  const { bus, hostId } = options;
  const liveness = createLiveness(options);
  const held = new Map<AgentId, Held>();
  const owed = new Map<AgentId, Lease>();

  const take = async (agentId: AgentId, mine: Lease): Promise<Result<{ seq: number; inherited: boolean }>> => {
    const { lease } = bus.buckets;
    const value = mine as unknown as Json;
    const created = await lease.create(agentId, value);
    if (created.ok) return ok({ seq: created.value, inherited: false });
    if (created.failure.kind !== 'conflict') return created;
    const found = await lease.get(agentId);
    if (!found.ok) return found;
    if (found.value === undefined) return fail('conflict', `the lease of ${agentId} is changing hands`);
    const holder = asLease(found.value.value).host;
    // Our own: of an earlier stay whose release, or of a try whose answer, was lost.
    if (holder !== hostId) {
      const alive = await liveness.isAlive(holder);
      if (!alive.ok) return alive; // left to a living host that is dead, the agent would have nobody
      if (alive.value) return fail('conflict', `agent ${agentId} is hosted by ${holder}`);
    }
    const updated = await lease.update(agentId, value, found.value.seq);
    return updated.ok ? ok({ seq: updated.value, inherited: holder !== hostId }) : updated;
  };

  return {
    keep: (signal) => keep(options, liveness, { held, owed }, signal),
    confirmed: liveness.confirmed,
    lapses: liveness.lapses,
    async acquire(agentId, lane) {
      const lease = { host: hostId, ...laneOf(lane) };
      owed.delete(agentId);
      const taken = await take(agentId, lease);
      if (!taken.ok) {
        if (taken.failure.kind !== 'conflict') owed.set(agentId, lease);
        return taken;
      }
      held.set(agentId, { lease, seq: taken.value.seq });
      return ok({ inherited: taken.value.inherited });
    },
    async release(agentId) {
      const mine = held.get(agentId);
      if (mine === undefined) return false;
      held.delete(agentId);
      const gone = await bus.buckets.lease.delete(agentId, mine.seq);
      if (!gone.ok) owed.set(agentId, mine.lease);
      return gone.ok;
    },
  };
}

interface Books {
  readonly held: Map<AgentId, Held>;
  /** Leases that may still stand in our name though we do not host their agents. */
  readonly owed: Map<AgentId, Lease>;
}

async function keep(options: LeaseOptions, liveness: Liveness, books: Books, signal: AbortSignal): Promise<void> {
  const { bus, hostId } = options;
  const stopAnswering = bus.requests.answerAs(hostId);
  // Leases lie in the server's memory: one that was started anew knows none.
  const stopHearing = bus.onStatus(({ connected }) => {
    if (connected) void liveness.announce().then(() => restore(bus, books));
  });
  await liveness.announce();
  await Promise.all([keepAnnouncing(options, liveness, books, signal), keepWatching(options, liveness, signal)]);
  stopAnswering();
  stopHearing();
  await liveness.bury(hostId);
}

async function restore(bus: Bus, { held }: Books): Promise<void> {
  for (const [agentId, mine] of held) {
    const created = await bus.buckets.lease.create(agentId, mine.lease as unknown as Json);
    if (!created.ok) continue; // if it is stored all the same, the release finds out
    if (held.get(agentId) === mine) held.set(agentId, { ...mine, seq: created.value });
    else await bus.buckets.lease.delete(agentId, created.value); // let go meanwhile
  }
}

async function keepAnnouncing(
  options: LeaseOptions,
  liveness: Liveness,
  { owed }: Books,
  signal: AbortSignal,
): Promise<void> {
  const { clock, leaseMs } = options;
  for (await clock.sleep(leaseMs / 8, signal); !signal.aborted; await clock.sleep(leaseMs / 8, signal)) {
    await liveness.announce();
    for (const agentId of owed.keys()) await payDebt(agentId, owed, options);
  }
}

/**
 * Lets go of a lease that stands in our name. At which revision is looked up each time: it may have been restored, and the
 * answer lost. Whoever came for the agent meanwhile was told that we have it and went away, so it is woken; should that
 * fail, the reconciler finds it.
 */
async function payDebt(agentId: AgentId, owed: Map<AgentId, Lease>, { bus, hostId }: LeaseOptions): Promise<void> {
  const lease = owed.get(agentId);
  if (lease === undefined) return;
  const found = await bus.buckets.lease.get(agentId);
  if (!found.ok || owed.get(agentId) !== lease) return; // taken again meanwhile: it is ours by right
  if (found.value !== undefined && asLease(found.value.value).host === hostId) {
    const gone = await bus.buckets.lease.delete(agentId, found.value.seq);
    if (!gone.ok) return;
    await bus.wakes.put(laneOf(lease), agentId);
  }
  if (owed.get(agentId) === lease) owed.delete(agentId);
}

/** Looks after the next host in the ring. One that left the ring is looked at once more: it may have left agents. */
async function keepWatching(
  { bus, clock, hostId, leaseMs, watchMs }: LeaseOptions,
  liveness: Liveness,
  signal: AbortSignal,
): Promise<void> {
  let isSwept = await sweep(bus, liveness);
  let watched = await liveness.neighbour();
  let chosenAt = clock.elapsed();
  for (await clock.sleep(watchMs, signal); !signal.aborted; await clock.sleep(watchMs, signal)) {
    if (!isSwept) isSwept = await sweep(bus, liveness);
    const due = clock.elapsed() - chosenAt >= leaseMs / 8;
    const next = due ? await liveness.neighbour() : watched;
    const isGone = watched !== hostId && (await isDead(liveness, watched));
    if (isGone && !(await sweep(bus, liveness))) continue;
    if (due || isGone) chosenAt = clock.elapsed();
    watched = isGone ? await liveness.neighbour() : next;
  }
}

/** False when it cannot be told: it is looked at again soon. */
async function isDead(liveness: Liveness, host: string): Promise<boolean> {
  const alive = await liveness.isAlive(host);
  return alive.ok && !alive.value;
}

/**
 * Wakes the agents of all hosts that do not answer; whoever takes the wake takes the lease over. True when all leases were
 * read and all such agents woken.
 */
async function sweep(bus: Bus, liveness: Liveness): Promise<boolean> {
  const { lease } = bus.buckets;
  const keys = await lease.keys();
  if (!keys.ok) return false;
  const found = await Promise.all(keys.value.map(async (key) => [key as AgentId, await lease.get(key)] as const));
  const held = found.flatMap(([agentId, got]) =>
    got.ok && got.value !== undefined ? [[agentId, asLease(got.value.value)] as const] : [],
  );
  const dead = new Set<string>();
  for (const host of new Set(held.map(([, { host }]) => host))) if (await isDead(liveness, host)) dead.add(host);
  const orphans = held.filter(([, { host }]) => dead.has(host));
  const woken = await Promise.all(orphans.map(([agentId, lane]) => bus.wakes.put(laneOf(lane), agentId)));
  // A host that is buried is looked for no more.
  if (!found.every(([, got]) => got.ok) || !woken.every(({ ok: put }) => put)) return false;
  await Promise.all([...dead].map(liveness.bury));
  return true;
}
