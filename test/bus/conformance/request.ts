import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';
import type { Json } from '../../../src/domain/json.js';
import { type BusHarness, failureOf, freshName, kindOf, leaseMs, type MakeHarness, must } from './harness.js';

export function describeRequests(makeHarness: MakeHarness): void {
  describe('requests', () => {
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
    const serving = async (handler: (body: string) => Promise<Result<Json>>, on = bus) => {
      const name = `${freshName('thing')}.get`;
      const stop = must(await run(on.requests.serve({ [name]: handler })));
      return { name, stop };
    };

    it('gives the raw text to the handler and its value to whoever asked', async () => {
      const { name, stop } = await serving(async (body) => ok({ got: body }));
      expect(must(await run(other.requests.request(name, { goal: '目标' }, 2_000)))).toEqual({
        got: '{"goal":"目标"}',
      });
      await run(stop());
    });

    it('gives a failure as it is', async () => {
      const { name, stop } = await serving(async () => fail('not_found', 'no task tsk_1\r\nX: y', 'look at hact ls'));
      expect(failureOf(await run(other.requests.request(name, {}, 2_000)))).toEqual({
        kind: 'not_found',
        message: 'no task tsk_1\r\nX: y',
        hint: 'look at hact ls',
      });
      await run(stop());
    });

    it('answers with a failure when the handler breaks its word and throws', async () => {
      const { name, stop } = await serving(() => Promise.reject(new Error('a bug')));
      expect(failureOf(await run(other.requests.request(name, {}, 2_000))).kind).toBe('internal');
      await run(stop());
    });

    it('spreads requests over those who serve, each to one', async () => {
      const name = `${freshName('thing')}.get`;
      const counts = [0, 0];
      const serve = (on: Bus, index: number) =>
        on.requests.serve({
          [name]: async () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return ok(index);
          },
        });
      const stops = [must(await run(serve(bus, 0))), must(await run(serve(other, 1)))];
      for (let index = 0; index < 20; index += 1) must(await run(bus.requests.request(name, {}, 2_000)));
      expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(20);
      for (const stop of stops) await run(stop());
    });

    it('says at once that nobody serves', async () => {
      expect(kindOf(await run(other.requests.request('nobody.serves', {}, 60_000)))).toBe('bus_unreachable');
      const { name, stop } = await serving(async () => ok(1));
      await run(stop());
      expect(kindOf(await run(other.requests.request(name, {}, 60_000)))).toBe('bus_unreachable');
    });

    it('gives up on a handler that does not answer in time', async () => {
      const { name, stop } = await serving(() => new Promise(() => undefined));
      expect(kindOf(await run(other.requests.request(name, {}, 200)))).toBe('bus_unreachable');
      await run(stop());
    });

    it('refuses a body that is larger than a message may be', async () => {
      const { name, stop } = await serving(async () => ok('x'.repeat(3_000_000)));
      expect(kindOf(await run(other.requests.request(name, { text: 'x'.repeat(3_000_000) }, 2_000)))).toBe('too_large');
      expect(kindOf(await run(other.requests.request(name, {}, 2_000)))).toBe('too_large');
      await run(stop());
    });

    it('refuses a name that is no subject', async () => {
      expect(kindOf(await run(bus.requests.request('a b', {}, 1_000)))).toBe('invalid_request');
      expect(kindOf(await run(bus.requests.serve({ '>': async () => ok(1) })))).toBe('invalid_request');
    });

    it('pings a host while it answers, and says no at once when nobody does', async () => {
      const host = freshName('host');
      expect(await run(other.requests.ping(host))).toBe(false);
      const stop = bus.requests.answerAs(host);
      await run(bus.buckets.lease.get('key'));
      expect(await run(other.requests.ping(host))).toBe(true);
      stop();
      await run(bus.buckets.lease.get('key'));
      expect(await run(other.requests.ping(host))).toBe(false);
    });

    it('says that a host is gone as soon as its connection is', async () => {
      const host = freshName('host');
      const third = await harness.open();
      third.requests.answerAs(host);
      await run(third.buckets.lease.get('key'));
      expect(await run(other.requests.ping(host))).toBe(true);
      await run(third.close());
      expect(await run(other.requests.ping(host))).toBe(false);
    });
  });
}
