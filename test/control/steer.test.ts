import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlersOf } from '../../src/control/handlers.js';
import { acceptSubmission } from '../../src/control/submit.js';
import type { AgentId, RoleName, TaskId } from '../../src/domain/id.js';
import type { Order } from '../../src/domain/task.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { away, endTask, openControl, type TestControl, value, withBus } from './support.js';

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

const by = 'ana';
const submit = async () => value(await acceptSubmission(at, { goal: 'g', priority: 'low' })).taskId;
const agentOf = (taskId: string) => taskId as AgentId;
const messages = async (agentId: string) =>
  value(await at.bus.inbox.read(agentId as AgentId, 0))
    .map((stored) => stored.value)
    .filter(({ type }) => type !== 'task.ordered');

/** Orders a child as its parent does. */
async function child(taskId: TaskId, agentId: string): Promise<AgentId> {
  const [first] = value(await at.bus.inbox.read(agentOf(taskId), 0));
  if (first?.value.type !== 'task.ordered') throw new Error('no order');
  const order: Order = { ...first.value.order, agentId: agentId as AgentId, role: 'executor' as RoleName, depth: 1 };
  value(await at.bus.inbox.put(order.agentId, { ...first.value, id: `${agentId}.order`, order }));
  return order.agentId;
}

describe('steering', () => {
  it('puts each wish into the inbox under an id of its own', async () => {
    const taskId = await submit();
    const handlers = handlersOf(at);
    value(await handlers['task.pause']({ taskId, by }));
    value(await handlers['task.correct']({ taskId, by, text: '只看上海', memory: { city: '上海' } }));
    value(await handlers['task.budget']({ taskId, by, budget: { rounds: 40 } }));
    value(await handlers['task.resume']({ taskId, by }));
    value(await handlers['task.cancel']({ taskId, by, reason: 'enough' }));
    const sent = await messages(taskId);
    expect(sent).toMatchObject([
      { type: 'human.paused', by },
      { type: 'human.corrected', by, text: '只看上海', memory: { city: '上海' } },
      { type: 'budget.changed', by, budget: { rounds: 40 } },
      { type: 'human.resumed', by },
      { type: 'task.cancelled', by, reason: 'enough' },
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(5);
  });

  it('asks the parent for the budget of an agent below the root', async () => {
    const taskId = await submit();
    const agentId = await child(taskId, `${taskId}-1`);
    const answer = value(await handlersOf(at)['task.budget']({ agentId, by, budget: { tokens: 9_000 } }));
    expect(answer).toEqual({ agentId, accepted: true });
    expect(await messages(taskId)).toMatchObject([{ type: 'subtask.budget', agentId, by, budget: { tokens: 9_000 } }]);
    expect(await messages(agentId)).toEqual([]);
  });

  it('is heard by whoever hosts the agent, and wakes one who does not', async () => {
    const taskId = await submit();
    const arrived = new Promise<void>((resolve) => {
      const stop = at.bus.inbox.onArrival(agentOf(taskId), () => {
        stop();
        resolve();
      });
    });
    value(await handlersOf(at)['task.pause']({ taskId, by }));
    await arrived;
    const stop = new AbortController();
    const woken: string[] = [];
    await at.bus.wakes.consume(
      'planner' as RoleName,
      { capacity: () => 100, signal: stop.signal, onFailure: () => stop.abort() },
      (wake) => {
        wake.ack();
        if (wake.agentId === agentOf(taskId)) woken.push(wake.priority);
        if (woken.length === 2) stop.abort();
      },
    );
    expect(woken).toEqual(['low', 'low']);
  });

  it('reaches one agent below the root', async () => {
    const taskId = await submit();
    const agentId = await child(taskId, `${taskId}-1-2`);
    expect(value(await handlersOf(at)['task.pause']({ agentId, by }))).toEqual({ agentId, accepted: true });
    expect(await messages(agentId)).toMatchObject([{ type: 'human.paused' }]);
    expect(await messages(taskId)).toEqual([]);
  });

  it('says that there is no such task or agent', async () => {
    const taskId = await submit();
    const handlers = handlersOf(at);
    expect(await handlers['task.cancel']({ taskId: 'tsk_nope' as TaskId, by })).toMatchObject({
      failure: { kind: 'not_found', message: expect.stringContaining('tsk_nope') },
    });
    expect(await handlers['task.pause']({ agentId: `${taskId}-7` as AgentId, by })).toMatchObject({
      failure: { kind: 'not_found', message: expect.stringContaining(`${taskId}-7`) },
    });
    expect(await handlers['task.pause']({ agentId: 'a-1-2' as AgentId, by })).toMatchObject({
      failure: { kind: 'not_found' },
    });
  });

  it('tells the status of a task that has ended', async () => {
    const taskId = await submit();
    await endTask(at, taskId, { status: 'partial' });
    for (const target of [{ taskId }, { agentId: `${taskId}-1` as AgentId }]) {
      expect(await handlersOf(at)['task.resume']({ ...target, by })).toMatchObject({
        failure: { kind: 'conflict', message: expect.stringContaining('partial') },
      });
    }
  });

  it('fails when the message is not stored, and not when only the wake is lost', async () => {
    const taskId = await submit();
    const unstored = withBus(at, (bus) => ({ inbox: { ...bus.inbox, put: away } }));
    expect(await handlersOf(unstored)['task.pause']({ taskId, by })).toMatchObject({
      failure: { kind: 'bus_unreachable' },
    });
    const asleep = withBus(at, (bus) => ({ wakes: { ...bus.wakes, put: away } }));
    value(await handlersOf(asleep)['task.pause']({ taskId, by }));
    expect(await messages(taskId)).toMatchObject([{ type: 'human.paused' }]);
  });
});
