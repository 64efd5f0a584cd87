/** What each role user is refused, one row for each attack; and what hostile frames with a worker's rights come to. */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { connect, headers as makeHeaders, type NatsConnection } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBus } from '../../src/bus/connect.js';
import type { Bus, Wake } from '../../src/bus/contract.js';
import { inboxOfUser, permissionsOf, roleOfUser, userRoles } from '../../src/bus/role-user.js';
import { namesOf } from '../../src/bus/subject.js';
import { roleUsers } from '../../src/bus/users.js';
import { ok } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { TenantName } from '../../src/domain/lane.js';
import { randomFrom } from '../support/random.js';
import { type RoleNats, startRoleNats } from '../support/role-nats.js';
import { failureOf, freshAgent, freshRole, Happenings, kindOf, message, must, record } from './conformance/harness.js';

const names = namesOf('hact.v1', 8);
let nats: RoleNats;
const opened: NatsConnection[] = [];
beforeAll(async () => {
  nats = await startRoleNats();
});
afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await nats.end();
});

/** A plain client with the credentials of a role user. */
async function as(user: string): Promise<NatsConnection> {
  const { username, password } = new URL(nats.url(user));
  const connection = await connect({
    servers: `127.0.0.1:${nats.port}`,
    user: username,
    pass: password,
    inboxPrefix: inboxOfUser(user),
  });
  opened.push(connection);
  return connection;
}

describe('getting in', () => {
  it.each([
    ['anonymous', {}],
    ['with a wrong password', { user: 'hact_worker', pass: 'guess' }],
    ['with an empty password', { user: 'hact_worker', pass: '' }],
    ['as nobody that is known', { user: 'hact_worker_x', pass: 'guess' }],
    ['with a token', { token: 'guess' }],
  ])('is refused %s', async (_, credentials) => {
    await expect(connect({ servers: `127.0.0.1:${nats.port}`, ...credentials })).rejects.toThrow(/authorization/i);
  });
});

/** Everything that is stored, to be compared before and after. */
async function stored(): Promise<Record<string, { messages: number; last: number }>> {
  const connection = await as('hact_admin');
  const manager = await connection.jetstreamManager();
  const streams: Record<string, { messages: number; last: number }> = {};
  for await (const { config, state } of manager.streams.list())
    streams[config.name] = { messages: state.messages, last: state.last_seq };
  return streams;
}

const journal = names.streams.journal(0);
const forbidden: [user: string, what: string, subject: string][] = [
  ['hact_worker', 'submit a task', 'hact.v1.task.submit'],
  ['hact_worker', 'purge a journal', `$JS.API.STREAM.PURGE.${journal}`],
  ['hact_worker', 'purge the inboxes', `$JS.API.STREAM.PURGE.${names.streams.inbox}`],
  ['hact_worker', 'delete a journal', `$JS.API.STREAM.DELETE.${journal}`],
  ['hact_worker', 'delete a record', `$JS.API.STREAM.MSG.DELETE.${journal}`],
  ['hact_worker', 'change a stream', `$JS.API.STREAM.UPDATE.${journal}`],
  ['hact_worker', 'make a stream', '$JS.API.STREAM.CREATE.MINE'],
  ['hact_worker', 'restore a stream', '$JS.API.STREAM.RESTORE.MINE'],
  ['hact_worker', 'take a snapshot', `$JS.API.STREAM.SNAPSHOT.${journal}`],
  ['hact_worker', 'list streams', '$JS.API.STREAM.NAMES'],
  ['hact_worker', 'delete the consumer of a queue', `$JS.API.CONSUMER.DELETE.${names.streams.wake}.planner-normal`],
  ['hact_worker', 'acknowledge what others read', `$JS.ACK.${names.streams.events}.x.1.1.1.1.0`],
  ['hact_worker', 'ask the system', '$SYS.REQ.SERVER.PING'],
  ['hact_worker', 'answer in the name of another', `${inboxOfUser('hact_client')}.x.1`],
  [
    'hact_worker',
    'delete what a provider’s limit is shared by',
    `$JS.API.STREAM.MSG.DELETE.${names.streams.bucket('provider')}`,
  ],
  ['hact_worker', 'read dead letters', `$JS.API.DIRECT.GET.${names.streams.dead}`],
  ['hact_client', 'put a report into an inbox', names.inbox('tsk_1')],
  ['hact_client', 'wake', names.wake({ role: 'planner', priority: 'normal' })],
  ['hact_client', 'wake in another tenant’s name', names.wake({ role: 'planner', priority: 'high', tenant: 'acme' })],
  ['hact_client', 'tell of a lane', names.lane('planner')],
  ['hact_inspector', 'wake', names.wake({ role: 'planner', priority: 'high', queue: 'gpu' })],
  ['hact_client', 'write a journal', names.log('tsk_1')],
  ['hact_client', 'end a task by its record', names.bucket('task', 'tsk_1')],
  ['hact_client', 'decide past the service', names.bucket('approval', 'apr_1')],
  ['hact_client', 'open the breaker of a provider', names.bucket('provider', 'openai.breaker')],
  ['hact_client', 'tell of a breaker', names.heard('provider', 'openai.breaker')],
  ['hact_client', 'read the state of providers', `$JS.API.DIRECT.GET.${names.streams.bucket('provider')}`],
  ['hact_client', 'tell of an event', names.event('tsk_1', 'tsk_1', 'ended')],
  ['hact_client', 'tell of a result', names.heard('task', 'tsk_1')],
  ['hact_client', 'read a journal', `$JS.API.DIRECT.GET.${journal}`],
  ['hact_client', 'follow the inboxes', `$JS.API.CONSUMER.CREATE.${names.streams.inbox}`],
  ['hact_client', 'set a timer', names.timer],
  ['hact_inspector', 'write a journal', names.log('tsk_1')],
  ['hact_inspector', 'put into an inbox', names.inbox('tsk_1')],
  ['hact_inspector', 'close the breaker of a provider', names.bucket('provider', 'openai.breaker')],
  ['hact_inspector', 'purge', `$JS.API.STREAM.PURGE.${journal}`],
  ['hact_inspector', 'change a snapshot', names.bucket('agent', 'tsk_1')],
  ['hact_admin', 'ask the system', '$SYS.REQ.ACCOUNT.PING'],
  ['hact_admin', 'publish for another installation', 'other.v1.in.tsk_1'],
];

