/** A circuit breaker, of one process and of many: when it opens, and who may probe. */
import { describe, expect, test } from 'vitest';
import { fail } from '../../../src/domain/failure.js';
import { Breaker } from '../../../src/llm/gate/breaker.js';
import type { BreakerOptions } from '../../../src/llm/gate/breaker-state.js';
import { type Cell, memoryCell } from '../../../src/llm/gate/cell.js';
import { silentCell, type VirtualProcess, VirtualTime } from './virtual.js';

const options: BreakerOptions = { threshold: 3, coolDownMs: 1_000, maxCoolDownMs: 3_000 };
const leaseMs = 6_000;

function alone() {
  const time = new VirtualTime();
  const { world } = time.process();
  const setting = { provider: 'p', model: 'm', cell: memoryCell(), options, world, fleet: undefined };
  const breaker = new Breaker(setting);
  const fails = (times: number) => {
    for (let i = 0; i < times; i += 1) breaker.tell('failed');
  };
  return { breaker, fails, time };
}

describe('a circuit breaker of one process', () => {
  test('stays closed below the threshold, and a success starts the count anew', async () => {
    const { breaker, fails } = alone();
    fails(2);
    breaker.tell('succeeded');
    fails(2);
    expect([breaker.state, breaker.waitMs()]).toEqual(['closed', 0]);
  });

  test('opens at the threshold at once, and says for how long', async () => {
    const { breaker, fails, time } = alone();
    fails(3);
    expect([breaker.state, breaker.waitMs()]).toEqual(['open', 1_000]);
    await time.pass(600);
    expect([breaker.waitMs(), await breaker.claim()]).toEqual([400, undefined]);
  });

  test('lets one probe through after the cool-down; its success closes', async () => {
    const { breaker, fails, time } = alone();
    fails(3);
    await time.pass(1_000);
    const [probe, second] = await Promise.all([breaker.claim(), breaker.claim()]);
    expect([typeof probe, second]).toEqual(['string', undefined]);
    breaker.tell('succeeded', probe);
    expect(breaker.state).toBe('closed');
  });

  test('a failed probe opens it for twice as long, up to the limit', async () => {
    const { breaker, fails, time } = alone();
    fails(3);
    for (const wait of [1_000, 2_000, 3_000, 3_000]) {
      expect(breaker.waitMs()).toBe(wait);
      await time.pass(wait);
      breaker.tell('failed', await breaker.claim());
    }
  });

  test('a probe that told nothing leaves the way free for the next', async () => {
    const { breaker, fails, time } = alone();
    fails(3);
    await time.pass(1_000);
    breaker.tell('withdrawn', await breaker.claim());
    expect(await breaker.claim()).toBeDefined();
  });

  test.each(['failed', 'succeeded'] as const)(
    'a call that was under way when it opened and %s changes nothing',
    (outcome) => {
      const { breaker, fails } = alone();
      fails(3);
      for (let i = 0; i < 5; i += 1) breaker.tell(outcome);
      expect([breaker.state, breaker.waitMs()]).toEqual(['open', 1_000]);
    },
  );
});

interface Member {
  readonly process: VirtualProcess;
  readonly breaker: Breaker;
}

/** So many workers on one value, each 1 ms away from it. */
function fleetOf(count: number, skewOf: (index: number) => number = () => 0) {
  const time = new VirtualTime();
  const shared = memoryCell();
  const join = (index: number, cell?: Cell): Member => {
    const process = time.process(skewOf(index));
    const fleet = { workerId: `w${index}`, leaseMs };
    const setting = { provider: 'p', model: 'm', options, world: process.world, fleet };
    return { process, breaker: new Breaker({ ...setting, cell: cell ?? process.cell(shared) }) };
  };
  const members = Array.from({ length: count }, (_, index) => join(index));
  const states = () => [...new Set(members.map(({ breaker }) => breaker.state))];
  const claims = async (among = members) => {
    const asked = among.map(async (member) => ({ ...member, probe: await member.breaker.claim() }));
    return (await time.until(Promise.all(asked))).filter(({ probe }) => probe !== undefined);
  };
  const open = async () => {
    for (const { breaker } of members.slice(0, 3)) breaker.tell('failed');
    await time.pass(50);
  };
  return { time, shared, members, join, states, claims, open };
}

