import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '../../src/domain/failure.js';
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
  stage = await Stage.open(buses, `life${tests}`);
});
afterEach(() => stage.end());

describe('an agent in one host', () => {
  it('runs to its end with one record per step', async () => {
    await stage.start();
    await stage.order('a1', 'work:x work:y');
    await stage.rests('a1', 'finished');
    const journal = await stage.journal('a1');
    expect(journal.map(({ kind }) => kind)).toEqual(['step', 'step', 'step']);
    expect(journal.map((record) => record.kind === 'step' && record.state)).toEqual(['working', 'working', 'finished']);
    expect(stage.world.last('a1')?.context.heard).toEqual(['did x', 'did y']);
    expect(stage.world.performed.map(({ word, attempt }) => `${word} ${attempt}`)).toEqual(['x 1', 'y 1']);
    expect(
      (await stage.steps('a1')).flatMap(({ stopped }) => stopped),
      'what ended was not given up',
    ).toEqual([]);
  });

  it('starts an effect only after its record stands', async () => {
    const seen: string[] = [];
    stage.world.work = async ({ effectId }) => {
      const steps = await stage.steps('a1');
      seen.push(...steps.flatMap(({ intents }) => intents.map(({ id }) => id)).filter((id) => id === effectId));
      return '';
    };
    await stage.start();
    await stage.order('a1', 'work:x work:y');
    await stage.rests('a1', 'finished');
    expect(seen).toEqual(['a1.e2', 'a1.e4']);
  });

  it('leaves nothing behind when it has ended: no inbox, no lease, no memory', async () => {
    const { host } = await stage.start();
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'finished');
    expect(host.hosted()).toEqual([]);
    expect(await stage.inbox('a1')).toEqual([]);
    expect(orThrow(await stage.bus.buckets.lease.keys())).toEqual([]);
    expect(orThrow(await stage.bus.buckets.agent.get('a1'))?.value).toMatchObject({ ended: true, parked: true });
  });

  it('keeps its inbox until its end is stored, and is brought to it again', async () => {
    let refusals = 2;
    const refused: string[] = [];
    await stage.start({ onFailure: ({ kind }) => refused.push(kind) }, (bus) => ({
      ...bus,
      buckets: {
        ...bus.buckets,
        agent: {
          ...bus.buckets.agent,
          put: async (key, value) => {
            if (refusals === 0) return bus.buckets.agent.put(key, value);
            refusals -= 1;
            expect(await stage.inbox('a1')).toHaveLength(1);
            return fail('storage_refused', 'no room');
          },
        },
      },
    }));
    await stage.order('a1', 'work:x');
    await expect.poll(() => stage.inbox('a1'), { timeout: 6_000 }).toEqual([]);
    expect(refused).toEqual(['storage_refused', 'storage_refused']);
    expect(orThrow(await stage.bus.buckets.agent.get('a1'))?.value).toMatchObject({ ended: true });
    expect(stage.world.performed).toHaveLength(1);
  });

  it('hears of messages that come while an effect runs, before the outcome', async () => {
    const working = gate();
    const done = gate<string>();
    stage.world.work = () => {
      working.open();
      return done.opened;
    };
    await stage.start();
    await stage.order('a1', 'work:x');
    await working.opened;
    await stage.put('a1', correction('look here'));
    await until(() => stage.world.last('a1')?.context.heard.length === 1, 'the correction to be heard');
    done.open('late');
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['look here', 'late']);
    expect(stage.world.performed).toHaveLength(1);
  });

  it('hears a message once, however often it is stored', async () => {
    await stage.start();
    await stage.order('a1', 'wait wait');
    await stage.rests('a1', 'parked');
    await stage.send('a1', answer('yes', 'same'));
    await stage.send('a1', answer('yes', 'same'));
    await stage.order('a1', 'work:other');
    await until(() => stage.world.last('a1')?.context.heard.length === 1, 'the answer');
    await stage.rests('a1', 'parked');
    await stage.send('a1', answer('go', 'other'));
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['yes', 'go']);
    expect(stage.world.performed).toEqual([]);
  });

  it('takes a message that comes between the release of the lease and the acknowledgement of the wake', async () => {
    let gaps = 0;
    await stage.start({}, (bus) => ({
      ...bus,
      buckets: {
        ...bus.buckets,
        lease: {
          ...bus.buckets.lease,
          delete: async (key, seq) => {
            gaps += 1;
            if (gaps === 1) await stage.put('a1', answer('in the gap'));
            return bus.buckets.lease.delete(key, seq);
          },
        },
      },
    }));
    await stage.order('a1', 'wait');
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['in the gap']);
  });

  it('is woken by a message that comes while its host forgets it, when the wake came before that', async () => {
    const second = gate();
    await stage.start({}, (bus) => {
      let wakes = 0;
      let looks = 0;
      return {
        ...bus,
        wakes: {
          ...bus.wakes,
          consume: (role, settings, deliver) =>
            bus.wakes.consume(role, settings, (wake) => {
              wakes += 1;
              deliver(wake);
              if (wakes === 2) second.open();
            }),
        },
        inbox: {
          ...bus.inbox,
          // The message is stored after the host's last look, and its wake overtakes the answer to that look.
          read: async (agentId, after) => {
            const found = await bus.inbox.read(agentId, after);
            if (after > 0) looks += 1;
            if (after === 0 || looks > 1) return found;
            await stage.send('a1', answer('overtaken'));
            await second.opened;
            return found;
          },
        },
      };
    });
    await stage.order('a1', 'wait');
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['overtaken']);
  });

  it('is parked by the hundreds without staying in the host', async () => {
    let listening = 0;
    const { host } = await stage.start({}, (bus) => ({
      ...bus,
      inbox: {
        ...bus.inbox,
        onArrival: (agentId, callback) => {
          listening += 1;
          const stop = bus.inbox.onArrival(agentId, callback);
          return () => {
            listening -= 1;
            stop();
          };
        },
      },
    }));
    const names = Array.from({ length: 200 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => stage.order(name, 'wait')));
    await until(() => names.every((name) => stage.world.last(name)?.state === 'parked'), 'all to park');
    await until(() => host.hosted().length === 0, 'the host to be empty');
    expect(listening).toBe(0);
    expect(orThrow(await stage.bus.buckets.lease.keys())).toEqual([]);
    await stage.send('p7', answer('wake up'));
    await stage.rests('p7', 'finished');
  });

  it('ends as failed when an effect throws, and the exception is told', async () => {
    stage.world.work = () => Promise.reject(new Error('a bug in the role'));
    await stage.start();
    await stage.order('a1', 'work:x');
    await stage.rests('a1', 'failed');
    expect(stage.world.bugs.map(String)).toEqual(['Error: a bug in the role']);
  });
});

