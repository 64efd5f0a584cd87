import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/bus/contract.js';
import { putSign } from '../../src/bus/presence.js';
import { idsFrom, randomIds } from '../../src/control/control.js';
import { acceptSubmission } from '../../src/control/submit.js';
import type { AgentId, RoleName, TaskId } from '../../src/domain/id.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { QueueName } from '../../src/domain/lane.js';
import type { Submission } from '../../src/domain/task.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { away, endTask, openControl, type TestControl, value, withBus } from './support.js';

let nats: TestNats;
const open: TestControl[] = [];
beforeAll(async () => {
  nats = await startTestNats();
});
afterAll(async () => {
  await Promise.all(open.map(({ bus }) => bus.close()));
  await nats.stop();
});

async function control(changes: Parameters<typeof openControl>[1] = {}): Promise<TestControl> {
  const opened = await openControl(nats, changes);
  open.push(opened);
  return opened;
}

const goal: Submission = { goal: 'Summe der Spalte 金额' };
const inboxOf = async ({ bus }: TestControl, taskId: TaskId) =>
  value(await bus.inbox.read(taskId as string as AgentId, 0)).map((stored) => stored.value);
const orderOf = async (at: TestControl, taskId: TaskId) => {
  const [first] = await inboxOf(at, taskId);
  if (first?.type !== 'task.ordered') throw new Error(`expected an order, got ${first?.type}`);
  return first.order;
};

async function firstWake(bus: Bus, role: string, queues: QueueName[] = []): Promise<string> {
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    void bus.wakes.consume(
      role as never,
      { capacity: () => 1, queues, signal: stop.signal, onFailure: (failure) => reject(new Error(failure.message)) },
      (wake) => {
        wake.ack();
        stop.abort();
        resolve(`${wake.agentId} ${wake.priority}`);
      },
    );
  });
}

describe('a submission', () => {
  it('is acknowledged when record, order and wake are stored', async () => {
    const at = await control();
    const { taskId, events } = value(await acceptSubmission(at, { ...goal, priority: 'high' }));
    expect(taskId).toMatch(/^tsk_[0-9A-Z]{11}$/);
    expect(events).toBe(`${at.prefix}.evt.${taskId}.>`);
    expect(value(await at.bus.buckets.task.get(taskId))?.value).toEqual({
      v: 1,
      taskId,
      goal: goal.goal,
      state: 'accepted',
      submittedAt: at.clock.now(),
    });
    expect(await inboxOf(at, taskId)).toMatchObject([{ type: 'task.ordered', id: `${taskId}.order` }]);
    expect(await firstWake(at.bus, 'planner')).toBe(`${taskId} high`);
  });

  it('may name a queue that a living worker serves, and is refused with the known ones when nobody does', async () => {
    const at = await control();
    const serving = { roles: ['executor', 'planner'] as RoleName[], queues: ['gpu'] as QueueName[] };
    value(await putSign(at.bus.buckets.host, 'h_1', 1, serving));
    value(await putSign(at.bus.buckets.host, 'h_2', 1, { roles: ['mailer' as RoleName], queues: [] }));
    const submit = (queue: string, role?: string) =>
      acceptSubmission(at, { ...goal, queue, ...(role === undefined ? {} : { role }) } as Submission);
    const { taskId } = value(await submit('gpu'));
    expect(await orderOf(at, taskId)).toMatchObject({ role: 'planner', queue: 'gpu' });
    expect(await orderOf(at, value(await submit('default')).taskId)).not.toHaveProperty('queue');
    const known = 'known queues: executor: default, gpu; mailer: default; planner: default, gpu';
    for (const [queue, role] of [['gpuu'], ['gpu', 'mailer'], ['gpu', 'nobody']] as const) {
      const before = value(await at.bus.buckets.task.keys()).length;
      expect(await submit(queue, role)).toMatchObject({
        failure: {
          kind: 'unknown_queue',
          message: `no worker serves the queue ${queue} for the role ${role ?? 'planner'}; ${known}`,
        },
      });
      expect(value(await at.bus.buckets.task.keys())).toHaveLength(before);
    }
  });

  it('may name a queue of the settings while no worker serves it, and waits', async () => {
    const opened = await control();
    const at = { ...opened, defaults: { ...opened.defaults, tasks: { queues: ['batch'], tenants: {} } } };
    const { taskId } = value(await acceptSubmission(at, { ...goal, queue: 'batch' as QueueName }));
    expect(await firstWake(at.bus, 'planner', ['batch' as QueueName])).toBe(`${taskId} normal`);
    expect((await acceptSubmission(at, { ...goal, queue: 'default' as QueueName })).ok, 'as if none were named').toBe(
      true,
    );
    expect(await acceptSubmission(at, { ...goal, queue: 'gpu' as QueueName })).toMatchObject({
      failure: { kind: 'unknown_queue', message: expect.stringContaining('known queues: any role: batch') },
    });
  });

  it.each<JsonObject>([
    { type: 'objekt' },
    { type: 'object', properties: { n: { minimum: '3' } } },
    { properties: [] },
  ])('is refused when its result schema is none: %j', async (resultSchema) => {
    const at = await control();
    expect(await acceptSubmission(at, { ...goal, resultSchema })).toMatchObject({
      failure: { kind: 'invalid_request', message: expect.stringMatching(/^resultSchema is no JSON Schema: .{10}/) },
    });
    expect(value(await at.bus.buckets.task.keys())).toEqual([]);
  });

  it('gets every default, and rounds by the kind of task', async () => {
    const at = await control();
    const { taskId } = value(await acceptSubmission(at, { ...goal, kind: 'question' }));
    expect(await orderOf(at, taskId)).toMatchObject({
      agentId: taskId,
      role: 'planner',
      depth: 0,
      files: [],
      priority: 'normal',
      permission: { approval: 'risky' },
      budget: {
        rounds: 5,
        tokens: 200_000,
        costUsd: 1,
        toolCalls: 100,
        children: 16,
        deadlineAt: at.clock.now() + 600_000,
      },
    });
  });

  it('keeps what it says itself', async () => {
    const at = await control();
    const said = {
      ...goal,
      role: 'executor' as never,
      budget: { rounds: 3, seconds: 2.5 },
      permission: { approval: 'all' as const, roots: ['/data'] },
      files: ['/data/a.csv'],
    };
    const { taskId } = value(await acceptSubmission(at, said));
    expect(await orderOf(at, taskId)).toMatchObject({
      role: 'executor',
      files: ['/data/a.csv'],
      permission: { approval: 'all', roots: ['/data'] },
      budget: { rounds: 3, tokens: 200_000, deadlineAt: at.clock.now() + 2_500 },
    });
  });

  it('leaves no record when the order could not be stored', async () => {
    const at = await control();
    const broken = withBus(at, (bus) => ({ inbox: { ...bus.inbox, put: away } }));
    expect(await acceptSubmission(broken, goal)).toMatchObject({ ok: false, failure: { kind: 'bus_unreachable' } });
    expect(value(await at.bus.buckets.task.keys())).toEqual([]);
  });

  it('takes another id when its first is taken', async () => {
    const bytes = [1, 1, 2];
    const at = await control({
      ids: { ...randomIds, taskId: idsFrom((n) => new Uint8Array(n).fill(n === 5 ? (bytes.shift() ?? 9) : 7)).taskId },
    });
    const first = value(await acceptSubmission(at, goal));
    const second = value(await acceptSubmission(at, goal));
    expect(second.taskId).not.toBe(first.taskId);
  });
});

