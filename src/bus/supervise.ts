/**
 * An embedded server that is kept running: started again on its port, token and store when it ends by itself, and when
 * there is room again after it was short of space (a server that could not write takes no more writes until then).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Failure, Result } from '../domain/failure.js';
import { failure, ok } from '../domain/failure.js';
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
  /** How often free space is looked at: nobody tells when a disk gets full. Default 2,000. */
  readonly lookMs?: number;
}

const firstDelayMs = 100;
const longestDelayMs = 10_000;
/** A server that could not write may never end by itself; what it has acknowledged is in its files. */
const stuckMs = 1_000;
/** With less than this free, a server may be unable to write, and 2.9 does not even say so. */
const scarceBytes = 1_048_576;
/** So much more must be free than when the server ran short. */
const roomBytes = 8 * 1_048_576;

export async function keepServer(options: KeepOptions): Promise<Result<KeptServer>> {
  const keeper = new Keeper(options);
  const started = await keeper.start();
  if (!started.ok) return started;
  void keeper.watchSpace();
  const { url, token, version } = started.value;
  return ok({ url, token, version, pid: () => keeper.pid, stop: () => keeper.stop() });
}

class Keeper {
  readonly #options: KeepOptions;
  readonly #stopping = new AbortController();
  #server: EmbeddedServer | undefined;
  #busy: Promise<void> | undefined;
  #watching = false;

  constructor(options: KeepOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  async start(like?: EmbeddedServer): Promise<Result<EmbeddedServer>> {
    const started = await startServer({
      ...this.#options,
      ...(like === undefined ? {} : { port: like.port, token: like.token }),
      onExit: (what) => this.#ended(what),
      onShort: () => void this.#short(),
    });
    if (started.ok) {
      this.#server = started.value;
      // On a full disk a 2.9 server runs, and its JetStream answers nothing, even when there is room later.
      if (await this.#isScarce()) void this.#short();
    }
    return started;
  }

  async watchSpace(): Promise<void> {
    while (await this.#look()) if (await this.#isScarce()) await this.#short();
  }

  async #isScarce(): Promise<boolean> {
    const free = await this.#free();
    return free !== undefined && free < scarceBytes;
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
      await pause(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const started = await this.start(last);
      if (started.ok) return;
      this.#options.onTrouble?.(started.failure);
    }
  }

  /** Waits for room, then starts the server anew. */
  async #short(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    const { signal } = this.#stopping;
    const before = (await this.#free()) ?? 0;
    this.#options.onTrouble?.(
      failure('storage_refused', `the embedded nats-server is short of space (${before} bytes are free)`, 'free some'),
    );
    while (await this.#look()) {
      const free = await this.#free();
      if (free !== undefined && free >= before + roomBytes) break;
    }
    this.#watching = false;
    const last = this.#server;
    if (signal.aborted || last === undefined) return;
    this.#server = undefined;
    this.#busy = last.stop(stuckMs).then(() => this.#again(last));
    await this.#busy;
  }

  /** Waits until it is time to look at the free space; false when the keeping ends. */
  async #look(): Promise<boolean> {
    const { signal } = this.#stopping;
    await pause(this.#options.lookMs ?? 2_000, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }

  #free(): Promise<number | undefined> {
    const { folder, free = () => freeBytes(folder) } = this.#options;
    return free().catch(() => undefined);
  }
}
