/**
 * Planners that wait for what to delegate. Each is an ordinary agent whose model is still thinking; a delegation is what
 * it then says, and is over when the model is asked again: before that, the report stands in the planner's journal.
 */
import type { Client } from '../../../src/control/client.js';
import type { ModelRequest } from '../../../src/llm/model.js';
import { lastResults, type Said } from './script.js';

/** Delegations of one planner: then it ends, and another takes its place. */
const most = 10;

interface Job {
  readonly goals: readonly string[];
  readonly settle: (results: string[]) => void;
}

interface Parent {
  delegations: number;
  job: Job | undefined;
}

export class Parents {
  readonly #client: Client;
  readonly #parents = new Map<string, Parent>();
  readonly #idle: ((job: Job) => void)[] = [];
  readonly #waiting: Job[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  async engage(): Promise<void> {
    const budget = {
      rounds: 10 * most,
      tokens: 10_000_000,
      toolCalls: 100 * most,
      children: 20 * most,
      seconds: 3_600,
    };
    const accepted = await this.#client.submit({ goal: 'delegate what you are told to', role: 'planner', budget });
    if (!accepted.ok) throw new Error(accepted.failure.message);
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** One reply of one planner: a subtask for each goal. */
  order(goals: readonly string[]): Promise<string[]> {
    return new Promise((settle) => {
      const job = { goals, settle };
      const take = this.#idle.shift();
      if (take === undefined) this.#waiting.push(job);
      else take(job);
    });
  }

  readonly says = async (request: ModelRequest): Promise<Said> => {
    const { agentId = '', messages } = request;
    const parent = this.#parents.get(agentId) ?? { delegations: 0, job: undefined };
    this.#parents.set(agentId, parent);
    parent.job?.settle(lastResults(messages).map(resultIn));
    if (parent.delegations === most) {
      this.#parents.delete(agentId);
      void this.engage();
      return 'All that was to be delegated has been.';
    }
    parent.delegations += 1;
    parent.job = this.#waiting.shift() ?? (await new Promise<Job>((resolve) => this.#idle.push(resolve)));
    return parent.job.goals.map((goal) => ({ name: 'delegate_task', arguments: { goal } }));
  };
}

/** The result that stands in a report as the planner sees it. */
const resultIn = (shown: string): string => {
  const result = /"result":\s*"?([^",}]*)/.exec(shown)?.[1];
  if (result === undefined) throw new Error(`no result in ${shown}`);
  return result;
};
