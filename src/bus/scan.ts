/** The last sequence of every subject of a stream, by a short-lived consumer that sends headers only. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { Puller } from './pull.js';
import { unreachable } from './refusal.js';
import type { Place, Store } from './store.js';

const batch = 1_000;
const expiresMs = 2_000;
const inactiveNs = 10 * 1_000_000_000;
const madeSchema = z.looseObject({ name: z.string(), num_pending: z.number() });

export async function lastOfEach(store: Store, place: Place): Promise<Result<Map<string, number>>> {
  const made = await store.api(`CONSUMER.CREATE.${place.stream}`, {
    stream_name: place.stream,
    config: {
      deliver_policy: 'last_per_subject',
      ack_policy: 'none',
      filter_subject: place.subject,
      replay_policy: 'instant',
      headers_only: true,
      inactive_threshold: inactiveNs,
      mem_storage: true,
      num_replicas: 1,
    },
  });
  if (!made.ok) return made;
  const parsed = madeSchema.safeParse(made.value);
  if (!parsed.success) return fail('internal', `unexpected answer to CONSUMER.CREATE on ${place.stream}`);
  const { name, num_pending: expected } = parsed.data;
  const lasts = new Map<string, number>();
  const complete = expected === 0 || (await collect(store, { stream: place.stream, consumer: name }, expected, lasts));
  if (store.wire.connected) void store.api(`CONSUMER.DELETE.${place.stream}.${name}`, {});
  return complete
    ? ok(lasts)
    : { ok: false, failure: unreachable(`the messages of ${place.stream}`, store.wire.patienceMs) };
}

function collect(
  store: Store,
  source: { stream: string; consumer: string },
  expected: number,
  lasts: Map<string, number>,
): Promise<boolean> {
  return new Promise((resolve) => {
    let seen = 0;
    const finish = (complete: boolean): void => {
      clearTimeout(timer);
      void puller.close();
      resolve(complete);
    };
    const timer = setTimeout(() => finish(false), store.wire.patienceMs);
    const puller = new Puller(
      store.wire,
      source,
      ({ msg, streamSeq, pending }) => {
        lasts.set(msg.subject, streamSeq);
        seen += 1;
        timer.refresh();
        if (pending === 0 || seen >= expected) finish(true);
        else if (puller.underway === 0) puller.pull(batch, expiresMs);
      },
      (end) => {
        // Messages that were cleared since the count are never sent.
        if (end === 'expired') finish(true);
        else finish(false);
      },
    );
    puller.pull(batch, expiresMs);
  });
}
