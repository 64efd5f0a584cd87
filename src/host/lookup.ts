/** What can be known of an agent without bringing it back. */
import type { Bus } from '../bus/contract.js';
import { ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { snapshotSchema } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import type { Order } from '../domain/task.js';

/** Whether the agent has ended, by its snapshot: it is stored when everything that the end brings has been sent. */
export async function hasEnded(bus: Bus, agentId: AgentId): Promise<Result<boolean>> {
  const stored = await bus.buckets.agent.get(agentId);
  if (!stored.ok) return stored;
  const snapshot = snapshotSchema.safeParse(stored.value?.value);
  return ok(snapshot.success && snapshot.data.ended);
}

/** The order stays in the inbox until the agent has ended. */
export async function orderOf(bus: Bus, agentId: AgentId): Promise<Result<Order | undefined>> {
  const messages = await bus.inbox.read(agentId, 0);
  return messages.ok ? ok(orderIn(messages.value.map(({ value }) => value))) : messages;
}

function orderIn(messages: readonly Message[]): Order | undefined {
  const first = messages.find(({ type }) => type === 'task.ordered');
  return first?.type === 'task.ordered' ? first.order : undefined;
}

/** When the agent must have ended, as it was ordered and changed since; undefined when it has no order. */
export async function deadlineOf(bus: Bus, agentId: AgentId): Promise<Result<number | undefined>> {
  const read = await bus.inbox.read(agentId, 0);
  if (!read.ok) return read;
  const messages = read.value.map(({ value }) => value);
  const order = orderIn(messages);
  return ok(order === undefined ? undefined : deadlineIn(order, messages));
}

export const deadlineIn = (order: Order, messages: readonly Message[]): number =>
  messages.reduce((deadlineAt, message) => {
    if (message.type === 'slice.changed') return message.deadlineAt ?? deadlineAt;
    if (message.type !== 'budget.changed' || message.budget.seconds === undefined) return deadlineAt;
    return message.at + Math.round(message.budget.seconds * 1000);
  }, order.budget.deadlineAt);
