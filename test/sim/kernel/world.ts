/**
 * Virtual time. Everything that happens in a simulation is an event of one heap: at each turn the earliest is taken, time
 * jumps to it, it runs, and whatever promises it settled run to their end before the next is taken. One seed decides all.
 */
import { randomFrom } from '../../support/random.js';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** 1 October 2026, 00:00 UTC. */
const startMs = Date.UTC(2026, 9, 1);

export class World {
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** ms since the beginning. */
  time = 0;
  private readonly heap: Event[] = [];
  private events = 0;

  constructor(readonly seed: number) {
    this.random = randomFrom(seed);
  }

  /** ms since 1970 by a clock that is right. */
  now(): number {
    return startMs + Math.floor(this.time);
  }

  /** Events that have run, and wait. */
  get size(): number {
    return this.heap.length;
  }

  after(ms: number, run: () => void): void {
    this.events += 1;
    this.push({ at: this.time + Math.max(0, ms), order: this.events, run });
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255));
  }

  /** Runs until `isOver` or virtual time `limit`; true when over. */
  run(isOver: () => boolean, limit: number): Promise<boolean> {
    // Out of any promise's continuation: from within one, the others could not be run to their end.
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(this.turn(isOver, limit));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private turn(isOver: () => boolean, limit: number): boolean {
    while (!isOver()) {
      const next = this.heap[0];
      if (next === undefined || next.at > limit) return false;
      this.pop();
      this.time = next.at;
      next.run();
      settlePromises();
    }
    return true;
  }

  private push(event: Event): void {
    const { heap } = this;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Event;
      if (!isBefore(event, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = event;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) below += 1;
      if (!isBefore(heap[below] as Event, last)) break;
      heap[index] = heap[below] as Event;
      index = below;
    }
    heap[index] = last;
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Node's own emptying of the microtask queue (`runNextTicks`), callable since ever under this name. */
const settlePromises = (process as unknown as { _tickCallback(): void })._tickCallback;
