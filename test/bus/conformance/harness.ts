/** What the conformance suite needs of an adapter of the bus. The same tests run on real NATS and on the simulated bus. */
import { expect } from 'vitest';
import type { Bus } from '../../../src/bus/contract.js';
import type { Failure, FailureKind, Result } from '../../../src/domain/failure.js';
import type { AgentId, RoleName, TaskId } from '../../../src/domain/id.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Message } from '../../../src/domain/message.js';

export interface BusHarness {
  /** Another connection to the same store. */
  open(): Promise<Bus>;
  /** Waits for what must happen; a simulated bus lets its time pass meanwhile. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** The bus's wall clock. */
  now(): number;
  /** Closes all connections and drops the store. */
  end(): Promise<void>;
}

/** `leaseMs`: life of keys in the host bucket. */
export type MakeHarness = (options: { leaseMs: number }) => Promise<BusHarness>;

export const leaseMs = 1_000;

/** The value, or a failed test that shows the failure. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) expect.fail(`expected a value, got ${JSON.stringify(result.failure)}`);
  return result.value;
}

export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) expect.fail(`expected a failure, got ${JSON.stringify(result.value)}`);
  return result.failure;
}

export const kindOf = (result: Result<unknown>): FailureKind | 'none' => (result.ok ? 'none' : result.failure.kind);

let counter = 0;
const fresh = (stem: string): string => {
  counter += 1;
  return `${stem}-${counter}`;
};
export const freshAgent = (): AgentId => fresh('agent') as AgentId;
export const freshTask = (): TaskId => fresh('task') as TaskId;
export const freshRole = (): RoleName => fresh('role') as RoleName;
export const freshName = fresh;

export const record = (epoch: number, host = 'host-1'): JournalRecord => ({
  v: 1,
  kind: 'epoch',
  epoch,
  at: 1_700_000_000_000,
  host,
  machineVersion: 1,
});

export const message = (id: string, text = 'use the other file'): Message => ({
  v: 1,
  type: 'human.corrected',
  id,
  at: 1_700_000_000_000,
  text,
  by: 'ana',
});

/** Something that happens a number of times; `reached(n)` resolves when it has happened n times. */
export class Happenings<T> {
  readonly all: T[] = [];
  readonly #waiters: { count: number; resolve: (all: T[]) => void }[] = [];

  readonly add = (value: T): void => {
    this.all.push(value);
    for (const waiter of this.#waiters) if (this.all.length >= waiter.count) waiter.resolve(this.all);
  };

  reached(count: number): Promise<T[]> {
    if (this.all.length >= count) return Promise.resolve(this.all);
    return new Promise((resolve) => this.#waiters.push({ count, resolve }));
  }
}
