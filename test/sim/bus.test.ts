/** The conformance suite of the bus on the simulated one: what holds on a real server holds here, so the simulation cannot drift. */
import { describe } from 'vitest';
import { describeBus } from '../bus/conformance/all.js';
import { connect } from './bus/bus.js';
import { calm } from './bus/link.js';
import { SimServer } from './bus/server.js';
import { SimProcess } from './kernel/process.js';
import { World } from './kernel/world.js';

describe('the simulated bus', () => {
  describeBus(async ({ leaseMs }) => {
    const world = new World(1);
    const options = { leaseMs, ackWaitMs: 30_000, weather: calm, patienceMs: 1_000, onMishap: () => undefined };
    const server = new SimServer(world, options);
    let processes = 0;
    return {
      open: async () => {
        processes += 1;
        return connect(new SimProcess(world, `p${processes}`), server).bus;
      },
      until: async (promise) => {
        let over = false;
        void promise.then(
          () => (over = true),
          () => (over = true),
        );
        // A few events at a time: the suite also waits for real immediates.
        while (!over) {
          let events = 0;
          await world.run(() => over || events++ >= 20, Number.POSITIVE_INFINITY);
        }
        return promise;
      },
      now: () => world.now(),
      end: async () => undefined,
    };
  });
});
