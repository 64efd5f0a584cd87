/** Agents that have ended at this host: wakes for their last messages may come after their end, and need not bring them back. */
import type { Bus, Wake } from '../bus/contract.js';
import type { AgentId } from '../domain/id.js';

export interface Gone {
  has(agentId: AgentId): boolean;
  /** Only once its snapshot says that it has ended: nobody brings it back any more. */
  add(agentId: AgentId): void;
  /**
   * What comes to an agent that has ended reaches nobody. But a host may have died while it looked whether the agent has
   * ended, and left its lease: then the agent is forgotten here, and the wake comes again to whoever lets go of that.
   */
  dropMail(wake: Wake): Promise<void>;
}

/** The oldest are forgotten: a wake for one of them is answered after a look at its snapshot. */
const most = 10_000;
const retryMs = 1_000;

export function createGone(bus: Bus): Gone {
  const gone = new Set<AgentId>();
  return {
    has: (agentId) => gone.has(agentId),
    add(agentId) {
      gone.add(agentId);
      const [oldest] = gone;
      if (gone.size > most && oldest !== undefined) gone.delete(oldest);
    },
    async dropMail(wake) {
      const { agentId } = wake;
      const [left, cleared] = await Promise.all([bus.buckets.lease.get(agentId), bus.inbox.clear(agentId)]);
      const isLeased = !left.ok || left.value !== undefined;
      if (isLeased) gone.delete(agentId);
      if (isLeased || !cleared.ok) wake.giveBack(retryMs);
      else wake.ack();
    },
  };
}
