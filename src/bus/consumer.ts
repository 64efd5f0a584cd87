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
  config: { subject: string; ackWaitMs: number; maxAckPending: number },
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
  };
  return store.api(`CONSUMER.DURABLE.CREATE.${source.stream}.${source.consumer}`, {
    stream_name: source.stream,
    config: consumer,
  });
}

/**
 * Hears that the consumer or its stream was deleted. The status that open requests get is not enough: a request that
 * arrives while the server is deleting gets no answer at all.
 */
export function onDeleted(wire: Wire, source: PullSource, callback: () => void): () => void {
  const advisory = '$JS.EVENT.ADVISORY';
  const heard = [
    wire.listen(`${advisory}.CONSUMER.DELETED.${source.stream}.${source.consumer}`, callback),
    wire.listen(`${advisory}.STREAM.DELETED.${source.stream}`, callback),
  ];
  return () => {
    for (const subscription of heard) subscription?.unsubscribe();
  };
}
