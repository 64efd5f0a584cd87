/** Buckets over a link. */
import type { Bucket, Buckets } from '../../../src/bus/contract.js';
import { type BucketName, isKey } from '../../../src/bus/subject.js';
import { fail, ok, type Result } from '../../../src/domain/failure.js';
import type { Json } from '../../../src/domain/json.js';
import type { Link } from './link.js';
import { textOf } from './log-store.js';
import type { SimServer } from './server.js';

export const bucketsOver = (link: Link, server: SimServer): Buckets => ({
  lease: bucketOver(link, server, 'lease'),
  host: bucketOver(link, server, 'host'),
  agent: bucketOver(link, server, 'agent'),
  task: bucketOver(link, server, 'task'),
  approval: bucketOver(link, server, 'approval'),
  lesson: bucketOver(link, server, 'lesson'),
  provider: bucketOver(link, server, 'provider'),
});

const bad = (key: string): Result<never> =>
  fail('invalid_request', `expected a key of tokens joined by ".", got ${JSON.stringify(key.slice(0, 200))}`);

function bucketOver(link: Link, server: SimServer, name: BucketName): Bucket {
  const store = server.buckets[name];
  const write = async (what: string, key: string, value: Json, expected?: number): Promise<Result<number>> => {
    if (!isKey(key)) return bad(key);
    const text = textOf(value, `${name}.${key}`);
    if (!text.ok) return text;
    return link.call(`${name} ${what} ${key}`, () => {
      const put = server.store(() => store.put(key, text.value, expected));
      if (put.ok) server.options.onPut?.(name, key, value);
      return put;
    });
  };
  return {
    get: async (key) => (isKey(key) ? link.call(`${name} get ${key}`, () => ok(store.get(key))) : bad(key)),
    create: (key, value) => write('create', key, value, 0),
    update: (key, value, seq) => write('update', key, value, seq),
    put: (key, value) => write('put', key, value),
    delete: async (key, seq) =>
      isKey(key) ? link.call(`${name} delete ${key}`, () => store.delete(key, seq)) : bad(key),
    keys: (below) =>
      link.call(`${name} keys`, () =>
        ok(store.keys().filter((key) => below === undefined || key.startsWith(`${below}.`))),
      ),
    watch: (key, callback) => (isKey(key) ? watch(link, server, name, key, callback) : () => undefined),
  };
}

/** What is heard live, and one look at the start and after each reconnect for what was not. */
function watch(
  link: Link,
  server: SimServer,
  name: BucketName,
  key: string,
  callback: (value: Json | undefined, seq: number) => void,
): () => void {
  const store = server.buckets[name];
  let stopped = false;
  let told = -1;
  let present = false;
  const tell = (value: Json | undefined, seq: number): void => {
    const isOld = value === undefined ? seq < told || (seq === told && !present) : seq <= told;
    if (stopped || isOld) return;
    told = seq;
    present = value !== undefined;
    callback(value, seq);
  };
  // One connection keeps the order: the look comes after the subscription.
  const unlisten = link.subscribe(() => {
    link.process.enter(() => void look());
    return store.watch(key, (value, seq) => link.push(() => tell(value, seq), true));
  });
  const look = async (): Promise<void> => {
    const before = told;
    const found = await link.call(`${name} get`, () => ok(store.get(key)));
    if (stopped) return;
    if (!found.ok) link.process.after(1_000, () => void look());
    else if (found.value !== undefined) tell(found.value.value, found.value.seq);
    else if (told === before) tell(undefined, Math.max(told, 0));
  };
  const forget = link.onStatus(({ connected }) => {
    if (connected) void look();
  });
  return () => {
    stopped = true;
    forget();
    unlisten();
  };
}
