import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { putSign } from '../../src/bus/presence.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage, until } from './stage.js';
import { gate, toyRole } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `poison${tests}`);
});
afterEach(() => stage.end());

const letters = async () => orThrow(await stage.bus.dead.list()).map(({ value }) => value);

describe('an agent over which hosts die', () => {
  it('is ended as poisoned after the limit, with a dead letter', async () => {
    let begun = gate();
    stage.world.work = () => {
      begun.open();
      return new Promise(() => {});
    };
    let host = await stage.start();
    await stage.order('a1', 'work:x');
    for (let killed = 0; killed < 3; killed += 1) {
      await begun.opened;
      begun = gate();
      const next = await stage.start();
      await host.kill();
      host = next;
    }
    await stage.rests('a1', 'poisoned');
    expect(stage.world.performed).toHaveLength(3);
    expect(await letters()).toMatchObject([{ agentId: 'a1', reason: { kind: 'poisoned' } }]);
    expect(await stage.inbox('a1')).toEqual([]);
  });

  it('is not counted as such when it made a step in between', async () => {
    let begun = gate();
    stage.world.work = (scope) => {
      if (scope.attempt > 1) return Promise.resolve('done');
      begun.open();
      return new Promise(() => {});
    };
    let host = await stage.start();
    await stage.order('a1', 'work:p work:q work:r work:s');
    for (let killed = 0; killed < 4; killed += 1) {
      await begun.opened;
      begun = gate();
      const next = await stage.start();
      await host.kill();
      host = next;
    }
    await stage.rests('a1', 'finished');
    expect(await letters()).toEqual([]);
  });
});

describe('an innocent agent', () => {
  it('is not poisoned by wakes that come again while it rests', async () => {
    let attempts = 0;
    const { host } = await stage.start({}, (bus) => ({
      ...bus,
      wakes: {
        ...bus.wakes,
        // As after lost acknowledgements: each wake is known to have been delivered before.
        consume: (role, settings, deliver) =>
          bus.wakes.consume(role, settings, (wake) => deliver({ ...wake, deliveries: 2 })),
      },
      journal: {
        ...bus.journal,
        append: (agentId, record, after) => {
          if (record.kind === 'epoch') attempts += 1;
          return bus.journal.append(agentId, record, after);
        },
      },
    }));
    await stage.order('a1', 'wait');
    await stage.rests('a1', 'parked');
    for (let wakes = 2; wakes <= 6; wakes += 1) {
      await stage.wake('a1');
      await until(() => attempts === wakes && host.hosted().length === 0, `wake ${wakes}`);
    }
    await stage.send('a1', answer('on'));
    await stage.rests('a1', 'finished');
    expect(await letters()).toEqual([]);
  });

  it('is not poisoned by hosts that are drained before it comes to a step', async () => {
    stage.world.work = () => Promise.resolve('done');
    const first = await stage.start({ leaseMs: 1_000 }, (bus) => ({
      ...bus,
      // The lease is never confirmed: no effect is started.
      buckets: { ...bus.buckets, host: { ...bus.buckets.host, put: () => never('conflict') } },
    }));
    await stage.order('a1', 'work:x');
    await stage.reaches('a1', 'working');
    await first.host.drain();
    for (let drained = 0; drained < 4; drained += 1) {
      const taken = gate();
      const { host } = await stage.start({}, (bus) => ({
        ...bus,
        buckets: { ...bus.buckets, host: { ...bus.buckets.host, put: () => never('conflict') } },
        journal: {
          ...bus.journal,
          append: async (agentId, record, after) => {
            const appended = await bus.journal.append(agentId, record, after);
            if (record.kind === 'epoch') taken.open();
            return appended;
          },
        },
      }));
      await taken.opened;
      await host.drain();
    }
    await stage.start();
    await stage.rests('a1', 'finished');
    expect(await letters()).toEqual([]);
  });
});

const never = (kind: 'conflict') => Promise.resolve({ ok: false as const, failure: { kind, message: 'never' } });

describe('an agent whose journal cannot be read', () => {
  it('is laid aside with a dead letter after the limit', async () => {
    let broken = 0;
    await stage.start({ poisonAttempts: 2 }, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        read: async () => {
          broken += 1;
          return { ok: false, failure: { kind: 'invalid_request', message: 'record 1 is not a record' } };
        },
      },
    }));
    await stage.order('a1', 'work:x');
    await until(() => broken >= 2, 'two tries');
    let found = await letters();
    for (let looks = 0; found.length === 0 && looks < 1_000; looks += 1) found = await letters();
    expect(found).toMatchObject([{ agentId: 'a1', reason: { kind: 'invalid_request' }, detail: { deliveries: 2 } }]);
  });
});

describe('the reconciler', () => {
  const wakesOf = async (): Promise<string[]> => {
    const wakes: string[] = [];
    await stage.reconcile({
      ...stage.bus,
      wakes: {
        ...stage.bus.wakes,
        put: async (_lane, agentId) => {
          wakes.push(agentId);
          return { ok: true, value: undefined };
        },
      },
    });
    return wakes;
  };

  it('wakes what nobody works on, and leaves the rest alone', async () => {
    const begun = gate();
    stage.world.work = () => {
      begun.open();
      return new Promise(() => {});
    };
    const { host } = await stage.start({ drainMs: 0 });
    await stage.order('resting', 'wait');
    await stage.rests('resting', 'parked');
    await stage.order('gone', 'tell:x');
    await stage.rests('gone', 'finished');
    await stage.order('busy', 'work:x');
    await begun.opened;
    await stage.put('called', (await orderMessage('called')) as never);
    expect(await wakesOf()).toEqual(['called']);
    await stage.put('resting', answer('hello'));
    expect((await wakesOf()).sort()).toEqual(['called', 'resting']);
    expect(host.hosted()).toContain('busy');
  });

  it('wakes agents whose lease names a host that is not alive', async () => {
    await stage.put('a1', (await orderMessage('a1')) as never);
    orThrow(await stage.bus.buckets.lease.put('a1' as AgentId, { host: 'h_gone', role: 'toy', priority: 'normal' }));
    expect(await wakesOf(), 'nobody would hear it').toEqual([]);
    orThrow(await putSign(stage.bus.buckets.host, 'h_here', 1, { roles: [toyRole], queues: [] }));
    expect(await wakesOf()).toEqual(['a1']);
    orThrow(await putSign(stage.bus.buckets.host, 'h_gone', 1, { roles: [toyRole], queues: [] }));
    expect(await wakesOf()).toEqual([]);
  });

  it('brings an agent to its end whose only wake was lost', async () => {
    await stage.put('a1', (await orderMessage('a1')) as never);
    await stage.start({ reconcileMs: 50 });
    await stage.rests('a1', 'finished');
    expect(stage.world.performed.map(({ word }) => word)).toEqual(['x']);
  });
});

async function orderMessage(agentId: string) {
  const { orderFor } = await import('./toy.js');
  return { v: 1, type: 'task.ordered', id: `${agentId}.order`, at: 1, order: orderFor(agentId, 'work:x') };
}
