/** What the doctor learns of a real server, and that it leaves nothing there. */
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineServer } from '../../src/bus/examine.js';
import { putSign } from '../../src/bus/presence.js';
import { inboxOfUser } from '../../src/bus/role-user.js';
import { namesOf } from '../../src/bus/subject.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { type RoleNats, startRoleNats } from '../support/role-nats.js';
import { kindOf, must } from './conformance/harness.js';

const names = namesOf('hact.v1', 8);
let nats: RoleNats;
let admin: NatsConnection;
beforeAll(async () => {
  nats = await startRoleNats({ forbid: { hact_worker_b: [names.inbox('*'), names.heard('task', '*')] } });
  const { username, password } = new URL(nats.url('hact_admin'));
  const inboxPrefix = inboxOfUser('hact_admin');
  admin = await connect({ servers: `127.0.0.1:${nats.port}`, user: username, pass: password, inboxPrefix });
});
afterAll(async () => {
  await admin.close();
  await nats.end();
});

const now = () => Date.now();

async function stored(): Promise<unknown[]> {
  const manager = await admin.jetstreamManager();
  const streams: unknown[] = [];
  for await (const { config, state } of manager.streams.list())
    streams.push([config.name, state.messages, state.last_seq, state.consumer_count]);
  return streams;
}

describe('rights', () => {
  it.each(['client', 'worker', 'inspector', 'admin'] as const)('of hact_%s are all there', async (role) => {
    const before = await stored();
    const { rights } = must(await examineServer({ servers: nats.url(`hact_${role}`) }, now));
    expect(rights).toMatchObject({ role, denied: [] });
    expect(rights.asked).toBeGreaterThan(5);
    expect(await stored()).toEqual(before);
    expect(nats.violations()).toEqual([]);
  });

  it('that a worker lacks are named', async () => {
    const { rights } = must(await examineServer({ servers: nats.url('hact_worker_b') }, now));
    expect(rights).toMatchObject({ role: 'worker', denied: [names.inbox('*')] });
  });

  it('are all there for somebody who may do everything', async () => {
    const buses = await startTestBuses();
    await buses.open();
    const { url, token } = buses.nats;
    const { rights, rooms } = must(await examineServer({ servers: url, token }, now));
    expect(rights).toMatchObject({ role: undefined, denied: [] });
    expect(rooms).toEqual([{ of: 'the account', bytes: expect.any(Number), most: undefined }]);
    await buses.end();
  });
});

describe('clocks', () => {
  const hourMs = 3_600_000;
  let buses: TestBuses;
  beforeAll(async () => {
    buses = await startTestBuses();
  });
  afterAll(() => buses.end());

  it('of this process and of every host are compared with the server', async () => {
    const bus = await buses.open();
    must(await putSign(bus.buckets.host, 'h_right', Date.now(), { roles: [], queues: [] }));
    must(await putSign(bus.buckets.host, 'h_ahead', Date.now() + hourMs, { roles: [], queues: [] }));
    const { url, token } = buses.nats;
    const { clocks } = must(await examineServer({ servers: url, token }, () => Date.now() - hourMs));
    const about = (hostId?: string) => clocks.find((one) => one.hostId === hostId)?.aheadMs;
    expect(about()).toBeCloseTo(-hourMs, -4);
    expect(about('h_right')).toBeCloseTo(0, -4);
    expect(about('h_ahead')).toBeCloseTo(hourMs, -4);
    expect(clocks).toHaveLength(3);
  });

  it('cannot be compared where no streams are', async () => {
    const { url, token } = buses.nats;
    const examined = await examineServer({ servers: url, token, prefix: 'empty.v1' }, now);
    expect(examined).toMatchObject({ ok: true, value: { clocks: [] } });
  });
});

describe('room', () => {
  it('is told of streams with a limit, to those who may ask', async () => {
    const limited = names.streams.inbox;
    const manager = await admin.jetstreamManager();
    await manager.streams.update(limited, { max_bytes: 10_000_000 });
    const { rooms } = must(await examineServer({ servers: nats.url('hact_admin') }, now));
    expect(rooms).toContainEqual({ of: `stream ${limited}`, bytes: expect.any(Number), most: 10_000_000 });
    expect(must(await examineServer({ servers: nats.url('hact_client') }, now)).rooms).toBeUndefined();
  });
});

it('fails in words where nobody is', async () => {
  expect(kindOf(await examineServer({ servers: 'nats://127.0.0.1:1' }, now))).toBe('bus_unreachable');
});
