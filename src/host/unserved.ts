/**
 * Orders that nobody begins, because no living host serves their role and queue. They wait until one comes; those that were cancelled
 * meanwhile, or whose deadline has passed, are ended by any host.
 */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { type Failure, failure, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { laneOf } from '../domain/lane.js';
import type { Message } from '../domain/message.js';
import type { Order } from '../domain/task.js';
import { endWithoutMachine } from './lay-aside.js';
import type { Leases } from './lease.js';
import { deadlineIn } from './lookup.js';
import type { Role } from './role.js';

export interface UnservedOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hostId: string;
  readonly leases: Pick<Leases, 'acquire' | 'release'>;
  /** Any of this host's: what is told of an agent that never began is the same for all. */
  readonly spokesman: Role;
}

/** Does nothing when the agent has begun or need not end yet. */
export async function endUnserved(agentId: AgentId, order: Order, options: UnservedOptions): Promise<Result<void>> {
  const { bus, clock, hostId, leases, spokesman } = options;
  const messages = await bus.inbox.read(agentId, 0);
  if (!messages.ok) return messages;
  const reason = reasonToEnd(
    order,
    messages.value.map(({ value }) => value),
    clock.now(),
  );
  if (reason === undefined) return ok(undefined);
  const leased = await leases.acquire(agentId, laneOf(order));
  if (!leased.ok) return leased;
  try {
    // From here on the agent cannot begin any more without being noticed: nobody else's record can be the first.
    const at = clock.now();
    const fence = {
      v: 1,
      kind: 'epoch',
      epoch: 0,
      at,
      host: hostId,
      machineVersion: spokesman.machineVersion,
    } as const;
    const fenced = await bus.journal.append(agentId, fence, 0);
    if (!fenced.ok) return fenced.failure.kind === 'conflict' ? ok(undefined) : fenced;
    const role = { ...spokesman, name: order.role };
    return await endWithoutMachine(order, reason, { bus, clock, role, lane: laneOf(order) });
  } finally {
    await leases.release(agentId);
  }
}

function reasonToEnd(order: Order, messages: readonly Message[], now: number): Failure | undefined {
  for (const message of messages) {
    if (message.type === 'task.cancelled') {
      const why = message.reason === undefined ? '' : `: ${message.reason}`;
      return failure('cancelled', `cancelled by ${message.by}${why}`);
    }
    if (message.type === 'parent.ended') return failure('parent_gone', 'the agent that ordered this has ended');
  }
  return now < deadlineIn(order, messages)
    ? undefined
    : failure(
        'deadline_passed',
        `the deadline has passed, and no worker for ${order.queue === undefined ? '' : `the queue ${order.queue} of `}the role ${order.role} took the task`,
        `start one: hact worker --role ${order.role}${order.queue === undefined ? '' : ` --queue ${order.queue}`}`,
      );
}
