/** The service as any NATS client sees it: a client of another package, plain subjects, plain JSON. */
import { connect, type NatsConnection, type RequestOptions } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/control/client.js';
import { protocol } from '../../src/control/protocol.js';
import { serveControl } from '../../src/control/service.js';
import type { AgentId } from '../../src/domain/id.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { endTask, eventOf, openControl, reportOf, type TestControl, value, withBus } from './support.js';

let nats: TestNats;
let at: TestControl;
let bare: NatsConnection;
let stopServing: () => Promise<void>;
beforeAll(async () => {
  nats = await startTestNats();
  at = await openControl(nats, { prefix: 'hact.v1' });
  stopServing = value(await serveControl(at));
  bare = await connect({ servers: nats.url, token: nats.token });
});
afterAll(async () => {
  await bare.close();
  await stopServing();
  await at.bus.close();
  await nats.stop();
});

interface Answer {
  readonly body: Record<string, unknown>;
  readonly code: string;
  readonly error: string;
}

async function raw(name: string, body: string): Promise<Answer> {
  const options: RequestOptions = { timeout: 5_000 };
  const reply = await bare.request(`hact.v1.${name}`, body, options);
  return {
    body: reply.json(),
    code: reply.headers?.get('Nats-Service-Error-Code') ?? '',
    error: reply.headers?.get('Nats-Service-Error') ?? '',
  };
}
const ask = (name: string, body: unknown) => raw(name, JSON.stringify(body));

describe('a bare NATS client', () => {
  it('submits, hears the events on the subject it was told, and fetches the result', async () => {
    const { body } = await ask('task.submit', { goal: '哪些接口变慢了?', budget: { rounds: 12 } });
    const { taskId, events } = body as { taskId: string; events: string };
    expect(events).toBe(`hact.v1.evt.${taskId}.>`);
    const heard = bare.subscribe(events, { max: 1 });
    await bare.flush();
    at.bus.feed.publish(eventOf(taskId as never, 'ended', { report: reportOf(taskId as never) }));
    for await (const message of heard) {
      expect(message.subject).toBe(`hact.v1.evt.${taskId}.${taskId}.ended`);
      expect(message.json()).toMatchObject({ v: 1, kind: 'ended', taskId });
    }
    expect((await ask('task.get', { taskId })).body).toMatchObject({
      taskId,
      state: 'accepted',
      goal: '哪些接口变慢了?',
    });
    await endTask(at, taskId as never);
    expect((await ask('task.get', { taskId })).body).toMatchObject({
      state: 'ended',
      report: { status: 'done', result: 42 },
    });
    expect((await raw('task.list', '')).body).toMatchObject({
      tasks: [expect.objectContaining({ taskId, status: 'done' })],
    });
    expect((await ask('task.tree', { taskId })).body).toMatchObject({
      v: 1,
      agents: [{ agentId: taskId, status: 'done' }],
    });
  });

  it('finds the service and its endpoints by the services API', async () => {
    const reply = await bare.request('$SRV.INFO.hact', '', { timeout: 2_000 });
    const info = reply.json<{ name: string; endpoints: { subject: string }[] }>();
    expect(info.name).toBe('hact');
    expect(info.endpoints.map(({ subject }) => subject).sort()).toEqual(
      Object.keys(protocol)
        .map((name) => `hact.v1.${name}`)
        .sort(),
    );
  });

  it('steers', async () => {
    const { taskId } = (await ask('task.submit', { goal: 'g' })).body as { taskId: string };
    for (const [name, more] of [
      ['task.pause', {}],
      ['task.correct', { text: 'only 2026', by: 'ana' }],
      ['task.budget', { budget: { rounds: 3 } }],
      ['task.resume', {}],
      ['task.cancel', { reason: 'enough' }],
    ] as const) {
      expect((await ask(name, { taskId, ...more })).body).toEqual({ agentId: taskId, accepted: true });
    }
    const types = value(await at.bus.inbox.read(taskId as AgentId, 0)).map((stored) => stored.value.type);
    expect(types).toEqual([
      'task.ordered',
      'human.paused',
      'human.corrected',
      'budget.changed',
      'human.resumed',
      'task.cancelled',
    ]);
  });

  it('keeps its key: the same task for the same body, a conflict for another', async () => {
    const first = await ask('task.submit', { goal: 'g', idempotencyKey: 'k' });
    expect((await ask('task.submit', { goal: 'g', idempotencyKey: 'k' })).body).toEqual(first.body);
    expect(await ask('task.submit', { goal: 'h', idempotencyKey: 'k' })).toMatchObject({
      code: '409',
      body: { kind: 'conflict' },
    });
  });
});