describe('publishing', () => {
  it.each(forbidden)('as %s: may not %s', async (user, _, subject) => {
    const before = await stored();
    const connection = await as(user);
    const refused = denials(connection, 1);
    connection.publish(subject, '{}', { reply: `${inboxOfUser(user)}.r` });
    await connection.flush();
    expect(await refused).toEqual([subject]);
    expect(await stored()).toEqual(before);
    await expect.poll(() => nats.violations().join()).toContain(`Subject "${subject}"`);
  });
});

it('a worker shares what it knows of providers, and hears of it', async () => {
  const [one, other] = [
    must(await openBus({ servers: nats.url('hact_worker') })),
    must(await openBus({ servers: nats.url('hact_worker_b') })),
  ];
  const heard = new Happenings<unknown>();
  const stop = other.buckets.provider.watch('openai.breaker', (value) => heard.add(value));
  await heard.reached(1);
  const seq = must(await one.buckets.provider.create('openai.breaker', { failures: 1 }));
  must(await other.buckets.provider.update('openai.breaker', { failures: 2 }, seq));
  expect(await heard.reached(3)).toEqual([undefined, { failures: 1 }, { failures: 2 }]);
  stop();
  await Promise.all([one.close(), other.close()]);
});

it('a worker may not wipe a bucket by a header', async () => {
  must(await nats.admin.buckets.agent.put('tsk_kept', { a: 1 }));
  const before = await stored();
  const headers = makeHeaders();
  headers.set('Nats-Rollup', 'all');
  const worker = await as('hact_worker');
  const subject = names.bucket('agent', 'tsk_kept');
  const answer = await worker.request(subject, '{}', { headers, timeout: 5_000 });
  expect(answer.json()).toMatchObject({ error: { description: expect.stringMatching(/rollup/) } });
  expect(await stored()).toEqual(before);
});

const overheard: [user: string, subject: string][] = [
  ...['>', '*.>', '_INBOX.>', '$SYS.>', '$JS.>', 'hact.>', 'hact.v1.>', 'hact.v1.log.>', 'other.v1.in.*'].map(
    (subject): [string, string] => ['hact_worker', subject],
  ),
  ['hact_worker', `${inboxOfUser('hact_worker_b')}.>`],
  ['hact_worker', `${inboxOfUser('hact_client')}.>`],
  ...['>', '_INBOX.>', '$SYS.>', '$KV.>', 'hact.v1.>', 'hact.v1.in.*', 'hact.v1.wake.*.*', 'hact.v1.kv.>'].map(
    (subject): [string, string] => ['hact_client', subject],
  ),
  ['hact_client', 'hact.v1.task.*'],
  ['hact_client', 'hact.v1.kv.approval.*'],
  ['hact_client', `${inboxOfUser('hact_inspector')}.>`],
  ['hact_inspector', 'hact.v1.in.*'],
  ['hact_inspector', `${inboxOfUser('hact_worker')}.>`],
  ['hact_admin', '>'],
  ['hact_admin', `${inboxOfUser('hact_client')}.>`],
];

