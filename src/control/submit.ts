/**
 * Accepts a task: idempotency key, task record, order in the inbox, wake. It is acknowledged when all of them are stored;
 * each step can be repeated, so that a client which heard nothing sends the same key again and completes what was begun.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { taskIdSchema } from '../domain/id.js';
import { canonicalJson, type Json } from '../domain/json.js';
import { laneOf } from '../domain/lane.js';
import type { Order, Submission, TaskRecord } from '../domain/task.js';
import { admit, isCounted } from './admit.js';
import type { Control } from './control.js';
import { type Acceptance, defaultRole, orderFrom } from './order.js';
import type { Accepted } from './protocol.js';
import { queueRefusal } from './queues.js';
import { readRecord } from './record.js';

/** Value under `key.<hash>`: which task a key stands for, and of which body. */
const keySchema = z.object({
  v: z.literal(1),
  taskId: taskIdSchema,
  traceId: z.string(),
  submittedAt: z.number(),
  bodyHash: z.string(),
});

/** Two tasks of one second may get one id by chance (1 in 33 million for each pair). */
const idAttempts = 3;

export async function acceptSubmission(control: Control, submission: Submission): Promise<Result<Accepted>> {
  const { idempotencyKey, ...body } = submission;
  const problem = body.resultSchema === undefined ? undefined : control.schemaProblem(body.resultSchema);
  if (problem !== undefined)
    return fail(
      'invalid_request',
      `resultSchema is no JSON Schema: ${problem}`,
      'expected one such as {"type": "object", "properties": {…}, "required": […]}',
    );
  const refused = await queueRefusal(control, submission.role ?? defaultRole, submission.queue);
  if (!refused.ok) return refused;
  if (refused.value !== undefined) return { ok: false, failure: refused.value };
  for (let attempt = 0; attempt < idAttempts; attempt += 1) {
    const acceptance = newAcceptance(control);
    const stored =
      idempotencyKey === undefined
        ? await storeNew(control, orderFrom(body, acceptance, control.defaults))
        : await storeKeyed(control, body, idempotencyKey, acceptance);
    if (!stored.ok) return stored;
    if (stored.value !== undefined) return ok(acceptedAs(control, stored.value));
  }
  return fail('conflict', `${idAttempts} new task ids in a row were taken already`, 'submit again');
}

const newAcceptance = ({ ids, clock }: Control): Acceptance => {
  const submittedAt = clock.now();
  return { taskId: ids.taskId(submittedAt), traceId: ids.traceId(), submittedAt };
};

const acceptedAs = ({ prefix }: Control, { taskId }: Order): Accepted => ({
  taskId,
  events: `${prefix}.evt.${taskId}.>`,
});

/** Undefined when the id is another task's. */
async function storeNew(control: Control, order: Order): Promise<Result<Order | undefined>> {
  const { task } = control.bus.buckets;
  const created = await task.create(order.taskId, recordOf(control, order));
  if (!created.ok) return created.failure.kind === 'conflict' ? ok(undefined) : created;
  const sent = await admitted(control, order, () => deliver(control, order));
  // A record without an order would stand in the list for ever. When this fails too, nothing but that line is left.
  if (!sent.ok) await task.delete(order.taskId, created.value);
  return sent;
}

async function storeKeyed(
  control: Control,
  body: Submission,
  key: string,
  fresh: Acceptance,
): Promise<Result<Order | undefined>> {
  const { task } = control.bus.buckets;
  const place = `key.${sha256(key)}`;
  const bodyHash = sha256(canonicalJson(body as Json));
  const created = await task.create(place, { v: 1, ...fresh, bodyHash });
  if (created.ok) return complete(control, orderFrom(body, fresh, control.defaults), place);
  if (created.failure.kind !== 'conflict') return created;
  const found = await task.get(place);
  if (!found.ok) return found;
  const known = keySchema.safeParse(found.value?.value);
  if (!known.success) return fail('damaged', `the record of idempotency key ${JSON.stringify(key)} cannot be read`);
  if (known.data.bodyHash !== bodyHash) {
    return fail(
      'conflict',
      `idempotency key ${JSON.stringify(key)} was used for ${known.data.taskId} with another body`,
      'send the same body again, or choose a new key',
    );
  }
  return complete(control, orderFrom(body, known.data, control.defaults), place);
}

/** Does whatever an earlier acceptance under the same key did not get to. */
async function complete(control: Control, order: Order, place: string): Promise<Result<Order | undefined>> {
  const { inbox, buckets } = control.bus;
  const created = await buckets.task.create(order.taskId, recordOf(control, order));
  if (created.ok) {
    const sent = await admitted(control, order, () => deliver(control, order));
    const isRefused = !sent.ok && sent.failure.kind === 'quota_exceeded';
    // The key stands for a task that is not there: it may be sent again.
    if (isRefused) for (const key of [order.taskId, place]) await buckets.task.delete(key);
    return sent;
  }
  if (created.failure.kind !== 'conflict') return created;
  const messages = await inbox.read(order.agentId, 0);
  if (!messages.ok) return messages;
  // In this order: an agent clears its inbox only after its record says that it has ended.
  const record = await readRecord(control, order.taskId);
  if (!record.ok) return record;
  if (record.value.submittedAt !== order.submittedAt) {
    const freed = await buckets.task.delete(place);
    return freed.ok ? ok(undefined) : freed;
  }
  if (record.value.state === 'ended') return ok(order);
  return messages.value.some(({ value }) => value.type === 'task.ordered')
    ? wake(control, order)
    : deliver(control, order);
}

async function deliver(control: Control, order: Order): Promise<Result<Order>> {
  const { agentId, submittedAt } = order;
  const message = { v: 1, type: 'task.ordered', id: `${agentId}.order`, at: submittedAt, order } as const;
  const stored = await control.bus.inbox.put(agentId, message);
  return stored.ok ? wake(control, order) : stored;
}

async function wake({ bus }: Control, order: Order): Promise<Result<Order>> {
  const woken = await bus.wakes.put(laneOf(order), order.agentId);
  return woken.ok ? ok(order) : woken;
}

/** Goes on when the tenant may have the task. */
async function admitted(control: Control, order: Order, go: () => Promise<Result<Order>>): Promise<Result<Order>> {
  const refused = await admit(control, order);
  if (!refused.ok) return refused;
  return refused.value === undefined ? go() : { ok: false, failure: refused.value };
}

const recordOf = (control: Control, order: Order): Json => {
  const { taskId, goal, submittedAt, tenant } = order;
  return {
    v: 1,
    taskId,
    goal,
    state: 'accepted',
    submittedAt,
    ...(tenant === undefined ? {} : { tenant }),
    ...(isCounted(control, order) ? { counted: true } : {}),
  } satisfies TaskRecord;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