describe('a circuit breaker of 32 workers', () => {
  test('opens for all of them by failures in a row that three of them met', async () => {
    const { time, members, states } = fleetOf(32);
    for (const { breaker } of members.slice(0, 3)) breaker.tell('failed');
    expect(states()).toEqual(['closed']);
    await time.pass(20);
    expect(states()).toEqual(['open']);
  });

  test('stays closed when one worker’s success comes in between', async () => {
    const { time, members, states } = fleetOf(32);
    for (const outcome of ['failed', 'failed', 'succeeded', 'failed', 'failed'] as const) {
      members[time.time % 32]?.breaker.tell(outcome);
      await time.pass(17);
    }
    expect(states()).toEqual(['closed']);
  });

  test('gives one probe in total for each window, and its failure opens it for twice as long', async () => {
    const { time, claims, open, states, members } = fleetOf(32);
    await open();
    for (const window of [1_000, 2_000, 3_000, 3_000]) {
      await time.pass(window - 100);
      expect(await claims()).toHaveLength(0);
      await time.pass(200);
      const [prober, ...others] = await claims();
      expect(others).toEqual([]);
      expect(states()).toEqual(['probing']);
      expect(await claims()).toHaveLength(0);
      prober?.breaker.tell('failed', prober.probe);
      await time.pass(50);
      expect(members.every(({ breaker }) => breaker.state === 'open')).toBe(true);
    }
  });

  test('closes for all when the probe succeeds', async () => {
    const { time, claims, open, states } = fleetOf(32);
    await open();
    await time.pass(1_000);
    const [prober] = await claims();
    prober?.breaker.tell('succeeded', prober.probe);
    await time.pass(50);
    expect(states()).toEqual(['closed']);
  });

  test('a probe that takes long is not joined by another', async () => {
    const { time, claims, open, states } = fleetOf(8);
    await open();
    await time.pass(1_000);
    const [prober] = await claims();
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await time.pass(60_000);
      expect(await claims()).toEqual([]);
    }
    prober?.breaker.tell('succeeded', prober.probe);
    await time.pass(50);
    expect(states()).toEqual(['closed']);
  });

  test('the probe of a worker that dies goes to exactly one other when its lease has ended', async () => {
    const { time, claims, open, members } = fleetOf(32);
    await open();
    await time.pass(1_000);
    const [prober] = await claims();
    prober?.process.kill();
    const living = members.filter(({ breaker }) => breaker !== prober?.breaker);
    await time.pass(leaseMs - 500);
    expect(await claims(living)).toHaveLength(0);
    await time.pass(leaseMs);
    expect(await claims(living)).toHaveLength(1);
    expect(await claims(living)).toHaveLength(0);
  });

  test('a late outcome of a probe that was given to another changes nothing', async () => {
    const { time, claims, open, states } = fleetOf(3);
    await open();
    await time.pass(1_000);
    const [prober] = await claims();
    // Frozen: no beats.
    if (prober !== undefined) prober.process.isCutOff = true;
    await time.pass(2 * leaseMs);
    expect((await claims()).filter(({ breaker }) => breaker !== prober?.breaker)).toHaveLength(1);
    prober?.process.reconnect();
    await time.pass(50);
    prober?.breaker.tell('succeeded', prober.probe);
    await time.pass(50);
    expect(states()).toEqual(['probing']);
  });

  test('clocks that differ by hours neither shorten nor lengthen a window', async () => {
    const { time, claims, open } = fleetOf(8, (index) => (index - 4) * 3_600_000);
    await open();
    await time.pass(900);
    expect(await claims()).toHaveLength(0);
    await time.pass(100);
    expect(await claims()).toHaveLength(1);
  });

  test('a worker that comes later finds it open, for what is left', async () => {
    const { time, open, join } = fleetOf(3);
    await open();
    await time.pass(350);
    const { breaker } = join(3);
    await time.pass(10);
    expect(breaker.state).toBe('open');
    expect(breaker.waitMs()).toBeGreaterThan(500);
    expect(breaker.waitMs()).toBeLessThan(600);
  });

  test('a pause that the provider asks for holds for all, and needs no probe after it', async () => {
    const { time, members } = fleetOf(32);
    members[5]?.breaker.pause(30_000);
    await time.pass(20);
    expect(Math.min(...members.map(({ breaker }) => breaker.waitMs()))).toBeGreaterThan(29_900);
    members[6]?.breaker.pause(1_000);
    await time.pass(29_900);
    expect(Math.min(...members.map(({ breaker }) => breaker.waitMs()))).toBeGreaterThan(0);
    await time.pass(200);
    expect(members.map(({ breaker }) => [breaker.waitMs(), breaker.state])).toEqual(members.map(() => [0, 'closed']));
  });
});

describe('without the other workers', () => {
  test('a worker that is cut off goes by what it meets itself, and by the others again when they are back', async () => {
    const { time, members, claims } = fleetOf(4);
    const [first, ...others] = members;
    if (first === undefined) throw new Error('no worker');
    first.process.isCutOff = true;
    for (let i = 0; i < 3; i += 1) first.breaker.tell('failed');
    expect([first.breaker.state, others[0]?.breaker.state]).toEqual(['open', 'closed']);
    await time.pass(1_000);
    const [prober] = await claims([first]);
    expect(prober?.probe).toBeDefined();
    prober?.breaker.tell('failed', prober.probe);
    expect(first.breaker.state).toBe('open');
    first.process.reconnect();
    await time.pass(10);
    expect(first.breaker.state).toBe('closed');
  });

  test('a store that does not answer holds up a call for a second, and only one that would probe', async () => {
    const { time, join } = fleetOf(0);
    const { breaker } = join(0, silentCell);
    for (let i = 0; i < 3; i += 1) breaker.tell('failed');
    expect(breaker.state).toBe('open');
    await time.pass(1_000);
    const before = time.time;
    expect(await time.until(breaker.claim())).toBeUndefined();
    expect(time.time - before).toBeLessThanOrEqual(1_000);
  });

  test('a store that refuses is told of, and then the worker goes on by itself', async () => {
    const time = new VirtualTime();
    const { world } = time.process();
    const cell: Cell = { ...silentCell, write: async () => fail('not_permitted', 'no') };
    const failures: string[] = [];
    const breaker = new Breaker({
      ...{ provider: 'p', model: 'm', cell, options, world, fleet: { workerId: 'w', leaseMs } },
      onFailure: ({ kind }) => failures.push(kind),
    });
    for (let i = 0; i < 3; i += 1) breaker.tell('failed');
    await time.pass(1_000);
    expect([breaker.state, failures]).toEqual(['open', ['not_permitted']]);
    const probe = await time.until(breaker.claim());
    expect(probe).toBeDefined();
    breaker.tell('succeeded', probe);
    await time.pass(10);
    expect(breaker.state).toBe('closed');
  });
});
