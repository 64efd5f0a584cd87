/** Subtasks for a queue that nobody serves are refused, with the queues that there are: nobody would ever begin them. */
import type { PlannedCall } from '../src/domain/call.js';
import type { RoleName } from '../src/domain/id.js';
import type { AgentServices } from './services.js';

export type QueueRefusal = AgentServices['queueRefusal'];

/** When it cannot be told, the subtask may wait. */
export const refuseUnserved = (
  calls: readonly PlannedCall[],
  childRole: string,
  refusal: QueueRefusal,
): Promise<PlannedCall[]> =>
  Promise.all(
    calls.map(async (call): Promise<PlannedCall> => {
      if (call.action.route !== 'delegate' || call.action.delegation.queue === undefined) return call;
      const { queue, role = childRole as RoleName } = call.action.delegation;
      const refused = await refusal(role, queue);
      return refused.ok && refused.value !== undefined
        ? { ...call, action: { route: 'refused', failure: refused.value } }
        : call;
    }),
  );
