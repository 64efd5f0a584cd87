/** Where the wakes of an agent wait: its role, how urgent it is, what its worker must be able to do, and for whom it works. */
import { z } from 'zod';
import { roleNameSchema } from './id.js';

export const prioritySchema = z.enum(['high', 'normal', 'low']);
export type Priority = z.infer<typeof prioritySchema>;

/** Names of queues and tenants. */
export const lanePartPattern = /^[A-Za-z0-9_-]{1,64}$/;

const lanePart = (what: string) =>
  z.string().regex(lanePartPattern, {
    error: `${what} of 1 to 64 characters out of letters, digits, "_" and "-"`,
  });

/** A capability, like `gpu`. Workers name the queues that they serve, and every worker serves the default one of its roles. */
export const queueNameSchema = lanePart('the name of a queue').brand<'QueueName'>();
export type QueueName = z.infer<typeof queueNameSchema>;

/** Whose work it is; tenants share the workers fairly. */
export const tenantNameSchema = lanePart('the name of a tenant').brand<'TenantName'>();
export type TenantName = z.infer<typeof tenantNameSchema>;

/** The queue of work that names none, and the tenant of tasks that name none. */
export const defaultQueue = 'default' as QueueName;
export const defaultTenant = 'default' as TenantName;

/** Absent: the default. */
export const placementFields = { queue: queueNameSchema.optional(), tenant: tenantNameSchema.optional() };

export const laneFields = { role: roleNameSchema, priority: prioritySchema, ...placementFields };
export const laneSchema = z.object(laneFields);
export type Lane = Readonly<z.infer<typeof laneSchema>>;

type Placement = { readonly queue?: QueueName | undefined; readonly tenant?: TenantName | undefined };

/** Queue and tenant as they are recorded: defaults are left out, as in records of versions that knew only these. */
export const placementOf = ({ queue, tenant }: Placement): Placement => ({
  ...(queue === undefined || queue === defaultQueue ? {} : { queue }),
  ...(tenant === undefined || tenant === defaultTenant ? {} : { tenant }),
});

/** The lane of whatever carries one. */
export const laneOf = (carrier: Lane): Lane => ({
  role: carrier.role,
  priority: carrier.priority,
  ...placementOf(carrier),
});
