/**
 * Whether a tenant may have one more task. Its open tasks are keys `open.<tenant>.<task>` in the task bucket, put when a
 * task is accepted and deleted with its end: a set, so that nothing is counted twice, whoever repeats what. A tenant without
 * a limit has none.
 */
import { type Failure, failure, ok, type Result } from '../domain/failure.js';
import type { TaskId } from '../domain/id.js';
import { defaultTenant, type TenantName } from '../domain/lane.js';
import { type Order, openKeyOf } from '../domain/task.js';
import { limitsOf } from '../domain/tenant.js';
import type { Control } from './control.js';
import { parseRecord } from './record.js';

/** So many tasks that count as open are looked at, for each that is refused, whether they still are. */
const doubted = 8;

/** Whether the tenant's open tasks are counted. */
export const isCounted = ({ defaults }: Control, { tenant }: Pick<Order, 'tenant'>): boolean =>
  limitsOf(defaults.tasks.tenants, tenant).openTasks !== undefined;

/** Counts the task, or says why it is one too many. Its record is there already; safe to repeat. */
export async function admit(control: Control, order: Order): Promise<Result<Failure | undefined>> {
  const { tenant = defaultTenant } = order;
  const { openTasks, waitingAgents } = limitsOf(control.defaults.tasks.tenants, tenant);
  if (waitingAgents !== undefined) {
    const waiting = await control.bus.wakes.waiting(tenant);
    if (!waiting.ok) return waiting;
    if (waiting.value >= waitingAgents) return ok(overQuota(tenant, 'waitingAgents', waitingAgents, waiting.value));
  }
  return openTasks === undefined ? ok(undefined) : admitOpen(control, order.taskId, tenant, openTasks);
}

async function admitOpen(
  control: Control,
  taskId: TaskId,
  tenant: TenantName,
  limit: number,
): Promise<Result<Failure | undefined>> {
  const { task } = control.bus.buckets;
  const key = openKeyOf(tenant, taskId);
  const before = await task.keys(`open.${tenant}`);
  if (!before.ok) return before;
  const others = before.value.filter((one) => one !== key);
  if (others.length >= limit) {
    const left = await forgetEnded(control, others, taskId);
    if (!left.ok) return left;
    if (left.value >= limit) return ok(overQuota(tenant, 'openTasks', limit, left.value));
  }
  const counted = await task.put(key, { v: 1 });
  if (!counted.ok) return counted;
  const after = await task.keys(`open.${tenant}`);
  if (!after.ok) return after;
  if (after.value.length <= limit) return ok(undefined);
  // Several came at once: the first ones stay.
  const earlier = await Promise.all(after.value.map((one) => (one === key ? ok(undefined) : task.get(one))));
  const rank = earlier.filter((one) => one.ok && one.value !== undefined && one.value.seq < counted.value).length;
  if (rank < limit) return ok(undefined);
  const freed = await task.delete(key);
  return freed.ok ? ok(overQuota(tenant, 'openTasks', limit, limit)) : freed;
}

/**
 * A process that died between two writes may have left a task counted that is not open. Looks at some, other ones each
 * time; resolves with how many are left.
 */
async function forgetEnded({ bus }: Control, keys: readonly string[], taskId: TaskId): Promise<Result<number>> {
  const { task } = bus.buckets;
  const start = [...taskId].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % keys.length, 0);
  const looked = [...keys, ...keys].slice(start, start + Math.min(doubted, keys.length));
  let left = keys.length;
  for (const key of looked) {
    const id = key.slice(key.lastIndexOf('.') + 1);
    const found = await task.get(id);
    if (!found.ok) return found;
    const record = found.value === undefined ? undefined : parseRecord(id, found.value.value);
    if (record?.ok && record.value.state === 'accepted') continue;
    const freed = await task.delete(key);
    if (!freed.ok) return freed;
    left -= 1;
  }
  return ok(left);
}

const whatOf = { openTasks: 'open tasks', waitingAgents: 'agents waiting for a worker' } as const;
const nextOf = {
  openTasks: 'submit again when one has ended (hact ls --running lists them)',
  waitingAgents: 'submit again when some have begun, or start more workers',
} as const;

const overQuota = (tenant: TenantName, limit: keyof typeof whatOf, most: number, met: number): Failure =>
  failure(
    'quota_exceeded',
    `tenant ${tenant} has ${met} ${whatOf[limit]}, and its limit is ${most}`,
    `${nextOf[limit]}; the limit is ${limit} in tasks.tenants`,
  );
