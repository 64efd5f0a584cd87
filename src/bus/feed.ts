/**
 * The feed. Published without waiting for anything; read through a consumer of the reader's own, pulled piece by piece,
 * so a slow reader holds back nobody but itself. A reader goes on at its last sequence after whatever happened.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type FeedEvent, feedEventSchema } from '../domain/event.js';
import { ok } from '../domain/failure.js';
import type { Feed, Stored } from './contract.js';
import { type Delivery, Puller, type PullSource } from './pull.js';
import type { Reader } from './reader.js';
import type { Place, Store } from './store.js';
import { isToken, type Names } from './subject.js';
import { decodeAs, encode } from './text.js';

const batch = 256;
const expiresMs = 30_000;
const againMs = 500;
const inactiveNs = 60 * 1_000_000_000;
/** Events kept while there is no connection; beyond that the oldest are dropped. */
const keptWhileAway = 10_000;

export function feedOn(store: Store, reader: Reader, names: Names): Feed {
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
      const last = await reader.lastMatching(placeOf(taskId));
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
  place: Place,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Stored<FeedEvent>> {
  let last = after;
  while (!signal.aborted) {
    const consumer = await makeReader(store, place, last + 1);
    if (consumer === undefined) {
      await pause(againMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    for await (const delivery of deliveriesOf(store, { stream: place.stream, consumer }, signal)) {
      last = delivery.streamSeq;
      const event = decodeAs(feedEventSchema, delivery.msg.data, `event ${last}`);
      // What is no event was put there by somebody else: watchers lose nothing by not seeing it.
      if (event.ok) yield { seq: last, value: event.value };
    }
  }
}

/** What a consumer sends, in order and without a gap, until the signal aborts or the consumer is lost. */
async function* deliveriesOf(store: Store, source: PullSource, signal: AbortSignal): AsyncGenerator<Delivery> {
  const arrivals = new Arrivals();
  const stop = () => arrivals.wake();
  signal.addEventListener('abort', stop, { once: true });
  const puller = new Puller(
    store.wire,
    source,
    (delivery) => arrivals.push(delivery),
    (end) => {
      arrivals.broken ||= end !== 'expired';
      arrivals.wake();
    },
  );
  try {
    for (let expected = 1; !signal.aborted; ) {
      const delivery = arrivals.take();
      if (delivery !== undefined) {
        if (delivery.consumerSeq !== expected) return;
        expected += 1;
        yield delivery;
      } else if (arrivals.broken) {
        return;
      } else {
        if (puller.underway === 0) puller.pull(batch, expiresMs);
        await arrivals.changed();
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await puller.close();
    if (store.wire.connected) void store.api(`CONSUMER.DELETE.${source.stream}.${source.consumer}`, {});
  }
}

/** Makes a consumer of one reader, which the server forgets when nobody asks it any more. Undefined when it cannot. */
async function makeReader(store: Store, place: Place, start: number): Promise<string | undefined> {
  const made = await store.api(`CONSUMER.CREATE.${place.stream}`, {
    stream_name: place.stream,
    config: {
      deliver_policy: 'by_start_sequence',
      opt_start_seq: start,
      ack_policy: 'none',
      filter_subject: place.subject,
      replay_policy: 'instant',
      inactive_threshold: inactiveNs,
      mem_storage: true,
      num_replicas: 1,
    },
  });
  const parsed = z.looseObject({ name: z.string() }).safeParse(made.ok ? made.value : undefined);
  return parsed.success ? parsed.data.name : undefined;
}
