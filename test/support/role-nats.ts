/** A real nats-server that knows the role users and nobody else, with the streams made by its admin. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinary } from '../../src/bus/binary.js';
import { openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import { roleUsers } from '../../src/bus/users.js';
import type { Result } from '../../src/domain/failure.js';

export interface RoleNats {
  readonly port: number;
  /** The admin's connection, which made the streams. */
  readonly admin: Bus;
  /** Address with the credentials of `hact_<role>`. */
  url(user: string): string;
  /** What the server has refused so far, one line of its log each. */
  violations(): string[];
  end(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const users = ['hact_client', 'hact_worker', 'hact_worker_b', 'hact_inspector', 'hact_admin'];

/** @param forbid rights that are left out of the configuration, by user */
export async function startRoleNats({
  forbid = {},
}: {
  forbid?: Readonly<Record<string, readonly string[]>>;
} = {}): Promise<RoleNats> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-roles-'));
  const port = await freePort();
  const made = must(roleUsers({ prefix: 'hact.v1', users, host: '127.0.0.1', port, storeDir: join(folder, 'store') }));
  const config = join(folder, 'server.conf');
  await writeFile(config, without(made.configuration, forbid));
  const binary = must(await findBinary({ env: process.env, fetch: false }));
  const server = spawn(binary.path, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  while (!log.includes('Server is ready')) log += String((await once(server.stderr, 'data'))[0]);
  server.stderr.on('data', (text) => {
    log += String(text);
  });
  const url = (user: string): string => made.users.find(({ name }) => name === user)?.url ?? '';
  const admin = must(await openBus({ servers: url('hact_admin') }));
  return {
    port,
    admin,
    url,
    violations: () => log.split('\n').filter((line) => /Violation/.test(line)),
    end: async () => {
      await admin.close();
      server.kill('SIGKILL');
      await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function without(configuration: string, forbid: Readonly<Record<string, readonly string[]>>): string {
  const lines = configuration.split('\n').map((line) => {
    const [user] = Object.keys(forbid).filter((name) => line.includes(`"user":"${name}"`));
    return (forbid[user ?? ''] ?? []).reduce((left, subject) => left.replace(`"${subject}",`, ''), line);
  });
  return lines.join('\n');
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} (${result.failure.hint ?? ''})`);
  return result.value;
}
