/** The network between one process and the server: a connection that delays, loses, repeats and reorders by the seed. */
import type { BusStatus } from '../../../src/bus/contract.js';
import { fail, type Result } from '../../../src/domain/failure.js';
import type { SimProcess } from '../kernel/process.js';

/** Shares of messages, 0 to 1, and the longest delay of the rest. */
export interface Weather {
  /** Requests that never arrive. */
  lost: number;
  /** Requests that are carried out and whose answer never arrives. */
  lostReply: number;
  /** Requests that the server gets twice. */
  repeated: number;
  /** Messages that overtake others. */
  overtaking: number;
  /** Hints (nudges, acknowledgements) that never arrive. */
  lostHint: number;
  delayMs: number;
}

export const calm: Weather = { lost: 0, lostReply: 0, repeated: 0, overtaking: 0, lostHint: 0, delayMs: 0 };

/** What happened to messages, for whoever counts. */
export type Mishap = 'lost request' | 'lost reply' | 'repeated request' | 'overtaken' | 'lost hint';

export interface LinkOptions {
  readonly weather: Weather;
  readonly patienceMs: number;
  /** @param ms how long a process waits in vain because of it */
  readonly onMishap: (mishap: Mishap, what: string, process: string, ms: number) => void;
}

const leastDelayMs = 0.2;
/** How often a subscription that waits for a connection looks for one. */
const linkLookMs = 50;

export class Link {
  private lastArrival = 0;
  private readonly listeners = new Set<(status: BusStatus) => void>();

  constructor(
    readonly process: SimProcess,
    private readonly options: LinkOptions,
  ) {}

  get status(): BusStatus {
    return { connected: this.process.linked, server: 'simulated', version: '2.12.0' };
  }

  onStatus(callback: (status: BusStatus) => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  /** The connection is lost or found. */
  connect(linked: boolean): void {
    const { process } = this;
    if (!process.alive || process.linked === linked) return;
    process.linked = linked;
    process.socketOpen = linked;
    process.after(leastDelayMs, () => {
      for (const tell of [...this.listeners]) tell(this.status);
    });
  }

  /**
   * A request that `op` carries out at the server. Without an answer: `bus_unreachable`, carried out or not.
   * @param repeatsLate a repeat may come after whatever the process does next; else only before it
   */
  call<T>(what: string, op: () => Result<T>, repeatsLate = false): Promise<Result<T>> {
    const { process, options } = this;
    const { world } = process;
    const { weather, patienceMs, onMishap } = options;
    return new Promise((resolve) => {
      const giveUp = (): void =>
        process.after(patienceMs, () =>
          resolve(fail('bus_unreachable', `no answer about ${what} in ${patienceMs} ms`)),
        );
      if (world.chance(weather.lost)) {
        onMishap('lost request', what, process.name, patienceMs);
        giveUp();
        return;
      }
      const arrive = (): void => {
        if (!process.linked) {
          giveUp();
          return;
        }
        const answer = op();
        if (world.chance(weather.repeated)) this.repeat(what, op, repeatsLate);
        if (world.chance(weather.lostReply)) {
          onMishap('lost reply', what, process.name, patienceMs);
          giveUp();
        } else {
          world.after(this.delay(), () => (process.linked ? process.enter(() => resolve(answer)) : giveUp()));
        }
      };
      world.after(this.arrival(what), arrive);
    });
  }

  /** Fire and forget, in order. */
  tell(op: () => void): void {
    const { process, options } = this;
    process.world.after(this.arrival('hint'), () => {
      if (!process.linked) return;
      if (process.world.chance(options.weather.lostHint))
        options.onMishap('lost hint', 'to the server', process.name, 0);
      else op();
    });
  }

  /**
   * Registers something with the server: at the first moment at which there is a connection, since a client subscribes
   * anew after each loss. `register` returns the way back; so does this.
   */
  subscribe(register: () => () => void): () => void {
    const { process } = this;
    let stopped = false;
    let undo = (): void => undefined;
    const arrive = (): void => {
      if (stopped || !process.alive) return;
      if (!process.linked) {
        process.world.after(linkLookMs, arrive);
        return;
      }
      const leave = register();
      const forget = process.onClosed(leave);
      undo = () => {
        forget();
        leave();
      };
    };
    process.world.after(this.arrival('subscription'), arrive);
    return () => {
      stopped = true;
      undo();
    };
  }

  /** From the server to the process. With `surely`, only a broken connection can lose it. */
  push(run: () => void, surely = false): void {
    const { process, options } = this;
    if (!process.linked) return;
    if (!surely && process.world.chance(options.weather.lostHint)) {
      options.onMishap('lost hint', 'from the server', process.name, 0);
      return;
    }
    process.world.after(this.delay(), () => {
      if (process.linked) process.enter(run);
    });
  }

  private repeat(what: string, op: () => unknown, late: boolean): void {
    this.options.onMishap('repeated request', what, this.process.name, 0);
    if (late) this.process.world.after(this.delay() * 5, () => void op());
    else op();
  }

  private delay(): number {
    const { world } = this.process;
    const { delayMs } = this.options.weather;
    return leastDelayMs + (delayMs === 0 ? 0 : world.random() ** 3 * delayMs);
  }

  /** ms until a request arrives: one connection keeps the order, unless it is lost and found in between. */
  private arrival(what: string): number {
    const { world } = this.process;
    const { weather, onMishap } = this.options;
    const at = world.time + this.delay();
    if (at < this.lastArrival && world.chance(weather.overtaking)) {
      onMishap('overtaken', what, this.process.name, 0);
      return at - world.time;
    }
    this.lastArrival = Math.max(at, this.lastArrival);
    return this.lastArrival - world.time;
  }
}
