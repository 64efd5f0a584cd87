import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { systemClock } from '../../src/observe/clock.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { orThrow, Stage, until } from './stage.js';
import { gate, type Work } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `over${tests}`);
});
afterEach(() => stage.end());

/** The first attempt of `word` never ends; the gate opens when it has begun. */
function hangOnce(word: string) {
  const begun = gate();
  const work: Work = async (scope, what) => {
    const attempts = stage.world.performed.filter((one) => one.word === what);
    if (what !== word || attempts.length > 1) return `did ${what} by attempt ${scope.attempt}`;
    begun.open();
    return new Promise(() => {});
  };
  stage.world.work = work;
  return begun.opened;
}

const kinds = (journal: readonly JournalRecord[]): string[] => journal.map(({ kind }) => kind);
const words = (): string[] => stage.world.performed.map(({ word, host, attempt }) => `${word} ${host} ${attempt}`);

describe('a killed host', () => {
  it('is replaced: recorded outcomes are reused, the open effect is done again under the same id', async () => {
    const begun = hangOnce('y');
    const killed = await stage.start();
    await stage.order('a1', 'work:x work:y work:z');
    await begun;
    await stage.start();
    await killed.kill();
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_1 1', 'y host_1 1', 'y host_2 2', 'z host_2 1']);
    const [, first, second] = stage.world.performed;
    expect(second?.effectId).toBe(first?.effectId);
    expect(stage.world.last('a1')?.context).toMatchObject({
      heard: ['did x by attempt 1', 'did y by attempt 2', 'did z by attempt 1'],
      recovered: 1,
    });
    expect(kinds(await stage.journal('a1'))).toEqual(['step', 'step', 'epoch', 'step', 'step', 'step']);
  });

  it('is noticed long before its lease runs out', async () => {
    const leaseMs = 60_000; // no test waits that long
    const begun = hangOnce('x');
    const killed = await stage.start({ leaseMs });
    const survivor = await stage.start({ leaseMs });
    await stage.order('a1', 'work:x');
    await begun;
    const other = stage.world.performed[0]?.host === 'host_1' ? killed : survivor;
    await other.kill();
    await until(() => stage.world.performed.length === 2, 'the second attempt');
    await stage.rests('a1', 'finished');
  });

  it('counts the attempts of all hosts', async () => {
    let left = 3;
    let begun = gate();
    stage.world.work = () => {
      left -= 1;
      if (left === 0) return Promise.resolve('at last');
      begun.open();
      return new Promise(() => {});
    };
    const first = await stage.start();
    await stage.order('a1', 'work:x');
    await begun.opened;
    begun = gate();
    const second = await stage.start();
    await first.kill();
    await begun.opened;
    await stage.start();
    await second.kill();
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_1 1', 'x host_2 2', 'x host_3 3']);
  });

  it('hands the parts that it settled on to the next', async () => {
    const begun = gate();
    const seen: unknown[] = [];
    stage.world.work = async (scope) => {
      seen.push(Object.fromEntries(scope.parts));
      if (scope.attempt > 1) return 'done';
      expect(await scope.begin('one')).toBe(true);
      expect(await scope.settle('one', 'first result')).toBe(true);
      expect(await scope.begin('two')).toBe(true);
      begun.open();
      return new Promise(() => {});
    };
    const killed = await stage.start();
    await stage.order('a1', 'work:x');
    await begun.opened;
    await stage.start();
    await killed.kill();
    await stage.rests('a1', 'finished');
    expect(seen).toEqual([
      {},
      { one: { state: 'settled', outcome: 'first result' }, two: { state: 'begun', outcome: null } },
    ]);
  });
});

