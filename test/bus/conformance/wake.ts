import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, ConsumeOptions, Wake } from '../../../src/bus/contract.js';
import type { Failure } from '../../../src/domain/failure.js';
import type { AgentId, RoleName } from '../../../src/domain/id.js';
import type { QueueName, TenantName } from '../../../src/domain/lane.js';
import {
  type BusHarness,
  freshAgent,
  freshRole,
  Happenings,
  kindOf,
  leaseMs,
  type MakeHarness,
  must,
} from './harness.js';

export function describeWakes(makeHarness: MakeHarness): void {
  describe('wake queue', () => {
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
    const putAll = async (role: RoleName, priority: 'high' | 'normal' | 'low', agents: readonly AgentId[]) => {
      for (const agent of agents) must(await run(bus.wakes.put({ role, priority }, agent)));
    };

    /** A consumer that is ended by the returned function, which fails when the bus reported a failure. */
    const consume = (
      on: Bus,
      role: RoleName,
      capacity: () => number,
      deliver: (wake: Wake) => void,
      more: Partial<ConsumeOptions> = {},
    ) => {
      const stop = new AbortController();
      const failures: Failure[] = [];
      const onFailure = (failure: Failure) => failures.push(failure);
      const ended = on.wakes.consume(role, { capacity, signal: stop.signal, onFailure, ...more }, deliver);
      return async () => {
        stop.abort();
        await run(ended);
        expect(failures).toEqual([]);
      };
    };

    it('delivers what was put before and after consuming began', async () => {
      const role = freshRole();
      const [early, late] = [freshAgent(), freshAgent()];
      await putAll(role, 'normal', [early]);
      const wakes = new Happenings<Wake>();
      const stop = consume(
        bus,
        role,
        () => 10,
        (wake) => {
          wake.ack();
          wakes.add(wake);
        },
      );
      await run(wakes.reached(1));
      await putAll(role, 'normal', [late]);
      const [first, second] = await run(wakes.reached(2));
      expect(first).toMatchObject({ agentId: early, role, priority: 'normal', deliveries: 1 });
      expect(second).toMatchObject({ agentId: late, deliveries: 1 });
      await stop();
    });

    it('delivers to one worker each, and again when the worker gave it back', async () => {
      const role = freshRole();
      const agents = Array.from({ length: 30 }, freshAgent);
      const wakes = new Happenings<Wake>();
      const deliver = (wake: Wake) => {
        if (wake.deliveries === 1) wake.giveBack(0);
        else wake.ack();
        wakes.add(wake);
      };
      const stops = [consume(bus, role, () => 50, deliver), consume(other, role, () => 50, deliver)];
      await putAll(role, 'normal', agents);
      const all = await run(wakes.reached(60));
      const seen = all.map(({ agentId, deliveries }) => `${agentId} ${deliveries}`).toSorted();
      expect(seen).toEqual(agents.flatMap((agent) => [`${agent} 1`, `${agent} 2`]).toSorted());
      for (const stop of stops) await stop();
    });

    it('does not deliver again what was acknowledged, neither to the same worker nor to a later one', async () => {
      const role = freshRole();
      const agent = freshAgent();
      await putAll(role, 'high', [agent]);
      const first = new Happenings<Wake>();
      const stopFirst = consume(
        bus,
        role,
        () => 5,
        (wake) => {
          wake.ack();
          first.add(wake);
        },
      );
      await run(first.reached(1));
      await stopFirst();
      const marker = freshAgent();
      const second = new Happenings<Wake>();
      const stopSecond = consume(
        other,
        role,
        () => 5,
        (wake) => {
          wake.ack();
          second.add(wake);
        },
      );
      await putAll(role, 'high', [marker]);
      const [only] = await run(second.reached(1));
      expect(only?.agentId).toBe(marker);
      await stopSecond();
    });

    it('waits before delivering again when asked to', async () => {
      const role = freshRole();
      const times: number[] = [];
      const wakes = new Happenings<Wake>();
      const stop = consume(
        bus,
        role,
        () => 5,
        (wake) => {
          times.push(harness.now());
          if (wake.deliveries === 1) wake.giveBack(300);
          else wake.ack();
          wakes.add(wake);
        },
      );
      await putAll(role, 'normal', [freshAgent()]);
      await run(wakes.reached(2));
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(290);
      await stop();
    });

    it('never has more unfinished wakes than the capacity, and goes on as they finish', async () => {
      const role = freshRole();
      const agents = Array.from({ length: 40 }, freshAgent);
      for (const priority of ['low', 'normal', 'high'] as const) await putAll(role, priority, agents);
      const wakes = new Happenings<Wake>();
      let unfinished = 0;
      let most = 0;
      const stop = consume(
        bus,
        role,
        () => 3,
        (wake) => {
          unfinished += 1;
          most = Math.max(most, unfinished);
          setImmediate(() => {
            unfinished -= 1;
            wake.ack();
            wakes.add(wake);
          });
        },
      );
      await run(wakes.reached(120));
      expect(most).toBeLessThanOrEqual(3);
      await stop();
    });

    it('prefers high to normal to low when all wait', async () => {
      const role = freshRole();
      const agents = Array.from({ length: 10 }, freshAgent);
      for (const priority of ['low', 'normal', 'high'] as const) await putAll(role, priority, agents);
      const wakes = new Happenings<Wake>();
      const stop = consume(
        bus,
        role,
        () => 4,
        (wake) => {
          setImmediate(() => {
            wake.ack();
            wakes.add(wake);
          });
        },
      );
      const all = await run(wakes.reached(30));
      const rank = { high: 0, normal: 1, low: 2 };
      const meanAt = (priority: Wake['priority']) => {
        const places = all.flatMap((wake, place) => (wake.priority === priority ? [place] : []));
        return places.reduce((sum, place) => sum + place, 0) / places.length;
      };
      expect(Object.keys(rank).map((priority) => Math.round(meanAt(priority as Wake['priority'])))).toEqual(
        Object.keys(rank)
          .map((priority) => Math.round(meanAt(priority as Wake['priority'])))
          .toSorted((a, b) => a - b),
      );
      expect(all.slice(-6).every(({ priority }) => priority === 'low')).toBe(true);
      await stop();
    });

    it('takes nothing without capacity, and begins when there is some', async () => {
      const role = freshRole();
      const wakes = new Happenings<Wake>();
      let capacity = 0;
      const stop = consume(
        bus,
        role,
        () => capacity,
        (wake) => {
          wake.ack();
          wakes.add(wake);
        },
      );
      const elsewhere = new Happenings<Wake>();
      await putAll(role, 'normal', [freshAgent()]);
      const stopOther = consume(
        other,
        role,
        () => 1,
        (wake) => {
          wake.ack();
          elsewhere.add(wake);
        },
      );
      await run(elsewhere.reached(1));
      await stopOther();
      expect(wakes.all).toEqual([]);
      await putAll(role, 'normal', [freshAgent()]);
      capacity = 1;
      await run(wakes.reached(1));
      await stop();
    });

    it('keeps roles apart', async () => {
      const [planner, executor] = [freshRole(), freshRole()];
      const wakes = new Happenings<Wake>();
      const stop = consume(
        bus,
        planner,
        () => 5,
        (wake) => {
          wake.ack();
          wakes.add(wake);
        },
      );
      const [mine, theirs] = [freshAgent(), freshAgent()];
      await putAll(executor, 'normal', [theirs]);
      await putAll(planner, 'normal', [mine]);
      const [only] = await run(wakes.reached(1));
      expect(only?.agentId).toBe(mine);
      await stop();
    });

    it('keeps queues apart: each goes to a worker that serves it, and the default one to all of the role', async () => {
      const role = freshRole();
      const [gpu, mail] = ['gpu', 'mail'] as QueueName[];
      const [waiting, common, late, others] = [freshAgent(), freshAgent(), freshAgent(), freshAgent()];
      must(await run(bus.wakes.put({ role, priority: 'low', queue: gpu }, waiting)));
      must(await run(bus.wakes.put({ role, priority: 'normal', queue: mail }, others)));
      const wakes = new Happenings<Wake>();
      const take = (wake: Wake) => {
        wake.ack();
        wakes.add(wake);
      };
      const stop = consume(bus, role, () => 5, take, { queues: [gpu as QueueName] });
      await run(wakes.reached(1));
      must(await run(other.wakes.put({ role, priority: 'normal' }, common)));
      await run(wakes.reached(2));
      must(await run(other.wakes.put({ role, priority: 'high', queue: gpu }, late)));
      await run(wakes.reached(3));
      expect(wakes.all.map(({ agentId }) => agentId)).toEqual([waiting, common, late]);
      expect(wakes.all.map(({ priority, queue }) => [priority, queue])).toEqual([
        ['low', 'gpu'],
        ['normal', undefined],
        ['high', 'gpu'],
      ]);
      await stop();
      const stopOther = consume(other, role, () => 5, take, { queues: [mail as QueueName] });
      await run(wakes.reached(4));
      expect(wakes.all[3]).toMatchObject({ agentId: others, queue: 'mail' });
      await stopOther();
    });

    it('finds tenants as they come, and says whose a wake is', async () => {
      const role = freshRole();
      const wakes = new Happenings<Wake>();
      const take = (wake: Wake) => {
        wake.ack();
        wakes.add(wake);
      };
      const before = freshAgent();
      must(await run(bus.wakes.put({ role, priority: 'normal', tenant: 'acme' as TenantName }, before)));
      const stop = consume(bus, role, () => 5, take);
      await run(wakes.reached(1));
      for (const tenant of ['acme', 'kunde_2', 'default'] as TenantName[])
        must(await run(other.wakes.put({ role, priority: 'normal', tenant }, freshAgent())));
      const all = await run(wakes.reached(4));
      expect(all.map(({ tenant }) => tenant ?? 'none').sort()).toEqual(['acme', 'acme', 'kunde_2', 'none']);
      await stop();
    });

    it('finishes a wake once: later calls change nothing', async () => {
      const role = freshRole();
      const wakes = new Happenings<Wake>();
      const stop = consume(
        bus,
        role,
        () => 1,
        (wake) => {
          wake.extend();
          wake.ack();
          wake.ack();
          wake.giveBack(0);
          wake.extend();
          wakes.add(wake);
        },
      );
      await putAll(role, 'normal', [freshAgent(), freshAgent()]);
      const all = await run(wakes.reached(2));
      expect(all.map(({ deliveries }) => deliveries)).toEqual([1, 1]);
      await stop();
    });

    it('ends at once when the signal has aborted already', async () => {
      const stop = new AbortController();
      stop.abort();
      await run(
        bus.wakes.consume(
          freshRole(),
          { capacity: () => 1, signal: stop.signal, onFailure: () => undefined },
          () => undefined,
        ),
      );
    });

    it('refuses what could not stand in a subject', async () => {
      expect(kindOf(await run(bus.wakes.put({ role: 'a.b' as RoleName, priority: 'normal' }, freshAgent())))).toBe(
        'invalid_request',
      );
      expect(kindOf(await run(bus.wakes.put({ role: freshRole(), priority: 'normal' }, '>' as AgentId)))).toBe(
        'invalid_request',
      );
    });
  });
}
