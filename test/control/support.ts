/** A control on a real NATS server, with a prefix of its own per test, a clock that is set, and ports that can be broken. */
import { openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import { type Control, type Ids, randomIds } from '../../src/control/control.js';
import type { Clock } from '../../src/domain/clock.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { fail, type Result } from '../../src/domain/failure.js';
import type { AgentId, RoleName, TaskId } from '../../src/domain/id.js';
import type { Json } from '../../src/domain/json.js';
import type { Report } from '../../src/domain/report.js';
import { noUsage } from '../../src/domain/usage.js';
import { systemClock } from '../../src/observe/clock.js';
import { schemaProblem } from '../../src/tools/schema-result.js';
import type { TestNats } from '../support/nats.js';

export const defaults = {
  budget: {
    tokens: 200_000,
    usd: 1,
    roundsByKind: { question: 5, general: 20, coding: 30 },
    seconds: 600,
    toolCalls: 100,
    children: 16,
  },
  approval: { policy: 'risky' },
  tasks: { queues: [], tenants: {} },
} as const;

export interface TestControl extends Control {
  readonly clock: Clock & { set(now: number): void };
}

export function settableClock(start = 1_790_000_000_000): TestControl['clock'] {
  let now = start;
  return { ...systemClock, now: () => now, set: (value) => (now = value) };
}

let prefixes = 0;
/** Names of NATS things that no other test of this process uses. */
export const freshPrefix = (): string => `hact.t${++prefixes}`;

export async function openControl(nats: TestNats, changes: { ids?: Ids; prefix?: string } = {}): Promise<TestControl> {
  const prefix = changes.prefix ?? freshPrefix();
  const bus = value(await openBus({ servers: nats.url, token: nats.token, prefix, shards: 1, patienceMs: 2_000 }));
  return { bus, prefix, defaults, clock: settableClock(), ids: changes.ids ?? randomIds, schemaProblem };
}

/** The value of a result that must be one. */
export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`expected success, got ${result.failure.kind}: ${result.failure.message}`);
  return result.value;
}

/** The same control with one port replaced. */
export const withBus = <C extends Control>(control: C, change: (bus: Bus) => Partial<Bus>): C => ({
  ...control,
  bus: { ...control.bus, ...change(control.bus) },
});

export const away = async (): Promise<Result<never>> => fail('bus_unreachable', 'cut by the test');

export const reportOf = (taskId: TaskId, changes: Partial<Report> = {}): Report => ({
  v: 1,
  taskId,
  agentId: taskId as string as AgentId,
  status: 'done',
  result: 42,
  summary: 'answered',
  termination: 'finished',
  retryable: false,
  evidence: [],
  artifacts: [],
  usage: { ...noUsage, rounds: 2, inputTokens: 100, outputTokens: 20, toolCalls: 1, ms: 5 },
  spent: { rounds: 2, tokens: 120, costUsd: 0, toolCalls: 1, children: 0 },
  budgetLeft: { rounds: 18, tokens: 100, costUsd: 1, toolCalls: 99, children: 16 },
  repairs: 0,
  children: [],
  ...changes,
});

/** Ends a task as its root agent does. */
export async function endTask({ bus }: Control, taskId: TaskId, changes: Partial<Report> = {}): Promise<void> {
  const found = value(await bus.buckets.task.get(taskId));
  const ended = { ...(found?.value as object), state: 'ended', endedAt: 1, report: reportOf(taskId, changes) };
  value(await bus.buckets.task.put(taskId, ended as Json));
  value(await bus.inbox.clear(taskId as string as AgentId));
}

type Kind = FeedEvent['kind'];
type Fields<K extends Kind> = Omit<
  Extract<FeedEvent, { kind: K }>,
  'v' | 'kind' | 'taskId' | 'agentId' | 'role' | 'seq' | 'at' | 'host' | 'round'
>;

/** A feed event of an agent of a task. */
export const eventOf = <K extends Kind>(
  taskId: TaskId,
  kind: K,
  fields: Fields<K>,
  base: Partial<Pick<FeedEvent, 'agentId' | 'role' | 'seq' | 'at' | 'host' | 'round'>> = {},
): FeedEvent =>
  ({
    v: 1,
    kind,
    taskId,
    agentId: taskId as string as AgentId,
    role: 'planner' as RoleName,
    seq: 1,
    at: 1_790_000_000_000,
    host: 'host-1',
    round: 0,
    ...base,
    ...fields,
  }) as unknown as FeedEvent;
