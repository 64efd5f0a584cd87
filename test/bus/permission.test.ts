/** Users with few rights, and a server that answers without storing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atLeast, findBinary } from '../../src/bus/binary.js';
import { openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import { startTestBuses } from '../support/nats-bus.js';
import { startProxy } from '../support/nats-proxy.js';
import { failureOf, freshAgent, freshRole, kindOf, message, must, record } from './conformance/harness.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a user without the right to write', () => {
  let folder: string;
  let end: () => Promise<void>;
  let admin: Bus;
  let reader: Bus;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hact-users-'));
    const port = await freePort();
    const config = join(folder, 'server.conf');
    await writeFile(
      config,
      `host: "127.0.0.1"\nport: ${port}\njetstream { store_dir: "${join(folder, 'store')}" }
authorization { users: [
  { user: admin, password: "s:e@cret" }
  { user: reader, password: plain, permissions: {
    publish: ["$JS.API.DIRECT.GET.>", "hact.v1.task.>"], subscribe: ["_INBOX.>", "hact.v1.evt.>"] } }
] }\n`,
    );
    const binary = must(await findBinary({ env: process.env, fetch: false }));
    const server = spawn(binary.path, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    while (!log.includes('Server is ready')) log += String((await once(server.stderr, 'data'))[0]);
    admin = must(await openBus({ servers: `nats://admin:${encodeURIComponent('s:e@cret')}@127.0.0.1:${port}` }));
    reader = must(await openBus({ servers: `nats://reader:plain@127.0.0.1:${port}`, streams: 'none' }));
    end = async () => {
      await Promise.all([admin.close(), reader.close()]);
      server.kill('SIGKILL');
      await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    };
  });
  afterAll(() => end());

  it('reads, and is told at once what it may not do, by the subject', async () => {
    const agent = freshAgent();
    must(await admin.journal.append(agent, record(1), 0));
    expect(must(await reader.journal.read(agent, 0))).toHaveLength(1);
    const refusal = failureOf(await reader.journal.append(agent, record(2), 1));
    expect(refusal.kind).toBe('not_permitted');
    expect(refusal.message).toContain('hact.v1.log.');
    const outcomes = [
      await reader.inbox.put(agent, message('m1')),
      await reader.inbox.clear(agent),
      await reader.wakes.put({ role: freshRole(), priority: 'normal' }, agent),
      await reader.buckets.task.put('key', 1),
      await reader.buckets.task.keys(),
    ];
    expect(outcomes.map(kindOf)).toEqual(outcomes.map(() => 'not_permitted'));
    expect(must(await admin.journal.read(agent, 0))).toHaveLength(1);
  });

  it('cannot open a bus that would make streams', async () => {
    const { server } = admin.status();
    const refusal = failureOf(await openBus({ servers: `nats://reader:plain@${server}` }));
    expect(refusal.kind).toBe('not_permitted');
  });

  it('is refused with a wrong password, which is not shown', async () => {
    const { server } = admin.status();
    const refusal = failureOf(await openBus({ servers: `nats://reader:wrong-secret@${server}` }));
    expect(refusal.kind).toBe('bus_unreachable');
    expect(refusal.message).toMatch(/authorization/i);
    expect(JSON.stringify(refusal)).not.toContain('wrong-secret');
  });
});

describe('opening a bus', () => {
  it('fails with a typed failure when nobody is there', async () => {
    const refusal = failureOf(await openBus({ servers: `nats://127.0.0.1:${await freePort()}` }));
    expect(refusal).toMatchObject({ kind: 'bus_unreachable', hint: expect.stringContaining('NATS_URL') });
  });

  it.each([{ prefix: 'Hact' }, { prefix: 'a..b' }, { prefix: 'a.*' }, { shards: 0 }, { leaseMs: 5 }])(
    'refuses %j',
    async (options) => {
      expect(kindOf(await openBus({ servers: 'nats://127.0.0.1:1', ...options }))).toBe('invalid_config');
    },
  );
});

describe('several copies', () => {
  it('are refused on a server whose compare-and-set does not hold with them', async () => {
    const buses = await startTestBuses();
    const { version } = (await buses.open()).status();
    const outcome = await openBus({
      servers: buses.nats.url,
      token: buses.nats.token,
      replicas: 3,
      prefix: 'copies.v1',
    });
    // A newer server gets as far as finding that it has no cluster.
    expect(kindOf(outcome)).toBe(atLeast(version, '2.10.27') ? 'storage_refused' : 'invalid_config');
    await buses.end();
  });
});

describe('a server that answers and does not store', () => {
  it('makes a write fail as refused within its patience, long before a call about a lost server would', async () => {
    const buses = await startTestBuses();
    const proxy = await startProxy(buses.nats.url);
    const bus = await buses.open({ servers: proxy.url, patienceMs: 60_000 });
    const agent = freshAgent();
    must(await bus.journal.append(agent, record(1), 0));
    proxy.swallowMessages();
    expect(failureOf(await bus.journal.append(agent, record(2), 1)).kind).toBe('storage_refused');
    await buses.end();
    await proxy.stop();
  });
});
