/**
 * The event stream to browsers and programs (server-sent events). Each watcher has a limited queue; one that does not
 * read is let go with a reason, and nobody else notices.
 */
import type { ServerResponse } from 'node:http';
import type { Feed } from '../bus/contract.js';
import type { TaskId } from '../domain/id.js';
import type { Logger } from '../observe/log.js';
import type { Board, Told } from './board.js';
import { securityHeaders, sendRefusal } from './respond.js';

export interface WatcherLimits {
  readonly watchers: number;
  /** Bytes that may wait for one of them. */
  readonly queueBytes: number;
  /** ms between signs of life. */
  readonly heartbeatMs: number;
  /** ms in which a slow one may still read why it was let go. */
  readonly farewellMs: number;
}

export const watcherLimits: WatcherLimits = {
  watchers: 64,
  queueBytes: 1_048_576,
  heartbeatMs: 15_000,
  farewellMs: 2_000,
};

export interface Watch {
  /** Only this task's events; undefined: all. */
  readonly taskId: TaskId | undefined;
  /** Feed sequence after which to begin; undefined: now. */
  readonly after: number | undefined;
}

const frame = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export class Watchers {
  readonly #board: Board;
  readonly #feed: Feed;
  readonly #log: Logger;
  readonly #limits: WatcherLimits;
  readonly #open = new Set<Watcher>();
  readonly #stopListening: () => void;
  readonly #heart: NodeJS.Timeout;

  constructor(board: Board, feed: Feed, log: Logger, limits: WatcherLimits) {
    this.#board = board;
    this.#feed = feed;
    this.#log = log;
    this.#limits = limits;
    this.#stopListening = board.listen((told) => this.#tell(told));
    this.#heart = setInterval(() => {
      for (const watcher of this.#open) watcher.send(': alive\n\n');
    }, limits.heartbeatMs);
    this.#heart.unref();
  }

  get count(): number {
    return this.#open.size;
  }

  add(response: ServerResponse, watch: Watch): void {
    if (this.#open.size >= this.#limits.watchers) {
      const message = `${this.#limits.watchers} watchers are open, which is the most this inspector serves`;
      sendRefusal(response, {
        status: 503,
        kind: 'too_many_watchers',
        message,
        hint: 'close some pages and try again',
      });
      return;
    }
    const watcher = new Watcher(response, watch, this.#limits, (reason) => {
      this.#log.warn('a watcher was let go', { reason });
    });
    this.#open.add(watcher);
    response.once('close', () => {
      watcher.end();
      this.#open.delete(watcher);
    });
    response.writeHead(200, {
      ...securityHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    watcher.send(`retry: 1000\n${frame('hello', { seq: this.#board.seq })}`);
    if (watch.after === undefined) return;
    const missed = this.#board.since(watch.after);
    if (missed !== undefined) for (const told of missed) watcher.tell(told, frame('feed', told, told.seq));
    else void this.#catchUp(watcher, watch.after);
  }

  close(): void {
    clearInterval(this.#heart);
    this.#stopListening();
    for (const watcher of this.#open) watcher.leave('the inspector is closing');
  }

  #tell(told: Told): void {
    if (this.#open.size === 0) return;
    const text = frame('feed', told, told.seq);
    for (const watcher of this.#open) watcher.tell(told, text);
  }

  /** Reads what the board has forgotten from the feed itself, no faster than the watcher takes it. */
  async #catchUp(watcher: Watcher, after: number): Promise<void> {
    const upTo = this.#board.seq;
    watcher.hold();
    const last = await this.#feed.last(watcher.taskId);
    const end = Math.min(upTo, last.ok ? last.value : 0);
    if (end > after) {
      for await (const { seq, value: event } of this.#feed.read(watcher.taskId, after, watcher.signal)) {
        if (seq <= upTo) watcher.send(frame('feed', { seq, event } satisfies Told, seq));
        await watcher.drained();
        if (seq >= end) break;
      }
    }
    watcher.release();
  }
}

/** One of them. */
class Watcher {
  readonly taskId: TaskId | undefined;
  readonly #response: ServerResponse;
  readonly #limits: WatcherLimits;
  readonly #onLeave: (reason: string) => void;
  readonly #ending = new AbortController();
  /** Live events that wait until the past is told. */
  #held: { bytes: number; texts: string[] } | undefined;

  constructor(response: ServerResponse, watch: Watch, limits: WatcherLimits, onLeave: (reason: string) => void) {
    this.taskId = watch.taskId;
    this.#response = response;
    this.#limits = limits;
    this.#onLeave = onLeave;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  tell(told: Told, text: string): void {
    if (this.taskId !== undefined && told.event.taskId !== this.taskId) return;
    if (this.#held === undefined) {
      this.send(text);
      return;
    }
    this.#held.texts.push(text);
    this.#held.bytes += text.length;
    if (this.#held.bytes > this.#limits.queueBytes) this.leave('too many events came while the past was being read');
  }

  send(text: string): void {
    if (this.signal.aborted) return;
    // What waits already counts, so that one large event drops nobody who reads.
    if (this.#response.writableLength > this.#limits.queueBytes) this.leave('it reads too slowly');
    else this.#response.write(text);
  }

  hold(): void {
    this.#held = { bytes: 0, texts: [] };
  }

  release(): void {
    const texts = this.#held?.texts ?? [];
    this.#held = undefined;
    for (const text of texts) this.send(text);
  }

  /** Resolves when nothing waits any more, or the watcher has gone. */
  drained(): Promise<void> {
    if (this.signal.aborted || !this.#response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#response.off('drain', done);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      this.#response.once('drain', done);
      this.signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Says why and hangs up, whether that is read or not. */
  leave(reason: string): void {
    if (this.signal.aborted) return;
    this.#ending.abort();
    this.#onLeave(reason);
    this.#response.end(frame('dropped', { reason }));
    setTimeout(() => this.#response.destroy(), this.#limits.farewellMs).unref();
  }

  end(): void {
    this.#ending.abort();
  }
}