describe('a host that was handed an agent in good order', () => {
  /** Drains the only host while it works on the first word; the second is then recorded and not begun. */
  async function drainBeforeSecond(): Promise<void> {
    const begun = gate();
    const done = gate<string>();
    stage.world.work = () => {
      begun.open();
      return done.opened;
    };
    const { host } = await stage.start();
    await stage.order('a1', 'work:x work:y');
    await begun.opened;
    const drained = host.drain();
    done.open('did it');
    await drained;
    expect(kinds(await stage.journal('a1')).at(-1)).toBe('released');
  }

  it('need not doubt: nothing is recovered, nothing is done twice', async () => {
    await drainBeforeSecond();
    await stage.start();
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_1 1', 'y host_2 1']);
    expect(stage.world.last('a1')?.context.recovered).toBe(0);
  });

  it('is itself doubted when it is killed, by whichever wake it came to the agent', async () => {
    await drainBeforeSecond();
    const begun = hangOnce('y');
    // The wake that was given back is not the one by which the next host comes: that one is new.
    let passed = false;
    const killed = await stage.start({}, (bus) => freshWakes(bus, () => (passed = true)));
    await stage.wake('a1');
    await begun;
    expect(passed).toBe(true);
    await stage.start();
    await killed.kill();
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_1 1', 'y host_2 1', 'y host_3 2']);
    expect(stage.world.last('a1')?.context.recovered).toBe(1);
  });

  it('a drain that does not wait for a long effect leaves the agent to the next host at once', async () => {
    const begun = hangOnce('x');
    const aborted = gate();
    const work = stage.world.work;
    stage.world.work = (scope, word) => {
      scope.signal.addEventListener('abort', () => aborted.open());
      return work(scope, word);
    };
    const { host } = await stage.start({ drainMs: 30 });
    await stage.start();
    await stage.order('a1', 'work:x');
    await begun;
    if (stage.world.performed[0]?.host !== 'host_1') return; // the other host has it: nothing to drain
    const drained = host.drain();
    await aborted.opened;
    await drained;
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_1 1', 'x host_2 2']);
  });

  it('drains at once when it has nothing to do', async () => {
    let sleeping = 0;
    const sleep: typeof systemClock.sleep = async (ms, signal) => {
      sleeping += 1;
      await systemClock.sleep(ms, signal);
      sleeping -= 1;
    };
    const { host } = await stage.start({ drainMs: 60_000, clock: { ...systemClock, sleep } });
    await host.drain();
    expect(sleeping).toBe(0); // a timer left behind would keep the process alive
  });
});

/** Hides deliveries that are not the first, as if another host had taken them. */
function freshWakes(bus: Bus, onFresh: () => void): Bus {
  return {
    ...bus,
    wakes: {
      ...bus.wakes,
      consume: (role, settings, deliver) =>
        bus.wakes.consume(role, settings, (wake) => {
          if (wake.deliveries > 1) return wake.ack();
          onFresh();
          deliver(wake);
        }),
    },
  };
}

describe('a host that was taken for dead and lives', () => {
  it('does not begin what its successor has done, though it is known to live again', async () => {
    let isDeaf = false;
    const [sending, sent] = [gate(), gate()];
    await stage.start({}, (bus) => ({
      ...bus,
      inbox: {
        ...bus.inbox,
        put: async (agentId, message) => {
          if (message.type !== 'human.corrected') return bus.inbox.put(agentId, message);
          sending.open();
          await sent.opened;
          return bus.inbox.put(agentId, message);
        },
      },
      buckets: {
        ...bus.buckets,
        host: {
          ...bus.buckets.host,
          put: async (key, value) =>
            isDeaf
              ? { ok: false, failure: { kind: 'storage_refused', message: 'no room' } }
              : bus.buckets.host.put(key, value),
        },
      },
    }));
    await stage.order('a1', 'tell:boss work:x');
    await sending.opened; // recorded, and about to begin
    isDeaf = true;
    await stage.start();
    await stage.reaches('a1', 'finished');
    isDeaf = false;
    const signs = async () => orThrow(await stage.bus.buckets.host.keys()).includes('host_1');
    await vi.waitFor(async () => expect(await signs()).toBe(true), { timeout: 5_000 });
    sent.open();
    await stage.rests('a1', 'finished');
    expect(words()).toEqual(['x host_2 2']);
  });
});
