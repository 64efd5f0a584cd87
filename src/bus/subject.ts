/** Every name that Hermes uses on a NATS server. All carry the prefix, so that several installations share one server. */

import { type Failure, failure } from '../domain/failure.js';
import { subjectTokenPattern } from '../domain/id.js';
import { defaultQueue, defaultTenant, type Lane, laneOf, laneSchema, type Priority } from '../domain/lane.js';

export const priorities = ['high', 'normal', 'low'] as const satisfies readonly Priority[];
export const bucketNames = ['lease', 'host', 'agent', 'task', 'approval', 'lesson', 'provider'] as const;
export type BucketName = (typeof bucketNames)[number];

/** Lower-case words joined by dots: then the upper-case stream names of two prefixes never coincide. */
export const prefixPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;
const keyPattern = /^[A-Za-z0-9_-]{1,128}(\.[A-Za-z0-9_-]{1,128}){0,7}$/;

export const isToken = (id: string): boolean => subjectTokenPattern.test(id);
export const isKey = (key: string): boolean => keyPattern.test(key);

/** The answer to an id that could not stand in a subject. */
export const badToken = (what: string, id: string): Failure =>
  failure(
    'invalid_request',
    `expected ${what} of letters, digits, "_" and "-" (at most 128), got ${JSON.stringify(id.slice(0, 140))}`,
  );

interface LaneTokens {
  readonly role: string;
  readonly priority: Priority | '*';
  readonly queue?: string | undefined;
  readonly tenant?: string | undefined;
}

export interface Names {
  readonly prefix: string;
  readonly shards: number;
  readonly streams: {
    journal(shard: number): string;
    readonly inbox: string;
    readonly wake: string;
    readonly timer: string;
    readonly events: string;
    readonly dead: string;
    readonly blob: string;
    bucket(name: BucketName): string;
  };
  shardOf(agentId: string): number;
  log(agentId: string): string;
  inbox(agentId: string): string;
  control(agentId: string): string;
  /** Of the default queue and tenant as in versions that knew no other; else with both. */
  wake(lane: LaneTokens): string;
  /** Of all lanes of a role, or of all roles for `*`, that name a queue or a tenant. */
  wakes(role: string, tenant?: string): string;
  /** The lane of a subject of wakes. */
  laneOf(subject: string): Lane | undefined;
  /** The durable consumer of a lane. */
  consumer(lane: LaneTokens): string;
  /** Where workers hear that a lane of their role is in use. */
  lane(role: string): string;
  readonly timer: string;
  event(taskId: string, agentId: string, kind: string): string;
  dead(agentId: string): string;
  blob(hash: string, part: number): string;
  host(hostId: string): string;
  request(name: string): string;
  /** Subject under which a bucket keeps a key; without a key, of the whole bucket. */
  bucket(name: BucketName, key?: string): string;
  /** Subject on which stored values of a bucket are heard, and deletions. */
  heard(name: BucketName, key: string): string;
}

export function namesOf(prefix: string, shards: number): Names {
  const stem = prefix.toUpperCase().replaceAll('.', '_');
  const wake = ({ role, priority, queue, tenant }: LaneTokens): string =>
    queue === undefined && tenant === undefined
      ? `${prefix}.wake.${role}.${priority}`
      : `${prefix}.wake.${role}.${priority}.${queue ?? defaultQueue}.${tenant ?? defaultTenant}`;
  const bucketId = (name: BucketName) => `${stem}_${name.toUpperCase()}`;
  return {
    prefix,
    shards,
    streams: {
      journal: (shard) => `${stem}_JOURNAL_${shard}`,
      inbox: `${stem}_INBOX`,
      wake: `${stem}_WAKE`,
      timer: `${stem}_TIMER`,
      events: `${stem}_EVENTS`,
      dead: `${stem}_DEAD`,
      blob: `${stem}_BLOB`,
      bucket: (name) => `KV_${bucketId(name)}`,
    },
    shardOf: (agentId) => shardOf(agentId, shards),
    log: (agentId) => `${prefix}.log.${shardOf(agentId, shards)}.${agentId}`,
    inbox: (agentId) => `${prefix}.in.${agentId}`,
    control: (agentId) => `${prefix}.ctl.${agentId}`,
    wake,
    wakes: (role, tenant = '*') => `${prefix}.wake.${role}.*.*.${tenant}`,
    laneOf: (subject) => {
      const lane = laneIn(subject.slice(`${prefix}.wake.`.length));
      return lane !== undefined && wake(lane) === subject ? lane : undefined;
    },
    // Tokens hold no "=".
    consumer: ({ role, priority, queue, tenant }) =>
      queue === undefined && tenant === undefined
        ? `${role}-${priority}`
        : [role, priority, queue ?? defaultQueue, tenant ?? defaultTenant].join('='),
    lane: (role) => `${prefix}.lane.${role}`,
    timer: `${prefix}.timer`,
    event: (taskId, agentId, kind) => `${prefix}.evt.${taskId}.${agentId}.${kind}`,
    dead: (agentId) => `${prefix}.dead.${agentId}`,
    blob: (hash, part) => `${prefix}.blob.${hash}.${part}`,
    host: (hostId) => `${prefix}.host.${hostId}`,
    request: (name) => `${prefix}.${name}`,
    bucket: (name, key = '>') => `$KV.${bucketId(name)}.${key}`,
    heard: (name, key) => `${prefix}.kv.${name}.${key}`,
  };
}

function laneIn(tokens: string): Lane | undefined {
  const [role, priority, queue, tenant] = tokens.split('.');
  const read = laneSchema.safeParse({ role, priority, queue, tenant });
  return read.success ? laneOf(read.data) : undefined;
}

/** FNV-1a. Must never change: it says in which stream a journal lies. */
export function shardOf(agentId: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < agentId.length; index += 1)
    hash = Math.imul(hash ^ agentId.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shards;
}