describe('a request that cannot be used gets a reply that says why', () => {
  it.each([
    ['task.submit', '', 'empty message'],
    ['task.submit', '{"goal":', 'not JSON'],
    ['task.submit', '\u0000\u0001', 'not JSON'],
    ['task.submit', '[]', 'expected an object'],
    ['task.submit', '{"goal":7}', '"goal"'],
    ['task.submit', '{"goal":"g","unknown":1}', 'unknown field "unknown"'],
    ['task.get', '{"taskId":"a.b"}', '"taskId"'],
    ['task.get', '{"taskId":"*"}', '"taskId"'],
    ['task.get', '{"taskId":">"}', '"taskId"'],
    ['task.get', '{"taskId":"a b"}', '"taskId"'],
    ['task.cancel', '{}', 'either "taskId" or "agentId"'],
    ['task.pause', '{"taskId":"a","force":true}', 'unknown field "force"'],
    ['task.correct', '{"taskId":"a","text":""}', '"text"'],
    ['task.list', '{"limit":-1}', '"limit"'],
    ['approval.decide', '{"id":"apr_1","allow":"yes"}', '"allow"'],
    ['question.answer', '{"id":"apr_1"}', '"text" is missing'],
  ])('%s %s', async (name, body, said) => {
    const answer = await raw(name, body);
    expect(answer).toMatchObject({ code: '400', body: { kind: 'invalid_request', hint: expect.any(String) } });
    expect(answer.body.message).toContain(said);
    expect(answer.error).toContain(said.slice(0, 10));
  });

  it('knows no such task, agent or request', async () => {
    for (const [name, body] of [
      ['task.get', { taskId: 'tsk_none' }],
      ['task.tree', { taskId: 'tsk_none' }],
      ['task.cancel', { agentId: 'tsk_none-1' }],
      ['approval.decide', { id: 'apr_none', allow: true }],
    ] as const) {
      expect(await ask(name, body)).toMatchObject({ code: '404', body: { kind: 'not_found' } });
    }
  });

  it('is refused for its size when the server takes it', async () => {
    const answer = await ask('task.submit', { goal: 'g', context: 'x'.repeat(250_000) });
    expect(answer).toMatchObject({
      code: '400',
      body: { message: expect.stringContaining('at most 200000 characters') },
    });
  });

  it('stays a reply when a handler breaks', async () => {
    const broken = withBus(at, (bus) => ({ buckets: { ...bus.buckets, task: undefined as never } }));
    const texts = await handlersServedBy(broken);
    expect(await texts['task.get']?.('{"taskId":"a"}')).toMatchObject({ ok: false, failure: { kind: 'internal' } });
  });
});

/** What a control would serve, without a server in between. */
async function handlersServedBy(control: TestControl) {
  let served: Parameters<TestControl['bus']['requests']['serve']>[0] = {};
  const capture = withBus(control, (bus) => ({
    requests: {
      ...bus.requests,
      serve: async (endpoints) => {
        served = endpoints;
        return { ok: true, value: async () => {} };
      },
    },
  }));
  value(await serveControl(capture));
  return served;
}

describe('the client of control', () => {
  it('asks the service, and hears its refusals', async () => {
    const client = createClient(at);
    const { taskId } = value(await client.submit({ goal: 'through the service' }));
    expect(value(await client.get(taskId)).goal).toBe('through the service');
    expect(await client.submit({ goal: '' })).toMatchObject({ failure: { kind: 'invalid_request' } });
    expect(await client.submit({ goal: 'g', context: 'x'.repeat(2_000_000) })).toMatchObject({ ok: false });
    expect(await client.get('tsk_none' as never)).toMatchObject({ failure: { kind: 'not_found' } });
  });

  it('does it itself when nobody serves', async () => {
    const alone = await openControl(nats);
    const client = createClient(alone);
    const { taskId } = value(await client.submit({ goal: 'nobody serves' }));
    expect(value(await client.list()).tasks).toMatchObject([{ taskId }]);
    value(await client.cancel({ taskId }));
    expect(value(await client.workers())).toBe(0);
    await alone.bus.close();
  });

  it('submits once when the reply to its first try is lost', async () => {
    const lossy = await openControl(nats);
    const stop = value(await serveControl(lossy));
    let lost = 0;
    const client = createClient(
      withBus(lossy, (bus) => ({
        requests: {
          ...bus.requests,
          request: async (name, body, timeoutMs) => {
            const reply = await bus.requests.request(name, body, timeoutMs);
            lost += 1;
            return lost === 1 ? { ok: false, failure: { kind: 'bus_unreachable', message: 'no answer' } } : reply;
          },
        },
      })),
    );
    const { taskId } = value(await client.submit({ goal: 'once' }));
    expect(lost).toBe(2);
    expect(value(await createClient(lossy).list()).tasks.map((task) => task.taskId)).toEqual([taskId]);
    await stop();
    await lossy.bus.close();
  });
});
