/**
 * Which hosts live. A host proves that it does by one key for all its agents. When a host's connection is gone, a request
 * to it fails at once with "no responders": that is how a killed process is noticed within a fraction of a second, while
 * the key's expiry is only for hosts that vanish without closing their sockets.
 */
import type { Bus } from '../bus/contract.js';
import { putSign } from '../bus/presence.js';
import type { Clock } from '../domain/clock.js';
import { ok, type Result } from '../domain/failure.js';
import type { RoleName } from '../domain/id.js';
import type { QueueName } from '../domain/lane.js';

export interface Liveness {
  /** Stores a sign of life. */
  announce(): Promise<void>;
  /** True when our sign of life was stored recently enough that nobody may have buried us. */
  confirmed(): boolean;
  /** How often that was doubtful and then true again: each time, others may have taken our agents. */
  lapses(): number;
  /** Fails when it cannot be told. */
  isAlive(hostId: string): Promise<Result<boolean>>;
  /** The next host in the ring of all hosts, ourselves when we are alone: watching costs the same however many there are. */
  neighbour(): Promise<string>;
  bury(hostId: string): Promise<void>;
}

export interface LivenessOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hostId: string;
  readonly roles: readonly { readonly name: RoleName }[];
  /** Served besides the default one. */
  readonly queues?: readonly QueueName[];
  readonly leaseMs: number;
}

export function createLiveness({ bus, clock, hostId, leaseMs, queues = [], roles }: LivenessOptions): Liveness {
  const { host } = bus.buckets;
  const serving = { roles: roles.map(({ name }) => name), queues };
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let lapses = 0;
  return {
    async announce() {
      const asked = clock.elapsed();
      const put = await putSign(host, hostId, clock.now(), serving);
      if (!put.ok) return;
      if (clock.elapsed() - confirmedAt >= leaseMs) lapses += 1;
      confirmedAt = asked;
    },
    confirmed: () => clock.elapsed() - confirmedAt < leaseMs,
    lapses: () => lapses,
    async isAlive(other) {
      if (other === hostId) return ok(true);
      if (!(await bus.requests.ping(other))) return ok(false);
      const sign = await host.get(other);
      return sign.ok ? ok(sign.value !== undefined) : sign;
    },
    async neighbour() {
      const keys = await host.keys();
      const ring = [...new Set([...(keys.ok ? keys.value : []), hostId])].sort();
      return ring[(ring.indexOf(hostId) + 1) % ring.length] ?? hostId;
    },
    async bury(other) {
      await host.delete(other);
    },
  };
}
