/**
 * One agent on a real host that may die, whose statechart is the production one. What its effects come to is decided by
 * whoever drives it; what the server stored is folded beside it, step by step, and held against every rule of the machine.
 */
import { plannerAgent } from '../../../agents/planner.js';
import { createRole } from '../../../agents/role.js';
import type { AgentId, RoleName } from '../../../src/domain/id.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Json } from '../../../src/domain/json.js';
import type { Message } from '../../../src/domain/message.js';
import { startHost } from '../../../src/host/host.js';
import type { EffectScope, Role } from '../../../src/host/role.js';
import { type AnyEvent, type Life, stateOf } from '../../machines/life.js';
import { input } from '../../machines/routes.js';
import { born, take } from '../../machines/take.js';
import { connect } from '../bus/bus.js';
import { calm } from '../bus/link.js';
import { type Append, SimServer } from '../bus/server.js';
import { SimProcess } from '../kernel/process.js';
import { World } from '../kernel/world.js';
import { plannerKit } from '../outside/tools.js';

/** Which append the process that makes it does not survive. */
export interface Blow {
  readonly append: number;
  readonly moment: 'before' | 'after';
}

interface Pending {
  readonly process: SimProcess;
  readonly settle: (output: Json) => void;
  readonly fail: (error: Error) => void;
}

const leaseMs = 3_000;
const restartMs = 20;
export const poisonAttempts = 5;
const role = 'planner' as RoleName;
/** What an effect throws when the route says that it breaks. */
const breakdown = new Error('a bug');

export class LiveAgent {
  readonly world = new World(1);
  readonly server: SimServer;
  readonly agentId = input.order.agentId as AgentId;
  readonly problems: string[] = [];
  /** Undefined until its first step is stored. */
  life: Life | undefined;
  appends = 0;
  /** When something was last stored. */
  changedAt = 0;
  /** So many more of those who take it over die of it. */
  deaths = 0;
  private readonly pending = new Map<string, Pending>();
  private process: SimProcess | undefined;
  private lives = 0;
  private messages = 0;

  constructor(private readonly blow: Blow | undefined) {
    this.server = new SimServer(this.world, {
      weather: calm,
      leaseMs,
      ackWaitMs: 5_000,
      patienceMs: 2_000,
      onMishap: () => undefined,
      onAppend: (append) => this.follow(append),
    });
    this.begin();
    const deadlineAt = this.world.now() + 600_000;
    const { order } = input;
    this.send({ type: 'task.ordered', order: { ...order, budget: { ...order.budget, deadlineAt } } });
  }

  /** The effect is carried out now, by a process that lives. */
  performs(effect: string): boolean {
    return this.pending.get(effect)?.process.alive === true;
  }

  settle(effect: string, { type, output }: AnyEvent): void {
    const pending = this.pending.get(effect);
    this.pending.delete(effect);
    pending?.process.after(0, () =>
      type.startsWith('xstate.done') ? pending.settle(output as Json) : pending.fail(breakdown),
    );
  }

  send(fields: Record<string, unknown>): void {
    this.messages += 1;
    const message = { ...fields, v: 1, id: `m${this.messages}`, at: this.world.now() } as unknown as Message;
    this.server.inbox.append(this.agentId, JSON.stringify(message));
    this.server.notify(`in.${this.agentId}`);
    this.server.wakesOf(role).put({ agentId: this.agentId, lane: { role, priority: 'normal' } }, 1);
  }

  kill(): void {
    this.process?.kill();
  }

  /** What is left at the server of an agent that has ended. */
  get leftovers(): string[] {
    const { buckets, inbox } = this.server;
    return [
      ...(inbox.subjects().has(this.agentId) ? ['messages'] : []),
      ...(buckets.lease.keys().length > 0 ? ['a lease'] : []),
      ...(this.server.wakesOf(role).size > 0 ? ['a wake'] : []),
    ];
  }

  private begin(): void {
    this.lives += 1;
    const process = new SimProcess(this.world, `h${this.lives}`);
    this.process = process;
    process.onDeath(() => this.world.after(restartMs, () => this.begin()));
    const { bus } = connect(process, this.server);
    const append = bus.journal.append;
    startHost({
      bus: { ...bus, journal: { ...bus.journal, append: (...args) => this.mayDie(process, () => append(...args)) } },
      clock: process.clock,
      hostId: process.name,
      roles: [this.role(process)],
      concurrency: 4,
      firstConcurrency: 4,
      fullLoad: 1,
      load: () => 0,
      leaseMs,
      watchMs: 100,
      reconcileMs: 600_000,
      poisonAttempts,
      drainMs: 1_000,
      onFailure: () => undefined,
      onBug: (error) => {
        if (process.alive && error !== breakdown) this.problems.push(`bug: ${String(error)}`);
      },
    });
  }

  private async mayDie<T>(process: SimProcess, append: () => Promise<T>): Promise<T> {
    this.appends += 1;
    const isHit = this.appends === this.blow?.append;
    const never = new Promise<never>(() => undefined);
    if (isHit && this.blow?.moment === 'before') {
      process.kill();
      return never;
    }
    const stored = await append();
    if (!isHit) return stored;
    process.kill();
    return never;
  }

  private role(process: SimProcess): Role {
    return {
      ...production,
      poisoned: (attempts) => ({ type: 'host.poisoned', at: this.world.now(), attempts }),
      inputFor: (order) => ({ ...input, order }) as unknown as Json,
      perform: (effect, scope) => this.perform(process, effect, scope),
    };
  }

  private perform(process: SimProcess, effect: string, { signal }: EffectScope): Promise<Json> {
    return new Promise((settle, fail) => {
      const mine = { process, settle, fail };
      this.pending.set(effect, mine);
      signal.addEventListener('abort', () => {
        if (this.pending.get(effect) === mine) this.pending.delete(effect);
        settle(null);
      });
    });
  }

  private follow({ agentId, outcome, record }: Append): void {
    if (!outcome.ok || agentId !== this.agentId) return;
    this.changedAt = this.world.time;
    if (record.kind === 'epoch' && this.deaths > 0) {
      this.deaths -= 1;
      this.kill();
    }
    if (record.kind === 'step') this.fold(record);
  }

  private fold({ events, state }: Extract<JournalRecord, { kind: 'step' }>): void {
    try {
      for (const event of events as unknown as AnyEvent[]) {
        if (event.type === 'agent.created') this.life = born(event.input as never);
        else if (this.life) this.life = take(this.life, event);
      }
      const folded = this.life && stateOf(this.life).split('.')[0];
      if (folded !== state) this.problems.push(`the host is in ${state}, its journal leads to ${folded}`);
    } catch (error) {
      this.problems.push(String(error));
    }
  }
}

/**
 * The production role but for its effects and its watchers, so of the services nothing but the count of its contract is
 * used. Nothing is local: each outcome has a record of its own, so that there are more places to die at.
 */
const production: Role = {
  ...createRole(plannerAgent(plannerKit), { model: { countMessage: () => 0 }, redactor: {} } as never, input.policy),
  local: new Set(),
  describe: () => [],
};
