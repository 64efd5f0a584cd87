/**
 * The feed. Published without waiting for anything; read through a consumer of the reader's own, pulled piece by piece,
 * so a slow reader holds back nobody but itself. A reader goes on at its last sequence after whatever happened.
 */
import { randomBytes } from 'node:crypto';
import { type FeedEvent, feedEventSchema } from '../domain/event.js';
import { ok } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import type { Feed, Stored } from './contract.js';
import { type Delivery, Puller } from './pull.js';
import type { Store } from './store.js';
import { isToken, type Names } from './subject.js';
import { decodeAs, encode } from './text.js';

const batch = 256;
const expiresMs = 30_000;
const inactiveNs = 60 * 1_000_000_000;
/** Events kept while there is no connection; beyond that the oldest are dropped. */
const keptWhileAway = 10_000;

export function feedOn(store: Store, names: Names): Feed {
  const { wire } = store;
  let waiting: { subject: string; payload: Uint8Array }[] = [];
  wire.onStatus(({ connected }) => {
    if (!connected) return;
    const late = waiting;
    waiting = [];
    for (const { subject, payload } of late) wire.tell(subject, payload);
  });
  const placeOf = (taskId: string | undefined) => ({
    stream: names.streams.events,
    subject: names.event(taskId ?? '*', '*', '*'),
  });
  return {
    publish: (event) => {
      if (!isToken(event.taskId) || !isToken(event.agentId)) return;
      const subject = names.event(event.taskId, event.agentId, event.kind);
      const payload = encode(event);
      if (payload.length > wire.maxPayload || wire.tell(subject, payload)) return;
      if (waiting.length >= keptWhileAway) waiting.shift();
      waiting.push({ subject, payload });
    },
    read: (taskId, after, signal) => readFeed(store, placeOf(taskId), after, signal),
    last: async (taskId) => {
      const last = await store.lastMatching(placeOf(taskId));
      return last.ok ? ok(last.value?.seq ?? 0) : last;
    },
  };
}

/** What the reader waits for: the next event, or that something changed. */
class Arrivals {
  readonly #queue: Delivery[] = [];
  #wake: (() => void) | undefined;
  /** The consumer is not there, or its order is broken. */
  broken = false;

  push(delivery: Delivery): void {
    this.#queue.push(delivery);
    this.wake();
  }
  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
  take(): Delivery | undefined {
    return this.#queue.shift();
  }
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function* readFeed(
  store: Store,
  place: { stream: string; subject: string },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Stored<FeedEvent>> {
  let last = after;
  while (!signal.aborted) {
    const arrivals = new Arrivals();
    const stop = () => arrivals.wake();
    signal.addEventListener('abort', stop, { once: true });
    const consumer = `feed-${randomBytes(9).toString('base64url')}`;
    const puller = new Puller(
      store.wire,
      { stream: place.stream, consumer },
      (delivery) => arrivals.push(delivery),
      (end) => {
        if (end !== 'expired') arrivals.broken = true;
        arrivals.wake();
      },
    );
    try {
      const made = await store.api(`CONSUMER.DURABLE.CREATE.${place.stream}.${consumer}`, {
        stream_name: place.stream,
        config: readerConfig(consumer, place.subject, last + 1),
      });
      let expected = 1;
      while (made.ok && !signal.aborted && !arrivals.broken) {
        const delivery = arrivals.take();
        if (delivery === undefined) {
          if (puller.underway === 0) puller.pull(batch, expiresMs);
          await arrivals.changed();
          continue;
        }
        if (delivery.consumerSeq !== expected) break;
        expected += 1;
        last = delivery.streamSeq;
        const event = decodeAs(feedEventSchema, delivery.msg.data, `event ${last}`);
        // What is no event was put there by somebody else: watchers lose nothing by not seeing it.
        if (event.ok) yield { seq: last, value: event.value };
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await puller.close();
      if (store.wire.connected) void store.api(`CONSUMER.DELETE.${place.stream}.${consumer}`, {});
    }
    if (!signal.aborted) await store.wire.ready();
  }
}

const readerConfig = (name: string, subject: string, start: number): JsonObject => ({
  durable_name: name,
  deliver_policy: 'by_start_sequence',
  opt_start_seq: start,
  ack_policy: 'none',
  max_deliver: 1,
  filter_subject: subject,
  replay_policy: 'instant',
  inactive_threshold: inactiveNs,
  mem_storage: true,
  num_replicas: 1,
});
