/** The one terminal result of an agent: to its parent, and of the root agent to the client. */
import { z } from 'zod';
import { amountsSchema } from './budget.js';
import { failureSchema } from './failure.js';
import { agentIdSchema, taskIdSchema } from './id.js';
import { jsonSchema } from './json.js';
import { usageSchema } from './usage.js';

export const reportStatuses = ['done', 'partial', 'failed', 'exhausted', 'cancelled', 'unknown'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** Why an agent ended. */
export const terminations = [
  'finished',
  'rounds_exhausted',
  'tokens_exhausted',
  'cost_exhausted',
  'deadline_passed',
  'no_progress',
  'denied',
  'needs_input',
  'cancelled',
  'parent_gone',
  'failed',
  'poisoned',
] as const;
export type Termination = (typeof terminations)[number];

/** A pointer from a report to what really ran. */
export const evidenceSchema = z.object({
  agentId: agentIdSchema,
  callId: z.string(),
  tool: z.string(),
  status: z.enum(['ok', 'error', 'unknown']),
  /** Sequence of the journal record that holds the result, when it is known. */
  seq: z.number().int().optional(),
  /** What of the report this call supports: numbers, files, tools and deeds, as the report words them. */
  claims: z.array(z.string()).optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const claimKinds = ['tool', 'action', 'file', 'number', 'nothing'] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** A claim of the report that the agent's own journal does not support. */
export const unverifiedSchema = z.object({
  /** `tool`: it ran or gave something. `action`: it was done. `file`: it is there. `number`: it is so. `nothing`: only done. */
  kind: z.enum(claimKinds),
  /** The number, path, tool or deed itself, as written. */
  about: z.string(),
  /** The words in which it is claimed. */
  claim: z.string(),
  reason: z.string(),
});
export type Unverified = z.infer<typeof unverifiedSchema>;

export const artifactSchema = z.object({
  name: z.string(),
  /** `file:` path or blob reference. */
  ref: z.string(),
  bytes: z.number().int().nonnegative().optional(),
  /** Of the file as it was written, 64 hex digits. */
  sha256: z.string().optional(),
});
export type Artifact = z.infer<typeof artifactSchema>;

const reportFields = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  agentId: agentIdSchema,
  status: z.enum(reportStatuses),
  /** Validated against the requested schema when there was one and the status is `done`. */
  result: jsonSchema,
  /** For people; of an agent that did not finish: the progress note. */
  summary: z.string(),
  termination: z.enum(terminations),
  retryable: z.boolean(),
  error: failureSchema.optional(),
  evidence: z.array(evidenceSchema),
  artifacts: z.array(artifactSchema),
  /** What it claims and its journal does not support. Absent: everything that could be checked is supported. */
  unverified: z.array(unverifiedSchema).optional(),
  /** Of the agent and everything below it. */
  usage: usageSchema,
  /** Spent out of the agent's grant, by it and everything below it; settles its slice. */
  spent: amountsSchema,
  budgetLeft: amountsSchema,
  /** Replies repaired and calls refused, over the subtree, for the "what was survived" line. */
  repairs: z.number().int().nonnegative(),
});

export type Report = z.infer<typeof reportFields> & { children: Report[] };

export const reportSchema: z.ZodType<Report> = reportFields.extend({
  children: z.array(z.lazy(() => reportSchema)),
});