describe('an idempotency key', () => {
  const keyed: Submission = { ...goal, idempotencyKey: 'order 7/上海' };

  it('gives the same task for the same body, whatever the order of its fields', async () => {
    const at = await control();
    const first = value(await acceptSubmission(at, { ...keyed, kind: 'coding' }));
    at.clock.set(at.clock.now() + 60_000);
    const again = value(
      await acceptSubmission(at, { kind: 'coding', idempotencyKey: 'order 7/上海', goal: goal.goal }),
    );
    expect(again).toEqual(first);
    expect(await inboxOf(at, first.taskId)).toHaveLength(1);
  });

  it('is refused with another body', async () => {
    const at = await control();
    const { taskId } = value(await acceptSubmission(at, keyed));
    const other = await acceptSubmission(at, { ...keyed, goal: 'something else' });
    expect(other).toMatchObject({ ok: false, failure: { kind: 'conflict', message: expect.stringContaining(taskId) } });
  });

  it('gives one task to a hundred submissions at once', async () => {
    const at = await control();
    const all = await Promise.all(Array.from({ length: 100 }, () => acceptSubmission(at, keyed)));
    const ids = new Set(all.map((one) => value(one).taskId));
    expect(ids.size).toBe(1);
    const [taskId] = ids;
    const orders = await inboxOf(at, taskId as TaskId);
    expect(new Set(orders.map(({ id }) => id))).toEqual(new Set([`${taskId}.order`]));
    expect(new Set(orders.map((order) => JSON.stringify(order))).size).toBe(1);
  });

  it.each([
    [
      'the record',
      (bus: Bus) => ({
        buckets: { ...bus.buckets, task: { ...bus.buckets.task, create: failSecond(bus.buckets.task.create) } },
      }),
    ],
    ['the order', (bus: Bus) => ({ inbox: { ...bus.inbox, put: away } })],
    ['the wake', (bus: Bus) => ({ wakes: { ...bus.wakes, put: away } })],
  ] as const)('completes what broke off before %s was stored', async (_what, cut) => {
    const at = await control();
    expect(await acceptSubmission(withBus(at, cut), keyed)).toMatchObject({ ok: false });
    at.clock.set(at.clock.now() + 5_000);
    const { taskId } = value(await acceptSubmission(at, keyed));
    const order = await orderOf(at, taskId);
    expect(order.submittedAt).toBe(at.clock.now() - 5_000);
    expect(await inboxOf(at, taskId)).toHaveLength(1);
    expect(await firstWake(at.bus, 'planner')).toBe(`${taskId} normal`);
  });

  it('does not order a task again that has ended', async () => {
    const at = await control();
    const { taskId } = value(await acceptSubmission(at, keyed));
    await endTask(at, taskId);
    expect(value(await acceptSubmission(at, keyed)).taskId).toBe(taskId);
    expect(await inboxOf(at, taskId)).toEqual([]);
  });
});

/** The first create (of the key) goes through, the second (of the record) does not. */
function failSecond(create: Bus['buckets']['task']['create']): Bus['buckets']['task']['create'] {
  let calls = 0;
  return (key, content) => (++calls === 1 ? create(key, content) : away());
}
