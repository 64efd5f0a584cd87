/** Opening the bus: one connection, the streams made, all ports on it. */

import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, connect, credsAuthenticator } from 'nats';
import { fail, ok, type Result } from '../domain/failure.js';
import { blobsOn } from './blob.js';
import type { Bus } from './contract.js';
import { deadLettersOn } from './dead.js';
import { feedOn } from './feed.js';
import { inboxOn } from './inbox.js';
import { journalOn } from './journal.js';
import { bucketOn } from './kv.js';
import { requestsOn } from './request.js';
import { Store } from './store.js';
import { ensureStreams, streamConfigs } from './stream.js';
import { namesOf, prefixPattern } from './subject.js';
import { timersOn } from './timer.js';
import { wakeQueueOn } from './wake.js';
import { Wire } from './wire.js';

export interface BusOptions {
  /** One or several, e.g. `nats://127.0.0.1:4222`. Credentials in the url are used. */
  readonly servers: string | readonly string[];
  readonly token?: string;
  /** Path of a credentials file (`NATS_CREDS`). */
  readonly credsFile?: string;
  /** Of all subjects and streams. Default `hact.v1`. */
  readonly prefix?: string;
  /** Name of the connection, as operators see it. */
  readonly name?: string;
  /** Number of journal streams; must be the same for all processes of an installation. Default 8. */
  readonly shards?: number;
  /** Life of a key of the host bucket. Default 10,000. */
  readonly leaseMs?: number;
  /** Copies of each stream on a cluster. Default 1. */
  readonly replicas?: number;
  /** How long a call waits for a lost connection. Default 5,000. */
  readonly patienceMs?: number;
  /** How long events are kept. Default 7 days. */
  readonly eventsMs?: number;
  /** False when this user may not make streams: they must be there. Default true. */
  readonly makeStreams?: boolean;
}

const minimumReconnectMs = 50;
const pingIntervalMs = 3_000;
/** With the interval above, a half-open connection is noticed within 10 s. */
const maxPingOut = 2;

export async function openBus(options: BusOptions): Promise<Result<Bus>> {
  const prefix = options.prefix ?? 'hact.v1';
  const shards = options.shards ?? 8;
  const patienceMs = options.patienceMs ?? 5_000;
  if (!prefixPattern.test(prefix)) {
    return fail('invalid_config', `expected a prefix of lower-case words joined by ".", got ${JSON.stringify(prefix)}`);
  }
  if (!Number.isInteger(shards) || shards < 1 || shards > 256) {
    return fail('invalid_config', `expected 1 to 256 shards, got ${shards}`);
  }
  const opened = await dial(options, patienceMs);
  if (!opened.ok) return opened;
  const wire = opened.value;
  const names = namesOf(prefix, shards);
  const configs = streamConfigs(names, {
    replicas: options.replicas ?? 1,
    leaseMs: options.leaseMs ?? 10_000,
    eventsMs: options.eventsMs ?? 7 * 86_400_000,
  });
  const mayMake = options.makeStreams !== false;
  if (mayMake) {
    const made = await ensureStreams(wire, configs);
    if (!made.ok) {
      await wire.close();
      return made;
    }
  }
  const store = new Store(
    wire,
    once(async () => (mayMake ? ensureStreams(wire, configs) : undefined)),
  );
  const dead = deadLettersOn(store, names);
  return ok({
    journal: journalOn(store, names),
    inbox: inboxOn(store, names, dead),
    wakes: wakeQueueOn(store, names),
    buckets: {
      lease: bucketOn(store, names, 'lease'),
      host: bucketOn(store, names, 'host'),
      agent: bucketOn(store, names, 'agent'),
      task: bucketOn(store, names, 'task'),
      approval: bucketOn(store, names, 'approval'),
    },
    timers: timersOn(store, names),
    feed: feedOn(store, names),
    blobs: blobsOn(store, names),
    dead,
    requests: requestsOn(wire, names),
    status: () => wire.status(),
    onStatus: (callback) => wire.onStatus(callback),
    close: () => wire.close(),
  });
}

async function dial(options: BusOptions, patienceMs: number): Promise<Result<Wire>> {
  const servers =
    typeof options.servers === 'string' ? options.servers.split(',').map((one) => one.trim()) : [...options.servers];
  try {
    const settings: ConnectionOptions = {
      servers,
      name: options.name ?? 'hact',
      maxReconnectAttempts: -1,
      reconnectTimeWait: minimumReconnectMs,
      reconnectJitter: 100,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      pingInterval: pingIntervalMs,
      maxPingOut,
      timeout: patienceMs,
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(options.credsFile === undefined
        ? {}
        : { authenticator: credsAuthenticator(await readFile(options.credsFile)) }),
    };
    return ok(new Wire(await connect(settings), { patienceMs }));
  } catch (error) {
    const shown = servers.map((url) => url.replace(/\/\/[^@/]*@/, '//***@')).join(', ');
    return fail(
      'bus_unreachable',
      `cannot connect to NATS at ${shown}: ${error instanceof Error ? error.message : String(error)}`,
      'check NATS_URL and the credentials, or unset NATS_URL to use the embedded server',
    );
  }
}

/** While one run is under way, further calls share it. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
