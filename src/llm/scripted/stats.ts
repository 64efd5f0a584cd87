/** What the scripted model has served, for checkers outside: a completed call must not be made twice. */
import { createHash } from 'node:crypto';
import type { ChatMessage } from '../../domain/chat.js';

export interface AgentStats {
  requests: number;
  /** Replies written to the end. */
  completed: number;
  faults: number;
}

export interface Stats extends AgentStats {
  readonly agents: Readonly<Record<string, AgentStats>>;
  /** Completed calls by `callHash`; more than one is a repeat. */
  readonly byRequest: Readonly<Record<string, number>>;
  readonly repeated: number;
}

/** Hashes that are kept; the oldest are forgotten. */
const mostRequests = 50_000;
const mostAgents = 10_000;

export interface Counter {
  asked(agent: string): void;
  failed(agent: string): void;
  /** `hash` is undefined for a reply that says of itself that it must be asked for again. */
  completed(agent: string, hash: string | undefined): void;
  read(): Stats;
}

export const hashOf = (agent: string, text: string): string =>
  createHash('sha256').update(agent).update('\n').update(text).digest('hex').slice(0, 16);

/** Where the budget stands and what the last call is told: a call that is made again finds less left than before. */
const standing = /^(?:Left: \d+ rounds?\b|This is your last call\b)/;

/** The same for a call that is made again from the same place of a conversation, whatever is left of the budget. */
export const callHash = (agent: string, messages: readonly ChatMessage[]): string =>
  hashOf(
    agent,
    JSON.stringify(messages.filter(({ role, content }) => role !== 'user' || !standing.test(content ?? ''))),
  );

export function createCounter(): Counter {
  const total: AgentStats = { requests: 0, completed: 0, faults: 0 };
  const agents = new Map<string, AgentStats>();
  const requests = new Map<string, number>();

  const of = (agent: string): AgentStats => {
    let found = agents.get(agent);
    if (found === undefined) {
      found = { requests: 0, completed: 0, faults: 0 };
      agents.set(agent, found);
      forgetOldest(agents, mostAgents);
    }
    return found;
  };
  const add = (agent: string, kind: keyof AgentStats) => {
    total[kind] += 1;
    of(agent)[kind] += 1;
  };

  return {
    asked: (agent) => add(agent, 'requests'),
    failed: (agent) => add(agent, 'faults'),
    completed(agent, hash) {
      add(agent, 'completed');
      if (hash === undefined) return;
      requests.set(hash, (requests.get(hash) ?? 0) + 1);
      forgetOldest(requests, mostRequests);
    },
    read: () => ({
      ...total,
      agents: Object.fromEntries([...agents].map(([agent, stats]) => [agent, { ...stats }])),
      byRequest: Object.fromEntries(requests),
      repeated: [...requests.values()].filter((times) => times > 1).length,
    }),
  };
}

function forgetOldest(map: Map<string, unknown>, limit: number): void {
  if (map.size <= limit) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
