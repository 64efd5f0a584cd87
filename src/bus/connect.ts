/** Opening the bus: one connection, the streams made, all ports on it. */

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, connect, credsAuthenticator } from 'nats';
import { fail, ok, type Result } from '../domain/failure.js';
import { atLeast } from './binary.js';
import { blobsOn } from './blob.js';
import type { Bus } from './contract.js';
import { deadLettersOn } from './dead.js';
import { feedOn } from './feed.js';
import { inboxOn } from './inbox.js';
import { journalOn } from './journal.js';
import { bucketOn } from './kv.js';
import { Reader } from './reader.js';
import { requestsOn } from './request.js';
import type { User } from './rights.js';
import { inboxOfUser, roleOfUser, type UserRole } from './role-user.js';
import { Store } from './store.js';
import { ensureStreams, shardsOnServer, streamConfigs } from './stream.js';
import { type BucketName, type Names, namesOf, prefixPattern } from './subject.js';
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
  /** Number of journal streams of a new installation; one that exists keeps its number. Default 8. */
  readonly shards?: number;
  /** Life of a key of the host bucket. Default 10,000. */
  readonly leaseMs?: number;
  /**
   * Copies of each stream on a cluster. Default 1. With more, a compare-and-set is atomic only on newer servers (see
   * `replicatedVersion`), and reads go to the leader.
   */
  readonly replicas?: number;
  /** How long a call waits for a lost connection. Default 5,000. */
  readonly patienceMs?: number;
  /** A wake that is neither acknowledged nor extended for this long is delivered again. Default 30,000. */
  readonly ackWaitMs?: number;
  /** How long events are kept. Default 7 days. */
  readonly eventsMs?: number;
  /**
   * What to do about the streams: `create` those that are missing (default); `update`, besides, those whose configuration
   * differs (for workers, after an upgrade), but for what operators set: copies and bytes; `none` when this user may not,
   * as role users other than the admin may not, whatever is asked for here.
   */
  readonly streams?: 'create' | 'update' | 'none';
}

const defaultPrefix = 'hact.v1';
const defaultShards = 8;
const defaultLeaseMs = 10_000;
const minimumVersion = '2.9.0';
/**
 * A server that is still deleting a stream damages a new one of the same name (2.9.10: it removes its folder), and tells
 * of the deletion before it has finished.
 */
const restoreDelayMs = 500;
/**
 * Before this version, several of those who append after the same record at once may succeed on a replicated stream
 * (nats-server#4320; measured: 3 of 50 on 2.9.10, 1 of 50 on 2.10.27 and 2.15.1).
 */
const replicatedVersion = '2.10.27';
const minimumReconnectMs = 50;
const pingIntervalMs = 3_000;
/** With the interval above, a half-open connection is noticed within 10 s. */
const maxPingOut = 2;

interface Opened {
  readonly wire: Wire;
  readonly names: Names;
  /** Makes streams that were deleted anew, as far as this process may. */
  readonly restore: () => Promise<unknown>;
  /** Undefined when it is no role user. */
  readonly user: User | undefined;
}

/** The connection, with the streams made. */
export async function openWire(options: BusOptions): Promise<Result<Opened>> {
  const wrong = problemOf(options);
  if (wrong !== undefined) return fail('invalid_config', wrong);
  const urls = (typeof options.servers === 'string' ? options.servers.split(',') : options.servers).map((url) =>
    url.trim(),
  );
  const { user: name } = credentialsIn(urls);
  const role = name === undefined ? undefined : roleOfUser(name);
  const user = name === undefined || role === undefined ? undefined : { name, role };
  const inboxPrefix = user === undefined ? undefined : inboxOfUser(user.name);
  const opened = await dial(urls, inboxPrefix, options);
  if (!opened.ok) return opened;
  const wire = opened.value;
  const made = await prepare(wire, options, role);
  if (!made.ok) {
    await wire.close();
    return made;
  }
  return ok({ wire, user, ...made.value });
}

export async function openBus(options: BusOptions): Promise<Result<Bus>> {
  const opened = await openWire(options);
  if (!opened.ok) return opened;
  const { wire, names, restore, user } = opened.value;
  const store = new Store(wire, restore);
  const reader = new Reader(store, { fromLeader: (options.replicas ?? 1) > 1 });
  const dead = deadLettersOn(store, reader, names);
  const bucket = (name: BucketName) => bucketOn(store, reader, names, name);
  return ok({
    journal: journalOn(store, reader, names),
    inbox: inboxOn(store, reader, names, dead, { mayPurge: user === undefined || user.role === 'admin' }),
    wakes: wakeQueueOn(store, names, options.ackWaitMs ?? 30_000),
    buckets: {
      lease: bucket('lease'),
      host: bucket('host'),
      agent: bucket('agent'),
      task: bucket('task'),
      approval: bucket('approval'),
      lesson: bucket('lesson'),
      provider: bucket('provider'),
    },
    timers: timersOn(store, names),
    feed: feedOn(store, reader, names),
    blobs: blobsOn(store, reader, names),
    dead,
    requests: requestsOn(wire, names),
    status: () => wire.status(),
    onStatus: (callback) => wire.onStatus(callback),
    close: () => wire.close(),
  });
}

