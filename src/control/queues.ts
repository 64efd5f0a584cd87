/** Whether a queue that somebody names is one that anybody serves. */
import { isServed, type Served, servedQueues } from '../bus/presence.js';
import { type Failure, failure, ok, type Result } from '../domain/failure.js';
import type { RoleName } from '../domain/id.js';
import { defaultQueue, type QueueName } from '../domain/lane.js';
import type { Control } from './control.js';

/**
 * Why work for a role cannot be put into a queue: no living worker serves it there, and it is not among those that the
 * settings name. A mistyped queue would wait for ever; one that is scaled down to no worker at the moment may wait.
 */
export async function queueRefusal(
  { bus, defaults }: Pick<Control, 'bus' | 'defaults'>,
  role: RoleName,
  queue: QueueName | undefined,
): Promise<Result<Failure | undefined>> {
  const isDefault = queue === undefined || queue === defaultQueue;
  if (isDefault || defaults.tasks.queues.includes(queue)) return ok(undefined);
  const served = await servedQueues(bus.buckets.host);
  if (!served.ok) return served;
  return ok(
    isServed(served.value, { role, queue }) ? undefined : unknownQueue(role, queue, known(served.value, defaults)),
  );
}

function unknownQueue(role: RoleName, queue: QueueName, names: string): Failure {
  return failure(
    'unknown_queue',
    `no worker serves the queue ${queue} for the role ${role}; known queues: ${names}`,
    `name one of these or none; hact worker --role ${role} --queue ${queue} serves it, and tasks.queues names queues without a worker`,
  );
}

/** `executor: default, gpu; planner: default; any role: batch` */
function known(served: Served, { tasks }: Control['defaults']): string {
  const lines = [...served].map(([role, queues]) => `${role}: ${[...queues].sort().join(', ')}`).sort();
  const named = tasks.queues.length > 0 ? [`any role: ${[...tasks.queues].sort().join(', ')}`] : [];
  return [...lines, ...named].join('; ') || 'none, since no worker is running';
}
