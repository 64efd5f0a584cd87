import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { correction, orThrow, Stage, until } from './stage.js';
import { gate } from './toy.js';

let buses: TestBuses;
let stage: Stage;

beforeEach(async () => {
  buses = await startTestBuses();
  stage = await Stage.open(buses, 'server');
});
afterEach(async () => {
  await stage.end();
  await buses.end();
});

describe('a server that is killed and started again in the middle of a turn', () => {
  it('holds the turn up, and nothing is done twice', async () => {
    const begun = gate();
    const done = gate<string>();
    stage.world.work = (_, word) => {
      if (word !== 'x') return Promise.resolve('after');
      begun.open();
      return done.opened;
    };
    await stage.start();
    await stage.order('a1', 'work:x work:y tell:b1');
    await begun.opened;
    await buses.nats.kill();
    done.open('while it was away');
    await buses.nats.restart();
    await stage.rests('a1', 'finished');
    expect(stage.world.performed.map(({ word, attempt }) => `${word} ${attempt}`)).toEqual(['x 1', 'y 1']);
    expect(stage.world.last('a1')?.context).toMatchObject({ heard: ['while it was away', 'after'], recovered: 0 });
    expect((await stage.journal('a1')).map(({ kind }) => kind)).toEqual(['step', 'step', 'step']);
    expect((await stage.inbox('b1')).map(({ value }) => value.id)).toEqual(['told.b1.1']);
  });

  it('does not cost the host its agents: the next wake elsewhere does not take them away', async () => {
    const begun = gate();
    const done = gate<string>();
    stage.world.work = () => {
      begun.open();
      return done.opened;
    };
    const first = await stage.start();
    await stage.order('a1', 'work:x');
    await begun.opened;
    const second = await stage.start();
    await buses.nats.kill();
    await buses.nats.restart();
    await until(() => first.bus.status().connected && second.bus.status().connected, 'both to be back');
    let held: string[] = [];
    for (let looks = 0; held.length === 0 && looks < 2_000; looks += 1) {
      const keys = await stage.bus.buckets.lease.keys();
      held = keys.ok ? keys.value : [];
    }
    expect(held).toEqual(['a1']);
    for (let wakes = 0; wakes < 4; wakes += 1) await stage.send('a1', correction(`note ${wakes}`));
    await until(() => stage.world.last('a1')?.context.heard.length === 4, 'all messages');
    done.open('done');
    await stage.rests('a1', 'finished');
    expect(stage.world.performed).toHaveLength(1);
    expect(stage.world.last('a1')?.context.recovered).toBe(0);
    expect(orThrow(await stage.bus.buckets.lease.keys())).toEqual([]);
  });
});
