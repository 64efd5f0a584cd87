/** Lanes on a real server: how places are shared among tenants, and how many of one are at work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, ConsumeOptions, Wake } from '../../src/bus/contract.js';
import { namesOf } from '../../src/bus/subject.js';
import type { RoleName } from '../../src/domain/id.js';
import type { Priority, TenantName } from '../../src/domain/lane.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { freshAgent, freshRole, Happenings, must } from './conformance/harness.js';

let buses: TestBuses;
let bus: Bus;
beforeAll(async () => {
  buses = await startTestBuses();
  bus = await buses.open();
});
afterAll(() => buses.end());

const tenantOf = (name: string) => name as TenantName;

async function put(role: RoleName, tenant: string, count: number, priority: Priority = 'normal'): Promise<void> {
  const puts = Array.from({ length: count }, () =>
    bus.wakes.put({ role, priority, tenant: tenantOf(tenant) }, freshAgent()),
  );
  for (const outcome of await Promise.all(puts)) must(outcome);
}

/** A worker that is done with a wake at the next turn; `hold` keeps what it says. */
function work(on: Bus, role: RoleName, capacity: number, more: Partial<ConsumeOptions> & { hold?: boolean } = {}) {
  const stop = new AbortController();
  const wakes = new Happenings<Wake>();
  const options = { capacity: () => capacity, signal: stop.signal, onFailure: () => undefined, ...more };
  const ended = on.wakes.consume(role, options, (wake) => {
    wakes.add(wake);
    if (more.hold !== true) setImmediate(() => wake.ack());
  });
  const end = async () => {
    stop.abort();
    await ended;
  };
  return { wakes, end };
}

const timesOf = (tenant: string, wakes: readonly Wake[]) => wakes.filter((wake) => wake.tenant === tenant).length;

describe('tenants with work waiting', () => {
  it('get the same places, however much one has', async () => {
    const role = freshRole();
    await put(role, 'loud', 300);
    await put(role, 'calm', 30);
    await put(role, 'quiet', 30);
    const { wakes, end } = work(bus, role, 2);
    const all = await wakes.reached(360);
    const early = all.slice(0, 90);
    expect(timesOf('calm', early)).toBeGreaterThanOrEqual(25);
    expect(timesOf('quiet', early)).toBeGreaterThanOrEqual(25);
    expect(new Set(all.map(({ agentId }) => agentId)).size).toBe(360);
    await end();
  });

  it('get places by weight', async () => {
    const role = freshRole();
    await put(role, 'big', 90);
    await put(role, 'small', 90);
    const terms = (tenant: string) => ({ weight: tenant === 'big' ? 3 : 1, running: undefined });
    const { wakes, end } = work(bus, role, 2, { terms });
    const early = (await wakes.reached(180)).slice(0, 80);
    expect(timesOf('big', early)).toBeGreaterThanOrEqual(53);
    expect(timesOf('small', early)).toBeGreaterThanOrEqual(13);
    await end();
  });

  it('are served next when they were quiet before', async () => {
    const role = freshRole();
    await put(role, 'loud', 400);
    const { wakes, end } = work(bus, role, 2);
    await wakes.reached(100);
    await put(role, 'quiet', 1, 'low');
    await wakes.reached(400);
    const place = wakes.all.findIndex(({ tenant }) => tenant === 'quiet');
    expect(place).toBeLessThan(390);
    await wakes.reached(401);
    await end();
  });

  it('have no more of a lane at work than their limit, at all workers together', async () => {
    const role = freshRole();
    const terms = (tenant: string) => ({ weight: 1, running: tenant === 'bound' ? 3 : undefined });
    const workers = [bus, await buses.open()].map((on) => work(on, role, 10, { terms, hold: true }));
    await put(role, 'bound', 12);
    await put(role, 'free', 12);
    const taken = () => workers.flatMap(({ wakes }) => wakes.all);
    const reached = (count: number) => expect.poll(() => taken().length, { timeout: 5_000 }).toBe(count);
    await reached(15);
    expect(timesOf('bound', taken())).toBe(3);
    for (const wake of taken()) if (wake.tenant === 'bound') wake.ack();
    await reached(18);
    expect(timesOf('bound', taken())).toBe(6);
    expect(must(await bus.wakes.waiting(tenantOf('bound')))).toBe(6);
    expect(must(await bus.wakes.waiting(tenantOf('free')))).toBe(0);
    for (const { end } of workers) await end();
  });
});

describe('names of lanes', () => {
  const names = namesOf('hact.v1', 8);
  it.each([
    [{ role: 'executor', priority: 'normal' }, 'hact.v1.wake.executor.normal', 'executor-normal'],
    [{ role: 'a-b', priority: 'low', queue: 'c' }, 'hact.v1.wake.a-b.low.c.default', 'a-b=low=c=default'],
    [{ role: 'a', priority: 'high', tenant: 'b-c' }, 'hact.v1.wake.a.high.default.b-c', 'a=high=default=b-c'],
  ] as const)('are made of what the lane says, and read back: %j', (lane, subject, consumer) => {
    expect([names.wake(lane), names.consumer(lane)]).toEqual([subject, consumer]);
    expect(names.laneOf(subject)).toEqual(lane);
  });

  it.each([
    'hact.v1.wake.executor.soon',
    'hact.v1.wake.executor.high.default.default',
    'other.wake.executor.normal',
    'hact.v1.wake.executor.high.gpu',
    '',
  ])('are read from nothing else: %s', (subject) => {
    expect(names.laneOf(subject)).toBeUndefined();
  });
});
