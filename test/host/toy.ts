/**
 * A small statechart of its own for the host's tests. Its goal is a list of words, done one after the other:
 * `work:x` an effect, `wait` rest until `human.answered`, `tell:agent` a message to another agent, `order:agent` an order to it, `timer:ms` a durable timer.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { Failure } from '../../src/domain/failure.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import type { Delivery } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { Order } from '../../src/domain/task.js';
import type { EffectScope, Role, StepView } from '../../src/host/role.js';

export interface ToyContext {
  readonly todo: readonly string[];
  readonly deadlineAt: number;
  /** Outcomes of effects and words of people, in the order in which the machine heard them. */
  readonly heard: readonly string[];
  readonly recovered: number;
}

interface ToyInput {
  readonly todo: readonly string[];
  readonly deadlineAt: number;
}

type Heard = { type: string; output?: string; text?: string; at: number };

const stub = fromPromise<string, unknown>(() => Promise.reject(new Error('carried out by the host')));
const first = (context: ToyContext): string => context.todo[0] ?? '';
const argument = (context: ToyContext): string => first(context).split(':')[1] ?? '';

export const toyMachine = setup({
  types: {} as { context: ToyContext; input: ToyInput; events: Heard },
  actors: { think: stub, work: stub },
  guards: {
    works: ({ context }) => first(context).startsWith('work:'),
    waits: ({ context }) => first(context) === 'wait',
    tells: ({ context }) => /^(tell|order):/.test(first(context)),
    times: ({ context }) => first(context).startsWith('timer:'),
  },
  actions: {
    deliver: (_, _params: { deliveries: Delivery[] }) => {},
    next: assign({ todo: ({ context }) => context.todo.slice(1) }),
    hear: assign({ heard: ({ context, event }) => [...context.heard, String(event.output ?? event.text)] }),
    recover: assign({ recovered: ({ context }) => context.recovered + 1 }),
  },
}).createMachine({
  id: 'toy',
  context: ({ input }) => ({ ...input, heard: [], recovered: 0 }),
  initial: 'think',
  on: {
    'host.recovered': { actions: 'recover' },
    'host.poisoned': { target: '.poisoned' },
    'human.corrected': { actions: 'hear' },
    'human.resumed': { target: '.think' },
    'task.cancelled': { target: '.cancelled' },
    'timer.fired': { target: '.late' },
  },
  states: {
    think: {
      invoke: {
        src: 'think',
        id: 'think',
        onDone: [
          { guard: 'works', target: 'working' },
          { guard: 'waits', target: 'parked', actions: 'next' },
          {
            guard: 'tells',
            target: 'think',
            reenter: true,
            actions: [
              {
                type: 'deliver',
                params: ({ context, event }) => ({
                  deliveries: [outgoing(context, event)],
                }),
              },
              'next',
            ],
          },
          {
            guard: 'times',
            target: 'think',
            reenter: true,
            actions: [
              {
                type: 'deliver',
                params: ({ context, event }) => ({
                  deliveries: [{ to: 'timer', name: 'toy', dueAt: stamp(event) + Number(argument(context)) } as const],
                }),
              },
              'next',
            ],
          },
          { target: 'finished' },
        ],
      },
    },
    working: {
      invoke: {
        src: 'work',
        id: 'work',
        input: ({ context }: { context: ToyContext }) => ({ word: argument(context) }),
        onDone: { target: 'think', actions: ['next', 'hear'] },
        onError: { target: 'failed' },
      },
    },
    parked: { on: { 'human.answered': { target: 'think', actions: 'hear' } } },
    finished: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
    late: { type: 'final' },
    poisoned: { type: 'final' },
  },
});

const stamp = (event: unknown): number => (event as Heard).at;

const outgoing = (context: ToyContext, event: unknown): Delivery =>
  first(context).startsWith('order:')
    ? orderTo(argument(context), stamp(event))
    : words(argument(context), context.todo.length, event);

