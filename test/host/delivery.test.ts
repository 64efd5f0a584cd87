import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, correction, orThrow, Stage, until } from './stage.js';
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
  stage = await Stage.open(buses, `send${tests}`);
});
afterEach(() => stage.end());

/** Counts messages put by a host, by the agent they go to. */
function counting(puts: string[], wakes: string[]) {
  return (bus: Bus): Bus => ({
    ...bus,
    inbox: {
      ...bus.inbox,
      put: (agentId, message) => {
        puts.push(agentId);
        return bus.inbox.put(agentId, message);
      },
    },
    wakes: {
      ...bus.wakes,
      put: (lane, agentId) => {
        wakes.push(agentId);
        return bus.wakes.put(lane, agentId);
      },
    },
  });
}

describe('a delivery', () => {
  it('leaves only after its record', async () => {
    const recorded: number[] = [];
    await stage.start({}, (bus) => ({
      ...bus,
      inbox: {
        ...bus.inbox,
        put: async (agentId, message) => {
          recorded.push((await stage.steps('a1')).flatMap(({ outgoing }) => outgoing).length);
          return bus.inbox.put(agentId, message);
        },
      },
    }));
    await stage.order('a1', 'tell:b1');
    await stage.rests('a1', 'finished');
    expect(recorded).toEqual([1]);
    expect((await stage.inbox('b1')).map(({ value }) => value.id)).toEqual(['told.b1.1']);
  });

  it('that was recorded and not sent is sent by the next host', async () => {
    const reached = gate();
    const killed = await stage.start({}, (bus) => ({
      ...bus,
      inbox: {
        ...bus.inbox,
        put: () => {
          reached.open();
          return new Promise(() => {});
        },
      },
    }));
    await stage.order('a1', 'tell:b1 work:x');
    await reached.opened;
    expect(stage.world.performed).toEqual([]);
    const puts: string[] = [];
    await stage.start({}, counting(puts, []));
    await killed.kill();
    await stage.rests('a1', 'finished');
    expect(puts).toEqual(['b1']);
    expect((await stage.inbox('b1')).map(({ value }) => value.id)).toEqual(['told.b1.2']);
  });

  it('of an agent that has ended is sent by the next host, and the end stays the end', async () => {
    const reached = gate();
    const killed = await stage.start({}, (bus) => ({
      ...bus,
      inbox: {
        ...bus.inbox,
        put: () => {
          reached.open();
          return new Promise(() => {});
        },
      },
    }));
    await stage.order('a1', 'tell:b1');
    await reached.opened;
    await stage.put('a1', { v: 1, type: 'task.cancelled', id: 'late', at: 1, by: 'test' });
    const puts: string[] = [];
    await stage.start({}, counting(puts, []));
    await killed.kill();
    await until(() => puts.length > 0, 'the delivery to be sent');
    await until(() => stage.world.last('a1')?.state === 'finished', 'the end to stand');
    await stage.rests('a1', 'finished');
    expect(await stage.inbox('a1')).toEqual([]);
    expect((await stage.steps('a1')).map(({ state }) => state)).toEqual(['finished']);
  });

  it('is not sent again when the agent is woken later, wherever', async () => {
    const puts: string[] = [];
    const first = await stage.start({}, counting(puts, []));
    await stage.order('a1', 'tell:b1 wait tell:c1 wait');
    await stage.rests('a1', 'parked');
    await first.host.drain();
    await stage.start({}, counting(puts, []));
    await stage.send('a1', answer('on'));
    await until(() => stage.world.last('a1')?.context.heard.length === 1, 'the answer');
    await stage.rests('a1', 'parked');
    await stage.send('a1', answer('on and on'));
    await stage.rests('a1', 'finished');
    expect(puts).toEqual(['b1', 'c1']);
    expect((await stage.steps('a1')).flatMap(({ sent }) => sent)).toEqual(['a1.d1', 'a1.d2']);
  });
});

describe('a stray message', () => {
  it('to an agent that has ended neither revives it nor makes anything go round', async () => {
    const puts: string[] = [];
    const wakes: string[] = [];
    await stage.start({}, counting(puts, wakes));
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    const before = await stage.journal('a1');
    for (const type of ['human.resumed', 'task.cancelled'] as const)
      await stage.send('a1', { v: 1, type, id: type, at: 1, by: 'late' });
    await emptied('a1');
    expect(await stage.journal('a1')).toEqual(before);
    expect({ puts, wakes }).toEqual({ puts: [], wakes: [] });
    expect(stage.world.performed).toHaveLength(1);
  });

  it('that nobody was woken for is swept up by the reconciler', async () => {
    await stage.start();
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    await stage.put('a1', correction('too late'));
    await stage.reconcile();
    expect(await stage.inbox('a1')).toEqual([]);
  });

  it('to an agent that never was makes nothing go round', async () => {
    const wakes: string[] = [];
    const { host } = await stage.start({}, counting([], wakes));
    await stage.send('nobody', correction('hello?'));
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    await until(() => host.hosted().length === 0, 'the host to be empty');
    await stage.reconcile();
    expect(wakes).toEqual([]);
    expect(await stage.journal('nobody')).toEqual([]);
    expect(await stage.inbox('nobody')).toEqual([]);
    const letters = orThrow(await stage.bus.dead.list()).map(({ value }) => value);
    expect(letters).toMatchObject([{ agentId: 'nobody', reason: { kind: 'not_found' } }]);
  });
});

/** Resolves when the inbox of an agent is empty. */
async function emptied(agentId: string): Promise<void> {
  for (let looks = 0; looks < 1_000; looks += 1)
    if (orThrow(await stage.bus.inbox.read(agentId as AgentId, 0)).length === 0) return;
  throw new Error(`the inbox of ${agentId} was not emptied`);
}
