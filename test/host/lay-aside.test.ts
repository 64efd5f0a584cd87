/** Agents that no host can carry on come to one end: a dead letter, and whoever waits is told. */
import { connect, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { namesOf } from '../../src/bus/subject.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage, until } from './stage.js';
import { gate, orderFor, toyRole } from './toy.js';

let buses: TestBuses;
let stranger: NatsConnection;
let stage: Stage;
let prefix = '';
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
  stranger = await connect({ servers: buses.nats.url, token: buses.nats.token });
});
afterAll(async () => {
  await stranger.close();
  await buses.end();
});
beforeEach(async () => {
  tests += 1;
  prefix = `aside${tests}`;
  stage = await Stage.open(buses, prefix);
});
afterEach(() => stage.end());

const letters = async () => orThrow(await stage.bus.dead.list()).map(({ value }) => value);

/** What was told on behalf of agents that were laid aside. */
const told = async (): Promise<string[]> =>
  (await stage.inbox('boss')).map(({ value }) => (value.type === 'human.corrected' ? value.text : ''));

const isLaidAside = async (agentId: string): Promise<boolean> =>
  (await told()).length > 0 && !orThrow(await stage.bus.inbox.agents()).has(agentId as AgentId);

const laidAside = (agentId: string): Promise<void> =>
  vi.waitFor(async () => expect(await isLaidAside(agentId), `${agentId} is laid aside`).toBe(true), {
    timeout: 30_000,
  });

describe('an agent whose journal cannot be read', () => {
  beforeEach(async () => {
    stranger.publish(namesOf(prefix, 1).log('a1'), '{"v":1,"kind":"epoch","epoch":"two"}');
    await stranger.flush();
  });

  it('ends with one dead letter, and whoever waits for it is told why', async () => {
    await stage.start({ poisonAttempts: 2 });
    await stage.order('a1', 'work:x');
    await laidAside('a1');
    expect(await letters()).toMatchObject([
      { agentId: 'a1', reason: { kind: 'damaged', message: expect.stringContaining('record 1 of') } },
    ]);
    expect(await told()).toEqual([expect.stringContaining('a1 damaged: record 1')]);
    expect(stage.world.performed).toEqual([]);
  });

  it('gets no second letter from the reconciler, nor from messages that come later', async () => {
    await stage.start({ poisonAttempts: 2 });
    await stage.order('a1', 'work:x');
    await laidAside('a1');
    await stage.reconcile();
    await stage.send('a1', answer('too late'));
    await laidAside('a1');
    await stage.reconcile();
    expect(await letters()).toHaveLength(1);
    expect(await told()).toHaveLength(1);
  });

  it('takes its children along', async () => {
    const child = { ...orderFor('a1-1', 'wait'), parent: { agentId: 'a1', role: toyRole, callId: 'r1c1' } };
    const order = child as ReturnType<typeof orderFor>;
    await stage.send('a1-1', { v: 1, type: 'task.ordered', id: 'a1-1.order', at: 1, order });
    await stage.send('a1-2', {
      v: 1,
      type: 'task.ordered',
      id: 'a1-2.order',
      at: 1,
      order: orderFor('a1-2', 'wait'),
    });
    await stage.start({ poisonAttempts: 1 });
    await stage.rests('a1-1', 'parked');
    await stage.rests('a1-2', 'parked');
    await stage.order('a1', 'work:x');
    await laidAside('a1');
    const types = async (id: string) => (await stage.inbox(id)).map(({ value }) => value.type);
    expect(await types('a1-1')).toEqual(['task.ordered', 'parent.ended']);
    expect(await types('a1-2'), 'it has another parent').toEqual(['task.ordered']);
  });
});

