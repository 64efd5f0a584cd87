import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atLeast, findBinary } from '../../src/bus/binary.js';
import { openBus } from '../../src/bus/connect.js';
import { isAlive } from '../../src/bus/lock.js';
import { type EmbeddedServer, findServer, type ServerOptions, startServer } from '../../src/bus/server.js';
import { storeLimit } from '../../src/bus/space.js';
import { keepServer } from '../../src/bus/supervise.js';
import type { Failure } from '../../src/domain/failure.js';
import { failureOf, freshAgent, Happenings, kindOf, must, record } from './conformance/harness.js';

let folder: string;
let running: { stop(): Promise<void> }[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-server-'));
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const options = (more: Partial<ServerOptions> = {}): ServerOptions => ({
  folder,
  env: process.env,
  fetch: false,
  ...more,
});
const start = async (more: Partial<ServerOptions> = {}): Promise<EmbeddedServer> => {
  const server = must(await startServer(options(more)));
  running.push(server);
  return server;
};

describe('a folder that cannot be had', () => {
  it.runIf(process.platform === 'linux').each(['/proc/hact', '/proc/hact/deeper'])(
    'is refused at once: %s',
    async (path) => {
      expect(failureOf(await startServer(options({ folder: path })))).toMatchObject({
        kind: 'invalid_config',
        message: expect.stringContaining(path),
        hint: expect.stringContaining('HACT_DATA_DIR'),
      });
    },
  );

  it('is refused when it lies in a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(kindOf(await startServer(options({ folder: join(file, 'nats') })))).toBe('invalid_config');
  });
});

describe('an embedded server', () => {
  it('answers with JetStream to those who have the token', async () => {
    const { url, token } = await start();
    const connection = await connect({ servers: url, token });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
    await expect(connect({ servers: url, token: 'wrong', reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(connect({ servers: url, reconnect: false })).rejects.toThrow(/authorization/i);
  });

  it('listens on loopback only, for clients only, and keeps its token in files of its owner', async () => {
    const { url, token, pid } = await start();
    expect(url).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
    const config = await readFile(join(folder, 'server.conf'), 'utf8');
    expect(config).not.toMatch(/websocket|mqtt|leaf|cluster|http/i);
    for (const file of ['server.conf', 'server.json']) {
      expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
    }
    if (process.platform === 'linux') expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(token);
  });

  it('is gone when it was stopped, and its folder free', async () => {
    const server = await start();
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect((await readdir(folder)).toSorted()).toEqual(['server.conf', 'store']);
  });

  it('has what was stored when it is started again', async () => {
    const first = await start();
    const bus = must(await openBus({ servers: first.url, token: first.token }));
    const agent = freshAgent();
    must(await bus.journal.append(agent, record(1), 0));
    await bus.close();
    await first.stop();
    const second = await start();
    const again = must(await openBus({ servers: second.url, token: second.token }));
    expect(must(await again.journal.read(agent, 0))).toHaveLength(1);
    await again.close();
  });

  it('refuses a second one on its folder, and can be found by others', async () => {
    expect(await findServer(folder)).toBeUndefined();
    const { url, token } = await start();
    const refusal = failureOf(await startServer(options()));
    expect(refusal).toMatchObject({ kind: 'conflict', message: expect.stringContaining(String(process.pid)) });
    expect(await findServer(folder)).toEqual({ url, token });
  });

  it('is one when many start it at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => startServer(options())));
    for (const outcome of outcomes) if (outcome.ok) running.push(outcome.value);
    expect(outcomes.map(kindOf).toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'none']);
  });

  it('tells when it ends by itself, and only then', async () => {
    const ends = new Happenings<Failure>();
    const stopped = await start({ onExit: ends.add });
    await stopped.stop();
    const killed = await start({ onExit: ends.add });
    process.kill(killed.pid, 'SIGKILL');
    const [end] = await ends.reached(1);
    expect(end?.message).toContain(String(killed.pid));
    expect(ends.all).toHaveLength(1);
  });

  it.each([
    ['of a dead owner', { ownerPid: 2 ** 22 - 1, serverPid: 2 ** 22 - 2 }],
    ['of a living process that has no server any more', { ownerPid: process.ppid, serverPid: process.ppid }],
    ['of a start that never came to an end', { ownerPid: process.ppid, serverPid: 0 }],
  ])('starts over a note %s', async (_, pids) => {
    const note = { v: 1, id: 'old', at: 1, config: join(folder, 'server.conf'), url: 'nats://127.0.0.1:1', token: 't' };
    await writeFile(join(folder, 'server.json'), JSON.stringify({ ...note, ...pids }));
    expect(await findServer(folder)).toBeUndefined();
    await start();
  });

  it('starts over a note that cannot be read', async () => {
    await writeFile(join(folder, 'server.json'), '{"v":1,');
    await start();
  });

  it('ends the server that a crashed owner left behind, before it takes the store', async () => {
    const leftover = await start();
    const note = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));
    await writeFile(join(folder, 'server.json'), JSON.stringify({ ...note, ownerPid: 2 ** 22 - 1 }));
    const server = await start();
    expect(isAlive(leftover.pid)).toBe(false);
    expect(isAlive(server.pid)).toBe(true);
  });

  it('says why when it cannot start', async () => {
    const busy = await start();
    const other = await mkdtemp(join(tmpdir(), 'hact-server-'));
    const refusal = failureOf(await startServer(options({ folder: other, port: busy.port })));
    expect(refusal.kind).toBe('bus_unreachable');
    expect(refusal.message).toMatch(/address already in use/i);
    expect(await findServer(other)).toBeUndefined();
    await rm(other, { recursive: true, force: true });
  });

  it('refuses writes with a typed failure when it may store no more, and takes them when it may again', async () => {
    const short = new Happenings<undefined>();
    const small = await start({ maxStoreBytes: 2_000_000, onShort: () => short.add(undefined) });
    const bus = must(await openBus({ servers: small.url, token: small.token }));
    const agent = freshAgent();
    let last = 0;
    let refusal: Failure | undefined;
    for (let epoch = 1; refusal === undefined; epoch += 1) {
      const outcome = await bus.journal.append(agent, record(epoch, 'x'.repeat(200_000)), last);
      if (outcome.ok) last = outcome.value;
      else refusal = outcome.failure;
    }
    expect(refusal).toMatchObject({ kind: 'storage_refused', hint: expect.stringContaining('space') });
    await short.reached(1);
    await small.stop();
    await start({ port: small.port, token: small.token });
    must(await bus.journal.append(agent, record(99), last));
    await bus.close();
  });
});

