import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Bus, BusStatus } from '../../src/bus/contract.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, correction, orThrow, Stage, until } from './stage.js';
import { gate, orderFor, toyRole } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `lease${tests}`);
});
afterEach(() => stage.end());

describe('a frozen host', () => {
  it('loses its agent: its append is refused, its turn ends, its late outcome changes nothing', async () => {
    const thaw = gate();
    onTestFinished(() => thaw.open());
    const begun = gate();
    const late = gate<string>();
    const held = gate();
    const appended = gate();
    stage.world.work = (_, word) => {
      if (word !== 'x' || stage.world.performed.length > 1) return Promise.resolve('by the second');
      begun.open();
      return late.opened;
    };
    const zombie = await stage.start({}, (bus) =>
      frozen(bus, { from: begun.opened, thaw: thaw.opened, onHold: held.open, onAppend: appended.open }),
    );
    await stage.order('a1', 'work:x wait work:z');
    await begun.opened;
    await stage.start();
    await until(() => stage.world.performed.length === 2, 'the second host to take over');
    await stage.reaches('a1', 'parked');
    const before = await stage.journal('a1');
    late.open('by the zombie');
    await held.opened;
    thaw.open();
    await appended.opened;
    await until(() => zombie.host.hosted().length === 0, 'the zombie to let go');
    expect(await stage.journal('a1')).toEqual(before);
    await stage.send('a1', answer('go on'));
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['by the second', 'go on', 'by the second']);
    expect(stage.world.bugs).toEqual([]);
  });

  it('stops as soon as it is connected again and sees that it was replaced, whatever still runs', async () => {
    const thaw = gate();
    onTestFinished(() => thaw.open());
    const begun = gate();
    const stopped = gate();
    stage.world.work = ({ signal }) => {
      if (stage.world.performed.length > 1) return Promise.resolve('by the second');
      begun.open();
      signal.addEventListener('abort', () => stopped.open());
      return new Promise(() => {});
    };
    const hearing = new Set<(status: BusStatus) => void>();
    const zombie = await stage.start({}, (bus) => ({
      ...frozen(bus, { from: begun.opened, thaw: thaw.opened, onHold: () => {}, onAppend: () => {} }),
      onStatus: (callback) => {
        hearing.add(callback);
        return () => hearing.delete(callback);
      },
    }));
    await stage.order('a1', 'work:x');
    await begun.opened;
    await stage.start();
    await stage.reaches('a1', 'finished');
    thaw.open();
    for (const tell of [...hearing]) tell({ ...zombie.bus.status(), connected: true });
    await stopped.opened;
    await until(() => zombie.host.hosted().length === 0, 'the zombie to let go');
    expect(stage.world.bugs).toEqual([]);
  });

  it('does not take the lease away from its successor', async () => {
    const thaw = gate();
    onTestFinished(() => thaw.open());
    const begun = gate();
    const second = gate();
    const held = gate();
    const appended = gate();
    const late = gate<string>();
    stage.world.work = () => {
      if (stage.world.performed.length > 1) {
        second.open();
        return new Promise(() => {});
      }
      begun.open();
      return late.opened;
    };
    const zombie = await stage.start({}, (bus) =>
      frozen(bus, { from: begun.opened, thaw: thaw.opened, onHold: held.open, onAppend: appended.open }),
    );
    await stage.order('a1', 'work:x');
    await begun.opened;
    await stage.start({ drainMs: 0 });
    await second.opened;
    late.open('late');
    await held.opened;
    thaw.open();
    await appended.opened;
    await until(() => zombie.host.hosted().length === 0, 'the zombie to let go');
    expect(orThrow(await stage.bus.buckets.lease.get('a1' as AgentId))?.value).toMatchObject({ host: 'host_2' });
  });
});

/** From a moment on the host gives no sign of life, and its appends wait. */
function frozen(
  bus: Bus,
  { from, thaw, onHold, onAppend }: { from: Promise<void>; thaw: Promise<void>; onHold(): void; onAppend(): void },
): Bus {
  let still = false;
  void from.then(() => {
    still = true;
  });
  void thaw.then(() => {
    still = false;
  });
  return {
    ...bus,
    journal: {
      ...bus.journal,
      append: async (agentId, record, after) => {
        if (!still) return bus.journal.append(agentId, record, after);
        onHold();
        await thaw;
        const answered = await bus.journal.append(agentId, record, after);
        onAppend();
        return answered;
      },
    },
    buckets: {
      ...bus.buckets,
      host: {
        ...bus.buckets.host,
        put: async (key, value) => {
          if (still) await thaw;
          return bus.buckets.host.put(key, value);
        },
      },
    },
  };
}

describe('a host that vanishes', () => {
  it('is looked at even when it left the ring between two looks', async () => {
    const orderedBy = 'h_gone';
    orThrow(await stage.bus.buckets.lease.put('a1' as AgentId, { host: orderedBy, role: 'toy', priority: 'normal' }));
    await stage.put('a1', { v: 1, type: 'task.ordered', id: 'o', at: 1, order: orderFor('a1', 'work:x') });
    orThrow(await stage.bus.buckets.host.put(orderedBy, {}));
    onTestFinished(stage.bus.requests.answerAs(orderedBy));
    let rings = 0;
    await stage.start({}, (bus) => ({
      ...bus,
      buckets: {
        ...bus.buckets,
        host: {
          ...bus.buckets.host,
          // Its key runs out right before the ring is read for the second time.
          keys: async () => {
            rings += 1;
            if (rings === 2) await stage.bus.buckets.host.delete(orderedBy);
            return bus.buckets.host.keys();
          },
        },
      },
    }));
    await stage.rests('a1', 'finished');
    expect(rings).toBeGreaterThan(1);
  });
});

