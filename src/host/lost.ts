/**
 * Tasks of which the store has lost a part: their order (a stream was deleted, a message was damaged) or their record.
 * What has a journal goes on or is known by it; of what has none, the client is told that it is lost. Nothing is done again.
 */
import type { Bus } from '../bus/contract.js';
import { type Failure, failure, ok, type Result } from '../domain/failure.js';
import { type AgentId, parentAgentOf, type RoleName, rootAgentOf, type TaskId } from '../domain/id.js';
import type { Delivery, JournalRecord } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import { laneOf } from '../domain/lane.js';
import { permissionSchema } from '../domain/permission.js';
import { type Order, orderSchema, type TaskRecord, taskRecordSchema } from '../domain/task.js';
import { endWithoutMachine } from './lay-aside.js';
import { hasEnded } from './lookup.js';
import { createRecord, sendDelivery } from './outbox.js';
import type { UnservedOptions } from './unserved.js';

/** A submission stores its record a moment before its order. */
const settlingMs = 60_000;

/**
 * One pass over the tasks from `since` on, in the order of their ids, which is that of their submission.
 *
 * @returns the first that may still be open, to begin with next time
 */
export async function findLostTasks(since: string, options: UnservedOptions): Promise<string> {
  const { buckets, inbox } = options.bus;
  // In this order: an agent clears its inbox only after its task's record says that it has ended.
  const agents = await inbox.agents();
  const ids = await taskIds(options.bus, since);
  if (!agents.ok || !ids.ok) return since;
  let open: TaskId | undefined;
  for (const id of ids.value) {
    const stored = agents.value.has(rootAgentOf(id)) ? undefined : await buckets.task.get(id);
    const record = taskRecordSchema.safeParse(stored?.ok ? stored.value?.value : undefined).data;
    if (record?.state === 'ended') continue;
    open ??= id;
    if (record !== undefined) await carryOn(record, options);
    else if (stored?.ok && stored.value === undefined) await restore(id, options.bus);
  }
  return open ?? ids.value.at(-1) ?? since;
}

/** The tasks that the server lists; at the first pass those, too, that only the snapshots of their agents tell of. */
async function taskIds({ buckets }: Bus, since: string): Promise<Result<TaskId[]>> {
  const keys = await buckets.task.keys();
  const agents = since === '' ? await buckets.agent.keys() : ok([]);
  if (!keys.ok) return keys;
  if (!agents.ok) return agents;
  const roots = agents.value.filter((agentId) => parentAgentOf(agentId as AgentId) === undefined);
  const ids = new Set([...keys.value.filter((key) => !key.includes('.')), ...roots]);
  return ok([...ids].filter((id) => id >= since).sort() as TaskId[]);
}

/** A record that the server does not give: its bytes are damaged, or it is gone. What it said stands in the journal, too. */
async function restore(taskId: TaskId, bus: Bus): Promise<void> {
  const journal = await bus.journal.read(rootAgentOf(taskId), 0);
  const records = journal.ok ? journal.value.map(({ value }) => value) : [];
  const record = recordFrom(taskId, records);
  if (record !== undefined) await createRecord(bus, taskId, record as unknown as Json);
}

function recordFrom(taskId: TaskId, journal: readonly JournalRecord[]): TaskRecord | undefined {
  const order = orderIn(journal);
  if (order === undefined) return undefined;
  const { goal, submittedAt, tenant } = order;
  const known = { v: 1, taskId, goal, submittedAt, ...(tenant === undefined ? {} : { tenant }) } as const;
  const end = endIn(journal);
  return end === undefined
    ? { ...known, state: 'accepted' }
    : { ...known, state: 'ended', endedAt: end.endedAt, report: end.report };
}

async function carryOn(record: TaskRecord, options: UnservedOptions): Promise<Result<unknown>> {
  const { bus, clock } = options;
  if (clock.now() - record.submittedAt < settlingMs) return ok(undefined);
  const agentId = rootAgentOf(record.taskId);
  const journal = await bus.journal.read(agentId, 0);
  if (!journal.ok) return journal.failure.kind === 'damaged' ? end(record, journal.failure, options) : journal;
  const records = journal.value.map(({ value }) => value);
  const order = orderIn(records);
  const told = endIn(records);
  const ended = await hasEnded(bus, agentId);
  if (!ended.ok) return ended;
  if (order !== undefined && told !== undefined && ended.value)
    return sendDelivery(bus, told, { ...laneOf(order), agentId });
  if (order !== undefined) return bus.wakes.put(laneOf(order), agentId);
  const reason = failure(
    'damaged',
    `the order of task ${record.taskId} is not in the store any more, and nothing was done for it`,
    'submit it again',
  );
  return end(record, reason, options);
}

function orderIn(journal: readonly JournalRecord[]): Order | undefined {
  const events = journal.flatMap((record) => (record.kind === 'step' ? record.events : []));
  return orderSchema.safeParse(events.find(({ type }) => type === 'agent.created')?.order).data;
}

function endIn(journal: readonly JournalRecord[]): Extract<Delivery, { to: 'task' }> | undefined {
  const outgoing = journal.flatMap((record) => (record.kind === 'step' ? record.outgoing : []));
  return outgoing.map(({ delivery }) => delivery).find((delivery) => delivery.to === 'task');
}

async function end(record: TaskRecord, reason: Failure, options: UnservedOptions): Promise<Result<void>> {
  const { leases, spokesman } = options;
  const order = orderOfRecord(record, spokesman.name);
  const leased = await leases.acquire(order.agentId, laneOf(order));
  if (!leased.ok) return leased;
  try {
    return await endWithoutMachine(order, reason, { ...options, role: spokesman, lane: laneOf(order) });
  } finally {
    await leases.release(order.agentId);
  }
}

/** What is known of an order by its task's record: enough to say how it ended. */
const orderOfRecord = ({ goal, submittedAt, taskId, tenant }: TaskRecord, role: RoleName): Order => ({
  v: 1,
  taskId,
  agentId: rootAgentOf(taskId),
  role,
  depth: 0,
  goal,
  files: [],
  kind: 'general',
  priority: 'normal',
  ...(tenant === undefined ? {} : { tenant }),
  budget: { rounds: 0, tokens: 0, costUsd: 0, toolCalls: 0, children: 0, deadlineAt: submittedAt },
  permission: permissionSchema.parse({}),
  traceId: '0'.repeat(32),
  submittedAt,
});
