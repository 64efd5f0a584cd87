/** What can be done: `POST /api/…`, by path. Every action becomes a message on the bus through the client of control. */
import { z } from 'zod';
import { readValue } from '../control/words.js';
import { fail, type Result } from '../domain/failure.js';
import { agentIdSchema, approvalIdSchema } from '../domain/id.js';
import { jsonObjectSchema } from '../domain/json.js';
import type { InspectorClient } from './client.js';

/** The most bytes of a body: a correction of the greatest length in any script. */
export const bodyLimit = 524_288;

const reason = z.string().trim().max(10_000).optional();
const bodies = {
  nothing: z.strictObject({}),
  why: z.strictObject({ reason }),
  answer: z.strictObject({ text: z.string().trim().min(1).max(100_000) }),
  correction: z.strictObject({ text: z.string().trim().min(1).max(100_000), memory: jsonObjectSchema.optional() }),
} as const;

export interface Action {
  /** Checks the body and sends. */
  run(body: unknown): Promise<Result<unknown>>;
}

/** The action that a path names, or undefined. `by` says to people who acted. */
export function actionOf(path: string, client: InspectorClient, by: string): Action | undefined {
  const [what, id, verb, ...rest] = path.split('/').slice(2);
  if (id === undefined || verb === undefined || rest.length > 0) return undefined;
  if (what === 'agents') return agentAction(verb, id, client, by);
  if (what === 'approvals') return requestAction(verb, id, client, by);
  return undefined;
}

function agentAction(verb: string, id: string, client: InspectorClient, by: string): Action | undefined {
  const read = agentIdSchema.safeParse(id);
  if (!read.success) return refusal('an agent id', id);
  const agentId = read.data;
  switch (verb) {
    case 'pause':
      return checked(bodies.nothing, () => client.pause({ agentId, by }));
    case 'resume':
      return checked(bodies.nothing, () => client.resume({ agentId, by }));
    case 'correct':
      return checked(bodies.correction, (body) => client.correct({ agentId, by, ...body }));
    case 'cancel':
      return checked(bodies.why, (body) => client.cancel({ agentId, by, ...body }));
    default:
      return undefined;
  }
}

function requestAction(verb: string, id: string, client: InspectorClient, by: string): Action | undefined {
  const read = approvalIdSchema.safeParse(id);
  if (!read.success) return refusal('the id of a request', id);
  switch (verb) {
    case 'approve':
      return checked(bodies.nothing, () => client.decide({ id: read.data, allow: true, by }));
    case 'deny':
      return checked(bodies.why, (body) => client.decide({ id: read.data, allow: false, by, ...body }));
    case 'answer':
      return checked(bodies.answer, ({ text }) => client.answer({ id: read.data, text, by }));
    default:
      return undefined;
  }
}

const checked = <T>(schema: z.ZodType<T>, send: (body: T) => Promise<Result<unknown>>): Action => ({
  run: async (body) => {
    const value = readValue(schema, body);
    return value.ok ? send(value.value) : value;
  },
});

const refusal = (what: string, id: string): Action => ({
  run: async () => fail('invalid_request', `expected ${what}, got ${JSON.stringify(id.slice(0, 140))}`),
});
