import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, Stored } from '../../../src/bus/contract.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import type { TaskId } from '../../../src/domain/id.js';
import {
  type BusHarness,
  freshAgent,
  freshRole,
  freshTask,
  Happenings,
  leaseMs,
  type MakeHarness,
  must,
} from './harness.js';

export function describeFeed(makeHarness: MakeHarness): void {
  describe('feed', () => {
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
    const event = (taskId: TaskId, epoch: number): FeedEvent => ({
      v: 1,
      kind: 'taken_over',
      taskId,
      agentId: freshAgent(),
      role: freshRole(),
      seq: epoch,
      at: 1_700_000_000_000,
      host: 'host-1',
      round: 0,
      from: '主机',
      epoch,
    });

    const follow = (on: Bus, taskId: TaskId | undefined, after = 0) => {
      const stop = new AbortController();
      const seen = new Happenings<Stored<FeedEvent>>();
      const ended = (async () => {
        for await (const one of on.feed.read(taskId, after, stop.signal)) seen.add(one);
      })();
      return {
        seen,
        stop: async () => {
          stop.abort();
          await run(ended);
        },
      };
    };

    it('gives what happened before, then what happens, in order and once each', async () => {
      const task = freshTask();
      const events = [1, 2, 3, 4].map((epoch) => event(task, epoch));
      for (const one of events.slice(0, 2)) bus.feed.publish(one);
      const { seen, stop } = follow(other, task);
      await run(seen.reached(2));
      for (const one of events.slice(2)) bus.feed.publish(one);
      const all = await run(seen.reached(4));
      expect(all.map(({ value }) => value)).toEqual(events);
      expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
      await stop();
      expect(seen.all).toHaveLength(4);
    });

    it('goes on after a sequence', async () => {
      const task = freshTask();
      for (const epoch of [1, 2, 3]) bus.feed.publish(event(task, epoch));
      const first = follow(other, task);
      const [, second] = await run(first.seen.reached(3));
      await first.stop();
      const again = follow(other, task, second?.seq);
      const [third] = await run(again.seen.reached(1));
      expect(third?.value).toMatchObject({ epoch: 3 });
      await again.stop();
    });

    it('gives only the events of its task, and those of all tasks when asked', async () => {
      const [mine, theirs] = [freshTask(), freshTask()];
      const start = must(await run(bus.feed.last(undefined)));
      const one = follow(other, mine);
      const all = follow(other, undefined, start);
      bus.feed.publish(event(theirs, 1));
      bus.feed.publish(event(mine, 2));
      expect((await run(one.seen.reached(1)))[0]?.value.taskId).toBe(mine);
      expect((await run(all.seen.reached(2))).map(({ value }) => value.taskId)).toEqual([theirs, mine]);
      await one.stop();
      await all.stop();
    });

    it('ends when the signal aborts while nothing happens', async () => {
      const { stop } = follow(other, freshTask());
      await stop();
    });

    it('tells the sequence of the newest event of a task, and 0 when there is none', async () => {
      const task = freshTask();
      expect(must(await run(bus.feed.last(task)))).toBe(0);
      for (const epoch of [1, 2]) bus.feed.publish(event(task, epoch));
      bus.feed.publish(event(freshTask(), 3));
      const { seen, stop } = follow(bus, task);
      const [, second] = await run(seen.reached(2));
      expect(must(await run(bus.feed.last(task)))).toBe(second?.seq);
      await stop();
    });

    it('gives a thousand events to a reader that is slower than the writer', async () => {
      const task = freshTask();
      const events = Array.from({ length: 1_000 }, (_, index) => event(task, index));
      for (const one of events) bus.feed.publish(one);
      const stop = new AbortController();
      const epochs: number[] = [];
      const read = async () => {
        for await (const { value } of other.feed.read(task, 0, stop.signal)) {
          epochs.push(value.kind === 'taken_over' ? value.epoch : -1);
          if (epochs.length % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
          if (epochs.length === events.length) stop.abort();
        }
      };
      await run(read());
      expect(epochs).toEqual(events.map((_, index) => index));
    });
  });
}
