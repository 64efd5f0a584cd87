import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import {
  type BusHarness,
  freshAgent,
  freshName,
  freshRole,
  Happenings,
  leaseMs,
  type MakeHarness,
  must,
} from './harness.js';

export function describeTimers(makeHarness: MakeHarness): void {
  describe('timers', () => {
    let harness: BusHarness;
    let bus: Bus;
    let other: Bus;
    beforeAll(async () => {
      harness = await makeHarness({ leaseMs });
      bus = await harness.open();
      other = await harness.open();
    });
    afterAll(() => harness.end());
    const run = <T>(promise: Promise<T>) => harness.until(promise);
    const timerIn = (ms: number) => ({
      agentId: freshAgent(),
      name: freshName('timer'),
      dueAt: harness.now() + ms,
      role: freshRole(),
      priority: 'normal' as const,
    });

    interface Fired {
      readonly name: string;
      readonly at: number;
    }
    const consume = (on: Bus, stored: (name: string) => boolean = () => true) => {
      const stop = new AbortController();
      const fired = new Happenings<Fired>();
      const ended = on.timers.consume(stop.signal, async ({ name }) => {
        fired.add({ name, at: harness.now() });
        return stored(name);
      });
      return {
        fired,
        stop: async () => {
          stop.abort();
          await run(ended);
        },
      };
    };

    it('fires at its moment, whole as it was set', async () => {
      const stop = new AbortController();
      const timer = timerIn(400);
      must(await run(bus.timers.set(timer)));
      const heard = new Happenings<unknown>();
      const ended = other.timers.consume(stop.signal, async (one) => {
        heard.add({ one, at: harness.now() });
        return true;
      });
      const [first] = (await run(heard.reached(1))) as { one: unknown; at: number }[];
      expect(first?.one).toEqual(timer);
      expect((first?.at ?? 0) - timer.dueAt).toBeGreaterThanOrEqual(0);
      expect((first?.at ?? 0) - timer.dueAt).toBeLessThanOrEqual(200);
      stop.abort();
      await run(ended);
    });

    it('fires at once when its moment has passed', async () => {
      const { fired, stop } = consume(bus);
      const timer = timerIn(-60_000);
      must(await run(bus.timers.set(timer)));
      const [first] = await run(fired.reached(1));
      expect(first?.name).toBe(timer.name);
      await stop();
    });

    it('fires in the order of their moments, not of their setting', async () => {
      const { fired, stop } = consume(bus);
      const [late, early] = [timerIn(1_500), timerIn(300)];
      must(await run(bus.timers.set(late)));
      must(await run(bus.timers.set(early)));
      expect((await run(fired.reached(2))).map(({ name }) => name)).toEqual([early.name, late.name]);
      await stop();
    });

    it('fires again when its effect was not stored', async () => {
      let times = 0;
      const { fired, stop } = consume(bus, () => {
        times += 1;
        return times > 1;
      });
      const timer = timerIn(10);
      must(await run(bus.timers.set(timer)));
      expect((await run(fired.reached(2))).map(({ name }) => name)).toEqual([timer.name, timer.name]);
      await stop();
    });

    it('fires at its moment although the host that was told of it first is gone', async () => {
      const dying = await harness.open();
      const first = consume(dying);
      const [resting, marker] = [timerIn(1_200), timerIn(0)];
      must(await run(bus.timers.set(resting)));
      must(await run(bus.timers.set(marker)));
      await run(first.fired.reached(1));
      await run(dying.close());
      const second = consume(other);
      const [fired] = await run(second.fired.reached(1));
      expect(fired?.name).toBe(resting.name);
      expect(Math.abs((fired?.at ?? 0) - resting.dueAt)).toBeLessThanOrEqual(300);
      await first.stop();
      await second.stop();
    });

    it('fires within seconds although the host that was told of it dies before it could store that', async () => {
      const dying = await harness.open();
      const heard = new Happenings<string>();
      const stop = new AbortController();
      void dying.timers.consume(stop.signal, ({ name }) => {
        heard.add(name);
        return new Promise(() => undefined);
      });
      const timer = timerIn(10);
      must(await run(bus.timers.set(timer)));
      await run(heard.reached(1));
      await run(dying.close());
      stop.abort();
      const second = consume(other);
      const mine = () => second.fired.all.find(({ name }) => name === timer.name);
      const again = async (): Promise<void> => {
        while (mine() === undefined) await second.fired.reached(second.fired.all.length + 1);
      };
      await run(again());
      expect((mine()?.at ?? 0) - timer.dueAt).toBeLessThan(10_000);
      await second.stop();
    });

    it('fires each once although two hosts consume', async () => {
      const consumers = [consume(bus), consume(other)];
      const timers = Array.from({ length: 20 }, (_, index) => timerIn(100 + index * 10));
      for (const timer of timers) must(await run(bus.timers.set(timer)));
      const names = () => consumers.flatMap(({ fired }) => fired.all.map(({ name }) => name));
      const all = async (): Promise<void> => {
        while (names().length < timers.length) {
          await Promise.race(consumers.map(({ fired }) => fired.reached(fired.all.length + 1)));
        }
      };
      await run(all());
      expect(names().toSorted()).toEqual(timers.map(({ name }) => name).toSorted());
      for (const { stop } of consumers) await stop();
    });
  });
}
