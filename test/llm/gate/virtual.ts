/** Virtual time for gates: sleepers wake in order, and what they set off runs to its end before time goes on. */
import { ok } from '../../../src/domain/failure.js';
import type { Cell, Kept } from '../../../src/llm/gate/cell.js';
import type { World } from '../../../src/llm/world.js';
import { randomFrom } from '../../support/random.js';

interface Sleeper {
  readonly at: number;
  /** Undefined once it was woken or forgotten. */
  wake: (() => void) | undefined;
}

const startMs = Date.UTC(2026, 9, 1);

export class VirtualTime {
  time = 0;
  readonly random: () => number;
  /** The next one is the last. */
  readonly #sleepers: Sleeper[] = [];

  constructor(seed = 1) {
    this.random = randomFrom(seed);
  }

  /** A process of its own. @param skewMs of its wall clock */
  process(skewMs = 0): VirtualProcess {
    return new VirtualProcess(this, skewMs);
  }

  sleep(ms: number, wake: () => void): () => void {
    const sleeper: Sleeper = { at: this.time + Math.max(0, ms), wake };
    let [low, high] = [0, this.#sleepers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sleepers[middle]?.at ?? 0) > sleeper.at) low = middle + 1;
      else high = middle;
    }
    this.#sleepers.splice(low, 0, sleeper);
    return () => {
      sleeper.wake = undefined;
    };
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    while (await this.#step(end));
    this.time = end;
  }

  /** Lets time pass until the promise is settled, at most an hour. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    void promise.finally(() => {
      done = true;
    });
    await settled();
    const end = this.time + 3_600_000;
    while (!done && (await this.#step(end)));
    if (!done) throw new Error('nothing more happens, or not within an hour');
    return promise;
  }

  /** All that happens at the next moment. False: nothing happens until `end`. */
  async #step(end: number): Promise<boolean> {
    const at = this.#sleepers.at(-1)?.at;
    if (at === undefined || at > end) return false;
    this.time = at;
    while (this.#sleepers.at(-1)?.at === at) this.#sleepers.pop()?.wake?.();
    await settled();
    return true;
  }
}

/** One turn of the event loop: all promises that can go on have gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

export class VirtualProcess {
  isDead = false;
  isCutOff = false;
  writes = 0;
  readonly world: World;
  readonly #time: VirtualTime;
  readonly #onReturn = new Set<() => void>();

  constructor(time: VirtualTime, skewMs: number) {
    this.#time = time;
    this.world = {
      now: () => startMs + time.time + skewMs,
      elapsed: () => time.time,
      random: time.random,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
  }

  /** Nothing comes to it any more; nothing goes out. */
  kill(): void {
    this.isDead = true;
  }

  reconnect(): void {
    this.isCutOff = false;
    for (const tell of this.#onReturn) tell();
  }

  /** The cell as this process reaches it, `ms` away. */
  cell(shared: Cell, ms = 1): Cell {
    const there = async (): Promise<void> => {
      await this.#sleep(ms);
      if (this.isCutOff) await new Promise(() => undefined);
    };
    let last: Kept | undefined;
    return {
      reachable: () => !this.isCutOff,
      read: async () => {
        await there();
        return shared.read();
      },
      write: async (value, seq) => {
        await there();
        this.writes += 1;
        // As JSON, like the real one.
        const written = await shared.write(JSON.parse(JSON.stringify(value)), seq);
        await there();
        return written;
      },
      watch: (callback) => {
        const tell = (kept: Kept): void => {
          last = kept;
          if (!this.isDead && !this.isCutOff) callback(kept);
        };
        this.#onReturn.add(() => last !== undefined && tell(last));
        return shared.watch((kept) => void this.#sleep(ms).then(() => tell(kept)));
      },
    };
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        signal?.removeEventListener('abort', leave);
        if (!this.isDead) resolve();
      };
      const forget = this.#time.sleep(ms, wake);
      const leave = () => {
        forget();
        wake();
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}

/** A cell whose writes never come back. */
export const silentCell: Cell = {
  reachable: () => true,
  read: async () => ok({ seq: 0, value: undefined }),
  write: () => new Promise(() => undefined),
  watch: () => () => undefined,
};
