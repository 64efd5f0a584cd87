/**
 * Timers on JetStream: each is a message of one work queue, shared by all hosts. A timer that is not due is given back
 * with the time that is left as its delay, so it rests on the server and is fired by whoever lives then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ok } from '../domain/failure.js';
import { agentIdSchema } from '../domain/id.js';
import { laneFields } from '../domain/lane.js';
import { ensureConsumer, onDeleted } from './consumer.js';
import type { Timer, Timers } from './contract.js';
import { acknowledged, type Delivery, givenBack, type PullEnd, Puller, type PullSource } from './pull.js';
import type { Store } from './store.js';
import type { Names } from './subject.js';
import { decodeAs, encode } from './text.js';

const timerSchema = z.object({
  agentId: agentIdSchema,
  name: z.string().min(1).max(300),
  dueAt: z.number(),
  ...laneFields,
});
type Fire = (timer: Timer) => Promise<boolean>;

/** Firing stores two messages. Who takes longer has most likely died of it, and firing twice does no harm. */
const ackWaitMs = 5_000;
const maxAckPending = 1_000_000;
const width = 64;
const expiresMs = 30_000;
const tickMs = 1_000;
/** A timer due this soon is held here: the server's delays are exact to some ten milliseconds. */
const holdMs = 100;
const longestDelayMs = 6 * 3_600_000;
const retryMs = 1_000;
/** As with wakes: the old consumer is to be gone first. */
const goneDelayMs = 250;

export function timersOn(store: Store, names: Names): Timers {
  const source: PullSource = { stream: names.streams.timer, consumer: 'timers' };
  return {
    set: async (timer) => {
      const stored = await store.write({ stream: source.stream, subject: names.timer }, encode(timer));
      return stored.ok ? ok(undefined) : stored;
    },
    consume: (signal, fire) => new TimerConsumer(store, source, names.timer, signal, fire).run(),
  };
}

class TimerConsumer {
  readonly #store: Store;
  readonly #source: PullSource;
  readonly #subject: string;
  readonly #signal: AbortSignal;
  readonly #fire: Fire;
  readonly #puller: Puller;
  readonly #held = new Map<NodeJS.Timeout, Delivery>();
  #making = false;

  constructor(store: Store, source: PullSource, subject: string, signal: AbortSignal, fire: Fire) {
    this.#store = store;
    this.#source = source;
    this.#subject = subject;
    this.#signal = signal;
    this.#fire = fire;
    this.#puller = new Puller(
      store.wire,
      source,
      (delivery) => this.#receive(delivery),
      (end) => this.#changed(end),
    );
  }

  async run(): Promise<void> {
    const tick = setInterval(() => this.#ask(), tickMs);
    const unlisten = onDeleted(this.#store.wire, this.#source.stream, () => this.#changed('gone'));
    await new Promise<void>((resolve) => {
      if (this.#signal.aborted) return resolve();
      this.#signal.addEventListener('abort', () => resolve(), { once: true });
      void this.#make();
    });
    clearInterval(tick);
    unlisten();
    for (const [hold, delivery] of this.#held) {
      clearTimeout(hold);
      this.#answer(delivery, givenBack(0));
    }
    await this.#puller.close();
  }

  #receive(delivery: Delivery): void {
    this.#ask();
    const timer = decodeAs(timerSchema, delivery.msg.data, `timer ${delivery.streamSeq}`);
    if (this.#signal.aborted || !timer.ok) {
      // A timer that cannot be read can never fire.
      this.#answer(delivery, this.#signal.aborted ? givenBack(0) : acknowledged);
      return;
    }
    const leftMs = timer.value.dueAt - Date.now();
    if (leftMs > holdMs) this.#answer(delivery, givenBack(Math.min(leftMs - holdMs / 2, longestDelayMs)));
    else this.#hold(delivery, timer.value);
  }

  /** Keeps the timer for its last moments; it never fires early. */
  #hold(delivery: Delivery, timer: Timer): void {
    const leftMs = timer.dueAt - Date.now();
    if (leftMs <= 0) {
      this.#settle(delivery, timer);
      return;
    }
    const hold = setTimeout(() => {
      this.#held.delete(hold);
      this.#hold(delivery, timer);
    }, Math.ceil(leftMs));
    this.#held.set(hold, delivery);
  }

  #settle(delivery: Delivery, timer: Timer): void {
    this.#fire(timer).then(
      (stored) => this.#answer(delivery, stored ? acknowledged : givenBack(retryMs)),
      () => this.#answer(delivery, givenBack(retryMs)),
    );
  }

  #answer(delivery: Delivery, payload: Uint8Array): void {
    this.#store.wire.tell(delivery.reply, payload);
  }

  #changed(end: PullEnd): void {
    if (end === 'gone' && !this.#making) void this.#make(goneDelayMs);
    else if (end !== 'refused') this.#ask();
  }

  #ask(): void {
    if (!this.#signal.aborted && !this.#making && this.#puller.underway < width / 2)
      this.#puller.pull(width, expiresMs);
  }

  /** Makes the consumer, trying for as long as it takes. */
  async #make(afterMs = 0): Promise<void> {
    this.#making = true;
    await pause(afterMs);
    this.#puller.forget();
    const config = { subject: this.#subject, ackWaitMs, maxAckPending };
    for (let delayMs = 100; !this.#signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
      if ((await ensureConsumer(this.#store, this.#source, config)).ok) break;
      await pause(delayMs);
    }
    this.#making = false;
    this.#ask();
  }
}
