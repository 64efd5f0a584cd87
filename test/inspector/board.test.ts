import { describe, expect, it } from 'vitest';
import type { Feed, Stored } from '../../src/bus/contract.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { ok } from '../../src/domain/failure.js';
import type { TaskId } from '../../src/domain/id.js';
import { Board } from '../../src/inspector/board.js';
import { silent } from '../../src/observe/log.js';
import { eventOf, value } from '../control/support.js';
import { until } from './support.js';

/** A feed whose readers go on only when the test says so. */
class SteppedFeed implements Feed {
  readonly #events: Stored<FeedEvent>[] = [];
  #held = false;
  #wake: (() => void)[] = [];
  readers = 0;

  publish(event: FeedEvent): void {
    this.#events.push({ seq: this.#events.length + 1, value: event });
    this.#wakeAll();
  }
  /** Readers of one task wait; the reader of all goes on. */
  hold(held: boolean): void {
    this.#held = held;
    this.#wakeAll();
  }
  async last(taskId: TaskId | undefined) {
    return ok(this.#events.findLast(({ value: event }) => taskId === undefined || event.taskId === taskId)?.seq ?? 0);
  }
  async *read(taskId: TaskId | undefined, after: number, signal: AbortSignal) {
    this.readers += 1;
    signal.addEventListener('abort', () => this.#wakeAll());
    try {
      for (let next = after; !signal.aborted; ) {
        const stored = this.#events[next];
        if (stored === undefined || (this.#held && taskId !== undefined)) {
          await new Promise<void>((resolve) => this.#wake.push(resolve));
          continue;
        }
        next += 1;
        if (taskId === undefined || stored.value.taskId === taskId) yield stored;
      }
    } finally {
      this.readers -= 1;
    }
  }
  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const taskId = 'tsk_1' as TaskId;
const started = (task = taskId) =>
  eventOf(task, 'started', {
    goal: 'g',
    depth: 0,
    granted: { rounds: 9, tokens: 9, costUsd: 1, toolCalls: 9, children: 9 },
  });
const asked = (callId: string, task = taskId) => eventOf(task, 'taken_over', { from: callId, epoch: 1 });
const causes = (events: readonly Stored<FeedEvent>[]) =>
  events.map(({ value: event }) => (event.kind === 'taken_over' ? event.from : event.kind));

describe('the board', () => {
  it('loses nothing that happens while the past of a task is being read, and repeats nothing', async () => {
    const feed = new SteppedFeed();
    feed.publish(started());
    feed.publish(asked('a'));
    const board = new Board(feed, silent);
    value(await board.start());
    feed.hold(true);
    const opening = board.open(taskId);
    feed.publish(asked('b'));
    feed.publish(asked('c'));
    await until(() => board.seq === 4);
    feed.hold(false);
    const opened = value(await opening);
    expect(causes(opened.events)).toEqual(['started', 'a', 'b', 'c']);
    expect(opened.seq).toBe(4);
    feed.publish(asked('d'));
    await until(() => board.seq === 5);
    expect(causes(value(await board.open(taskId)).events)).toEqual(['started', 'a', 'b', 'c', 'd']);
    await board.close();
  });

  it('keeps a limited number of tasks, and reads one that made room again when it is asked for', async () => {
    const feed = new SteppedFeed();
    const board = new Board(feed, silent, { tasks: 2, eventsPerTask: 3, recent: 4 });
    value(await board.start());
    const tasks = ['tsk_1', 'tsk_2', 'tsk_3'] as TaskId[];
    for (const task of tasks) feed.publish(started(task));
    await until(() => board.seq === 3);
    expect(tasks.map((task) => board.has(task))).toEqual([false, true, true]);
    expect(value(await board.open(taskId)).tree.agents).toHaveLength(1);
    for (const cause of ['a', 'b', 'c', 'd']) feed.publish(asked(cause));
    await until(() => board.seq === 7);
    expect(causes(value(await board.open(taskId)).events)).toEqual(['b', 'c', 'd']);
    await board.close();
  });

  it('knows what it told lately, and knows when it does not', async () => {
    const feed = new SteppedFeed();
    const board = new Board(feed, silent, { tasks: 2, eventsPerTask: 3, recent: 4 });
    value(await board.start());
    for (let n = 0; n < 9; n += 1) feed.publish(asked(String(n)));
    await until(() => board.seq === 9);
    expect(board.since(7)?.map(({ seq }) => seq)).toEqual([8, 9]);
    expect(board.since(9)).toEqual([]);
    expect(board.since(0)).toBeUndefined();
    await board.close();
  });

  it('reads the feed once, whoever looks, and not at all when it is closed', async () => {
    const feed = new SteppedFeed();
    feed.publish(started());
    const board = new Board(feed, silent);
    value(await board.start());
    await Promise.all(Array.from({ length: 50 }, () => board.open(taskId)));
    expect(feed.readers).toBe(1);
    await board.close();
    expect(feed.readers).toBe(0);
  });
});