describe('an agent whose records the store has lost', () => {
  const words = () => stage.world.performed.map(({ word }) => word);

  it('is laid aside when one of them is missed, and does nothing again that it says was done', async () => {
    await stage.start();
    await stage.order('a1', 'work:x work:y wait work:z');
    await stage.rests('a1', 'parked');
    await stage.loseRecords('a1', 1);
    await stage.send('a1', answer('go on'));
    await laidAside('a1');
    expect(words()).toEqual(['x', 'y']);
    expect(await letters()).toMatchObject([{ agentId: 'a1', reason: { kind: 'damaged' } }]);
    expect(await told()).toEqual([expect.stringContaining('a1 damaged: record')]);
  });

  it('is laid aside when its journal ends before its snapshot', async () => {
    await stage.start();
    await stage.order('a1', 'work:x wait work:z');
    await stage.rests('a1', 'parked');
    await stage.loseRecords('a1', -1);
    await stage.send('a1', answer('go on'));
    await laidAside('a1');
    expect(words()).toEqual(['x']);
    expect(await told()).toEqual([
      expect.stringMatching(/a1 damaged: the journal of a1 ends at record \d+, and its snap/),
    ]);
  });

  it('is laid aside by a host that has it, when the server does not know the last records any more', async () => {
    const [begun, may] = [gate(), gate()];
    stage.world.work = async (_, word) => {
      if (word !== 'y') return `did ${word}`;
      begun.open();
      await may.opened;
      return 'did y';
    };
    await stage.start();
    await stage.order('a1', 'work:x work:y work:z');
    await begun.opened;
    await stage.loseRecords('a1', -1, -2);
    may.open();
    await laidAside('a1');
    expect(words()).toEqual(['x', 'y']);
    expect(await told()).toEqual([
      expect.stringMatching(/a1 damaged: the journal of a1 ends before record \d+, which was/),
    ]);
  });
});

describe('an order over which hosts die before the first step', () => {
  it('is given up after the limit', async () => {
    let taken = gate();
    const startFatal = () =>
      stage.start({}, (bus) => ({
        ...bus,
        journal: {
          ...bus.journal,
          append: (agentId, record, after) => {
            if (record.kind !== 'step') return bus.journal.append(agentId, record, after);
            taken.open();
            return new Promise(() => {}); // nothing of this host is heard any more
          },
        },
      }));
    let host = await startFatal();
    await stage.order('a1', 'work:x');
    // The first death is seen by the lease alone, later ones stand in the journal.
    for (let killed = 0; killed < 4; killed += 1) {
      await taken.opened;
      taken = gate();
      const next = await startFatal();
      await host.kill();
      host = next;
    }
    await laidAside('a1');
    expect(await letters()).toMatchObject([{ agentId: 'a1', reason: { kind: 'poisoned' } }]);
    expect(await told()).toEqual([expect.stringContaining('a1 poisoned: 3 hosts in a row')]);
  });
});

describe('a bug that throws at every try', () => {
  it('ends the agent instead of coming back for ever', async () => {
    await stage.start({ poisonAttempts: 2, roles: [stage.world.role('h', { inputFor: bug })] });
    await stage.order('a1', 'wait');
    await laidAside('a1');
    expect(await letters()).toMatchObject([{ agentId: 'a1', reason: { kind: 'internal', message: 'Error: a bug' } }]);
    expect(stage.world.bugs).toHaveLength(2);
  });

  it('does not let it live again when a message comes later, though its journal can be read', async () => {
    await stage.start({ poisonAttempts: 2, roles: [stage.world.role('h', { alarm: bug })] });
    await stage.order('a1', 'wait');
    await laidAside('a1');
    const before = await stage.journal('a1');
    await stage.start(); // without the bug
    await stage.send('a1', answer('too late'));
    await laidAside('a1');
    expect(await stage.journal('a1')).toEqual(before);
    expect(await letters()).toHaveLength(1);
  });
});

const bug = (): never => {
  throw new Error('a bug');
};

describe('an outcome that is too large for a record', () => {
  it('is heard of by the machine, and its effect is not made again', async () => {
    stage.world.work = () => Promise.resolve('x'.repeat(1_200_000));
    await stage.start();
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'failed');
    expect(stage.world.performed).toHaveLength(1);
    const heard = stage.world.last('a1')?.events.find(({ type }) => type === 'xstate.error.actor.work');
    expect(heard).toMatchObject({ failure: { kind: 'too_large' }, ref: 'e2' });
    expect(stage.world.last('a1')?.context.recovered, 'nobody died').toBe(0);
    expect(await letters()).toEqual([]);
  });

  it('does not take away what people said meanwhile', async () => {
    const begun = gate();
    const outcome = gate<string>();
    stage.world.work = () => {
      begun.open();
      return outcome.opened;
    };
    await stage.start();
    await stage.order('a1', 'work:x');
    await begun.opened;
    await stage.send('a1', { v: 1, type: 'human.corrected', id: 'm', at: 1, text: 'mind the gap', by: 'test' });
    outcome.open('x'.repeat(1_200_000));
    await stage.rests('a1', 'failed');
    expect(stage.world.last('a1')?.context.heard).toContain('mind the gap');
    expect(stage.world.performed).toHaveLength(1);
    await until(() => stage.world.bugs.length === 0, 'no bug');
  });
});
