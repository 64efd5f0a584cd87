/** Tool calls as the agent means to run them, and the one shape in which every result comes back. */
import { z } from 'zod';
import { effectClassSchema } from './effect.js';
import { failureSchema } from './failure.js';
import { approvalIdSchema } from './id.js';
import { jsonObjectSchema, jsonSchema } from './json.js';
import { delegationSchema, steeringSchema } from './plan.js';

/** How a call is carried out: by a tool in this process, by a child agent, by steering one, by asking a human, or by ending the task. */
export const callRouteSchema = z.enum(['tool', 'delegate', 'steer', 'ask', 'finish']);
export type CallRoute = z.infer<typeof callRouteSchema>;

/** What a call asks for, by route; payloads of control calls are read out of their arguments once, at the door. */
export const callActionSchema = z.discriminatedUnion('route', [
  z.object({ route: z.literal('tool') }),
  z.object({ route: z.literal('delegate'), delegation: delegationSchema }),
  z.object({ route: z.literal('steer'), steering: steeringSchema }),
  z.object({ route: z.literal('ask'), question: z.string() }),
  z.object({
    route: z.literal('finish'),
    status: z.enum(['done', 'partial', 'failed']),
    result: jsonSchema,
    summary: z.string(),
  }),
  /** Refused before it could run; the failure becomes its observation. */
  z.object({ route: z.literal('refused'), failure: failureSchema }),
]);
export type CallAction = z.infer<typeof callActionSchema>;

/** A call that was read out of a model reply and has passed name repair and the schema. */
export const plannedCallSchema = z.object({
  /** Unique in the agent's life: round and position, e.g. `r3c1`. */
  callId: z.string(),
  /** The id the model gave, sent back to it unchanged. */
  modelCallId: z.string().optional(),
  name: z.string(),
  arguments: jsonObjectSchema,
  /** Hash of name and canonical arguments, 16 hex digits. */
  hash: z.string(),
  action: callActionSchema,
  effect: effectClassSchema,
  /** A human must allow it first. */
  needsApproval: z.boolean(),
  /** Under which a human is asked, should it need leave or be a question. */
  requestId: approvalIdSchema,
  confidence: z.number().min(0).max(1),
  /** Repairs made to name or arguments, in words. */
  repairs: z.array(z.string()),
  /** What contradicts the goal and was left as it is, in words for the model. */
  warnings: z.array(z.string()).optional(),
  /** Ids of the learned rules that took part in the repair. */
  rules: z.array(z.string()).optional(),
});
export type PlannedCall = z.infer<typeof plannedCallSchema>;

export const observationSchema = z.object({
  callId: z.string(),
  name: z.string(),
  status: z.enum(['ok', 'error', 'unknown']),
  /** What the tool returned, cut to its result limit. */
  data: jsonSchema,
  error: failureSchema.extend({ retryable: z.boolean(), availableTools: z.array(z.string()).optional() }).optional(),
  /** Reference to the full value in the blob store, when `data` was cut. */
  artifact: z.string().optional(),
  /** How it came about. */
  attempts: z.number().int().nonnegative().default(1),
  cached: z.boolean().default(false),
  ms: z.number().nonnegative().default(0),
  /** Exact tokens of the message that carries this observation to the model; 0 when not counted. */
  tokens: z.number().int().nonnegative().default(0),
  /** Never dropped from the prompt. */
  critical: z.boolean().default(false),
  approvedBy: z.string().optional(),
});
export type Observation = z.infer<typeof observationSchema>;
