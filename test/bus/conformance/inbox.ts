import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import type { AgentId } from '../../../src/domain/id.js';
import {
  type BusHarness,
  freshAgent,
  Happenings,
  kindOf,
  leaseMs,
  type MakeHarness,
  message,
  must,
} from './harness.js';

export function describeInbox(makeHarness: MakeHarness): void {
  describe('inbox', () => {
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

    it('keeps messages for an agent that nobody hosts, in order', async () => {
      const agent = freshAgent();
      const first = must(await run(bus.inbox.put(agent, message('m1'))));
      const second = must(await run(other.inbox.put(agent, message('m2'))));
      expect(must(await run(bus.inbox.read(agent, 0)))).toEqual([
        { seq: first, value: message('m1') },
        { seq: second, value: message('m2') },
      ]);
    });

    it('reads only what came after the cursor, and nothing when nothing came', async () => {
      const agent = freshAgent();
      const first = must(await run(bus.inbox.put(agent, message('m1'))));
      const second = must(await run(bus.inbox.put(agent, message('m2'))));
      expect(must(await run(bus.inbox.read(agent, first))).map(({ seq }) => seq)).toEqual([second]);
      expect(must(await run(bus.inbox.read(agent, second)))).toEqual([]);
    });

    it('finds the messages of an agent among those of others', async () => {
      const agents = Array.from({ length: 5 }, freshAgent);
      for (let round = 0; round < 4; round += 1) {
        for (const agent of agents) must(await run(bus.inbox.put(agent, message(`${agent}-${round}`))));
      }
      for (const agent of agents) {
        const ids = must(await run(other.inbox.read(agent, 0))).map(({ value }) => value.id);
        expect(ids).toEqual([0, 1, 2, 3].map((round) => `${agent}-${round}`));
      }
    });

    it('tells whoever listens that a message came, and it can be read then', async () => {
      const agent = freshAgent();
      const arrivals = new Happenings<undefined>();
      const stop = bus.inbox.onArrival(agent, () => arrivals.add(undefined));
      await run(bus.inbox.read(agent, 0));
      must(await run(other.inbox.put(agent, message('m1'))));
      await run(arrivals.reached(1));
      expect(must(await run(bus.inbox.read(agent, 0)))).toHaveLength(1);
      stop();
    });

    it('tells whoever listens that it was nudged', async () => {
      const agent = freshAgent();
      const arrivals = new Happenings<undefined>();
      const stop = bus.inbox.onArrival(agent, () => arrivals.add(undefined));
      await run(bus.inbox.read(agent, 0));
      other.inbox.nudge(agent);
      await run(arrivals.reached(1));
      stop();
    });

    it('tells whoever listens of which message it was nudged', async () => {
      const agent = freshAgent();
      const seqs = new Happenings<number>();
      const stop = bus.inbox.onArrival(agent, (seq) => {
        if (seq !== undefined) seqs.add(seq);
      });
      const put = must(await run(other.inbox.put(agent, message('m1'))));
      other.inbox.nudge(agent, put);
      await run(seqs.reached(1));
      expect(seqs.all).toEqual([put]);
      stop();
    });

    it.each([0, 1, 2, 5])('reads %i new messages where one is likely', async (count) => {
      const agent = freshAgent();
      const known = must(await run(bus.inbox.put(agent, message('m0'))));
      const ids = Array.from({ length: count }, (_, index) => `m${index + 1}`);
      for (const id of ids) {
        must(await run(bus.inbox.put(freshAgent(), message('of another'))));
        must(await run(bus.inbox.put(agent, message(id))));
      }
      const read = async (after: number) =>
        must(await run(other.inbox.read(agent, after, true))).map(({ value }) => value.id);
      expect(await read(known)).toEqual(ids);
      expect(await read(0)).toEqual(['m0', ...ids]);
    });

    it('is silent after the listener was stopped, and about other agents', async () => {
      const agent = freshAgent();
      const neighbour = freshAgent();
      const stopped = new Happenings<undefined>();
      const elsewhere = new Happenings<undefined>();
      const live = new Happenings<undefined>();
      bus.inbox.onArrival(agent, () => stopped.add(undefined))();
      const stopNeighbour = bus.inbox.onArrival(neighbour, () => elsewhere.add(undefined));
      const stopLive = bus.inbox.onArrival(agent, () => live.add(undefined));
      await run(bus.inbox.read(agent, 0));
      must(await run(other.inbox.put(agent, message('m1'))));
      await run(live.reached(1));
      expect(stopped.all).toEqual([]);
      expect(elsewhere.all).toEqual([]);
      stopNeighbour();
      stopLive();
    });

    it('drops the messages of one agent and of no other', async () => {
      const agent = freshAgent();
      const neighbour = `${agent}-1` as AgentId;
      for (const id of ['m1', 'm2', 'm3']) {
        must(await run(bus.inbox.put(agent, message(id))));
        must(await run(bus.inbox.put(neighbour, message(id))));
      }
      must(await run(bus.inbox.clear(agent)));
      expect(must(await run(bus.inbox.read(agent, 0)))).toEqual([]);
      expect(must(await run(bus.inbox.read(neighbour, 0)))).toHaveLength(3);
      must(await run(bus.inbox.clear(agent)));
    });

    it('lists the agents that have messages, each with its last sequence', async () => {
      const ended = freshAgent();
      const agent = freshAgent();
      must(await run(bus.inbox.put(ended, message('m1'))));
      must(await run(bus.inbox.put(agent, message('m1'))));
      const last = must(await run(bus.inbox.put(agent, message('m2'))));
      must(await run(bus.inbox.clear(ended)));
      const agents = must(await run(bus.inbox.agents()));
      expect(agents.get(agent)).toBe(last);
      expect(agents.has(ended)).toBe(false);
    });

    it('keeps text of every script as it was', async () => {
      const agent = freshAgent();
      const sent = message('m-1', '请改用另一个文件，谢谢。\u0000 "quoted" \\ 🜁');
      must(await run(bus.inbox.put(agent, sent)));
      expect(must(await run(bus.inbox.read(agent, 0)))[0]?.value).toEqual(sent);
    });

    it.each(['a.b', '*', '>', ''])('refuses %j as an agent id', async (id) => {
      const agent = id as AgentId;
      expect(kindOf(await run(bus.inbox.put(agent, message('m1'))))).toBe('invalid_request');
      expect(kindOf(await run(bus.inbox.read(agent, 0)))).toBe('invalid_request');
      expect(kindOf(await run(bus.inbox.clear(agent)))).toBe('invalid_request');
      bus.inbox.nudge(agent);
      bus.inbox.onArrival(agent, () => undefined)();
    });
  });
}
