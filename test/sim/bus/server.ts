/** The simulated NATS server: what it stores, and who is connected. All its methods are at once; the links make them slow. */
import type { Timer } from '../../../src/bus/contract.js';
import type { BucketName } from '../../../src/bus/subject.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { fail, type Result } from '../../../src/domain/failure.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Json } from '../../../src/domain/json.js';
import { defaultQueue, defaultTenant, type Lane } from '../../../src/domain/lane.js';
import type { SimProcess } from '../kernel/process.js';
import type { World } from '../kernel/world.js';
import { BucketStore } from './bucket-store.js';
import type { Link, LinkOptions } from './link.js';
import { LogStore } from './log-store.js';
import { WorkQueue } from './work-queue.js';

export interface ServerOptions extends LinkOptions {
  /** Life of keys in the host bucket. */
  readonly leaseMs: number;
  /** A wake that nobody acknowledges or extends for this long is delivered again. */
  readonly ackWaitMs: number;
  /** Hears of every record that is stored, and of every one that is refused. */
  readonly onAppend?: (append: Append) => void;
  /** Hears of every dead letter, as JSON text. */
  readonly onDeadLetter?: (text: string) => void;
  /** Hears of every value that is put under a key. */
  readonly onPut?: (bucket: string, key: string, value: Json) => void;
}

export interface Append {
  readonly process: SimProcess;
  readonly agentId: string;
  readonly record: JournalRecord;
  readonly after: number;
  readonly outcome: Result<number>;
}

/** What a wake says. */
export interface SimWake {
  readonly agentId: string;
  readonly lane: Lane;
}

/** Somebody who serves a request. */
export interface Service {
  readonly process: SimProcess;
  handle(body: string, reply: (answer: Result<Json>) => void): void;
}

export interface FeedEntry {
  readonly seq: number;
  readonly taskId: string;
  readonly event: FeedEvent;
}

const timerAckMs = 5_000;

export class SimServer {
  /** Its disk is full: nothing is stored. */
  refusing = false;
  readonly journal = new LogStore();
  readonly inbox = new LogStore();
  readonly dead = new LogStore();
  readonly wakes = new Map<string, WorkQueue<SimWake>>();
  readonly timers: WorkQueue<Timer>;
  readonly buckets: Readonly<Record<BucketName, BucketStore>>;
  readonly feed: FeedEntry[] = [];
  readonly blobs = new Map<string, Uint8Array>();
  readonly services = new Map<string, Set<Service>>();
  readonly hosts = new Map<string, Set<SimProcess>>();
  readonly links = new Set<Link>();
  private readonly listeners = new Map<string, Set<(seq?: number) => void>>();

  constructor(
    readonly world: World,
    readonly options: ServerOptions,
  ) {
    this.timers = new WorkQueue(world, timerAckMs);
    const bucket = (lifeMs?: number) => new BucketStore(world, lifeMs);
    this.buckets = {
      lease: bucket(),
      host: bucket(options.leaseMs),
      agent: bucket(),
      task: bucket(),
      approval: bucket(),
      lesson: bucket(),
      provider: bucket(),
    };
  }

  /** Does what stores something, unless the disk is full. */
  store<T>(act: () => Result<T>): Result<T> {
    return this.refusing ? fail('storage_refused', 'insufficient resources', 'look at its disk space') : act();
  }

  /** One for each role and queue; priorities are ranks in it, and tenants take their turn as they come. */
  wakesOf(role: string, queueName: string = defaultQueue): WorkQueue<SimWake> {
    const place = `${role} ${queueName}`;
    const known = this.wakes.get(place);
    if (known !== undefined) return known;
    const queue = new WorkQueue<SimWake>(this.world, this.options.ackWaitMs);
    this.wakes.set(place, queue);
    return queue;
  }

  /** Wakes of a tenant that nobody has taken. */
  waiting(tenant: string): number {
    const isTenants = ({ lane }: SimWake): boolean => (lane.tenant ?? defaultTenant) === tenant;
    return [...this.wakes.values()].reduce((sum, queue) => sum + queue.untaken(isTenants), 0);
  }

  /** Wakes and timers that nobody has acknowledged. */
  get queued(): number {
    return [...this.wakes.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** What lies in memory is gone, and so are all connections. */
  restart(awayMs: number): void {
    this.buckets.lease.empty();
    this.buckets.host.empty();
    for (const link of this.links) {
      if (!link.process.linked) continue;
      link.connect(false);
      this.world.after(awayMs, () => link.connect(true));
    }
  }

  listen(subject: string, callback: (seq?: number) => void): () => void {
    const listeners = this.listeners.get(subject) ?? new Set();
    listeners.add(callback);
    this.listeners.set(subject, listeners);
    return () => listeners.delete(callback);
  }

  notify(subject: string, seq?: number): void {
    for (const tell of this.listeners.get(subject) ?? []) tell(seq);
  }
}