describe('listening', () => {
  it.each(overheard)('as %s: %s is refused and hears nothing', async (user, subject) => {
    const connection = await as(user);
    const heard: string[] = [];
    const refused = denials(connection, 1);
    connection.subscribe(subject, { callback: (error, msg) => error === null && heard.push(msg.subject) });
    await connection.flush();
    expect(await refused).toEqual([subject]);
    const client = must(await openBus({ servers: nats.url('hact_client') }));
    must(await nats.admin.inbox.put(freshAgent(), message('m')));
    must(await client.feed.last(undefined));
    await connection.flush();
    expect(heard).toEqual([]);
    await client.close();
  });
});

/** The subjects of the next so many refusals. */
function denials(connection: NatsConnection, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const subjects: string[] = [];
    void (async () => {
      for await (const status of connection.status()) {
        if (status.permissionContext === undefined) continue;
        subjects.push(status.permissionContext.subject);
        if (subjects.length === count) return resolve(subjects);
      }
    })();
  });
}

describe('ids', () => {
  const hostile = ['', 'a.b', '*', '>', 'a b', 'a\nb', 'a\r\nPUB x 0\r\n\r\n', 'é', 'x'.repeat(10_240)];
  it.each(hostile)('like %j are refused before anything is sent', async (id) => {
    const bus = must(await openBus({ servers: nats.url('hact_worker') }));
    const before = await stored();
    const agent = id as AgentId;
    const outcomes = [
      await bus.journal.append(agent, record(1), 0),
      await bus.journal.read(agent, 0),
      await bus.inbox.put(agent, message('m')),
      await bus.inbox.read(agent, 0),
      await bus.inbox.clear(agent),
      await bus.wakes.put({ role: freshRole(), priority: 'normal' }, agent),
      await bus.dead.put({ agentId: agent, reason: { kind: 'internal', message: '' }, detail: {} }),
      ...(id === 'a.b' ? [] : [await bus.buckets.task.put(id, 1), await bus.buckets.task.get(id)]),
    ];
    expect(outcomes.map(kindOf)).toEqual(outcomes.map(() => 'invalid_request'));
    expect(await stored()).toEqual(before);
    await bus.close();
  });
});

describe('a service request', () => {
  let server: Bus;
  let stop: () => Promise<void>;
  let client: NatsConnection;
  const asked: string[] = [];
  beforeAll(async () => {
    server = must(await openBus({ servers: nats.url('hact_worker') }));
    const echo = async (body: string) => {
      asked.push(body);
      return ok({ v: 1, type: 'task.cancelled', id: body, at: 1, by: 'x' });
    };
    stop = must(await server.requests.serve({ 'task.get': echo }));
    client = await as('hact_client');
  });
  afterAll(async () => {
    await stop();
    await server.close();
  });

  it('with 1,000 headers is refused with a reason', async () => {
    const headers = makeHeaders();
    for (let n = 0; n < 1_000; n += 1) headers.set(`Header-${n}`, 'x');
    const reply = await client.request('hact.v1.task.get', 'many', { timeout: 5_000, headers });
    expect(JSON.parse(reply.string())).toMatchObject({ kind: 'too_large' });
    expect(reply.headers?.get('Nats-Service-Error-Code')).toBe('413');
    expect(asked).not.toContain('many');
  });

  it('cannot be given a header with a line break', async () => {
    expect(() => makeHeaders().set('A', 'x\r\nNats-Expected-Last-Sequence: 1')).toThrow();
    expect(() => makeHeaders().set('A\r\nB', 'x')).toThrow();
  });

  it('is not answered into an inbox, a bucket or the JetStream API', async () => {
    const before = await stored();
    for (const reply of [names.inbox('tsk_1'), names.bucket('task', 'tsk_1'), `$JS.API.STREAM.PURGE.${journal}`])
      client.publish('hact.v1.task.get', 'misled', { reply });
    await client.flush();
    expect((await client.request('hact.v1.task.get', 'led', { timeout: 5_000 })).json()).toMatchObject({ id: 'led' });
    expect(asked).not.toContain('misled');
    expect(await stored()).toEqual(before);
  });

  it('of 2 MB is refused by the bus with a typed failure, and by the server on the wire', async () => {
    const bus = must(await openBus({ servers: nats.url('hact_client') }));
    const refusal = failureOf(await bus.requests.request('task.get', { text: 'x'.repeat(2 << 20) }, 5_000));
    expect(refusal.kind).toBe('too_large');
    await bus.close();
    const { username, password } = new URL(nats.url('hact_worker'));
    const socket = createConnection(nats.port, '127.0.0.1');
    let said = '';
    socket.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    const options = JSON.stringify({ user: username, pass: password, verbose: false, pedantic: false });
    socket.write(`CONNECT ${options}\r\nPUB ${names.inbox('tsk_1')} ${2 << 20}\r\n`);
    await closed;
    expect(said).toMatch(/Maximum Payload/i);
  });
});

