/** An agent in a test: outcomes and messages by name, each of them one step that every rule must survive. */
import type { AgentContext, AgentPolicy } from '../../machines/context.js';
import type { Perception } from '../../machines/event.js';
import { type Amounts, type Budget, type BudgetRequest, remaining } from '../../src/domain/budget.js';
import type { CallUsage } from '../../src/domain/decision.js';
import type { FailureKind } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { Delivery } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { ReportStatus } from '../../src/domain/report.js';
import type { Order } from '../../src/domain/task.js';
import * as fixtures from './fixtures.js';
import {
  type AnyEvent,
  breakdown,
  inputOf,
  type Life,
  message,
  outcome,
  poisoned,
  recovered,
  reservedFor,
  stateOf,
} from './life.js';
import { born, take } from './take.js';

type Settled = 'ok' | 'error' | 'unknown';

export class Agent {
  life: Life;
  #hashes = 0;

  constructor(life: Life) {
    this.life = life;
  }

  get state(): string {
    return stateOf(this.life);
  }
  get context(): AgentContext {
    return this.life.snapshot.context;
  }
  get left(): Amounts {
    return remaining(this.context.ledger);
  }
  get effects(): string[] {
    return Object.keys(this.life.effects);
  }
  input(effect: string): unknown {
    return this.life.effects[effect]?.input;
  }
  /** What the last step sent. */
  get latest(): readonly Delivery[] {
    return this.life.latest;
  }
  /** Ids of the children that the last step ordered. */
  get ordered(): AgentId[] {
    return this.latest.flatMap((delivery) =>
      delivery.to === 'inbox' && delivery.message.type === 'task.ordered' ? [delivery.agentId] : [],
    );
  }
  orderTo(child: string): Order | undefined {
    return this.life.sent.flatMap((delivery) =>
      delivery.to === 'inbox' && delivery.agentId === child && delivery.message.type === 'task.ordered'
        ? [delivery.message.order]
        : [],
    )[0];
  }
  /** A twin that lives on by itself. */
  twin(): Agent {
    return new Agent(this.life);
  }

  take(event: AnyEvent): this {
    this.life = take(this.life, event);
    return this;
  }
  later(ms: number): this {
    this.life = { ...this.life, now: this.life.now + ms };
    return this;
  }

