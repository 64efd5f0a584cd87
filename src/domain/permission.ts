/** What an agent may do. A child's permission is never more than its parent's. */
import { z } from 'zod';

export const permissionSchema = z.object({
  /** Names of the tools it may call; absent: every tool of its role. */
  tools: z.array(z.string()).optional(),
  /** Absolute folders below which files may be read and written; absent: the worker's own roots. */
  roots: z.array(z.string()).optional(),
  /** Who is asked before a call: nobody, for risky calls (the tool says so), for every call. */
  approval: z.enum(['auto', 'risky', 'all']).default('risky'),
});
export type Permission = z.infer<typeof permissionSchema>;

/** The permission of a child that asked for `tools`. */
export function narrowed(parent: Permission, tools: readonly string[] | undefined): Permission {
  if (tools === undefined) return parent;
  const allowed = parent.tools === undefined ? [...tools] : tools.filter((name) => parent.tools?.includes(name));
  return { ...parent, tools: allowed };
}