describe('10,000 random frames with the rights of a worker', () => {
  it('leave a bus that works, dead letters, and nothing that comes again and again', async () => {
    const random = randomFrom(30);
    const [agent, role] = [freshAgent(), freshRole()];
    const bus = must(await openBus({ servers: nats.url('hact_worker'), ackWaitMs: 300 }));
    const connection = await as('hact_worker_b');
    const subjects = [
      names.inbox(agent),
      names.wake({ role, priority: 'normal' }),
      names.wake({ role, priority: 'high', tenant: 'acme' }),
      names.lane(role),
      names.timer,
      names.event('tsk_1', agent, 'moved'),
      names.dead(agent),
      names.log('tsk_unused'),
      names.blob('0'.repeat(64), 0),
      names.control(agent),
      names.host('host_1'),
      names.bucket('lease', agent),
      names.bucket('task', 'tsk_1'),
      names.heard('task', 'tsk_1'),
    ];
    for (let n = 0; n < 10_000; n += 1) {
      const bytes = Buffer.from(
        Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 256)),
      );
      connection.publish(subjects[n % subjects.length] ?? '', bytes);
    }
    await connection.flush();

    const stop = new AbortController();
    const wakes = new Happenings<Wake>();
    const fired = new Happenings<string>();
    const consuming = bus.wakes.consume(
      role,
      { capacity: () => 16, signal: stop.signal, onFailure: () => undefined },
      (wake) => {
        wake.ack();
        wakes.add(wake);
      },
    );
    const timing = bus.timers.consume(stop.signal, async ({ name }) => {
      fired.add(name);
      return true;
    });
    must(await bus.wakes.put({ role, priority: 'normal', tenant: 'acme' as TenantName }, agent));
    must(await bus.timers.set({ agentId: agent, name: 'good', dueAt: Date.now(), role, priority: 'normal' }));
    must(await bus.inbox.put(agent, message('good')));
    await Promise.all([reaches(wakes, ({ agentId }) => agentId === agent), reaches(fired, (name) => name === 'good')]);
    expect(must(await bus.inbox.read(agent, 0)).map(({ value }) => value.id)).toEqual(['good']);
    // In the end nothing is left to be delivered again.
    const left = async (): Promise<unknown[]> => {
      const streams = await stored();
      return [streams[names.streams.wake]?.messages, streams[names.streams.timer]?.messages];
    };
    await expect.poll(left, { timeout: 30_000 }).toEqual([0, 0]);
    stop.abort();
    await Promise.all([consuming, timing]);
    const letters = must(await nats.admin.dead.list());
    expect(letters.length).toBeGreaterThan(800);
    expect(await bus.buckets.task.get('tsk_1')).toMatchObject({ ok: false, failure: { kind: 'damaged' } });
    must(await bus.inbox.clear(agent));
    expect(must(await bus.inbox.read(agent, 0))).toEqual([]);
    await bus.close();
  });
});

async function reaches<T>(happenings: Happenings<T>, wanted: (value: T) => boolean): Promise<void> {
  for (let count = 1; !happenings.all.some(wanted); count = happenings.all.length + 1) await happenings.reached(count);
}

describe('the lists', () => {
  it('allow, and never deny; no `*` stands where `>` would take in the prefix', () => {
    for (const role of userRoles) {
      const { publish, subscribe } = permissionsOf(role, `hact_${role}`, names);
      for (const subject of [...publish, ...subscribe]) expect(subject).not.toMatch(/^(>|\*|hact\.\*|hact\.v1\.\*)/);
    }
    const made = must(
      roleUsers({ prefix: 'hact.v1', users: ['hact_client'], host: '127.0.0.1', port: 1, storeDir: '/s' }),
    );
    expect(made.configuration).not.toMatch(/deny|websocket|mqtt|leafnodes|accounts \{/);
  });

  it.each(['worker', 'hact_root', 'hact_worker_', 'hact_worker_a.b', 'hact_worker_*', 'HACT_WORKER'])(
    'know no role of %s',
    (user) => {
      expect(roleOfUser(user)).toBeUndefined();
      const made = roleUsers({ prefix: 'hact.v1', users: [user], host: '127.0.0.1', port: 1, storeDir: '/s' });
      expect(kindOf(made)).toBe('invalid_request');
    },
  );
});
