/** Hosts in one process, each on its own bus, so that one can be killed or frozen while the others go on. */
import { connect } from 'nats';
import { vi } from 'vitest';
import type { BusOptions } from '../../src/bus/connect.js';
import type { Bus, Stored } from '../../src/bus/contract.js';
import { namesOf } from '../../src/bus/subject.js';
import type { AgentId } from '../../src/domain/id.js';
import type { JournalRecord, RecordOf } from '../../src/domain/journal.js';
import type { Message } from '../../src/domain/message.js';
import { type Host, type HostOptions, startHost } from '../../src/host/host.js';
import { createLeases } from '../../src/host/lease.js';
import { findLostTasks } from '../../src/host/lost.js';
import { reconcile } from '../../src/host/reconcile.js';
import type { UnservedOptions } from '../../src/host/unserved.js';
import { systemClock } from '../../src/observe/clock.js';
import type { TestBuses } from '../support/nats-bus.js';
import { orderFor, toyRole, World } from './toy.js';

export interface Crewed {
  readonly host: Host;
  readonly bus: Bus;
  /** As a SIGKILL: its connection is gone at once, and nothing is handed over. */
  kill(): Promise<void>;
}

const leaseMs = 1_000;

/** One installation of its own on the server, with whatever hosts the test starts. */
export class Stage {
  readonly world = new World();
  private readonly alive = new Set<Crewed>();
  private hosts = 0;

  private constructor(
    private readonly buses: TestBuses,
    private readonly prefix: string,
    /** For the test itself: to send, and to look. */
    readonly bus: Bus,
  ) {}

  static async open(buses: TestBuses, prefix: string): Promise<Stage> {
    return new Stage(buses, prefix, await buses.open(options(prefix)));
  }

  openBus(more: Partial<BusOptions> = {}): Promise<Bus> {
    return this.buses.open({ ...options(this.prefix), ...more });
  }

  /** `around` may put something between the host and its bus. */
  async start(more: Partial<HostOptions> = {}, around: (bus: Bus) => Bus = (bus) => bus): Promise<Crewed> {
    this.hosts += 1;
    const hostId = `host_${this.hosts}`;
    const bus = await this.openBus();
    const host = startHost({
      bus: around(bus),
      clock: systemClock,
      hostId,
      roles: [this.world.role(hostId)],
      concurrency: 50,
      firstConcurrency: 50,
      fullLoad: 1,
      load: () => 0,
      leaseMs,
      watchMs: 50,
      reconcileMs: 600_000,
      poisonAttempts: 3,
      drainMs: 5_000,
      onFailure: () => {},
      onBug: (error) => this.world.bugs.push(error),
      ...more,
    });
    const crewed: Crewed = {
      host,
      bus,
      kill: async () => {
        this.alive.delete(crewed);
        await bus.close();
        void host.drain(); // stops its loops; nothing of it reaches the server any more
      },
    };
    this.alive.add(crewed);
    return crewed;
  }

  /** Drains the hosts that still live. */
  async end(): Promise<void> {
    await Promise.all([...this.alive].map(({ host }) => host.drain()));
    this.alive.clear();
  }

  async order(agentId: string, goal: string, deadlineAt?: number): Promise<void> {
    const order = orderFor(agentId, goal, deadlineAt);
    await this.send(agentId, { v: 1, type: 'task.ordered', id: `${agentId}.order`, at: Date.now(), order });
  }

  /** A message, and a wake, as everybody sends them. */
  async send(agentId: string, message: Message): Promise<void> {
    await this.put(agentId, message);
    await this.wake(agentId);
  }

  async put(agentId: string, message: Message): Promise<void> {
    orThrow(await this.bus.inbox.put(agentId as AgentId, message));
  }

  async wake(agentId: string): Promise<void> {
    orThrow(await this.bus.wakes.put({ role: toyRole, priority: 'normal' }, agentId as AgentId));
  }

