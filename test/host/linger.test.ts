import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage, until } from './stage.js';
import { gate } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `linger${tests}`);
});
afterEach(() => stage.end());

/** Counts how often an agent is brought back. */
function counting(agent: string, counts: { loads: number }): (bus: Bus) => Bus {
  return (bus) => ({
    ...bus,
    buckets: {
      ...bus.buckets,
      agent: {
        ...bus.buckets.agent,
        get: (key) => {
          if (key === agent) counts.loads += 1;
          return bus.buckets.agent.get(key);
        },
      },
    },
  });
}

describe('an agent that has given an order', () => {
  it('is still there for the report of one that is soon done', async () => {
    const counts = { loads: 0 };
    await stage.start({}, counting('a1', counts));
    await stage.order('a1', 'order:a2 wait');
    await stage.reaches('a1', 'parked');
    await stage.reaches('a2', 'finished');
    await stage.send('a1', answer('done'));
    await stage.rests('a1', 'finished');
    expect(counts.loads).toBe(1);
    expect((await stage.journal('a1')).map(({ kind }) => kind)).toEqual(['step', 'step']);
  });

  it('takes no place from the one that does the work', async () => {
    const { host } = await stage.start({ concurrency: 1, firstConcurrency: 1 });
    let present: readonly AgentId[] = [];
    stage.world.work = async () => {
      present = host.hosted();
      return 'did it';
    };
    await stage.order('a1', 'order:a2 wait');
    await stage.reaches('a2', 'finished');
    expect([...present].sort()).toEqual(['a1', 'a2']);
  });

  it('parks when no report comes, and holds nothing', async () => {
    const held = gate();
    const { host } = await stage.start();
    stage.world.work = async () => {
      await held.opened;
      return 'did it';
    };
    await stage.order('a1', 'order:a2 wait');
    await stage.reaches('a1', 'parked');
    await until(() => host.hosted().join() === 'a2', 'a1 to leave');
    expect(orThrow(await stage.bus.buckets.lease.keys())).toEqual(['a2']);
    expect(orThrow(await stage.bus.buckets.agent.get('a1'))?.value).toMatchObject({ parked: true, ended: false });
    held.open();
    await stage.rests('a2', 'finished');
  });

  it('parks at once where the agents at work of its tenant are limited', async () => {
    const counts = { loads: 0 };
    await stage.start({ terms: () => ({ weight: 1, running: 1_000 }) }, counting('a1', counts));
    await stage.order('a1', 'order:a2 wait');
    await stage.rests('a1', 'parked');
    await stage.rests('a2', 'finished');
    await stage.send('a1', answer('done'));
    await stage.rests('a1', 'finished');
    expect(counts.loads).toBe(2);
  });
});

describe('a wake that comes after the end', () => {
  it('clears what came with it, and does not bring the agent back', async () => {
    const counts = { loads: 0 };
    await stage.start({}, counting('a1', counts));
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    await stage.send('a1', answer('too late'));
    await expect.poll(() => stage.inbox('a1')).toEqual([]);
    expect(counts.loads).toBe(1);
  });
});