function problemOf(options: BusOptions): string | undefined {
  const { prefix = defaultPrefix, shards = defaultShards, leaseMs = defaultLeaseMs } = options;
  if (!prefixPattern.test(prefix))
    return `expected a prefix of lower-case words joined by ".", got ${JSON.stringify(prefix)}`;
  if (!Number.isInteger(shards) || shards < 1 || shards > 256) return `expected 1 to 256 shards, got ${shards}`;
  if (!(leaseMs >= 100)) return `expected a lease of at least 100 ms, got ${leaseMs}`;
  return undefined;
}

/** Makes the streams, as far as this process may. */
async function prepare(
  wire: Wire,
  options: BusOptions,
  role: UserRole | undefined,
): Promise<Result<{ names: Names; restore: () => Promise<unknown> }>> {
  const { version } = wire.status();
  if (!atLeast(version, minimumVersion)) {
    return fail(
      'invalid_config',
      `expected a NATS server of version ${minimumVersion} or newer, got ${version}`,
      'update it',
    );
  }
  const { prefix = defaultPrefix, shards = defaultShards, replicas = 1 } = options;
  const limited = role !== undefined && role !== 'admin';
  const streams = limited ? 'none' : (options.streams ?? 'create');
  if (replicas > 1 && !atLeast(version, replicatedVersion)) {
    const wanted = `${replicatedVersion} or newer for ${replicas} replicas`;
    return fail('invalid_config', `expected a NATS server of version ${wanted}, got ${version}`, 'update it, or use 1');
  }
  if (streams === 'none' && (role === undefined || role === 'client')) {
    return ok({ names: namesOf(prefix, shards), restore: async () => undefined });
  }
  const present = await shardsOnServer(wire, namesOf(prefix, shards));
  if (!present.ok) return present;
  const names = namesOf(prefix, present.value ?? shards);
  if (streams === 'none') return ok({ names, restore: async () => undefined });
  const configs = streamConfigs(names, {
    replicas,
    leaseMs: options.leaseMs ?? defaultLeaseMs,
    eventsMs: options.eventsMs ?? 7 * 86_400_000,
  });
  const made = await ensureStreams(wire, configs, streams === 'update');
  if (!made.ok) return made;
  const restore = async () => {
    await pause(restoreDelayMs);
    return ensureStreams(wire, configs, false);
  };
  return ok({ names, restore: shared(restore) });
}

async function dial(
  urls: readonly string[],
  inboxPrefix: string | undefined,
  options: BusOptions,
): Promise<Result<Wire>> {
  const { patienceMs = 5_000 } = options;
  const shown = urls.map((url) => url.replace(/\/\/[^@/]*@/, '//***@')).join(', ');
  try {
    const settings: ConnectionOptions = {
      servers: urls.map((url) => url.replace(/\/\/[^@/]*@/, '//')),
      name: options.name ?? 'hact',
      maxReconnectAttempts: -1,
      reconnectTimeWait: minimumReconnectMs,
      reconnectJitter: 100,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      pingInterval: pingIntervalMs,
      maxPingOut,
      timeout: patienceMs,
      ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
      ...credentialsIn(urls),
      ...(options.token === undefined ? {} : { token: options.token }),
      ...(options.credsFile === undefined
        ? {}
        : { authenticator: credsAuthenticator(await readFile(options.credsFile)) }),
    };
    const knock = async (timeout: number): Promise<void> => {
      const once = await connect({ ...settings, timeout, reconnect: false });
      await once.close();
    };
    return ok(new Wire(await connect(settings), { patienceMs, inboxPrefix, knock }));
  } catch (error) {
    return fail(
      'bus_unreachable',
      `cannot connect to NATS at ${shown}: ${error instanceof Error ? error.message : String(error)}`,
      'check NATS_URL and the credentials, or unset NATS_URL to use the embedded server',
    );
  }
}

/** Credentials of the first url that has some: `nats://user:password@host` or `nats://token@host`. */
function credentialsIn(urls: readonly string[]): { user?: string; pass?: string; token?: string } {
  for (const url of urls) {
    const [, user, pass] = /\/\/([^:@/]+)(?::([^@/]*))?@/.exec(url) ?? [];
    if (user === undefined) continue;
    const plain = decodeURIComponent(user);
    return pass === undefined ? { token: plain } : { user: plain, pass: decodeURIComponent(pass) };
  }
  return {};
}

/** While one run is under way, further calls share it. */
function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
