/** Signs of life of hosts, one key each, which vanishes when it is not put again in time; and what they serve. */
import { z } from 'zod';
import { ok, type Result } from '../domain/failure.js';
import { type RoleName, roleNameSchema } from '../domain/id.js';
import { defaultQueue, type Lane, type QueueName, queueNameSchema } from '../domain/lane.js';
import type { Bucket } from './contract.js';

/** Workers of older versions gave no version, and served no queue but the default one. */
const signSchema = z.object({
  v: z.literal(1).default(1),
  at: z.number(),
  roles: z.array(roleNameSchema),
  queues: z.array(queueNameSchema).default([]),
});

/** The queues of each role, the default one included. */
export type Served = ReadonlyMap<RoleName, ReadonlySet<QueueName>>;

export interface Serving {
  readonly roles: readonly RoleName[];
  /** Besides the default one. */
  readonly queues: readonly QueueName[];
}

/** @param at ms since 1970, for operators */
export const putSign = (
  host: Bucket,
  hostId: string,
  at: number,
  { roles, queues }: Serving,
): Promise<Result<number>> => host.put(hostId, { v: 1, at, roles: [...roles], queues: [...queues] });

/** What living hosts serve. Reads the sign of every host. */
export async function servedQueues(host: Bucket): Promise<Result<Served>> {
  const keys = await host.keys();
  if (!keys.ok) return keys;
  const signs = await Promise.all(keys.value.map((key) => host.get(key)));
  const served = new Map<RoleName, Set<QueueName>>();
  for (const sign of signs) {
    if (!sign.ok) return sign;
    const { data } = signSchema.safeParse(sign.value?.value);
    for (const role of data?.roles ?? [])
      served.set(role, new Set([...(served.get(role) ?? []), defaultQueue, ...(data?.queues ?? [])]));
  }
  return ok(served);
}

export const isServed = (served: Served, { role, queue = defaultQueue }: Pick<Lane, 'role' | 'queue'>): boolean =>
  served.get(role)?.has(queue) === true;
