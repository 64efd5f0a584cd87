/**
 * Which hosts live. A host proves that it does by one key for all its agents. When a host's connection is gone, a request
 * to it fails at once with "no responders": that is how a killed process is noticed within a fraction of a second, while
 * the key's expiry is only for hosts that vanish without closing their sockets.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';

export interface Liveness {
  /** Stores a sign of life. */
  announce(): Promise<void>;
  /** True when our sign of life was stored recently enough that nobody may have buried us. */
  confirmed(): boolean;
  isAlive(hostId: string): Promise<boolean>;
  /** The next host in the ring of all hosts, ourselves when we are alone: watching costs the same however many there are. */
  neighbour(): Promise<string>;
  bury(hostId: string): Promise<void>;
}

export function createLiveness(bus: Bus, clock: Clock, hostId: string, leaseMs: number): Liveness {
  const { host } = bus.buckets;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  return {
    async announce() {
      const asked = clock.elapsed();
      const put = await host.put(hostId, { at: clock.now() });
      if (put.ok) confirmedAt = asked;
    },
    confirmed: () => clock.elapsed() - confirmedAt < leaseMs,
    async isAlive(other) {
      if (other === hostId) return true;
      if (!(await bus.requests.ping(other))) return false;
      const sign = await host.get(other);
      return !sign.ok || sign.value !== undefined;
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
