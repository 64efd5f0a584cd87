/**
 * A work queue at the server: each item goes to one consumer, again when it was given back or when nobody said a word
 * about it for the acknowledgement time. Wakes and timers are kept in such queues.
 */
import type { World } from '../kernel/world.js';

export interface Consumer<T> {
  /** May be sent one more item; its connection is open. */
  ready(): boolean;
  /** Sends it; the consumer answers by the delivery's methods. */
  send(delivery: Delivery<T>): void;
}

export interface Delivery<T> {
  readonly item: T;
  /** 1 for the first. */
  readonly deliveries: number;
  ack(): void;
  giveBack(delayMs: number): void;
  extend(): void;
}

interface Kept<T> {
  readonly item: T;
  readonly rank: number;
  readonly order: number;
  deliveries: number;
  /** When it may be delivered: now, later, or after the acknowledgement time. */
  dueAt: number;
  /** Number of the delivery whose answers count. */
  turn: number;
}

/** Consumers' capacity changes without a word. */
const lookAgainMs = 100;

export class WorkQueue<T> {
  private readonly kept = new Set<Kept<T>>();
  private readonly consumers = new Set<Consumer<T>>();
  private count = 0;
  private lookAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly world: World,
    private readonly ackWaitMs: number,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  /** Items that were never delivered, of those that are meant. */
  untaken(isMeant: (item: T) => boolean): number {
    return [...this.kept].filter(({ deliveries, item }) => deliveries === 0 && isMeant(item)).length;
  }

  /** @param rank lower ones are delivered first */
  put(item: T, rank: number, delayMs = 0): void {
    this.count += 1;
    this.kept.add({ item, rank, order: this.count, deliveries: 0, dueAt: this.world.time + delayMs, turn: 0 });
    this.look(delayMs);
  }

  join(consumer: Consumer<T>): () => void {
    this.consumers.add(consumer);
    this.look(0);
    return () => this.consumers.delete(consumer);
  }

  /** Delivers what is due to whoever is ready. */
  private deliver(): void {
    const due = [...this.kept].filter(({ dueAt }) => dueAt <= this.world.time);
    due.sort((a, b) => a.rank - b.rank || a.order - b.order);
    for (const kept of due) {
      const ready = [...this.consumers].filter((consumer) => consumer.ready());
      if (ready.length === 0) break;
      this.send(kept, this.world.pick(ready));
    }
    this.lookLater();
  }

  private send(kept: Kept<T>, consumer: Consumer<T>): void {
    kept.deliveries += 1;
    kept.turn += 1;
    kept.dueAt = this.world.time + this.ackWaitMs;
    const { turn } = kept;
    const isOurs = (): boolean => this.kept.has(kept) && kept.turn === turn;
    consumer.send({
      item: kept.item,
      deliveries: kept.deliveries,
      // An acknowledgement counts whoever has the item by now, as on the real server.
      ack: () => {
        this.kept.delete(kept);
        this.look(0);
      },
      giveBack: (delayMs) => {
        if (!isOurs()) return;
        kept.turn += 1;
        kept.dueAt = this.world.time + delayMs;
        this.look(delayMs);
      },
      extend: () => {
        if (isOurs()) kept.dueAt = this.world.time + this.ackWaitMs;
      },
    });
  }

  private lookLater(): void {
    if (this.kept.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.kept) next = Math.min(next, dueAt);
    const waitMs = next - this.world.time;
    if (waitMs > 0) this.look(waitMs);
    else if (this.consumers.size > 0) this.look(lookAgainMs);
  }

  private look(delayMs: number): void {
    const at = this.world.time + delayMs;
    if (at >= this.lookAt) return;
    this.lookAt = at;
    this.world.after(delayMs, () => {
      if (this.lookAt !== at) return; // an earlier look was ordered meanwhile
      this.lookAt = Number.POSITIVE_INFINITY;
      this.deliver();
    });
  }
}
