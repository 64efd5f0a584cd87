/** Users of a server in operator mode, whose credentials end: they are refused, and the bus says so in words. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, credsAuthenticator, nkeys } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinary } from '../../src/bus/binary.js';
import { openBus } from '../../src/bus/connect.js';
import { freePort } from '../support/role-nats.js';
import { failureOf, must } from './conformance/harness.js';

type Key = ReturnType<typeof nkeys.createUser>;
const utf8 = new TextDecoder();
const seconds = () => Math.floor(Date.now() / 1_000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(issuer: Key, subject: Key, nats: object, expiresAt?: number): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: seconds() - 100,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    ...(expiresAt === undefined ? {} : { exp: expiresAt }),
    nats: { version: 2, ...nats },
  };
  const text = `${base64({ typ: 'JWT', alg: 'ed25519-nkey' })}.${base64(claims)}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
const limits = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true };
const anything = { pub: {}, sub: {}, subs: -1, data: -1, payload: -1 };

let folder: string;
let url: string;
let end: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-expired-'));
  const port = await freePort();
  url = `nats://127.0.0.1:${port}`;
  const preload = `${account.getPublicKey()}: ${token(operator, account, { type: 'account', limits })}`;
  const configuration = [
    'host: 127.0.0.1',
    `port: ${port}`,
    `operator: ${token(operator, operator, { type: 'operator' })}`,
    'resolver: MEMORY',
    `resolver_preload: { ${preload} }`,
  ].join('\n');
  await writeFile(join(folder, 'server.conf'), configuration);
  const { path } = must(await findBinary({ env: process.env, fetch: false }));
  const server = spawn(path, ['-c', join(folder, 'server.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  for (let log = ''; !log.includes('Server is ready'); ) log += String((await once(server.stderr, 'data'))[0]);
  server.stderr.resume();
  end = async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
});
afterAll(() => end());

function credentials(expiresAt: number): string {
  const user = nkeys.createUser();
  const jwt = token(account, user, { type: 'user', ...anything }, expiresAt);
  const block = (what: string, text: string): string => `-----BEGIN ${what}-----\n${text}\n------END ${what}------\n\n`;
  return block('NATS USER JWT', jwt) + block('USER NKEY SEED', utf8.decode(user.getSeed()));
}

it('a user whose credentials have ended is refused, as nobody else is', async () => {
  const files = { good: join(folder, 'good.creds'), ended: join(folder, 'ended.creds') };
  await writeFile(files.good, credentials(seconds() + 3_600));
  await writeFile(files.ended, credentials(seconds() - 10));
  const good = await connect({
    servers: url,
    authenticator: credsAuthenticator(Buffer.from(credentials(seconds() + 60))),
  });
  await good.close();
  expect(failureOf(await openBus({ servers: url, credsFile: files.ended }))).toMatchObject({
    kind: 'bus_unreachable',
    message: expect.stringMatching(/authorization/i),
    hint: expect.stringContaining('credentials'),
  });
  const refusal = failureOf(await openBus({ servers: url, credsFile: files.good, patienceMs: 500 }));
  expect(refusal.message, 'it got in, to a server without JetStream').toContain('JetStream');
});

it('one whose credentials end while it is connected is put out, and does not get in again', async () => {
  const connection = await connect({
    servers: url,
    authenticator: credsAuthenticator(Buffer.from(credentials(seconds() + 2))),
    maxReconnectAttempts: 1,
    reconnectTimeWait: 10,
  });
  expect(await connection.closed(), 'it was connected, and could not come back').toBeInstanceOf(Error);
  const renewed = credsAuthenticator(Buffer.from(credentials(seconds() + 60)));
  await (await connect({ servers: url, authenticator: renewed })).close();
});