describe('a kept server', () => {
  it('is started again on its port, token and store when it ends by itself', async () => {
    const troubles = new Happenings<Failure>();
    const kept = must(await keepServer({ ...options(), onTrouble: troubles.add }));
    running.push(kept);
    const bus = must(await openBus({ servers: kept.url, token: kept.token, patienceMs: 8_000 }));
    const agent = freshAgent();
    const first = must(await bus.journal.append(agent, record(1), 0));
    const pid = kept.pid();
    process.kill(pid, 'SIGKILL');
    await troubles.reached(1);
    must(await bus.journal.append(agent, record(2), first));
    expect(kept.pid()).not.toBe(pid);
    await bus.close();
    await kept.stop();
    expect(await findServer(folder)).toBeUndefined();
  });

  it('is started again when there is room after it was short of space', async () => {
    const troubles = new Happenings<Failure>();
    let free = 2_000_000;
    const looks = new Happenings<number>();
    const kept = must(
      await keepServer({
        ...options(),
        maxStoreBytes: 2_000_000,
        lookMs: 20,
        free: async () => {
          looks.add(free);
          return free;
        },
        onTrouble: troubles.add,
      }),
    );
    running.push(kept);
    const bus = must(await openBus({ servers: kept.url, token: kept.token, patienceMs: 8_000 }));
    const agent = freshAgent();
    let last = 0;
    for (let epoch = 1; ; epoch += 1) {
      const outcome = await bus.journal.append(agent, record(epoch, 'x'.repeat(200_000)), last);
      if (!outcome.ok) break;
      last = outcome.value;
    }
    const pid = kept.pid();
    await troubles.reached(1);
    await looks.reached(looks.all.length + 3);
    expect(kept.pid()).toBe(pid);
    const back = new Promise<void>((resolve) => bus.onStatus(({ connected }) => connected && resolve()));
    free = 1_000_000_000;
    await back;
    expect(kept.pid()).not.toBe(pid);
    await bus.close();
  });

  it('is started again after the disk was full, although it did not say so', async () => {
    const troubles = new Happenings<Failure>();
    let free = 0;
    const kept = must(await keepServer({ ...options(), lookMs: 20, free: async () => free, onTrouble: troubles.add }));
    running.push(kept);
    const bus = must(await openBus({ servers: kept.url, token: kept.token }));
    const [trouble] = await troubles.reached(1);
    expect(trouble?.kind).toBe('storage_refused');
    const back = new Promise<void>((resolve) => bus.onStatus(({ connected }) => connected && resolve()));
    free = 1_000_000_000;
    await back;
    await bus.close();
  });

  it('that was killed on a full disk counts as short of space when it is started again, at once', async () => {
    const troubles = new Happenings<Failure>();
    let free = 1_000_000_000;
    const kept = must(
      await keepServer({ ...options(), lookMs: 600_000, free: async () => free, onTrouble: troubles.add }),
    );
    running.push(kept);
    free = 0;
    process.kill(kept.pid(), 'SIGKILL');
    const [ended, short] = await troubles.reached(2);
    expect([ended?.kind, short?.kind]).toEqual(['bus_unreachable', 'storage_refused']);
    await kept.stop();
  });

  it('is started again when its JetStream stays silent although there is room', async () => {
    const troubles = new Happenings<Failure>();
    const kept = must(await keepServer({ ...options(), lookMs: 20, answerMs: 100, onTrouble: troubles.add }));
    running.push(kept);
    const bus = must(await openBus({ servers: kept.url, token: kept.token, patienceMs: 8_000 }));
    const agent = freshAgent();
    const first = must(await bus.journal.append(agent, record(1), 0));
    const pid = kept.pid();
    process.kill(pid, 'SIGSTOP');
    const [trouble] = await troubles.reached(1);
    expect(trouble).toMatchObject({ kind: 'storage_refused', message: expect.stringContaining('does not answer') });
    must(await bus.journal.append(agent, record(2), first));
    expect(kept.pid()).not.toBe(pid);
    await bus.close();
  });

  it.runIf(process.platform !== 'win32')(
    'is started again when the disk was full for so short that there is room when it is looked at',
    async () => {
      const server = must(await findBinary({ env: process.env, fetch: false }));
      const script = join(folder, 'short-once');
      const said = join(folder, 'said');
      const lines = [
        '#!/bin/sh',
        `[ "$1" = -c ] && [ ! -e ${said} ] && touch ${said} && echo "write: no space left on device" >&2`,
        `exec ${server.path} "$@"`,
      ];
      await writeFile(script, lines.join('\n'), { mode: 0o755 });
      const troubles = new Happenings<Failure>();
      const env = { ...process.env, HACT_NATS_SERVER: script };
      const free = async () => 1_000_000_000;
      const kept = must(await keepServer({ ...options({ env }), lookMs: 300, free, onTrouble: troubles.add }));
      running.push(kept);
      const pid = kept.pid();
      await expect.poll(() => [0, pid].includes(kept.pid()), { timeout: 10_000 }).toBe(false);
      expect(troubles.all.map(({ kind }) => kind)).toEqual(['storage_refused']);
    },
  );

  it('ends while it is being started again', async () => {
    const troubles = new Happenings<Failure>();
    const kept = must(await keepServer({ ...options(), onTrouble: troubles.add }));
    process.kill(kept.pid(), 'SIGKILL');
    await troubles.reached(1);
    await kept.stop();
    expect(await findServer(folder)).toBeUndefined();
  });
});

