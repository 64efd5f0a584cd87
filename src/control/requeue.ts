/** Dead letters for people: what they say, and handing one back, once, with a record of who did. */
import { z } from 'zod';
import type { Bus, Stored } from '../bus/contract.js';
import { type Failure, fail, failureSchema, ok, type Result } from '../domain/failure.js';
import { type AgentId, agentIdSchema, type TaskId, taskIdSchema } from '../domain/id.js';
import { type Json, type JsonObject, jsonObjectSchema } from '../domain/json.js';
import { laneOf } from '../domain/lane.js';
import { messageSchema } from '../domain/message.js';
import { type Order, orderSchema, type Submission } from '../domain/task.js';
import type { Control } from './control.js';
import { send } from './steer.js';
import { acceptSubmission } from './submit.js';

const letterSchema = z.looseObject({
  at: z.number(),
  agentId: agentIdSchema,
  reason: failureSchema,
  detail: jsonObjectSchema,
});

export interface DeadLetter {
  /** By which people name it. */
  readonly id: number;
  /** ms since 1970. */
  readonly at: number;
  readonly agentId: AgentId;
  readonly reason: Failure;
  readonly detail: JsonObject;
  /** Undefined: it was not handed back. */
  readonly requeued?: Requeued;
}

const requeuedSchema = z.object({
  v: z.literal(1),
  at: z.number(),
  by: z.string(),
  /** Where it went: into the agent's inbox again, or a new task of the same order. */
  as: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('message'), agentId: agentIdSchema }),
    z.object({ kind: z.literal('task'), taskId: taskIdSchema }),
  ]),
});
export type Requeued = z.infer<typeof requeuedSchema>;

/** All of them, the oldest first. What others put among the dead letters is passed over. */
export async function deadLetters({ bus }: Control): Promise<Result<DeadLetter[]>> {
  const letters: DeadLetter[] = [];
  for (let after = 0; ; ) {
    const page = await bus.dead.list(after);
    if (!page.ok) return page;
    const last = page.value.at(-1);
    if (last === undefined) return ok(letters);
    for (const read of await Promise.all(page.value.map((stored) => letterIn(bus, stored)))) {
      if (!read.ok) return read;
      if (read.value !== undefined) letters.push(read.value);
    }
    after = last.seq;
  }
}

/** Undefined for what is no dead letter of ours. */
async function letterIn(bus: Bus, { seq, value }: Stored<Json>): Promise<Result<DeadLetter | undefined>> {
  const read = letterSchema.safeParse(value);
  if (!read.success) return ok(undefined);
  const { at, agentId, reason, detail } = read.data;
  const marked = await bus.buckets.task.get(markOf({ id: seq, at }));
  if (!marked.ok) return marked;
  const requeued = requeuedSchema.safeParse(marked.value?.value);
  return ok({ id: seq, at, agentId, reason, detail, ...(requeued.success ? { requeued: requeued.data } : {}) });
}

/**
 * A message that could not be read goes into its agent's inbox again (a newer version may read it); the order of a task
 * that was given up is submitted again, as a new task. Safe to repeat after a failure: what was handed back already is
 * recognised, by the message's id or by the idempotency key. Fails with `conflict` when there is nothing to hand back.
 */
export async function requeue(control: Control, id: number, by: string): Promise<Result<Requeued>> {
  const found = await control.bus.dead.list(id - 1, 1);
  if (!found.ok) return found;
  const [stored] = found.value;
  const read = stored?.seq === id ? await letterIn(control.bus, stored) : ok(undefined);
  if (!read.ok) return read;
  const letter = read.value;
  if (letter === undefined) return fail('not_found', `there is no dead letter ${id}`, 'hact bus dead lists them');
  if (letter.requeued !== undefined) {
    const { at, by: who, as } = letter.requeued;
    const where = as.kind === 'task' ? as.taskId : `the inbox of ${as.agentId}`;
    return fail('conflict', `dead letter ${id} went back at ${new Date(at).toISOString()} by ${who}, to ${where}`);
  }
  const order = orderSchema.safeParse(letter.detail.order);
  const gone = order.success ? await submitAgain(control, letter, order.data) : await deliverAgain(control, letter);
  if (!gone.ok) return gone;
  const requeued: Requeued = { v: 1, at: control.clock.now(), by, as: gone.value };
  const marked = await control.bus.buckets.task.create(markOf(letter), requeued as Json);
  return marked.ok || marked.failure.kind === 'conflict' ? ok(requeued) : marked;
}

const markOf = ({ id, at }: Pick<DeadLetter, 'id' | 'at'>): string => `dead.${id}.${at}`;

async function submitAgain(control: Control, letter: DeadLetter, order: Order): Promise<Result<Requeued['as']>> {
  if (order.parent !== undefined) {
    return fail(
      'conflict',
      `dead letter ${letter.id} is of ${order.agentId}, a child whose parent ${order.parent.agentId} was told of its end`,
      'submit the whole task again',
    );
  }
  const accepted = await acceptSubmission(control, { ...submissionOf(order), idempotencyKey: markOf(letter) });
  return accepted.ok ? ok({ kind: 'task', taskId: accepted.value.taskId as TaskId }) : accepted;
}

function submissionOf(order: Order): Submission {
  const { goal, context, files, kind, permission, resultSchema, submittedAt } = order;
  const { deadlineAt, ...amounts } = order.budget;
  return {
    goal,
    ...(context === undefined ? {} : { context }),
    files,
    kind,
    ...laneOf(order),
    budget: { ...amounts, seconds: (deadlineAt - submittedAt) / 1000 },
    permission,
    ...(resultSchema === undefined ? {} : { resultSchema }),
  };
}

async function deliverAgain(control: Control, { id, agentId, detail }: DeadLetter): Promise<Result<Requeued['as']>> {
  const { text, bytes } = detail;
  if (typeof text !== 'string')
    return fail(
      'conflict',
      `dead letter ${id} holds nothing that could go back`,
      'hact bus dead --json shows it whole',
    );
  if (Buffer.byteLength(text) !== bytes)
    return fail('conflict', `of the message in dead letter ${id} only a part could be kept`);
  const message = messageSchema.safeParse(parsed(text));
  if (!message.success)
    return fail(
      'conflict',
      `the message in dead letter ${id} still cannot be read: ${message.error.issues[0]?.message}`,
    );
  const kept = await control.bus.inbox.read(agentId, 0);
  if (!kept.ok) return kept;
  const order = [message.data, ...kept.value.map(({ value }) => value)].find(({ type }) => type === 'task.ordered');
  if (order?.type !== 'task.ordered')
    return fail('conflict', `agent ${agentId} has ended; nobody would read the message`);
  const to = { ...laneOf(order.order), taskId: order.order.taskId, agentId };
  const sent = await send(control, to, message.data);
  return sent.ok ? ok({ kind: 'message', agentId }) : sent;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
