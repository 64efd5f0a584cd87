/** What can be known of an agent without bringing it back. */
import type { Bus } from '../bus/contract.js';
import { ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { snapshotSchema } from '../domain/journal.js';
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
  if (!messages.ok) return messages;
  const first = messages.value.find(({ value }) => value.type === 'task.ordered')?.value;
  return ok(first?.type === 'task.ordered' ? first.order : undefined);
}
