/** Accepted tasks whose order the server has lost: none of them waits for ever, and none is done again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId, TaskId } from '../../src/domain/id.js';
import type { Outgoing } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { TenantName } from '../../src/domain/lane.js';
import * as fixtures from '../machines/fixtures.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage } from './stage.js';
import { orderFor } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `lost${tests}`);
});
afterEach(() => stage.end());

const longAgo = Date.now() - 3_600_000;
const accepted = async (taskId: string, more: Record<string, Json> = {}): Promise<void> => {
  const record = { v: 1, taskId, goal: '统计销量', state: 'accepted', submittedAt: longAgo, ...more };
  orThrow(await stage.bus.buckets.task.create(taskId, record));
};
const told = async (): Promise<string[]> =>
  (await stage.inbox('boss')).map(({ value }) => (value.type === 'human.corrected' ? value.text : ''));
const words = () => stage.world.performed.map(({ word }) => word);
const loseInbox = async (agentId: string): Promise<void> => orThrow(await stage.bus.inbox.clear(agentId as AgentId));

describe('an accepted task whose order is gone', () => {
  it('ends, and says so, when nothing was done for it', async () => {
    await accepted('t1');
    await stage.findLostTasks();
    expect(await told()).toEqual([expect.stringContaining('t1 damaged: the order of task t1 is not in the store')]);
  });

  it('does not begin when its order comes after all', async () => {
    await accepted('t1');
    await stage.findLostTasks();
    await stage.start();
    await stage.order('t1', 'work:x');
    await stage.order('t2', 'work:y');
    await stage.rests('t2', 'finished');
    expect(words()).toEqual(['y']);
  });

  it('goes on from its journal when it has one', async () => {
    const host = await stage.start();
    await accepted('t1');
    await stage.order('t1', 'work:x wait work:y');
    await stage.rests('t1', 'parked');
    await host.kill();
    await loseInbox('t1');
    await stage.put('t1', answer('go on')); // and no wake
    await stage.start();
    await stage.findLostTasks();
    await stage.reconcile();
    await stage.rests('t1', 'finished');
    expect(words()).toEqual(['x', 'y']);
    expect(await told()).toEqual([]);
  });

  it('ends when its journal has a hole', async () => {
    await accepted('t1');
    await stage.start();
    await stage.order('t1', 'work:x wait');
    await stage.rests('t1', 'parked');
    await loseInbox('t1');
    await stage.loseRecords('t1', 0);
    await stage.findLostTasks();
    expect(await told()).toEqual([expect.stringContaining('t1 damaged: record')]);
  });
});

describe('an agent that waits', () => {
  it.each([0, 1, 2])('hears what comes into an inbox that began anew, after %i messages to others', async (others) => {
    await stage.start();
    await stage.order('t0', 'wait');
    await stage.order('t1', 'wait work:x');
    await stage.rests('t0', 'parked');
    await stage.rests('t1', 'parked');
    await stage.loseInboxes();
    for (let n = 0; n < others; n += 1) await stage.put('t9', answer('to another'));
    await stage.send('t1', answer('go on'));
    await stage.rests('t1', 'finished');
    expect(words()).toEqual(['x']);
  });

  it('is woken when its deadline has long passed and no timer told it so', async () => {
    const host = await stage.start();
    await stage.order('t1', 'wait', Date.now() + 3_600_000);
    await stage.rests('t1', 'parked');
    await host.kill();
    const waiting = async () => orThrow(await stage.bus.wakes.waiting('default' as TenantName));
    await stage.reconcile(stage.bus, 3_600_000);
    expect(await waiting()).toBe(0);
    await stage.reconcile(stage.bus, 3_700_000);
    expect(await waiting()).toBe(1);
  });
});

describe('a task whose record is gone', () => {
  const endMark = {
    ...{ v: 1, role: 'toy', priority: 'normal', machineVersion: 1, seq: 1, inbox: 1, epoch: 1 },
    ...{ effects: 0, deliveries: 1, value: 'done', context: {}, parked: true, ended: true },
  };
  const begin = async (...outgoing: Outgoing[]): Promise<void> => {
    const order = { ...orderFor('t1', 'work:x'), tenant: 'acme' } as unknown as JsonObject;
    const created = { type: 'agent.created', id: 't1.order', at: 1, input: null, order };
    const rest = { intents: [], stopped: [], sent: [], inbox: 1, state: 'told' };
    orThrow(
      await stage.bus.journal.append(
        't1' as AgentId,
        { v: 1, kind: 'step', epoch: 0, at: 1, events: [created], outgoing, ...rest },
        0,
      ),
    );
    orThrow(await stage.bus.buckets.agent.put('t1', { any: 'snapshot' }));
  };
  const found = async () => orThrow(await stage.bus.buckets.task.get('t1'))?.value;

  it('gets it back from its journal, with its result when it has ended', async () => {
    const report = { ...fixtures.reportOf('t1' as AgentId, 'done'), taskId: 't1' as TaskId };
    const delivery = { to: 'task', taskId: report.taskId, report, endedAt: 7 } as const;
    await begin({ id: 't1.d1', delivery });
    await stage.findLostTasks();
    expect(await found()).toMatchObject({
      taskId: 't1',
      state: 'ended',
      tenant: 'acme',
      goal: 'work:x',
      endedAt: 7,
      report,
    });
  });

  it('gets its end from there, too, when its record is of a time before', async () => {
    const report = { ...fixtures.reportOf('t1' as AgentId, 'done'), taskId: 't1' as TaskId };
    await begin({ id: 't1.d1', delivery: { to: 'task', taskId: report.taskId, report, endedAt: 7 } });
    orThrow(await stage.bus.buckets.agent.put('t1', { ...endMark, agentId: 't1' }));
    await accepted('t1', { tenant: 'acme', counted: true });
    orThrow(await stage.bus.buckets.task.put('open.acme.t1', {}));
    await stage.findLostTasks();
    expect(await found()).toMatchObject({ state: 'ended', goal: '统计销量', endedAt: 7, report });
    expect(orThrow(await stage.bus.buckets.task.get('open.acme.t1'))).toBeUndefined();
  });

  it('is known again while it goes on', async () => {
    await begin();
    await stage.findLostTasks();
    expect(await found()).toMatchObject({ taskId: 't1', state: 'accepted', goal: 'work:x' });
  });
});

describe('a task that is left alone', () => {
  it.each([
    ['has ended', { state: 'ended' }],
    ['is being submitted', { submittedAt: Date.now() + 60_000 }],
  ])('is one that %s', async (_, fields) => {
    await accepted('t1', fields);
    await stage.findLostTasks();
    expect(await told()).toEqual([]);
  });

  it('is one whose order waits for a worker', async () => {
    await accepted('t1');
    await stage.order('t1', 'work:x');
    await stage.findLostTasks();
    expect(await told()).toEqual([]);
    await stage.start();
    await stage.rests('t1', 'finished');
  });
});

describe('the next pass', () => {
  it('begins with the first task that was still open', async () => {
    for (const [id, state] of [
      ['t1', 'ended'],
      ['t2', 'accepted'],
      ['t3', 'ended'],
    ] as const)
      await accepted(id, { state, submittedAt: Date.now() });
    expect(await stage.findLostTasks()).toBe('t2');
    orThrow(await stage.bus.buckets.task.put('t2', { v: 1, taskId: 't2', goal: '', state: 'ended', submittedAt: 1 }));
    expect(await stage.findLostTasks('t2')).toBe('t3');
  });
});
