/** Buses on a real server of their own, for tests. */
import { type BusOptions, openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import { startTestNats, type TestNats } from './nats.js';

export interface TestBuses {
  readonly nats: TestNats;
  open(options?: Partial<BusOptions>): Promise<Bus>;
  /** Closes all buses and the server. */
  end(): Promise<void>;
}

export async function startTestBuses(defaults: Partial<BusOptions> = {}): Promise<TestBuses> {
  const nats = await startTestNats();
  const opened: Bus[] = [];
  return {
    nats,
    open: async (options = {}) => {
      const bus = await openBus({ servers: nats.url, token: nats.token, ...defaults, ...options });
      if (!bus.ok) throw new Error(`${bus.failure.message} (${bus.failure.hint ?? ''})`);
      opened.push(bus.value);
      return bus.value;
    },
    end: async () => {
      await Promise.all(opened.map((bus) => bus.close()));
      await nats.stop();
    },
  };
}
