/** Making a durable consumer, and hearing when it is gone. */
import type { Result } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { PullSource } from './pull.js';
import type { Store } from './store.js';
import type { Wire } from './wire.js';

const ns = (ms: number): number => ms * 1_000_000;

export function ensureConsumer(
  store: Store,
  source: PullSource,
  config: {
    subject: string;
    ackWaitMs: number;
    maxAckPending: number;
    /** The server drops the consumer when nobody asked for so long; what it did not deliver stays. */
    inactiveMs?: number;
  },
): Promise<Result<Json>> {
  const consumer: JsonObject = {
    durable_name: source.consumer,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    ack_wait: ns(config.ackWaitMs),
    max_deliver: -1,
    filter_subject: config.subject,
    replay_policy: 'instant',
    max_ack_pending: config.maxAckPending,
    max_waiting: 4096,
    ...(config.inactiveMs === undefined ? {} : { inactive_threshold: ns(config.inactiveMs) }),
  };
  return store.api(`CONSUMER.DURABLE.CREATE.${source.stream}.${source.consumer}`, {
    stream_name: source.stream,
    config: consumer,
  });
}

/**
 * Hears that consumers of a stream, or the stream, were deleted: whoever consumes from it then makes sure of his own. The
 * status that open requests get is not enough (a request that arrives while the server is deleting gets no answer at
 * all), nor is a word about the consumer itself (with a stream, 2.9 tells of some of its consumers only).
 */
export function onDeleted(wire: Wire, stream: string, callback: (consumer: string | undefined) => void): () => void {
  const advisory = '$JS.EVENT.ADVISORY';
  const heard = [
    wire.listen(`${advisory}.CONSUMER.DELETED.${stream}.*`, ({ subject }) => callback(subject.split('.').at(-1))),
    wire.listen(`${advisory}.STREAM.DELETED.${stream}`, () => callback(undefined)),
  ];
  return () => {
    for (const subscription of heard) subscription?.unsubscribe();
  };
}
