/** The streams that Hermes keeps on a server, exactly as they are configured, and how they are made. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Failure, fail, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import { type ApiError, errorCodes, notPermitted, unreachable } from './refusal.js';
import { errorOf } from './store.js';
import { type BucketName, bucketNames, type Names } from './subject.js';
import { decodeJson, encode } from './text.js';
import type { Reply, Wire } from './wire.js';

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

/** Most unread messages of one agent; beyond that, senders are refused. */
export const inboxLimit = 10_000;

const journalDescription = (shard: number, shards: number) => `journals of agents, shard ${shard} of ${shards}`;

export function streamConfigs(names: Names, options: StreamOptions): JsonObject[] {
  const base = (
    name: string,
    subject: string | readonly string[],
    description: string,
    storage: 'file' | 'memory' = 'file',
  ): JsonObject => ({
    name,
    subjects: [subject].flat(),
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
    // A header would do to drop all that is kept.
    allow_rollup_hdrs: false,
  });
  const { prefix, streams } = names;
  const journals = Array.from({ length: names.shards }, (_, shard) =>
    base(streams.journal(shard), `${prefix}.log.${shard}.*`, journalDescription(shard, names.shards)),
  );
  return [
    ...journals,
    {
      ...base(streams.inbox, `${prefix}.in.*`, 'messages to agents'),
      max_msgs_per_subject: inboxLimit,
      discard_new_per_subject: true,
    },
    {
      ...base(streams.wake, [`${prefix}.wake.*.*`, `${prefix}.wake.*.*.*.*`], 'hints to look at an inbox'),
      retention: 'workqueue',
      max_msgs: 5_000_000,
    },
    { ...base(streams.timer, names.timer, 'timers'), retention: 'workqueue', max_msgs: 1_000_000 },
    {
      ...base(streams.events, `${prefix}.evt.*.*.*`, 'the feed for watchers'),
      discard: 'old',
      max_age: ns(options.eventsMs),
      // No limit in bytes: the server would set that much aside, and refuse the stream on a small disk.
      max_msgs: 2_000_000,
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
    max_age: ns(maxAgeMs),
    duplicate_window: ns(maxAgeMs === 0 ? duplicateWindowMs : Math.min(maxAgeMs, duplicateWindowMs)),
    republish: { src: names.bucket(name), dest: names.heard(name, '>') },
  };
}

/**
 * Makes what is missing; with `update`, brings the rest to this configuration. Safe to run by many processes at once.
 */
export async function ensureStreams(
  wire: Wire,
  configs: readonly JsonObject[],
  update: boolean,
): Promise<Result<void>> {
  const outcomes = await Promise.all(configs.map((config) => ensureStream(wire, config, update)));
  return outcomes.find((outcome) => !outcome.ok) ?? ok(undefined);
}

/**
 * A server that is just making a stream for somebody else may take it for another one that is in the way (measured on
 * 2.9.10: 4 of 240 of those who start at the same moment); a moment later it knows it by its name.
 */
const overlapTries = 5;
const overlapPauseMs = 100;

async function ensureStream(wire: Wire, config: JsonObject, update: boolean): Promise<Result<void>> {
  const name = String(config.name);
  const create = () => call(wire, `STREAM.CREATE.${name}`, config);
  let made = await create();
  for (let tries = 1; tries < overlapTries && overlaps(made); tries += 1) {
    await pause(overlapPauseMs);
    made = await create();
  }
  if (!made.ok) return made;
  if (made.value?.err_code === errorCodes.streamNameInUse) {
    return update ? updateStream(wire, name, config) : ok(undefined);
  }
  return made.value === undefined ? ok(undefined) : unusable(name, made.value);
}

const overlaps = (made: Result<ApiError | undefined>): boolean =>
  made.ok && made.value?.err_code === errorCodes.subjectsOverlap;

/** Fields that operators may set on a running installation. */
const operatorsOwn = ['num_replicas', 'max_bytes'] as const;

async function updateStream(wire: Wire, name: string, config: JsonObject): Promise<Result<void>> {
  const reply = await wire.ask(`$JS.API.STREAM.INFO.${name}`, encode({}), wire.patienceMs);
  const refusal = refusalOfReply(reply, wire);
  if (refusal !== undefined) return refusal;
  const answer = reply.kind === 'answer' ? decodeJson(reply.msg.data) : undefined;
  const error = errorOf(answer);
  if (error !== undefined) return unusable(name, error);
  const present = (infoSchema.safeParse(answer).data?.config ?? {}) as JsonObject;
  const kept = Object.fromEntries(operatorsOwn.map((field) => [field, present[field] ?? config[field] ?? null]));
  const updated = await call(wire, `STREAM.UPDATE.${name}`, { ...present, ...config, ...kept });
  if (!updated.ok) return updated;
  return updated.value === undefined ? ok(undefined) : unusable(name, updated.value);
}

/**
 * The number of shards that this installation has, if it has any. It was fixed when the first process made the journals
 * and must be followed by all: it says in which stream a journal lies.
 */
export async function shardsOnServer(wire: Wire, names: Names): Promise<Result<number | undefined>> {
  const reply = await wire.ask(`$JS.API.STREAM.INFO.${names.streams.journal(0)}`, encode({}), wire.patienceMs);
  const refusal = refusalOfReply(reply, wire);
  if (refusal !== undefined) return refusal;
  const info = reply.kind === 'answer' ? infoSchema.safeParse(decodeJson(reply.msg.data)) : undefined;
  const count = /of (\d+)$/.exec(info?.data?.config?.description ?? '')?.[1];
  return ok(count === undefined ? undefined : Number(count));
}

const infoSchema = z.looseObject({ config: z.looseObject({ description: z.string().optional() }).optional() });

/** The error in the server's answer, undefined when there is none. */
async function call(wire: Wire, what: string, body: JsonObject): Promise<Result<ApiError | undefined>> {
  const reply = await wire.ask(`$JS.API.${what}`, encode(body), wire.patienceMs);
  const refusal = refusalOfReply(reply, wire);
  if (refusal !== undefined) return refusal;
  return ok(reply.kind === 'answer' ? errorOf(decodeJson(reply.msg.data)) : undefined);
}

function refusalOfReply(reply: Reply, wire: Wire): { ok: false; failure: Failure } | undefined {
  switch (reply.kind) {
    case 'answer':
      return undefined;
    case 'nobody':
      return fail('storage_refused', 'the NATS server has no JetStream', 'start it with JetStream enabled (-js)');
    case 'denied':
      return { ok: false, failure: notPermitted('$JS.API.STREAM.>') };
    default:
      return { ok: false, failure: unreachable('its streams', wire.patienceMs) };
  }
}

const unusable = (name: string, error: ApiError) =>
  fail(
    'storage_refused',
    `stream ${name}: ${error.description ?? ''}`,
    'is it made by another version, or is storage short?',
  );
