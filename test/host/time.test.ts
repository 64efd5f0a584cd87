import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, Stage } from './stage.js';
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
  stage = await Stage.open(buses, `time${tests}`);
});
afterEach(() => stage.end());

describe('the deadline', () => {
  it('reaches an effect that is under way: it is aborted', async () => {
    const aborted = gate();
    stage.world.work = (scope) => {
      scope.signal.addEventListener('abort', () => aborted.open());
      return new Promise(() => {});
    };
    await stage.start();
    await stage.order('a1', 'work:x', Date.now() + 3_000);
    await aborted.opened;
    await stage.rests('a1', 'late');
    expect(stage.world.performed).toHaveLength(1);
  });

  it('that passed while no host lived is heard before anything is begun', async () => {
    const begun = gate();
    stage.world.work = () => {
      begun.open();
      return new Promise(() => {});
    };
    const killed = await stage.start();
    const deadlineAt = Date.now() + 500;
    await stage.order('a1', 'work:x', deadlineAt);
    await begun.opened;
    await killed.kill();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadlineAt - Date.now())));
    await stage.start();
    await stage.rests('a1', 'late');
    expect(stage.world.performed).toHaveLength(1);
  });

  it('lets nothing begin whose record is answered only after it', async () => {
    const asked: boolean[] = [];
    stage.world.work = async (scope) => {
      await scope.begin('pay');
      asked.push(await scope.stands());
      return {};
    };
    const deadlineAt = Date.now() + 1_000;
    await stage.start({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        append: async (agentId, record, after) => {
          const late = Math.max(0, deadlineAt + 5 - Date.now());
          if (record.kind === 'part') await new Promise((resolve) => setTimeout(resolve, late));
          return bus.journal.append(agentId, record, after);
        },
      },
    }));
    await stage.order('a1', 'work:x', deadlineAt);
    await stage.rests('a1', 'late');
    expect(asked).toEqual([false]);
  });

  it('is nothing to an agent that has ended', async () => {
    await stage.start();
    await stage.order('a1', 'timer:150 work:x');
    await stage.rests('a1', 'finished');
    await stage.order('b1', 'timer:200 wait');
    await stage.rests('b1', 'late'); // timers are fired in order, so that of a1 was before
    expect(await stage.inbox('a1')).toEqual([]);
    expect(stage.world.last('a1')?.state).toBe('finished');
  });
});

describe('a durable timer', () => {
  it('wakes a parked agent', async () => {
    await stage.start();
    await stage.order('a1', 'timer:250 wait');
    await stage.rests('a1', 'parked');
    await stage.rests('a1', 'late');
    expect((await stage.steps('a1')).at(-1)?.events).toMatchObject([{ type: 'timer.fired', timer: 'toy' }]);
  });

  it('outlives the host that set it', async () => {
    const first = await stage.start();
    await stage.order('a1', 'timer:400 wait');
    await stage.rests('a1', 'parked');
    await first.kill();
    await stage.start();
    await stage.rests('a1', 'late');
  });

  it('that fires for an agent which was woken by something else meanwhile is heard all the same', async () => {
    await stage.start();
    await stage.order('a1', 'timer:300 wait wait');
    await stage.rests('a1', 'parked');
    await stage.send('a1', answer('first'));
    await stage.rests('a1', 'late');
    expect(stage.world.last('a1')?.context.heard).toEqual(['first']);
  });
});
