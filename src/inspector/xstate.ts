/**
 * Speaks the protocol of the official XState inspector: agents' lives as inspection events over a WebSocket.
 *
 * The messages are those of `@statelyai/inspect` 0.7 (one JSON text per event). The package itself stays out: it needs a
 * running XState actor, its socket repeats what it sent after every reconnect and cannot be stopped while it retries,
 * and it brings ten packages along. Tests check what we send against its types and receive it through its own server.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'undici';
import type { Feed, Stored } from '../bus/contract.js';
import type { FeedEvent } from '../domain/event.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Logger } from '../observe/log.js';
import type { Chart } from './chart.js';
import { type InspectionEvent, Retelling } from './xstate-event.js';

export interface XstateOptions {
  readonly feed: Feed;
  /** A port on this machine, or a `ws:` or `wss:` url. */
  readonly target: string;
  readonly machines: readonly Chart[];
  readonly log: Logger;
}

export interface XstateInspection {
  close(): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** Bytes that may wait for an inspector that reads too slowly; then events are left out. */
const mostWaiting = 8_388_608;

/** The url of an inspector, from what stands behind `--xstate-inspect`. */
export function inspectorUrl(target: string): Result<string> {
  const text = /^\d+$/.test(target) ? `ws://127.0.0.1:${target}` : target.replace(/^http(?=s?:)/, 'ws');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'ws:' || url.protocol === 'wss:')) return ok(url.href);
  return fail(
    'invalid_config',
    `expected a port or a ws: url of an XState inspector, got ${JSON.stringify(target.slice(0, 200))}`,
    'for example --xstate-inspect 8080',
  );
}

/** Begins to follow the feed; connects, and connects again, in the background. */
export async function startXstateInspection(options: XstateOptions): Promise<Result<XstateInspection>> {
  const url = inspectorUrl(options.target);
  if (!url.ok) return url;
  const last = await options.feed.last(undefined);
  if (!last.ok) return last;
  const retelling = new Retelling(options.machines);
  const ending = new AbortController();
  const line = new Line(url.value, ending.signal, options.log, () => retelling.present());
  const reading = follow(options.feed.read(undefined, last.value, ending.signal), (event) => {
    for (const told of retelling.tell(event)) line.send(told);
  });
  const connecting = line.keep();
  return ok({
    close: async () => {
      ending.abort();
      await Promise.all([reading, connecting]);
    },
  });
}

async function follow(events: AsyncIterable<Stored<FeedEvent>>, take: (event: FeedEvent) => void): Promise<void> {
  for await (const { value } of events) take(value);
}

/** One connection at a time. An inspector that comes later is told first who is there. */
class Line {
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  readonly #present: () => readonly InspectionEvent[];
  #socket: WebSocket | undefined;
  #leftOut = 0;

  constructor(url: string, signal: AbortSignal, log: Logger, present: () => readonly InspectionEvent[]) {
    this.#url = url;
    this.#signal = signal;
    this.#log = log;
    this.#present = present;
  }

  send(event: InspectionEvent): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > mostWaiting) {
      this.#leftOut += 1;
      if (this.#leftOut === 1) this.#log.warn('the XState inspector reads too slowly: events are left out');
      return;
    }
    this.#socket.send(JSON.stringify(event));
  }

  /** Resolves when the signal aborts. */
  async keep(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!this.#signal.aborted) {
      const connected = await this.#connect();
      pauseMs = connected ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs);
      await pause(pauseMs, undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended: whether there was one. */
  #connect(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = new WebSocket(this.#url);
      let connected = false;
      const stop = () => socket.close();
      this.#socket = socket;
      this.#signal.addEventListener('abort', stop, { once: true });
      socket.addEventListener('open', () => {
        connected = true;
        this.#leftOut = 0;
        this.#log.info('connected to an XState inspector', { url: this.#url });
        for (const event of this.#present()) this.send(event);
      });
      const end = () => {
        this.#signal.removeEventListener('abort', stop);
        resolve(connected);
      };
      socket.addEventListener('error', end);
      socket.addEventListener('close', end);
    });
  }
}
