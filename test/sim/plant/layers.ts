/** Layers of defence that make up for one another, each with the way to switch it off. */
import { ok } from '../../../src/domain/failure.js';
import type { Seams } from '../cast/stage.js';
import { onBucket, onBus, onInbox } from './wrap.js';

export const layers = {
  /** Looks for agents that nobody works on. */
  reconciler: onInbox(() => ({ agents: async () => ok(new Map()) })),
  /** Hosts look after each other's leases. */
  sweep: onBucket('lease', () => ({ keys: async () => ok([]) })),
  /** A wake that was not acknowledged comes again. */
  redelivery: onBus(({ wakes }) => ({
    wakes: {
      ...wakes,
      consume: (role, options, deliver) =>
        wakes.consume(role, options, (wake) => {
          wake.ack();
          deliver({ ...wake, ack: () => undefined, giveBack: () => undefined, extend: () => undefined });
        }),
    },
  })),
  /** Whoever has an agent is told to look. */
  nudge: onInbox(() => ({ nudge: () => undefined })),
  /** One host at a time, most of the time. */
  lease: onBucket('lease', (lease) => ({
    create: (key, value) => lease.put(key, value),
    update: (key, value) => lease.put(key, value),
  })),
  /** A host that may be taken for dead begins nothing. */
  confirmation: onBucket('host', (host) => ({
    put: async (key, value) => {
      void host.put(key, value);
      return ok(1);
    },
  })),
} satisfies Record<string, Seams>;

export type LayerName = keyof typeof layers;