const orderTo = (to: string, at: number): Delivery => ({
  to: 'inbox',
  agentId: to as AgentId,
  role: toyRole,
  priority: 'normal',
  message: { v: 1, type: 'task.ordered', id: `${to}.order`, at, order: orderFor(to, 'work:x', at + 600_000) },
});

const words = (to: string, n: number, event: unknown): Delivery => ({
  to: 'inbox',
  agentId: to as AgentId,
  role: toyRole,
  priority: 'normal',
  message: { v: 1, type: 'human.corrected', id: `told.${to}.${n}`, at: stamp(event), text: 'told', by: 'toy' },
});

export const toyRole = 'toy' as RoleName;

/** Whoever waits for an agent that is laid aside hears of it as the agent `boss`. */
const abandonment = ({ agentId, priority }: Order, { kind, message }: Failure, at: number): Delivery => ({
  to: 'inbox',
  agentId: 'boss' as AgentId,
  role: toyRole,
  priority,
  message: {
    v: 1,
    type: 'human.corrected',
    id: `${agentId}.abandoned`,
    at,
    text: `${agentId} ${kind}: ${message}`,
    by: 'toy',
  },
});

/** One attempt of the effect `work`, as the world outside saw it. */
export interface Performed {
  readonly word: string;
  readonly host: string;
  readonly effectId: string;
  readonly attempt: number;
}

export type Work = (scope: EffectScope, word: string) => Promise<Json>;

/** What lies outside all hosts of a test: what was done, and what watchers were told. */
export class World {
  readonly performed: Performed[] = [];
  readonly views: (StepView & { readonly context: ToyContext })[] = [];
  readonly bugs: unknown[] = [];
  /** Called at the start of each attempt; by default the work is done at once. */
  work: Work = async (_, word) => `did ${word}`;

  role(host: string, more: Partial<Role> = {}): Role {
    return {
      name: toyRole,
      machine: toyMachine,
      machineVersion: 1,
      local: new Set(['think']),
      inputFor: (order) => ({ todo: order.goal.split(' '), deadlineAt: order.budget.deadlineAt }),
      perform: (src, scope) => (src === 'think' ? Promise.resolve('thought') : this.perform(host, scope)),
      complete: (delivery) => delivery,
      describe: (view) => {
        this.views.push(view as StepView & { context: ToyContext });
        return [];
      },
      alarm: (context) => ({ dueAt: (context as ToyContext).deadlineAt, timer: 'deadline' }),
      poisoned: (attempts) => ({ type: 'host.poisoned', at: 0, attempts }) satisfies JsonObject,
      abandoned: (order, reason, at) => [abandonment(order, reason, at)],
      ...more,
    };
  }

  private perform(host: string, scope: EffectScope): Promise<Json> {
    const { word } = scope.input as { word: string };
    const { effectId, attempt } = scope;
    this.performed.push({ word, host, effectId, attempt });
    return this.work(scope, word);
  }

  /** State after the last step that watchers were told of. */
  last(agentId: string): (StepView & { readonly context: ToyContext }) | undefined {
    return this.views.findLast((view) => view.agentId === agentId);
  }
}

/** A promise to be settled from outside. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void; fail(error: Error): void } {
  let open: (value: T) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}

export function orderFor(agentId: string, goal: string, deadlineAt = Date.now() + 600_000): Order {
  const budget = { rounds: 1, tokens: 1, costUsd: 1, toolCalls: 1, children: 1, deadlineAt };
  return {
    v: 1,
    taskId: agentId as Order['taskId'],
    agentId: agentId as AgentId,
    role: toyRole,
    depth: 0,
    goal,
    files: [],
    kind: 'general',
    priority: 'normal',
    budget,
    permission: { approval: 'risky' },
    traceId: '0'.repeat(32),
    submittedAt: Date.now(),
  };
}
