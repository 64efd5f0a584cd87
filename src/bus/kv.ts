/**
 * Buckets. A deletion removes the message itself by its sequence, which is a compare-and-set (a bucket keeps one message
 * per key) and leaves no marker behind, so the memory of the lease bucket is that of the agents which are hosted now.
 * Markers that other clients leave (`nats kv del`) are understood.
 */

import { fail, ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';
import type { Bucket } from './contract.js';
import type { Kept, Reader } from './reader.js';
import type { Place, Store } from './store.js';
import { type BucketName, isKey, type Names } from './subject.js';
import { decodeJson, encode } from './text.js';
import { RawHeaders, type Wire } from './wire.js';

const nothing = new Uint8Array(0);
const lookAgainMs = 1_000;

export function bucketOn(store: Store, reader: Reader, names: Names, name: BucketName): Bucket {
  const stream = names.streams.bucket(name);
  const { wire } = store;
  const placeOf = (key: string): Place => ({ stream, subject: names.bucket(name, key) });
  const bad = (key: string) =>
    fail('invalid_request', `expected a key of tokens joined by ".", got ${JSON.stringify(key.slice(0, 200))}`);

  const remove = async (key: string, seq: number): Promise<Result<void>> => {
    const removed = await store.remove(stream, seq);
    // The server tells nobody about a removed message; watchers hear it from us.
    if (removed.ok) wire.tell(names.heard(name, key), nothing, new RawHeaders(`Hact-Deleted: ${seq}\r\n`));
    return removed;
  };

  return {
    get: async (key) => {
      if (!isKey(key)) return bad(key);
      const last = await reader.last(placeOf(key));
      if (!last.ok) return last;
      return last.value === undefined || last.value.marker ? ok(undefined) : readValue(last.value, name, key);
    },
    create: async (key, value) => {
      if (!isKey(key)) return bad(key);
      const payload = encode(value);
      const created = await store.write(placeOf(key), payload, 0);
      if (created.ok || created.failure.kind !== 'conflict') return created;
      const last = await reader.last(placeOf(key));
      if (!last.ok) return last;
      return last.value?.marker === true ? store.write(placeOf(key), payload, last.value.seq) : created;
    },
    update: async (key, value, seq) => (isKey(key) ? store.write(placeOf(key), encode(value), seq) : bad(key)),
    put: async (key, value) => (isKey(key) ? store.write(placeOf(key), encode(value)) : bad(key)),
    delete: async (key, seq) => {
      if (!isKey(key)) return bad(key);
      if (seq !== undefined) return remove(key, seq);
      for (;;) {
        const last = await reader.last(placeOf(key));
        if (!last.ok) return last;
        if (last.value === undefined) return ok(undefined);
        const removed = await remove(key, last.value.seq);
        if (removed.ok || removed.failure.kind !== 'conflict') return removed;
      }
    },
    keys: async (below) => {
      if (below !== undefined && !isKey(below)) return bad(below);
      const found = await store.subjects(placeOf(below === undefined ? '>' : `${below}.>`));
      if (!found.ok) return found;
      const start = names.bucket(name, '').length;
      return ok([...found.value.keys()].map((subject) => subject.slice(start)));
    },
    watch: (key, callback) => (isKey(key) ? watch(store.wire, reader, names, name, key, callback) : () => undefined),
  };
}

function readValue(kept: Kept, name: BucketName, key: string): Result<{ seq: number; value: Json }> {
  const value = decodeJson(kept.data);
  if (value === undefined) return fail('damaged', `value ${kept.seq} of ${key} in bucket ${name} is not JSON`);
  return ok({ seq: kept.seq, value });
}

/**
 * Hears a key: every stored value is published again by the server with its sequence, so no consumer is needed. One read
 * at the start and one after each reconnect fill what was not heard.
 */
function watch(
  wire: Wire,
  reader: Reader,
  names: Names,
  name: BucketName,
  key: string,
  callback: (value: Json | undefined, seq: number) => void,
): () => void {
  const place: Place = { stream: names.streams.bucket(name), subject: names.bucket(name, key) };
  let stopped = false;
  let told = -1;
  let present = false;
  const tell = (value: Json | undefined, seq: number) => {
    if (stopped || seq <= told) return;
    told = seq;
    present = value !== undefined;
    callback(value, seq);
  };
  const gone = (seq: number) => {
    if (stopped || seq < told || (seq === told && !present)) return;
    told = seq;
    present = false;
    callback(undefined, seq);
  };
  const subscription = wire.listen(names.heard(name, key), (msg) => {
    const deleted = Number(msg.headers?.get('Hact-Deleted') ?? 0);
    if (deleted > 0) return gone(deleted);
    const seq = Number(msg.headers?.get('Nats-Sequence') ?? 0);
    if (seq > 0) tell(msg.data.length === 0 ? undefined : decodeJson(msg.data), seq);
  });
  const look = async (): Promise<void> => {
    const before = told;
    const last = await reader.last(place);
    if (stopped) return;
    if (!last.ok) {
      if (wire.connected) setTimeout(() => void look(), lookAgainMs).unref();
    } else if (last.value !== undefined) {
      tell(last.value.marker ? undefined : decodeJson(last.value.data), last.value.seq);
    } else if (told === before) {
      // A value heard while the read was under way is newer than the read.
      gone(Math.max(told, 0));
    }
  };
  const unlisten = wire.onStatus(({ connected }) => {
    if (connected) void look();
  });
  void look();
  return () => {
    stopped = true;
    unlisten();
    subscription?.unsubscribe();
  };
}