describe('events that meet', () => {
  /** Holds the append of the step that takes the word `hold`. */
  async function holdStep() {
    const held = gate();
    const release = gate();
    await stage.start({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        append: async (agentId, record, after) => {
          if (record.kind === 'step' && record.events.some(({ text }) => text === 'hold')) {
            held.open();
            await release.opened;
          }
          return bus.journal.append(agentId, record, after);
        },
      },
    }));
    return { held, release };
  }

  it('an outcome of an effect that a message has given up changes nothing, even when both were there', async () => {
    const { held, release } = await holdStep();
    const working = gate();
    const outcomes = [gate<string>(), gate<string>()];
    stage.world.work = () => {
      working.open();
      return outcomes[stage.world.performed.length - 1]?.opened ?? Promise.reject(new Error('a third attempt'));
    };
    await stage.order('a1', 'work:x');
    // The order's own step is past; now one step is held while everything else comes.
    await working.opened;
    await stage.put('a1', correction('hold'));
    await held.opened;
    outcomes[0]?.open('of the first');
    await stage.put('a1', { v: 1, type: 'human.resumed', id: 'again', at: 1, by: 'test' }); // begins the effect anew
    await stage.bus.inbox.read('a1' as AgentId, 0);
    release.open();
    await until(() => stage.world.performed.length === 2, 'the effect to begin anew');
    outcomes[1]?.open('of the second');
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['hold', 'of the second']);
  });

  it('an exception of an effect that a message has given up does not break the machine', async () => {
    const { held, release } = await holdStep();
    const working = gate();
    const first = gate<string>();
    stage.world.work = () => {
      working.open();
      return stage.world.performed.length === 1 ? first.opened : Promise.resolve('of the second');
    };
    await stage.order('a1', 'work:x');
    await working.opened;
    await stage.put('a1', correction('hold'));
    await held.opened;
    first.fail(new Error('too late to matter'));
    await stage.put('a1', { v: 1, type: 'human.resumed', id: 'again', at: 1, by: 'test' });
    release.open();
    await stage.rests('a1', 'finished');
    expect(stage.world.last('a1')?.context.heard).toEqual(['hold', 'of the second']);
  });

  it('what comes with the end or after it is not heard', async () => {
    const { held, release } = await holdStep();
    const working = gate();
    const done = gate<string>();
    stage.world.work = () => {
      working.open();
      return done.opened;
    };
    await stage.order('a1', 'work:x');
    await working.opened;
    await stage.put('a1', correction('hold'));
    await held.opened;
    await stage.put('a1', { v: 1, type: 'task.cancelled', id: 'stop', at: 1, by: 'test' });
    await stage.put('a1', { v: 1, type: 'human.resumed', id: 'again', at: 1, by: 'test' });
    done.open('late');
    release.open();
    await stage.rests('a1', 'cancelled');
    expect((await stage.steps('a1')).at(-1)).toMatchObject({
      events: [{ type: 'task.cancelled' }],
      stopped: ['a1.e2'],
    });
  });
});
