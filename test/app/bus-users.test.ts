import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeRoleUsers } from '../../src/app/bus-users.js';
import { failureOf, must } from '../bus/conformance/harness.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-users-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const options = { prefix: 'hact.v1', users: ['hact_client', 'hact_worker'], host: '127.0.0.1', port: 4222 };

it('writes passwords where only the owner reads them, a new one for each user, and never over others', async () => {
  const out = join(folder, 'users');
  const written = must(await writeRoleUsers(out, options));
  const files = [written.configuration, ...written.users.map(({ file }) => file)];
  for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [configuration = '', client = '', worker = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const [, password = ''] = /^NATS_URL=nats:\/\/hact_client:([\w-]{32})@127\.0\.0\.1:4222\n$/.exec(client) ?? [];
  expect(configuration).toContain(`"password":"${password}"`);
  expect(worker).not.toContain(password);
  expect(failureOf(await writeRoleUsers(out, options)).kind).toBe('conflict');
  expect(await readFile(written.configuration, 'utf8')).toBe(configuration);
});

it('says where it cannot write', async () => {
  expect(failureOf(await writeRoleUsers('/proc/nowhere', options))).toMatchObject({ kind: 'invalid_config' });
});
