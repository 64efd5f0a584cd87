/**
 * A simulated process. Its code is real; only what comes to it from outside passes through here: timers, replies, messages.
 * Killed: nothing comes any more, so its promises stay open for ever. Frozen: everything is held until it resumes.
 */
import type { Clock } from '../../../src/domain/clock.js';
import type { World } from './world.js';

export type ProcessState = 'running' | 'frozen' | 'dead';

export class SimProcess {
  state: ProcessState = 'running';
  /** Wall clock against the true one, ms. */
  skewMs = 0;
  /** Speed of its clocks; 1 is right. */
  rate = 1;
  /** The server still believes in the connection. */
  socketOpen = true;
  /** Messages pass between it and the server. */
  linked = true;
  readonly clock: Clock;
  private held: (() => void)[] = [];
  private readonly dying: (() => void)[] = [];
  private readonly closing = new Set<() => void>();

  constructor(
    readonly world: World,
    readonly name: string,
  ) {
    this.clock = clockOf(this);
  }

  get alive(): boolean {
    return this.state !== 'dead';
  }

  /** Runs in this process after `ms` of true time, if it still lives then; later when it is frozen. */
  after(ms: number, run: () => void): void {
    this.world.after(ms, () => this.enter(run));
  }

  enter(run: () => void): void {
    if (this.state === 'running') run();
    else if (this.state === 'frozen') this.held.push(run);
  }

  freeze(): void {
    if (this.state === 'running') this.state = 'frozen';
  }

  resume(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    const held = this.held;
    this.held = [];
    // One after the other, as the event loop would: each may kill or freeze the process again.
    for (const run of held) this.after(0, run);
  }

  /** As SIGKILL. With `silently` the machine is gone, and nobody closes its sockets. */
  kill(silently = false): void {
    if (this.state === 'dead') return;
    this.state = 'dead';
    this.held = [];
    this.linked = false;
    for (const run of this.dying) run();
    if (silently) {
      this.world.after(silentMs, () => this.close());
      return;
    }
    this.close();
  }

  onDeath(run: () => void): void {
    this.dying.push(run);
  }

  /** When the server notices. Returns how to forget it. */
  onClosed(run: () => void): () => void {
    this.closing.add(run);
    return () => this.closing.delete(run);
  }

  private close(): void {
    this.socketOpen = false;
    for (const run of this.closing) run();
  }
}

/** How long a server takes to notice that a connection is dead. */
const silentMs = 8_000;

function clockOf(process: SimProcess): Clock {
  const { world } = process;
  const wait = (ms: number, run: () => void): void => process.after(ms / process.rate, run);
  return {
    now: () => Math.floor(world.now() + process.skewMs),
    elapsed: () => world.time * process.rate,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = (): void => {
          signal?.removeEventListener('abort', end);
          resolve();
        };
        signal?.addEventListener('abort', end, { once: true });
        wait(ms, end);
      }),
    after: (ms, callback) => {
      let cancelled = false;
      wait(ms, () => {
        if (!cancelled) callback();
      });
      return () => {
        cancelled = true;
      };
    },
  };
}
