/** Deaths that take seconds to be noticed, and processes that are killed from outside. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/bus/lock.js';
import { startServer } from '../../src/bus/server.js';
import { startTestBuses } from '../support/nats-bus.js';
import { startProxy } from '../support/nats-proxy.js';
import { freshAgent, must, record } from './conformance/harness.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-orphan-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that starts a server. */
async function startOwner(): Promise<{ owner: ChildProcess; serverPid: number }> {
  const owner = spawn(process.execPath, ['dist/test/support/nats-owner.js', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout.setEncoding('utf8'), 'data')) as [string];
  return { owner, serverPid: Number(line.trim()) };
}

const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Commands of all processes that name the folder: the server, and the shell that guards it. */
const commandsAt = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'command']);
  return stdout.split('\n').filter((line) => line.includes(folder));
};

describe('the server of a process that dies', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('by %s ends too, and with it its guard', async (signal) => {
    const { owner, serverPid } = await startOwner();
    expect(isAlive(serverPid)).toBe(true);
    owner.kill(signal);
    await once(owner, 'exit');
    await gone(serverPid);
    while ((await commandsAt()).length > 0);
    const next = must(await startServer({ folder, env: process.env, fetch: false }));
    await next.stop();
    expect(await commandsAt()).toEqual([]);
  });
});

describe('a connection that is cut without a word', () => {
  it('is noticed within 10 s, and calls go on over a new one', async () => {
    const buses = await startTestBuses();
    const proxy = await startProxy(buses.nats.url);
    const bus = await buses.open({ servers: proxy.url, patienceMs: 30_000 });
    const agent = freshAgent();
    const first = must(await bus.journal.append(agent, record(1), 0));
    const lost = new Promise<number>((resolve) => bus.onStatus(({ connected }) => !connected && resolve(Date.now())));
    const frozenAt = Date.now();
    proxy.freeze();
    const appending = bus.journal.append(agent, record(2), first);
    expect((await lost) - frozenAt).toBeLessThan(10_500);
    proxy.pass();
    must(await appending);
    expect(must(await bus.journal.read(agent, 0))).toHaveLength(2);
    await buses.end();
    await proxy.stop();
  });
});
