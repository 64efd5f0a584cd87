/**
 * What the inspector knows: one reader of the whole feed from now on, and the trees of the tasks that somebody looked
 * at, filled up from the feed's past on demand. However many watchers there are, the bus sees this one reader.
 */
import type { Feed, Stored } from '../bus/contract.js';
import { type AgentView, emptyTree, grow, type TaskTree } from '../control/tree.js';
import type { FeedEvent } from '../domain/event.js';
import { ok, type Result } from '../domain/failure.js';
import type { TaskId } from '../domain/id.js';
import type { Logger } from '../observe/log.js';

export interface BoardOptions {
  /** Tasks kept; the one looked at longest ago makes room. */
  readonly tasks: number;
  /** Newest events kept of each task. */
  readonly eventsPerTask: number;
  /** Events kept of all tasks together, for watchers that come back. */
  readonly recent: number;
}

export const boardLimits: BoardOptions = { tasks: 100, eventsPerTask: 500, recent: 2_000 };

interface TaskBoard {
  readonly tree: TaskTree;
  /** The newest ones, oldest first. */
  readonly events: readonly Stored<FeedEvent>[];
}

/** A task at one moment: events after `seq` are not in it, all others are. */
export interface TaskMoment extends TaskBoard {
  readonly seq: number;
}

/** An event as watchers get it, with the agent as it was after it. */
export interface Told {
  readonly seq: number;
  readonly event: FeedEvent;
  /** Absent when the task is not on the board. */
  readonly agent?: AgentView;
}

interface Entry {
  board: TaskBoard;
  /** While the past is being read. */
  loading: Promise<Result<void>> | undefined;
  /** What came meanwhile. */
  readonly late: Stored<FeedEvent>[];
}

const newEntry = (taskId: TaskId): Entry => ({
  board: { tree: emptyTree(taskId), events: [] },
  loading: undefined,
  late: [],
});

export class Board {
  readonly #feed: Feed;
  readonly #log: Logger;
  readonly #limits: BoardOptions;
  readonly #tasks = new Map<TaskId, Entry>();
  readonly #ending = new AbortController();
  readonly #listeners = new Set<(told: Told) => void>();
  #recent: Told[] = [];
  #seq = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(feed: Feed, log: Logger, limits: BoardOptions = boardLimits) {
    this.#feed = feed;
    this.#log = log;
    this.#limits = limits;
  }

  /** Begins to follow the feed at its present end. */
  async start(): Promise<Result<void>> {
    const last = await this.#feed.last(undefined);
    if (!last.ok) return last;
    this.#seq = last.value;
    this.#reading = this.#follow(last.value);
    return ok(undefined);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
  }

  /** Feed sequence up to which everything was told. */
  get seq(): number {
    return this.#seq;
  }

  /** Calls back for every event from now on. The callback must not block or throw. */
  listen(callback: (told: Told) => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** Everything told after `seq`, or undefined when that is too long ago to know. */
  since(seq: number): readonly Told[] | undefined {
    if (seq >= this.#seq) return [];
    const first = this.#recent[0];
    if (first === undefined || first.seq > seq + 1) return undefined;
    return this.#recent.filter((told) => told.seq > seq);
  }

  has(taskId: TaskId): boolean {
    return this.#tasks.has(taskId);
  }

  /** The task as it is now, from its first event that the feed still has. An unknown task has an empty tree. */
  async open(taskId: TaskId): Promise<Result<TaskMoment>> {
    const entry = this.#tasks.get(taskId) ?? this.#add(taskId);
    this.#tasks.delete(taskId);
    this.#tasks.set(taskId, entry);
    const loaded = (await entry.loading) ?? ok(undefined);
    if (!loaded.ok) return loaded;
    return ok({ ...entry.board, seq: Math.max(entry.board.tree.seq, this.#seq) });
  }

  #add(taskId: TaskId): Entry {
    const entry = newEntry(taskId);
    this.#tasks.set(taskId, entry);
    entry.loading = this.#load(taskId, entry);
    this.#makeRoom();
    return entry;
  }

  async #load(taskId: TaskId, entry: Entry): Promise<Result<void>> {
    const loaded = await this.#readPast(taskId, entry);
    if (!loaded.ok) this.#tasks.delete(taskId);
    for (const stored of entry.late.splice(0)) this.#grow(entry, stored);
    entry.loading = undefined;
    return loaded;
  }

  async #readPast(taskId: TaskId, entry: Entry): Promise<Result<void>> {
    const last = await this.#feed.last(taskId);
    if (!last.ok || last.value === 0) return last.ok ? ok(undefined) : last;
    for await (const stored of this.#feed.read(taskId, 0, this.#ending.signal)) {
      this.#grow(entry, stored);
      if (stored.seq >= last.value) break;
    }
    return ok(undefined);
  }

  async #follow(after: number): Promise<void> {
    try {
      for await (const stored of this.#feed.read(undefined, after, this.#ending.signal)) this.#take(stored);
    } catch (error) {
      this.#log.error('the inspector lost the feed', { error: String(error) });
    }
  }

  #take(stored: Stored<FeedEvent>): void {
    const { seq, value: event } = stored;
    let entry = this.#tasks.get(event.taskId);
    if (entry === undefined && event.kind === 'started' && event.depth === 0) {
      entry = newEntry(event.taskId);
      this.#tasks.set(event.taskId, entry);
      this.#makeRoom();
    }
    if (entry?.loading !== undefined) entry.late.push(stored);
    else if (entry !== undefined) this.#grow(entry, stored);
    const agent = entry?.board.tree.agents.find(({ agentId }) => agentId === event.agentId);
    const told: Told = { seq, event, ...(agent === undefined ? {} : { agent }) };
    this.#seq = seq;
    this.#recent.push(told);
    if (this.#recent.length > 2 * this.#limits.recent) this.#recent = this.#recent.slice(-this.#limits.recent);
    for (const listener of this.#listeners) listener(told);
  }

  /** A repeat of an event, or one that comes late, is left out. */
  #grow(entry: Entry, { seq, value }: Stored<FeedEvent>): void {
    const { tree, events } = entry.board;
    if (seq <= tree.seq) return;
    const kept = events.length >= this.#limits.eventsPerTask ? events.slice(1) : events;
    entry.board = { tree: grow(tree, value, seq), events: [...kept, { seq, value }] };
  }

  #makeRoom(): void {
    for (const [taskId, entry] of this.#tasks) {
      if (this.#tasks.size <= this.#limits.tasks) return;
      if (entry.loading === undefined) this.#tasks.delete(taskId);
    }
  }
}