describe('finding a server', () => {
  it('takes the one that is named, and says so when it is none', async () => {
    const named = failureOf(await findBinary({ env: { HACT_NATS_SERVER: '/bin/ls' } }));
    expect(named).toMatchObject({ kind: 'invalid_config', message: expect.stringContaining('/bin/ls') });
  });

  it('finds one outside of PATH, or tells how to install it', async () => {
    const found = await findBinary({ env: { PATH: '' }, cacheDir: folder, fetch: false });
    if (found.ok) expect(found.value.origin).toBe('installed');
    else expect(found.failure.hint).toContain('NATS_URL');
  });

  it.each([
    ['2.9.10', '2.9.10', true],
    ['2.10.0', '2.9.10', true],
    ['2.9.9', '2.9.10', false],
    ['3.0.0', '2.11.5', true],
    ['2.9', '2.9.1', false],
  ])('compares %s with %s', (have, want, enough) => {
    expect(atLeast(have, want)).toBe(enough);
  });
});

describe('the limit of a store', () => {
  it('is what it has and most of what is free, so that it does not shrink as it grows', async () => {
    expect(await storeLimit(folder, 1_000)).toBe(850);
    await writeFile(join(folder, 'block'), 'x'.repeat(500));
    expect(await storeLimit(folder, 500)).toBe(925);
  });
});
