/** Follows a task to its end: a live tree on a terminal, plain lines in a pipe, events for programs. */

import { emptyTree, grow, type TaskTree } from '../control/tree.js';
import type { FeedEvent } from '../domain/event.js';
import type { TaskId } from '../domain/id.js';
import type { TaskRecord } from '../domain/task.js';
import { type Asker, createAsker, type HumanMode } from './asker.js';
import { eventLine } from './event-line.js';
import { onInterrupt } from './interrupt.js';
import { type Live, liveOn } from './live.js';
import type { Session } from './session.js';
import { treeLines } from './tree-view.js';

export interface FollowOptions {
  /** Feed sequence after which to begin. */
  readonly after?: number;
  readonly humans: HumanMode;
  /** What a person reads who leaves while the task goes on. */
  readonly detached: string;
  /** `say` writes a line above what is drawn. */
  readonly onEvent?: (event: FeedEvent, say: (line: string) => void) => void;
}

export type Followed =
  | { readonly kind: 'ended'; readonly record: TaskRecord; readonly tree: TaskTree; readonly interrupted: boolean }
  | { readonly kind: 'left' };

export const by = (): string => process.env.USER || process.env.USERNAME || 'cli';
export const command = 'hact';

/** Time for a second Ctrl-C, which cancels the task, before the first one leaves it. */
const secondThoughtMs = 2_000;
const cancelMs = 15_000;
const tickMs = 500;
const drawMs = 60;

export async function follow(session: Session, taskId: TaskId, options: FollowOptions): Promise<Followed> {
  const { client, output } = session;
  const stop = new AbortController();
  const live = liveOn(output);
  const say = (line: string): void => {
    if (output.live) live.clear();
    output.say(line);
  };
  const asker = createAsker(client, { ...output, say }, { mode: options.humans, by: by(), live });
  const screen = output.live ? screenOf(session, live, asker) : undefined;
  const interruption = interruptible(session, taskId, stop, options, () => screen?.leave());
  let tree = emptyTree(taskId);
  screen?.show(tree);
  try {
    for await (const item of client.watch(taskId, {
      after: output.mode === 'stream' ? (options.after ?? 0) : 0,
      signal: stop.signal,
    })) {
      if (item.type === 'result') {
        screen?.last(tree);
        return { kind: 'ended', record: item.value, tree, interrupted: interruption.cancelled() };
      }
      tree = grow(tree, item.value, item.seq);
      options.onEvent?.(item.value, say);
      if (output.mode === 'stream') output.json({ seq: item.seq, event: item.value });
      else if (screen === undefined) sayEvent(session, item.value);
      asker.offer(tree.agents.flatMap(({ waiting }) => waiting));
      screen?.show(tree);
    }
    return { kind: 'left' };
  } finally {
    interruption.release();
    asker.close();
    screen?.close();
  }
}

function sayEvent({ output }: Session, event: FeedEvent): void {
  const line = eventLine(event, output.style, command);
  if (line !== undefined) output.say(line);
}

interface Screen {
  show(tree: TaskTree): void;
  /** Draws for the last time. */
  last(tree: TaskTree): void;
  leave(): void;
  close(): void;
}

/** Draws now and then, so that a burst of events costs one drawing, and times go on between events. */
function screenOf({ output }: Session, live: Live, asker: Asker): Screen {
  let tree: TaskTree | undefined;
  let pending: NodeJS.Timeout | undefined;
  const draw = () => {
    pending = undefined;
    if (tree === undefined || asker.asking) return;
    const look = { columns: output.columns(), style: output.style, now: Date.now(), command };
    live.show(treeLines(tree, look));
  };
  const ticking = setInterval(draw, tickMs);
  return {
    show(now) {
      tree = now;
      pending ??= setTimeout(draw, drawMs);
    },
    last(now) {
      tree = now;
      clearTimeout(pending);
      draw();
      live.leave();
    },
    leave: () => live.leave(),
    close() {
      clearTimeout(pending);
      clearInterval(ticking);
    },
  };
}

/** The first Ctrl-C leaves the task to itself, the second one cancels it and waits for its end. */
function interruptible(
  { client, output }: Session,
  taskId: TaskId,
  stop: AbortController,
  { detached }: FollowOptions,
  leave: () => void,
): { release(): void; cancelled(): boolean } {
  let leaving: NodeJS.Timeout | undefined;
  let cancelling = false;
  const release = onInterrupt((times, final) => {
    leave();
    if (times === 1 && !final) {
      output.say(`${detached}. Ctrl-C once more cancels it.`);
      leaving = setTimeout(() => stop.abort(), secondThoughtMs);
      return;
    }
    clearTimeout(leaving);
    if (final || times > 2) return stop.abort();
    output.say(`cancelling ${taskId} …`);
    cancelling = true;
    leaving = setTimeout(() => stop.abort(), cancelMs);
    void client.cancel({ taskId, by: by(), reason: 'Ctrl-C' }).then((cancelled) => {
      if (!cancelled.ok) output.fail(cancelled.failure);
    });
  });
  return {
    cancelled: () => cancelling,
    release: () => {
      clearTimeout(leaving);
      release();
    },
  };
}