  perceived(perception: Perception = fixtures.prompt()): this {
    return this.take(outcome(this.life, 'perceive', perception));
  }
  answered(usage = this.usage()): this {
    return this.take(outcome(this.life, 'decide', fixtures.finalReply(usage)));
  }
  /** Every reply does something new unless a hash is given. */
  called(wanted: readonly fixtures.Wanted[], { usage = this.usage(), actionHash = this.#newHash() } = {}): this {
    const { round, me } = this.context;
    const reply = fixtures.callsReply(usage, wanted, { round, agentId: me.agentId, actionHash });
    return this.take(outcome(this.life, 'decide', reply));
  }
  remembered(state: JsonObject): this {
    return this.take(outcome(this.life, 'decide', { ...fixtures.unreadableReply(this.usage()), state }));
  }
  mumbled(usage = this.usage()): this {
    return this.take(outcome(this.life, 'decide', fixtures.unreadableReply(usage)));
  }
  modelFailed(kind: FailureKind, usage = this.usage()): this {
    return this.take(outcome(this.life, 'decide', fixtures.noReply(usage, kind)));
  }
  /** All dispatched calls end, in the order of `statuses`, the last of which stands for the rest. */
  toolsRan(...statuses: Settled[]): this {
    const { calls } = inputOf<{ calls: { callId: string }[] }>(this.life, 'callTools');
    const results = calls.map(({ callId }, index) => ({
      callId,
      name: this.context.open.find((call) => call.callId === callId)?.name ?? '',
      status: statuses[Math.min(index, statuses.length - 1)] ?? 'ok',
    }));
    return this.take(outcome(this.life, 'callTools', { results }));
  }
  reflected(usage?: CallUsage): this {
    return this.take(outcome(this.life, 'reflect', { text: fixtures.body, ...(usage && { usage }) }));
  }
  graced(): this {
    return this.take(outcome(this.life, 'grace', fixtures.finalReply(fixtures.used(100, 50))));
  }
  graceFailed(): this {
    return this.take(outcome(this.life, 'grace', fixtures.noReply(fixtures.used(100, 0), 'model_failed')));
  }
  reported(): this {
    const { ending, me } = this.context;
    const report = fixtures.reportOf(me.agentId, ending?.status ?? 'unknown', {}, ending?.termination);
    return this.take(outcome(this.life, 'report', report));
  }
  broke(effect: Parameters<typeof breakdown>[1]): this {
    return this.take(breakdown(this.life, effect));
  }

  childReported(
    child: string,
    status: ReportStatus = 'done',
    spent: Partial<Amounts> = { rounds: 1, tokens: 1 },
  ): this {
    return this.take(
      message(this.life, 'child.reported', { report: fixtures.reportOf(child as AgentId, status, spent) }),
    );
  }
  decided(callId: string, allow: boolean): this {
    const approvalId = fixtures.requestId(this.context.me.agentId, callId);
    return this.take(message(this.life, 'human.decided', { approvalId, allow, by: 'ana' }));
  }
  answeredBy(callId: string): this {
    const requestId = fixtures.requestId(this.context.me.agentId, callId);
    return this.take(message(this.life, 'human.answered', { requestId, text: fixtures.body, by: 'ana' }));
  }
  unansweredInTime(callId: string): this {
    return this.take(message(this.life, 'timer.fired', { timer: `human.${callId}` }));
  }
  deadlinePassed(deadlineAt = this.context.deadlineAt): this {
    return this.take(message(this.life, 'timer.fired', { timer: `deadline.${deadlineAt}` }));
  }
  /** The children that it told to stop have had time enough to report. */
  gathered(): this {
    return this.take(message(this.life, 'timer.fired', { timer: 'gather' }));
  }
  paused(): this {
    return this.take(message(this.life, 'human.paused', { by: 'ana' }));
  }
  resumed(): this {
    return this.take(message(this.life, 'human.resumed', { by: 'ana' }));
  }
  corrected(memory: Record<string, Json> = {}): this {
    return this.take(message(this.life, 'human.corrected', { text: fixtures.body, memory, by: 'ana' }));
  }
  budgeted(budget: BudgetRequest): this {
    return this.take(message(this.life, 'budget.changed', { budget, by: 'ana' }));
  }
  cancelled(reason?: string): this {
    return this.take(message(this.life, 'task.cancelled', { by: 'ana', ...(reason && { reason }) }));
  }
  orphaned(): this {
    return this.take(message(this.life, 'parent.ended', {}));
  }
  recovered(): this {
    return this.take(recovered(this.life));
  }
  poisoned(): this {
    return this.take(poisoned(this.life));
  }

  /** A round of plain tool calls, from `perceive` to the next one. */
  round(wanted: readonly fixtures.Wanted[] = [fixtures.tool()], ...statuses: Settled[]): this {
    return this.perceived()
      .called(wanted)
      .toolsRan(...(statuses.length > 0 ? statuses : (['ok'] as const)));
  }

  /** What a reply of 20 tokens to the prompt used. */
  usage(): CallUsage {
    const bound = reservedFor(this.life, 'decide');
    return fixtures.used(Math.min(480, Math.max(0, (bound?.tokens ?? 0) - 20)), 20);
  }
  #newHash(): string {
    this.#hashes += 1;
    return `h${this.context.round}.${this.#hashes}`;
  }
}

interface Beginning {
  budget?: Partial<Budget>;
  policy?: Partial<AgentPolicy>;
  order?: Partial<Order>;
}

/** A root agent that is about to perceive. */
export const begin = ({ budget, policy, order }: Beginning = {}): Agent =>
  new Agent(
    born({ order: fixtures.orderOf(fixtures.grant(budget), order), policy: { ...fixtures.patient, ...policy } }),
  );

/** An agent that another one ordered. */
export const beginChild = ({ budget, policy }: Beginning = {}, depth = 1): Agent =>
  new Agent(
    born({ order: fixtures.childOrder(fixtures.grant(budget), depth), policy: { ...fixtures.patient, ...policy } }),
  );
