import { describe, expect, it } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import { fail } from '../../src/domain/failure.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import { createLeases } from '../../src/host/lease.js';
import { connect } from '../sim/bus/bus.js';
import { calm } from '../sim/bus/link.js';
import { SimServer } from '../sim/bus/server.js';
import { SimProcess } from '../sim/kernel/process.js';
import { World } from '../sim/kernel/world.js';

const agent = 'a1' as AgentId;
const role = 'toy' as RoleName;
const leaseMs = 1_000;

/** Two living hosts. Writes of leases by the first are not answered while `silent`, its reads of signs of life while `signless`, of leases while `unread`, lists of them while `keyless`. */
function stage() {
  const world = new World(1);
  const options = { leaseMs, ackWaitMs: 5_000, weather: calm, patienceMs: 200, onMishap: () => undefined };
  const server = new SimServer(world, options);
  const { bus } = connect(new SimProcess(world, 'h1'), server);
  const neighbour = connect(new SimProcess(world, 'h2'), server).bus;
  const answers = { silent: false, signless: false, keyless: false, unread: false };
  const mute = <A extends readonly unknown[]>(ask: (...args: A) => Promise<unknown>, when: keyof typeof answers) =>
    (async (...args: A) => {
      const answer = await ask(...args);
      return answers[when] ? fail('bus_unreachable', 'the answer is lost') : answer;
    }) as never;
  const { lease } = bus.buckets;
  const { host } = bus.buckets;
  const buckets = {
    ...bus.buckets,
    lease: {
      ...lease,
      create: mute(lease.create, 'silent'),
      delete: mute(lease.delete, 'silent'),
      keys: mute(lease.keys, 'keyless'),
      get: mute(lease.get, 'unread'),
    },
    host: { ...host, get: mute(host.get, 'signless') },
  };
  const deaf: Bus = { ...bus, buckets };
  const clock = new SimProcess(world, 'clock').clock;
  const leases = createLeases({ bus: deaf, clock, hostId: 'h1', roles: [], leaseMs, watchMs: 50 });
  const living = new AbortController();
  void leases.keep(living.signal);
  const until = async <T>(promise: Promise<T>): Promise<T> => {
    let over = false;
    void promise.finally(() => {
      over = true;
    });
    await world.run(() => over, world.time + 60_000);
    return promise;
  };
  return { answers, leases, neighbour, server, until, pass: (ms: number) => until(clock.sleep(ms)) };
}

describe('a lease that was stored and whose answer was lost', () => {
  it('is let go by the host that does not know of it, and the agent is woken', async () => {
    const { answers, leases, server, until, pass } = stage();
    await pass(10);
    answers.silent = true;
    expect((await until(leases.acquire(agent, { role, priority: 'normal' }))).ok).toBe(false);
    answers.silent = false;
    expect(server.buckets.lease.keys()).toEqual([agent]);
    await pass(leaseMs);
    expect(server.buckets.lease.keys()).toEqual([]);
    expect(server.wakesOf(role).size).toBe(1);
  });

  it('is kept when the host has taken the agent again meanwhile', async () => {
    const { answers, leases, server, until, pass } = stage();
    await pass(10);
    answers.silent = true;
    await until(leases.acquire(agent, { role, priority: 'normal' }));
    answers.silent = false;
    expect((await until(leases.acquire(agent, { role, priority: 'normal' }))).ok).toBe(true);
    await pass(3 * leaseMs);
    expect(server.buckets.lease.keys()).toEqual([agent]);
  });

  it.each([
    ['', false],
    [', and that to its release', true],
  ])(
    'is let go after a restart of the server, when the answer to its restoration was lost%s',
    async (_, alsoReleased) => {
      const { answers, leases, server, until, pass } = stage();
      await pass(10);
      expect((await until(leases.acquire(agent, { role, priority: 'normal' }))).ok).toBe(true);
      answers.silent = true;
      server.restart(100);
      await pass(500);
      answers.silent = alsoReleased;
      expect(server.buckets.lease.keys()).toEqual([agent]);
      await until(leases.release(agent));
      answers.silent = false;
      await pass(leaseMs);
      expect(server.buckets.lease.keys()).toEqual([]);
    },
  );
});

describe('a lease whose holder cannot be asked about', () => {
  it('is no conflict: its holder may be dead, and the wake must come again', async () => {
    const { answers, leases, neighbour, until, pass } = stage();
    neighbour.requests.answerAs('h2');
    await until(neighbour.buckets.lease.create(agent, { host: 'h2', role, priority: 'normal' }));
    await pass(10);
    answers.signless = true;
    const taken = await until(leases.acquire(agent, { role, priority: 'normal' }));
    expect(taken).toMatchObject({ ok: false, failure: { kind: 'bus_unreachable' } });
    answers.signless = false;
    const again = await until(leases.acquire(agent, { role, priority: 'normal' }));
    expect(again).toMatchObject({ ok: true, value: { inherited: true } });
  });
});

describe('a lease that a dead host left', () => {
  it('is found though the leases could not be listed at first, and then not be read', async () => {
    const { answers, neighbour, server, until, pass } = stage();
    answers.keyless = true;
    await until(neighbour.buckets.lease.create(agent, { host: 'h9', role, priority: 'normal' }));
    await pass(500);
    answers.unread = true;
    answers.keyless = false;
    await pass(500);
    expect(server.wakesOf(role).size).toBe(0);
    answers.unread = false;
    await pass(500);
    expect(server.wakesOf(role).size).toBe(1);
  });
});
