import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bucket, Buckets, Bus } from '../../../src/bus/contract.js';
import type { Json } from '../../../src/domain/json.js';
import { type BusHarness, freshName, Happenings, kindOf, leaseMs, type MakeHarness, must } from './harness.js';

export function describeBuckets(makeHarness: MakeHarness): void {
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

  describe.each<keyof Buckets>(['lease', 'agent', 'task', 'approval', 'lesson', 'provider'])('bucket %s', (name) => {
    const one = (): Bucket => bus.buckets[name];
    const two = (): Bucket => other.buckets[name];

    it('has no value under a key that was never put', async () => {
      expect(must(await run(one().get(freshName('key'))))).toBeUndefined();
    });

    it('creates a key once, and gives value and sequence', async () => {
      const key = freshName('key');
      const seq = must(await run(one().create(key, { host: 'h1' })));
      expect(kindOf(await run(two().create(key, { host: 'h2' })))).toBe('conflict');
      expect(must(await run(two().get(key)))).toEqual({ seq, value: { host: 'h1' } });
    });

    it('lets exactly one of 20 create a key', async () => {
      const key = freshName('key');
      const attempts = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one() : two()).create(key, index));
      const outcomes = await run(Promise.all(attempts));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(must(await run(one().get(key)))?.value).toBe(outcomes.findIndex(({ ok }) => ok));
    });

    it('creates a key again after it was deleted, as often as wanted', async () => {
      const key = freshName('key');
      for (let round = 0; round < 3; round += 1) {
        const seq = must(await run(one().create(key, round)));
        must(await run(one().delete(key, seq)));
        expect(must(await run(two().get(key)))).toBeUndefined();
      }
    });

    it('updates only the revision that was read', async () => {
      const key = freshName('key');
      const first = must(await run(one().create(key, 1)));
      const second = must(await run(two().update(key, 2, first)));
      expect(second).toBeGreaterThan(first);
      expect(kindOf(await run(one().update(key, 3, first)))).toBe('conflict');
      expect(must(await run(one().get(key)))).toEqual({ seq: second, value: 2 });
    });

    it('puts over whatever is there', async () => {
      const key = freshName('key');
      must(await run(one().put(key, 1)));
      const seq = must(await run(two().put(key, 2)));
      expect(must(await run(one().get(key)))).toEqual({ seq, value: 2 });
    });

    it('deletes only the revision that was read', async () => {
      const key = freshName('key');
      const first = must(await run(one().create(key, 1)));
      const second = must(await run(one().update(key, 2, first)));
      expect(kindOf(await run(two().delete(key, first)))).toBe('conflict');
      expect(must(await run(one().get(key)))?.value).toBe(2);
      must(await run(two().delete(key, second)));
      expect(kindOf(await run(two().delete(key, second)))).toBe('conflict');
    });

    it('deletes without a revision whatever is there, and nothing', async () => {
      const key = freshName('key');
      must(await run(one().put(key, 1)));
      must(await run(two().delete(key)));
      must(await run(two().delete(key)));
      expect(must(await run(one().get(key)))).toBeUndefined();
    });

    it('lists the keys that have values', async () => {
      const [kept, dropped, nested] = [freshName('key'), freshName('key'), `${freshName('key')}.part`];
      for (const key of [kept, dropped, nested]) must(await run(one().put(key, 1)));
      must(await run(one().delete(dropped)));
      const keys = must(await run(two().keys()));
      expect(keys).toContain(kept);
      expect(keys).toContain(nested);
      expect(keys).not.toContain(dropped);
    });

    it.each<Json>([null, false, 0, '', 'text', [], [1, [2]], {}, { a: { b: ['ü', '好', '🜁'] } }])(
      'keeps %j',
      async (value) => {
        const key = freshName('key');
        must(await run(one().put(key, value)));
        expect(must(await run(two().get(key)))?.value).toEqual(value);
      },
    );

    it.each(['', 'a..b', '.a', 'a.', 'a b', '*', '>', 'a.>', 'a\r\nb'])('refuses the key %j', async (key) => {
      const outcomes = [
        await run(one().get(key)),
        await run(one().create(key, 1)),
        await run(one().update(key, 1, 1)),
        await run(one().put(key, 1)),
        await run(one().delete(key)),
      ];
      expect(outcomes.map(kindOf)).toEqual(outcomes.map(() => 'invalid_request'));
      one().watch(key, () => expect.fail('called'))();
    });
  });

  describe('watching a key', () => {
    type Seen = [Json | undefined, number];
    const watch = (on: Bus, key: string) => {
      const seen = new Happenings<Seen>();
      const stop = on.buckets.task.watch(key, (value, seq) => seen.add([value, seq]));
      return { seen, stop };
    };

    it('tells the present value and every later one, in order', async () => {
      const key = freshName('key');
      const first = must(await run(bus.buckets.task.put(key, 1)));
      const { seen, stop } = watch(bus, key);
      await run(seen.reached(1));
      const second = must(await run(other.buckets.task.put(key, 2)));
      const third = must(await run(bus.buckets.task.update(key, 3, second)));
      expect(await run(seen.reached(3))).toEqual([
        [1, first],
        [2, second],
        [3, third],
      ]);
      stop();
    });

    it('tells that there is none, and then the first', async () => {
      const key = freshName('key');
      const { seen, stop } = watch(bus, key);
      await run(seen.reached(1));
      const seq = must(await run(other.buckets.task.create(key, 'done')));
      expect(await run(seen.reached(2))).toEqual([
        [undefined, 0],
        ['done', seq],
      ]);
      stop();
    });

    it('tells a deletion', async () => {
      const key = freshName('key');
      const seq = must(await run(bus.buckets.task.put(key, 1)));
      const { seen, stop } = watch(bus, key);
      await run(seen.reached(1));
      must(await run(other.buckets.task.delete(key, seq)));
      const again = must(await run(other.buckets.task.create(key, 2)));
      const all = await run(seen.reached(3));
      expect(all[1]?.[0]).toBeUndefined();
      expect(all[2]).toEqual([2, again]);
      stop();
    });

    it('never tells a value that was refused', async () => {
      const key = freshName('key');
      const first = must(await run(bus.buckets.task.create(key, 'first')));
      const { seen, stop } = watch(bus, key);
      await run(seen.reached(1));
      expect(kindOf(await run(other.buckets.task.create(key, 'refused')))).toBe('conflict');
      expect(kindOf(await run(other.buckets.task.update(key, 'refused', first + 999)))).toBe('conflict');
      must(await run(other.buckets.task.update(key, 'second', first)));
      expect((await run(seen.reached(2))).map(([value]) => value)).toEqual(['first', 'second']);
      stop();
    });

    it('misses nothing when values are put while watching begins', async () => {
      for (let round = 0; round < 20; round += 1) {
        const key = freshName('key');
        const put = other.buckets.task.put(key, 'result');
        const { seen, stop } = watch(bus, key);
        await run(put);
        const arrived = new Promise<void>((resolve) => {
          const look = () =>
            seen.all.some(([value]) => value === 'result')
              ? resolve()
              : void seen.reached(seen.all.length + 1).then(look);
          look();
        });
        await run(arrived);
        expect(seen.all.filter(([value]) => value === 'result')).toHaveLength(1);
        stop();
      }
    });

    it('hears only its own key, and nothing after it was stopped', async () => {
      const [key, neighbour] = [freshName('key'), freshName('key')];
      const stopped = watch(bus, key);
      const live = watch(bus, key);
      await run(Promise.all([stopped.seen.reached(1), live.seen.reached(1)]));
      stopped.stop();
      must(await run(other.buckets.task.put(neighbour, 'other key')));
      must(await run(other.buckets.agent.put(key, 'other bucket')));
      must(await run(other.buckets.task.put(key, 'mine')));
      expect((await run(live.seen.reached(2))).map(([value]) => value)).toEqual([undefined, 'mine']);
      expect(stopped.seen.all).toHaveLength(1);
      live.stop();
    });
  });

  describe('host bucket', () => {
    it('drops a key that is not put again within the lease time, and keeps one that is', async () => {
      const [silent, beating] = [freshName('host'), freshName('host')];
      must(await run(bus.buckets.host.put(silent, 1)));
      must(await run(bus.buckets.host.put(beating, 1)));
      const end = harness.now() + 10 * leaseMs;
      const beat = async (): Promise<boolean> => {
        while (harness.now() < end) {
          must(await bus.buckets.host.put(beating, 1));
          if (must(await bus.buckets.host.get(silent)) === undefined) return true;
        }
        return false;
      };
      expect(await run(beat())).toBe(true);
      expect(must(await run(other.buckets.host.get(beating)))).toBeDefined();
    });
  });
}