/** As when a wake went to somebody else meanwhile, who acknowledged it: giving it back changes nothing. */
const takingWakesAway = (bus: Bus): Bus => ({
  ...bus,
  wakes: {
    ...bus.wakes,
    consume: (role, options, deliver) =>
      bus.wakes.consume(role, options, (wake) => deliver({ ...wake, giveBack: () => wake.ack() })),
  },
});

describe('a lease', () => {
  it('of an agent that has ended, left by a host that died over a late wake, is let go', async () => {
    await stage.start();
    await stage.order('a1', 'tell:x');
    await stage.rests('a1', 'finished');
    const left = { host: 'h_gone', role: 'toy', priority: 'normal' };
    orThrow(await stage.bus.buckets.lease.put('a1' as AgentId, left));
    orThrow(await stage.bus.wakes.put({ role: toyRole, priority: 'normal' }, 'a1' as AgentId));
    await expect.poll(async () => orThrow(await stage.bus.buckets.lease.keys()), { timeout: 10_000 }).toEqual([]);
  });

  it('whose answer was lost does not lock the agent up in its own host', async () => {
    let lost = false;
    await stage.start({}, (bus) => ({
      ...bus,
      buckets: {
        ...bus.buckets,
        lease: {
          ...bus.buckets.lease,
          create: async (key, value) => {
            const created = await bus.buckets.lease.create(key, value);
            if (lost) return created;
            lost = true;
            return { ok: false, failure: { kind: 'bus_unreachable', message: 'the answer was lost' } };
          },
        },
      },
    }));
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
  });

  it('whose release the server did not hear is let go later', async () => {
    let deaf = true;
    await stage.start({}, (bus) => ({
      ...bus,
      buckets: {
        ...bus.buckets,
        lease: {
          ...bus.buckets.lease,
          delete: async (key, seq) => {
            if (!deaf) return bus.buckets.lease.delete(key, seq);
            deaf = false;
            return { ok: false, failure: { kind: 'bus_unreachable', message: 'not heard' } };
          },
        },
      },
    }));
    await stage.order('a1', 'wait');
    await stage.rests('a1', 'parked');
    const other = await stage.openBus();
    let held = 1;
    for (let looks = 0; held > 0 && looks < 400; looks += 1) held = orThrow(await other.buckets.lease.keys()).length;
    expect(held).toBe(0);
  });

  it.each([
    ['does not lock it up', (bus: Bus) => bus],
    ['does not lock it up when its wake is not its own any more', (bus: Bus) => takingWakesAway(bus)],
  ])('that an agent was lost with, without being taken over, %s', async (_, around) => {
    let conflicts = 0;
    // Its host takes an append for refused although nobody else appended: so it ends when a read lies behind.
    await stage.start({}, (bus) => ({
      ...around(bus),
      journal: {
        ...bus.journal,
        append: async (agentId, record, after) => {
          if (record.kind !== 'step' || record.state !== 'finished' || conflicts > 0)
            return bus.journal.append(agentId, record, after);
          conflicts += 1;
          return { ok: false, failure: { kind: 'conflict', message: 'refused' } };
        },
      },
    }));
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    expect(conflicts).toBe(1);
  });

  it('stays with its host when the message of another wakes the agent elsewhere', async () => {
    const begun = gate();
    const done = gate<string>();
    stage.world.work = () => {
      begun.open();
      return done.opened;
    };
    await stage.start();
    await stage.order('a1', 'work:x');
    await begun.opened;
    const second = await stage.start();
    await stage.send('a1', correction('to whoever has it'));
    await until(() => stage.world.last('a1')?.context.heard.length === 1, 'the message to be heard');
    done.open('done');
    await stage.rests('a1', 'finished');
    expect(stage.world.performed).toHaveLength(1);
    expect(second.host.hosted()).toEqual([]);
  });
});

describe('an append whose answer was lost', () => {
  it('is found again, even when looking for it fails at first', async () => {
    let step = 0;
    let reads = 0;
    await stage.start({}, (bus) => ({
      ...bus,
      journal: {
        append: async (agentId, record, after) => {
          step += 1;
          if (step === 2) {
            orThrow(await bus.journal.append(agentId, record, after));
            return { ok: false, failure: { kind: 'bus_unreachable', message: 'the answer was lost' } };
          }
          return bus.journal.append(agentId, record, after);
        },
        read: async (agentId, after) => {
          if (after > 0) reads += 1;
          if (after > 0 && reads === 1)
            return { ok: false, failure: { kind: 'bus_unreachable', message: 'away again' } };
          return bus.journal.read(agentId, after);
        },
      },
    }));
    await stage.order('a1', 'work:x work:y');
    await stage.rests('a1', 'finished');
    expect(stage.world.performed.map(({ word, host, attempt }) => `${word} ${host} ${attempt}`)).toEqual([
      'x host_1 1',
      'y host_1 1',
    ]);
    expect((await stage.journal('a1')).map(({ kind }) => kind)).toEqual(['step', 'step', 'step']);
    expect(reads).toBe(2);
  });
});
