/**
 * An embedded server that is kept running: started again on its port, token and store when it ends by itself, when there
 * is room again after it was short of space (a server that could not write takes no more writes until then), and when its
 * JetStream answers nothing although there is room.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Failure, Result } from '../domain/failure.js';
import { failure, ok } from '../domain/failure.js';
import { streamsAnswer } from './probe.js';
import { type EmbeddedServer, type ServerOptions, startServer } from './server.js';
import { freeBytes } from './space.js';

export interface KeptServer {
  readonly url: string;
  readonly token: string;
  readonly version: string;
  /** Pid of the server that runs now; 0 between two. */
  pid(): number;
  /** Ends the server and the keeping. */
  stop(): Promise<void>;
}

export interface KeepOptions extends Omit<ServerOptions, 'onExit' | 'onShort'> {
  /** Told of every unwanted end and of shortage of space. */
  readonly onTrouble?: (failure: Failure) => void;
  /** Free bytes on the disk of the folder. Default: asked of the system. */
  readonly free?: () => Promise<number>;
  /** How often free space is looked at, and JetStream asked: nobody tells when a disk gets full. Default 2,000. */
  readonly lookMs?: number;
  /** How long JetStream may take for an answer; started again when it stays silent three times in a row. Default 1,500. */
  readonly answerMs?: number;
}

const firstDelayMs = 100;
const longestDelayMs = 10_000;
/** A server that could not write may never end by itself; what it has acknowledged is in its files. */
const stuckMs = 1_000;
/** With less than this free, a server may be unable to write, and 2.9 does not even say so. */
const scarceBytes = 1_048_576;
/** So much more must be free than when the server ran short. */
const roomBytes = 8 * 1_048_576;
/** So many questions to JetStream in a row without an answer. One may be lost to a process that was itself stopped. */
const mostSilent = 3;
/** A start that does not help is not tried again at once, but ever later, until it helped for `calmMs`. */
const longestRestartMs = 60_000;
const calmMs = 120_000;
/** After a question without an answer the next one comes sooner. */
const askAgainMs = 500;

export async function keepServer(options: KeepOptions): Promise<Result<KeptServer>> {
  const keeper = new Keeper(options);
  const started = await keeper.start();
  if (!started.ok) return started;
  void keeper.watch();
  const { url, token, version } = started.value;
  return ok({ url, token, version, pid: () => keeper.pid, stop: () => keeper.stop() });
}

class Keeper {
  readonly #options: KeepOptions;
  readonly #stopping = new AbortController();
  #server: EmbeddedServer | undefined;
  #busy: Promise<void> | undefined;
  /** So many bytes must be free before a server that ran short is started again. */
  #wanted: number | undefined;
  /** Questions in a row that JetStream left without an answer. */
  #silent = 0;
  #restarts = 0;
  #restartedAt = Number.NEGATIVE_INFINITY;

  constructor(options: KeepOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  async start(like?: EmbeddedServer): Promise<Result<EmbeddedServer>> {
    this.#wanted = undefined;
    this.#silent = 0;
    const started = await startServer({
      ...this.#options,
      ...(like === undefined ? {} : { port: like.port, token: like.token }),
      onExit: (what) => this.#ended(what),
      onShort: (of) =>
        void this.#free().then((free = 0) => this.#short(of === 'disk' ? Math.min(free, scarceBytes) : free)),
    });
    if (started.ok) {
      this.#server = started.value;
      // On a full disk a 2.9 server runs, and its JetStream answers nothing, even when there is room later.
      const free = await this.#free();
      if (isScarce(free)) this.#short(free);
    }
    return started;
  }

  /** Looks at the disk and asks JetStream until the keeping ends. */
  async watch(): Promise<void> {
    const { lookMs = 2_000 } = this.#options;
    while (await this.#pause(this.#silent === 0 ? lookMs : Math.min(lookMs, askAgainMs))) {
      const free = await this.#free();
      if (isScarce(free)) this.#short(free);
      else if (this.#wanted !== undefined && free !== undefined && free >= this.#wanted) await this.#restart(undefined);
      else await this.#ask();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#busy;
    await this.#server?.stop();
    this.#server = undefined;
  }

  #ended(what: Failure): void {
    const last = this.#server;
    this.#server = undefined;
    this.#options.onTrouble?.(what);
    if (last !== undefined) this.#busy = this.#again(last);
  }

  /** Starts like the last one, as often as it takes. */
  async #again(last: EmbeddedServer): Promise<void> {
    const { signal } = this.#stopping;
    for (let delayMs = firstDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      if (!(await this.#pause(delayMs, true))) return;
      const started = await this.start(last);
      if (started.ok) return;
      this.#options.onTrouble?.(started.failure);
    }
  }

  /** From now on room is waited for, more than the `free` bytes with which the server is short. */
  #short(free = 0): void {
    if (this.#wanted !== undefined) return;
    this.#wanted = free + roomBytes;
    this.#options.onTrouble?.(
      failure('storage_refused', `the embedded nats-server is short of space (${free} bytes are free)`, 'free some'),
    );
  }

  async #ask(): Promise<void> {
    const asked = this.#server;
    if (asked === undefined) return;
    const answers = await streamsAnswer(asked.url, asked.token, this.#options.answerMs ?? 1_500);
    if (asked !== this.#server) return;
    this.#silent = answers ? 0 : this.#silent + 1;
    if (this.#silent < mostSilent) return;
    await this.#restart(
      failure('storage_refused', 'the JetStream of the embedded nats-server does not answer; the server starts again'),
    );
  }

  /** @param why what has not been told yet */
  async #restart(why: Failure | undefined): Promise<void> {
    const last = this.#server;
    const sinceMs = performance.now() - this.#restartedAt;
    if (sinceMs > calmMs) this.#restarts = 0;
    const waitMs = Math.min(longestRestartMs, firstDelayMs * 4 ** this.#restarts);
    if (this.#stopping.signal.aborted || last === undefined || sinceMs < waitMs) return;
    this.#restarts += 1;
    this.#restartedAt = performance.now();
    if (why !== undefined) this.#options.onTrouble?.(why);
    this.#server = undefined;
    this.#busy = last.stop(stuckMs).then(() => this.#again(last));
    await this.#busy;
  }

  /** False when the keeping ends. @param ref whether the process stays alive for it */
  async #pause(ms: number, ref = false): Promise<boolean> {
    const { signal } = this.#stopping;
    await pause(ms, undefined, { signal, ref }).catch(() => undefined);
    return !signal.aborted;
  }

  #free(): Promise<number | undefined> {
    const { folder, free = () => freeBytes(folder) } = this.#options;
    return free().catch(() => undefined);
  }
}

const isScarce = (free: number | undefined): boolean => free !== undefined && free < scarceBytes;
