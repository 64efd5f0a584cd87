/** The conformance suite on real NATS. */
import { describe } from 'vitest';
import { startTestBuses } from '../support/nats-bus.js';
import { describeBus } from './conformance/all.js';

describe('NATS', () => {
  describeBus(async ({ leaseMs }) => {
    const buses = await startTestBuses({ leaseMs });
    return {
      open: () => buses.open(),
      until: (promise) => promise,
      now: () => Date.now(),
      end: () => buses.end(),
    };
  });
});
