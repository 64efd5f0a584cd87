/** Dead letters go back once, with a record; what cannot go back says why. */
import { connect } from 'nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLetters, requeue } from '../../src/control/requeue.js';
import { acceptSubmission } from '../../src/control/submit.js';
import { failure } from '../../src/domain/failure.js';
import type { AgentId, RoleName, TaskId } from '../../src/domain/id.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Order } from '../../src/domain/task.js';
import { bury } from '../../src/host/lay-aside.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { endTask, openControl, type TestControl, value } from './support.js';

let nats: TestNats;
let at: TestControl;
beforeAll(async () => {
  nats = await startTestNats();
  at = await openControl(nats);
});
afterAll(async () => {
  await at.bus.close();
  await nats.stop();
});

const newest = async () => {
  const letter = value(await deadLetters(at)).at(-1);
  if (letter === undefined) throw new Error('there is no dead letter');
  return letter;
};
const accept = async (goal: string) => value(await acceptSubmission(at, { goal, budget: { rounds: 3, seconds: 60 } }));

async function orderOf(taskId: TaskId): Promise<Order> {
  for (const { value: message } of value(await at.bus.inbox.read(taskId as string as AgentId, 0)))
    if (message.type === 'task.ordered') return message.order;
  throw new Error(`${taskId} has no order`);
}

/** Unreadable bytes in an inbox, and the dead letter that reading makes of them. */
async function spoil(taskId: string, text: string): Promise<void> {
  const stranger = await connect({ servers: nats.url, token: nats.token });
  await stranger.request(`${at.prefix}.in.${taskId}`, text);
  await stranger.close();
  value(await at.bus.inbox.read(taskId as AgentId, 0));
}

/** Each once: a message may lie there twice. */
const typesIn = async (taskId: string): Promise<string[]> => {
  const kept = value(await at.bus.inbox.read(taskId as AgentId, 0));
  return [...new Set(kept.map(({ value: { type } }) => type))];
};

describe('the order of a task that was given up', () => {
  it('is submitted again with all it asked for, as one new task, whoever asks how often', async () => {
    const { taskId } = await accept('数一数');
    const before = await orderOf(taskId);
    value(await bury(at.bus, taskId as string as AgentId, failure('poisoned', '5 hosts died'), { attempts: 5 }));
    await endTask(at, taskId, { status: 'failed' });
    const { id, reason, requeued } = await newest();
    expect({ reason, requeued }).toMatchObject({ reason: { kind: 'poisoned' }, requeued: undefined });

    const both = await Promise.all([requeue(at, id, 'ana'), requeue(at, id, 'ben')]);
    const went = both.flatMap((one) => (one.ok && one.value.as.kind === 'task' ? [one.value.as.taskId] : []));
    expect(new Set(went).size).toBe(1);
    const again = await orderOf(went[0] as TaskId);
    const { deadlineAt, ...amounts } = before.budget;
    expect(again).toMatchObject({ goal: '数一数', permission: before.permission, budget: amounts });
    expect(again.budget.deadlineAt - again.submittedAt).toBe(60_000);
    expect(deadlineAt).toBeGreaterThan(0);

    expect(await requeue(at, id, 'eve')).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
    expect((await newest()).requeued).toMatchObject({ as: { kind: 'task', taskId: went[0] } });
  });

  it('stays where it is when it is of a child, whose parent was told', async () => {
    const { taskId } = await accept('parent');
    const child = `${taskId}-1` as AgentId;
    const parent = { agentId: taskId as string as AgentId, role: 'planner' as RoleName, callId: 'r1c1' };
    const order: Order = { ...(await orderOf(taskId)), agentId: child, parent };
    value(await at.bus.inbox.put(child, { v: 1, type: 'task.ordered', id: `${child}.order`, at: 1, order }));
    value(await bury(at.bus, child, failure('internal', 'a bug'), {}));
    const refusal = await requeue(at, (await newest()).id, 'ana');
    expect(refusal).toMatchObject({
      ok: false,
      failure: { kind: 'conflict', message: expect.stringContaining('child') },
    });
  });
});

describe('more dead letters than one page holds', () => {
  it('are all listed, and each can be handed back', async () => {
    const many = await openControl(nats);
    const reason = failure('internal', 'a bug');
    const put = (n: number) => many.bus.dead.put({ agentId: `tsk_${n}` as AgentId, reason, detail: {} });
    await Promise.all(Array.from({ length: 2_050 }, (_, n) => put(n)));
    const letters = value(await deadLetters(many));
    expect(letters.map(({ id }) => id)).toEqual(Array.from({ length: 2_050 }, (_, n) => n + 1));
    expect(await requeue(many, 2_050, 'ana')).toMatchObject({
      failure: { message: expect.stringContaining('2050 holds nothing') },
    });
    expect(await requeue(many, 2_051, 'ana')).toMatchObject({ failure: { kind: 'not_found' } });
    await many.bus.close();
  });
});

describe('a message that could not be read', () => {
  it('goes back to its agent when it can be read now', async () => {
    const { taskId } = await accept('g');
    await spoil(taskId, '{"v":1,"type":"human.corrected","id":"m1"');
    const { id, detail } = await newest();
    expect(await requeue(at, id, 'ana')).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
    expect(await typesIn(taskId)).toEqual(['task.ordered']);

    // As if a newer version had been installed that reads it.
    const text = '{"v":1,"type":"human.paused","id":"m1","at":1,"by":"ana"}';
    const readable: JsonObject = { ...detail, text, bytes: text.length };
    value(
      await at.bus.dead.put({
        agentId: taskId as string as AgentId,
        reason: failure('internal', ''),
        detail: readable,
      }),
    );
    const went = value(await requeue(at, (await newest()).id, 'ana'));
    expect(went).toMatchObject({ by: 'ana', as: { kind: 'message', agentId: taskId } });
    expect(await typesIn(taskId)).toEqual(['task.ordered', 'human.paused']);
    expect(await requeue(at, (await newest()).id, 'ana')).toMatchObject({ failure: { kind: 'conflict' } });
  });

  it('stays where it is when its agent has ended, or only a part of it was kept', async () => {
    const text = '{"v":1,"type":"human.paused","id":"m1","at":1,"by":"ana"}';
    const put = (detail: JsonObject) =>
      at.bus.dead.put({ agentId: 'tsk_gone' as AgentId, reason: failure('internal', ''), detail });
    value(await put({ text, bytes: text.length }));
    expect(await requeue(at, (await newest()).id, 'ana')).toMatchObject({
      failure: { message: expect.stringContaining('ended') },
    });
    value(await put({ text, bytes: 100_000 }));
    expect(await requeue(at, (await newest()).id, 'ana')).toMatchObject({
      failure: { message: expect.stringContaining('part') },
    });
    value(await put({ messages: [] }));
    expect(await requeue(at, (await newest()).id, 'ana')).toMatchObject({ failure: { kind: 'conflict' } });
    expect(await requeue(at, 9_999, 'ana')).toMatchObject({ failure: { kind: 'not_found' } });
  });
});
