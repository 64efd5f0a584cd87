/** Watching: the result of a task as soon as it is stored, its events as they come, and the tree up to now. */
import type { Stored } from '../bus/contract.js';
import type { FeedEvent } from '../domain/event.js';
import { FailureError, fail, ok, type Result } from '../domain/failure.js';
import { rootAgentOf, type TaskId } from '../domain/id.js';
import type { TaskRecord } from '../domain/task.js';
import type { Control } from './control.js';
import { parseRecord, readRecord, unknownTask } from './record.js';
import { emptyTree, grow, type TaskTree, treeOfReport } from './tree.js';

export type WatchItem =
  | ({ readonly type: 'event' } & Stored<FeedEvent>)
  /** The last one: the task has ended. */
  | { readonly type: 'result'; readonly value: TaskRecord };

/** The feed is not awaited by agents: its last events may come a moment after the result, or never. */
const lateEventsMs = 1_000;

/** Resolves with the ended task's record. Fails with `not_found`, and with `cancelled` when the signal aborts first. */
export function awaitResult({ bus }: Control, taskId: TaskId, signal?: AbortSignal): Promise<Result<TaskRecord>> {
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    const end = (result: Result<TaskRecord>) => {
      resolve(result);
      signal?.removeEventListener('abort', stopped);
      // The first call back may come before `watch` has returned.
      queueMicrotask(() => stop?.());
    };
    const stopped = () => end(fail('cancelled', `stopped waiting for task ${taskId}`));
    if (signal?.aborted) return stopped();
    signal?.addEventListener('abort', stopped, { once: true });
    stop = bus.buckets.task.watch(taskId, (value) => {
      if (value === undefined) return end(unknownTask(taskId));
      const record = parseRecord(taskId, value);
      if (!record.ok || record.value.state === 'ended') end(record);
    });
  });
}

/**
 * Events after a feed sequence and then the result. Ends by itself when the task has ended; throws a `FailureError` when
 * there is no such task. Ends without a result when the signal aborts.
 */
export async function* watchTask(
  control: Control,
  taskId: TaskId,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<WatchItem, void> {
  const closing = new AbortController();
  const both = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
  const caughtUp = new AbortController();
  let record: Result<TaskRecord> | undefined;
  let rootEnded = false;
  const result = awaitResult(control, taskId, both).then(async (outcome) => {
    record = outcome;
    if (outcome.ok && !rootEnded) await control.clock.sleep(lateEventsMs, AbortSignal.any([both, caughtUp.signal]));
    closing.abort();
    return outcome;
  });
  try {
    for await (const stored of control.bus.feed.read(taskId, after, both)) {
      yield { type: 'event', ...stored };
      if (stored.value.kind === 'ended' && stored.value.agentId === rootAgentOf(taskId)) {
        rootEnded = true;
        caughtUp.abort();
        if (record !== undefined) break;
      }
    }
    const outcome = await result;
    if (outcome.ok) yield { type: 'result', value: outcome.value };
    else if (!signal?.aborted) throw new FailureError(outcome.failure);
  } finally {
    closing.abort();
  }
}

/** The tree of all events so far; of a task whose events are gone, what its report says. */
export async function readTree(control: Control, taskId: TaskId): Promise<Result<TaskTree>> {
  const record = await readRecord(control, taskId);
  if (!record.ok) return record;
  const last = await control.bus.feed.last(taskId);
  if (!last.ok) return last;
  const { report, endedAt } = record.value;
  const tree = await treeUpTo(control, taskId, last.value);
  const isWhole = report === undefined || tree.agents[0]?.status !== undefined;
  return ok(isWhole ? tree : treeOfReport(report, endedAt ?? record.value.submittedAt));
}

async function treeUpTo({ bus }: Control, taskId: TaskId, last: number): Promise<TaskTree> {
  let tree = emptyTree(taskId);
  if (last === 0) return tree;
  const done = new AbortController();
  for await (const { value, seq } of bus.feed.read(taskId, 0, done.signal)) {
    tree = grow(tree, value, seq);
    if (seq >= last) break;
  }
  done.abort();
  return tree;
}
