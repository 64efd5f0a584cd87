/** What one tenant may have, and its share of the workers. */
import { z } from 'zod';
import { defaultTenant, lanePartPattern, type TenantName } from './lane.js';

const count = z.number().int().positive().optional();

export const tenantLimitsSchema = z.strictObject({
  /** Share of the workers' places, against the weights of others that have work waiting. Default 1. */
  weight: z.number().min(0.01).max(1_000).optional(),
  /** Tasks that have not ended. */
  openTasks: count,
  /** Agents that wait for a worker; with so many, no new task is taken. */
  waitingAgents: count,
  /** Agents at work at once, of one role, queue and priority. */
  runningAgents: count,
});
export type TenantLimits = z.infer<typeof tenantLimitsSchema>;

/** By name; `*` is whatever a tenant does not have of its own. */
export const tenantTableSchema = z.record(
  z.union([z.string().regex(lanePartPattern), z.literal('*')]),
  tenantLimitsSchema,
);
export type TenantTable = z.infer<typeof tenantTableSchema>;

/** An absent limit is none. */
export type SettledLimits = Omit<TenantLimits, 'weight'> & { readonly weight: number };

export function limitsOf(table: TenantTable, tenant: TenantName = defaultTenant): SettledLimits {
  const own = Object.hasOwn(table, tenant) ? table[tenant] : undefined;
  return { weight: 1, ...table['*'], ...own };
}
