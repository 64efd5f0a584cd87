import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/control/client.js';
import { acceptSubmission } from '../../src/control/submit.js';
import { awaitResult, readTree, type WatchItem, watchTask } from '../../src/control/watch.js';
import type { TaskId } from '../../src/domain/id.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { endTask, eventOf, openControl, reportOf, type TestControl, value } from './support.js';

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

const amounts = { rounds: 1, tokens: 1, costUsd: 1, toolCalls: 1, children: 1 };
const submit = async () => value(await acceptSubmission(at, { goal: 'g' })).taskId;
const started = (taskId: TaskId) => eventOf(taskId, 'started', { goal: 'g', depth: 0, granted: amounts });
const ended = (taskId: TaskId) => eventOf(taskId, 'ended', { report: reportOf(taskId) });

describe('waiting for a result', () => {
  it('ends as soon as the result is stored', async () => {
    const taskId = await submit();
    const waiting = awaitResult(at, taskId);
    await endTask(at, taskId);
    expect(value(await waiting)).toMatchObject({ state: 'ended', report: { result: 42 } });
  });

  it('ends at once for a task that has ended, and for one that never was', async () => {
    const taskId = await submit();
    await endTask(at, taskId);
    expect(value(await awaitResult(at, taskId)).state).toBe('ended');
    expect(await awaitResult(at, 'tsk_none' as TaskId)).toMatchObject({ failure: { kind: 'not_found' } });
  });

  it('can be given up', async () => {
    const stop = new AbortController();
    const waiting = awaitResult(at, await submit(), stop.signal);
    stop.abort();
    expect(await waiting).toMatchObject({ failure: { kind: 'cancelled' } });
  });
});

async function collect(items: AsyncIterable<WatchItem>): Promise<WatchItem[]> {
  const all: WatchItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('watching a task', () => {
  it('tells its events in order and then its result', async () => {
    const taskId = await submit();
    const watching = collect(watchTask(at, taskId, 0));
    at.bus.feed.publish(started(taskId));
    at.bus.feed.publish(ended(taskId));
    await endTask(at, taskId);
    const items = await watching;
    expect(items.map((item) => (item.type === 'event' ? item.value.kind : item.type))).toEqual([
      'started',
      'ended',
      'result',
    ]);
  });

  it('tells the result when the last events never come', async () => {
    const taskId = await submit();
    const watching = collect(watchTask(at, taskId, 0));
    await endTask(at, taskId);
    expect(await watching).toMatchObject([{ type: 'result', value: { taskId } }]);
  });

  it('goes on after a sequence', async () => {
    const taskId = await submit();
    at.bus.feed.publish(started(taskId));
    at.bus.feed.publish(ended(taskId));
    await endTask(at, taskId);
    const [first, second] = await collect(watchTask(at, taskId, 0));
    if (first?.type !== 'event' || second?.type !== 'event') throw new Error('expected two events');
    expect(await collect(watchTask(at, taskId, first.seq))).toMatchObject([{ seq: second.seq }, { type: 'result' }]);
  });

  it('fails for a task that there is not, and stops without a word when it is told to', async () => {
    await expect(collect(watchTask(at, 'tsk_none' as TaskId, 0))).rejects.toThrow('there is no task tsk_none');
    const stop = new AbortController();
    const watching = collect(watchTask(at, await submit(), 0, stop.signal));
    stop.abort();
    expect(await watching).toEqual([]);
  });

  it('works through the client too', async () => {
    const taskId = await submit();
    await endTask(at, taskId);
    expect(await collect(createClient(at).watch(taskId))).toMatchObject([{ type: 'result' }]);
  });
});

/** Resolves when so many events of a task are stored. */
async function stored(taskId: TaskId, count: number): Promise<void> {
  let seen = 0;
  for await (const _ of at.bus.feed.read(taskId, 0, new AbortController().signal)) {
    seen += 1;
    if (seen === count) return;
  }
}

describe('an id that cannot be one', () => {
  const client = () => createClient(at);

  it('is refused at once, as nobody would ever end that task', async () => {
    const failure = {
      kind: 'invalid_request',
      message: expect.stringContaining('expected a task id of 1 to 128 characters'),
    };
    expect(await client().result('tsk.*')).toMatchObject({ failure });
    await expect(collect(client().watch(''))).rejects.toMatchObject({ failure });
  });
});

describe('the tree of a task', () => {
  it('holds every event up to now', async () => {
    const taskId = await submit();
    at.bus.feed.publish(started(taskId));
    at.bus.feed.publish(
      eventOf(
        taskId,
        'started',
        { goal: 'sub', depth: 1, granted: amounts, parent: taskId as never },
        { agentId: `${taskId}-1` as never },
      ),
    );
    await stored(taskId, 2);
    const tree = value(await readTree(at, taskId));
    expect(tree.agents.map(({ agentId, depth, goal }) => [agentId, depth, goal])).toEqual([
      [taskId, 0, 'g'],
      [`${taskId}-1`, 1, 'sub'],
    ]);
  });

  it('is empty before the first event, and comes from the report when the events are gone', async () => {
    const taskId = await submit();
    expect(value(await readTree(at, taskId)).agents).toEqual([]);
    const child = reportOf(taskId, { agentId: `${taskId}-1` as never, status: 'exhausted' });
    await endTask(at, taskId, { children: [child] });
    expect(value(await readTree(at, taskId)).agents).toMatchObject([
      { agentId: taskId, status: 'done', children: [`${taskId}-1`] },
      { agentId: `${taskId}-1`, status: 'exhausted', depth: 1 },
    ]);
  });

  it('needs a task', async () => {
    expect(await readTree(at, 'tsk_none' as TaskId)).toMatchObject({ failure: { kind: 'not_found' } });
  });
});
