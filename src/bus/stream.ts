/** The streams that Hermes keeps on a server, exactly as they are configured, and how they are made. */
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import { errorCodes } from './refusal.js';
import { type BucketName, bucketNames, type Names } from './subject.js';
import { decodeJson, encode } from './text.js';
import type { Wire } from './wire.js';

export interface StreamOptions {
  readonly replicas: number;
  /** Life of a key in the host bucket that is not put again. */
  readonly leaseMs: number;
  /** How long events are kept for watchers. */
  readonly eventsMs: number;
}

const ns = (ms: number): number => ms * 1_000_000;
const dayMs = 86_400_000;
const duplicateWindowMs = 120_000;
const megabyte = 1_048_576;

/** Most unread messages of one agent; beyond that, senders are refused. */
export const inboxLimit = 10_000;

export function streamConfigs(names: Names, options: StreamOptions): JsonObject[] {
  const base = (
    name: string,
    subject: string,
    description: string,
    storage: 'file' | 'memory' = 'file',
  ): JsonObject => ({
    name,
    subjects: [subject],
    description,
    storage,
    retention: 'limits',
    discard: 'new',
    max_consumers: -1,
    max_msgs: -1,
    max_bytes: -1,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    max_age: 0,
    num_replicas: options.replicas,
    duplicate_window: ns(duplicateWindowMs),
    allow_direct: true,
  });
  const { prefix, streams } = names;
  const journals = Array.from({ length: names.shards }, (_, shard) =>
    base(streams.journal(shard), `${prefix}.log.${shard}.*`, `journals of agents, shard ${shard} of ${names.shards}`),
  );
  return [
    ...journals,
    {
      ...base(streams.inbox, `${prefix}.in.*`, 'messages to agents'),
      max_msgs_per_subject: inboxLimit,
      discard_new_per_subject: true,
    },
    {
      ...base(streams.wake, `${prefix}.wake.*.*`, 'hints to look at an inbox'),
      retention: 'workqueue',
      max_msgs: 5_000_000,
    },
    { ...base(streams.timer, names.timer, 'timers'), retention: 'workqueue', max_msgs: 1_000_000 },
    {
      ...base(streams.events, `${prefix}.evt.*.*.*`, 'the feed for watchers'),
      discard: 'old',
      max_age: ns(options.eventsMs),
      max_bytes: 2048 * megabyte,
    },
    {
      ...base(streams.dead, `${prefix}.dead.*`, 'dead letters'),
      discard: 'old',
      max_age: ns(90 * dayMs),
      max_msgs: 100_000,
    },
    { ...base(streams.blob, `${prefix}.blob.*.*`, 'large payloads by hash'), max_msgs_per_subject: 1, discard: 'old' },
    ...bucketNames.map((name) => bucketConfig(names, name, options, base)),
  ];
}

function bucketConfig(
  names: Names,
  name: BucketName,
  options: StreamOptions,
  base: (name: string, subject: string, description: string, storage?: 'file' | 'memory') => JsonObject,
): JsonObject {
  const storage = name === 'lease' || name === 'host' ? 'memory' : 'file';
  const maxAgeMs = name === 'host' ? options.leaseMs : 0;
  return {
    ...base(names.streams.bucket(name), names.bucket(name), `bucket ${name}`, storage),
    max_msgs_per_subject: 1,
    allow_rollup_hdrs: true,
    max_age: ns(maxAgeMs),
    duplicate_window: ns(maxAgeMs === 0 ? duplicateWindowMs : Math.min(maxAgeMs, duplicateWindowMs)),
    republish: { src: names.bucket(name), dest: names.heard(name, '>') },
  };
}

/** Makes what is missing and brings the rest to this configuration. Safe to run by many processes at once. */
export async function ensureStreams(wire: Wire, configs: readonly JsonObject[]): Promise<Result<void>> {
  const outcomes = await Promise.all(configs.map((config) => ensureStream(wire, config)));
  return outcomes.find((outcome) => !outcome.ok) ?? ok(undefined);
}

async function ensureStream(wire: Wire, config: JsonObject): Promise<Result<void>> {
  const name = String(config.name);
  for (const call of ['CREATE', 'UPDATE']) {
    const reply = await wire.ask(`$JS.API.STREAM.${call}.${name}`, encode(config), wire.patienceMs);
    if (reply.kind === 'nobody')
      return fail('storage_refused', 'the NATS server has no JetStream', 'start it with JetStream enabled (-js)');
    if (reply.kind !== 'answer')
      return fail('bus_unreachable', `no answer about stream ${name} within ${wire.patienceMs} ms`);
    const error = (decodeJson(reply.msg.data) as { error?: { [key: string]: Json } } | undefined)?.error;
    if (error === undefined) return ok(undefined);
    if (error.err_code === errorCodes.streamNameInUse && call === 'CREATE') continue;
    return fail(
      'storage_refused',
      `stream ${name}: ${String(error.description ?? '')}`,
      'is it made by another version, or is storage short?',
    );
  }
  return ok(undefined);
}