  async journal(agentId: string): Promise<JournalRecord[]> {
    return orThrow(await this.bus.journal.read(agentId as AgentId, 0)).map(({ value }) => value);
  }

  async steps(agentId: string): Promise<RecordOf<'step'>[]> {
    return (await this.journal(agentId)).filter((record) => record.kind === 'step');
  }

  /** As a server that passes over what was damaged on its disk; a negative place counts from the last record. */
  async loseRecords(agentId: string, ...places: number[]): Promise<void> {
    const records = orThrow(await this.bus.journal.read(agentId as AgentId, 0));
    const { token, url } = this.buses.nats;
    const admin = await connect({ servers: url, token });
    const { streams } = await admin.jetstreamManager();
    for (const place of places)
      await streams.deleteMessage(namesOf(this.prefix, 1).streams.journal(0), records.at(place)?.seq ?? 0);
    await admin.close();
  }

  async inbox(agentId: string): Promise<Stored<Message>[]> {
    return orThrow(await this.bus.inbox.read(agentId as AgentId, 0));
  }

  /** One pass of a reconciler that hosts nothing itself; `aheadMs` later by its clock. */
  reconcile(bus: Bus = this.bus, aheadMs = 0): Promise<void> {
    return reconcile({ ...this.reconciler(bus), clock: { ...systemClock, now: () => Date.now() + aheadMs } });
  }

  /** As an operator who deletes a stream, or a server that has lost it. */
  async loseInboxes(): Promise<void> {
    const { token, url } = this.buses.nats;
    const admin = await connect({ servers: url, token });
    await (await admin.jetstreamManager()).streams.delete(namesOf(this.prefix, 1).streams.inbox);
    await admin.close();
  }

  /** One pass over the tasks from `since` on; resolves with where the next begins. */
  findLostTasks(since = ''): Promise<string> {
    return findLostTasks(since, this.reconciler(this.bus));
  }

  private reconciler(bus: Bus): UnservedOptions {
    const leases = createLeases({
      bus,
      clock: systemClock,
      hostId: 'reconciler',
      roles: [],
      leaseMs,
      watchMs: 600_000,
    });
    return { bus, clock: systemClock, hostId: 'reconciler', leases, spokesman: this.world.role('reconciler') };
  }

  /** Resolves when watchers were told that the agent is in that state. */
  reaches(agentId: string, state: string): Promise<void> {
    return until(() => this.world.last(agentId)?.state === state, `${agentId} to reach ${state}`);
  }

  /** Resolves when the agent is in that state and no host has it in memory any more. */
  async rests(agentId: string, state: string): Promise<void> {
    await this.reaches(agentId, state);
    await until(
      () => [...this.alive].every(({ host }) => !host.hosted().includes(agentId as AgentId)),
      `${agentId} to leave all hosts`,
    );
  }
}

const options = (prefix: string): Partial<BusOptions> => ({
  prefix,
  shards: 1,
  leaseMs,
  ackWaitMs: 3_000,
  patienceMs: 1_000,
});

export const until = (holds: () => boolean, what: string, timeout = 6_000): Promise<void> =>
  vi.waitFor(
    () => {
      if (!holds()) throw new Error(`waited in vain for ${what}`);
    },
    { timeout, interval: 5 },
  );

export function orThrow<T>(result: { ok: true; value: T } | { ok: false; failure: { message: string } }): T {
  if (result.ok) return result.value;
  throw new Error(result.failure.message);
}

let messages = 0;
export const correction = (text: string, id = `m${++messages}`): Message => ({
  v: 1,
  type: 'human.corrected',
  id,
  at: 1,
  text,
  by: 'test',
});
export const answer = (text: string, id = `m${++messages}`): Message => ({
  v: 1,
  type: 'human.answered',
  id,
  at: 1,
  requestId: 'apr_1' as Extract<Message, { type: 'human.answered' }>['requestId'],
  text,
  by: 'test',
});
