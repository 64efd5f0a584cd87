/** Sends what a recorded step says must leave. Every delivery may be sent twice; receivers recognise the repeat. */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { ok, type Result } from '../domain/failure.js';
import type { AgentId, TaskId } from '../domain/id.js';
import type { Delivery, Outgoing } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import { defaultTenant, type Lane, laneOf } from '../domain/lane.js';
import { openKeyOf, type TaskRecord, taskRecordSchema } from '../domain/task.js';
import { type Hosted, recallIn } from './hosted.js';

export interface OutboxOptions {
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * Sends all unsent deliveries of an agent, patiently while the server is away, until `isLost` says that another host
 * has the agent. Returns the ids that were sent.
 */
export async function sendUnsent(hosted: Hosted, options: OutboxOptions, isLost: () => boolean): Promise<string[]> {
  const sent = await Promise.all(
    [...hosted.unsent.values()].map((outgoing) => sendPatiently(hosted, outgoing, options, isLost)),
  );
  const ids = sent.filter((id) => id !== undefined);
  for (const id of ids) hosted.unsent.delete(id);
  return ids;
}

async function sendPatiently(
  hosted: Hosted,
  outgoing: Outgoing,
  options: OutboxOptions,
  isLost: () => boolean,
): Promise<string | undefined> {
  for (let pauseMs = 50; !isLost(); pauseMs = Math.min(2_000, pauseMs * 2)) {
    const { agentId, lane, role } = hosted;
    const delivery = role.complete(outgoing.delivery, recallIn(hosted));
    const sent = await sendDelivery(options.bus, delivery, { ...laneOf(lane), agentId });
    if (sent.ok || sent.failure.kind === 'conflict') return outgoing.id; // conflict: it is there already
    await options.clock.sleep(pauseMs);
  }
  return undefined;
}

export interface Sender extends Lane {
  readonly agentId: AgentId;
}

/** Sends once. Fails with `conflict` when somebody else wrote the same in between. */
export async function sendDelivery(bus: Bus, delivery: Delivery, sender: Sender): Promise<Result<unknown>> {
  switch (delivery.to) {
    case 'inbox': {
      const put = await bus.inbox.put(delivery.agentId, delivery.message);
      if (!put.ok) return put;
      bus.inbox.nudge(delivery.agentId, put.value); // whoever hosts it reads it while the wake is stored
      return bus.wakes.put(laneOf(delivery), delivery.agentId);
    }
    case 'timer':
      return bus.timers.set({ ...sender, name: delivery.name, dueAt: delivery.dueAt });
    case 'human':
      return delivery.request === null
        ? bus.buckets.approval.delete(delivery.key)
        : bus.buckets.approval.put(delivery.key, delivery.request as unknown as Json);
    case 'task':
      return endTask(bus, delivery);
  }
}

/** Writes the final record once: a task that has ended keeps its first end. */
async function endTask(
  bus: Bus,
  { taskId, report, endedAt }: Extract<Delivery, { to: 'task' }>,
): Promise<Result<unknown>> {
  const stored = await bus.buckets.task.get(taskId);
  if (!stored.ok) return stored;
  const known = taskRecordSchema.safeParse(stored.value?.value);
  if (known.success && known.data.state === 'ended') return uncount(bus, known.data);
  const accepted = known.success ? known.data : { v: 1, taskId, goal: '', submittedAt: endedAt };
  const record = { ...accepted, state: 'ended', endedAt, report } as unknown as Json;
  const ended =
    stored.value === undefined
      ? await createRecord(bus, taskId, record)
      : await bus.buckets.task.update(taskId, record, stored.value.seq);
  return ended.ok && known.success ? uncount(bus, known.data) : ended;
}

/** A record whose bytes were damaged is not given and yet in the way; what is put takes its place. */
export async function createRecord({ buckets: { task } }: Bus, taskId: TaskId, record: Json): Promise<Result<number>> {
  const created = await task.create(taskId, record);
  if (created.ok || created.failure.kind !== 'conflict') return created;
  const present = await task.get(taskId);
  return present.ok && present.value === undefined ? task.put(taskId, record) : created;
}

/** The task is no more among its tenant's open ones. */
const uncount = async (
  { buckets }: Bus,
  { counted, taskId, tenant = defaultTenant }: TaskRecord,
): Promise<Result<void>> => (counted === true ? buckets.task.delete(openKeyOf(tenant, taskId)) : ok(undefined));
