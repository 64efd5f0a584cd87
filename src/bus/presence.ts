/** Signs of life of hosts, one key each, which vanishes when it is not put again in time. */
import { z } from 'zod';
import { ok, type Result } from '../domain/failure.js';
import { type RoleName, roleNameSchema } from '../domain/id.js';
import type { Bucket } from './contract.js';

/** Workers of older versions gave no version. */
const signSchema = z.object({ v: z.literal(1).default(1), at: z.number(), roles: z.array(roleNameSchema) });

/** @param at ms since 1970, for operators */
export const putSign = (
  host: Bucket,
  hostId: string,
  at: number,
  roles: readonly RoleName[],
): Promise<Result<number>> => host.put(hostId, { v: 1, at, roles: [...roles] });

/** Roles that living hosts serve. Reads the sign of every host. */
export async function servedRoles(host: Bucket): Promise<Result<ReadonlySet<RoleName>>> {
  const keys = await host.keys();
  if (!keys.ok) return keys;
  const signs = await Promise.all(keys.value.map((key) => host.get(key)));
  const served = new Set<RoleName>();
  for (const sign of signs) {
    if (!sign.ok) return sign;
    const read = signSchema.safeParse(sign.value?.value);
    for (const role of read.success ? read.data.roles : []) served.add(role);
  }
  return ok(served);
}
