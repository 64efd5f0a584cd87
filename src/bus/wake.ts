/** The wake queue: one work-queue stream, one durable consumer per role and priority, long polls bounded by capacity. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Failure, ok } from '../domain/failure.js';
import type { AgentId, RoleName } from '../domain/id.js';
import type { Priority } from '../domain/task.js';
import { ensureConsumer, onDeleted } from './consumer.js';
import type { Wake, WakeQueue } from './contract.js';
import { acknowledged, type Delivery, givenBack, inProgress, type PullEnd, Puller, type PullSource } from './pull.js';
import { share } from './share.js';
import type { Store } from './store.js';
import { badToken, isToken, type Names, priorities } from './subject.js';
import { decodeText } from './text.js';
import type { Wire } from './wire.js';

const maxAckPending = 1_000_000;
const idleExpiresMs = 30_000;
/** Requests for what is known to be there end soon, so that places are not kept for wakes which others took. */
const hurriedExpiresMs = 250;
/** A server that is still deleting a consumer takes a request to make it for one about the old one. */
const goneDelayMs = 250;
/** Capacity may change without an event; it is looked at this often. */
const tickMs = 100;

type ConsumeOptions = { capacity: () => number; signal: AbortSignal; onFailure: (failure: Failure) => void };

/** @param ackWaitMs a wake that is neither acknowledged nor extended for this long is delivered again. */
export function wakeQueueOn(store: Store, names: Names, ackWaitMs: number): WakeQueue {
  const stream = names.streams.wake;
  return {
    put: async (role, priority, agentId) => {
      if (!isToken(role)) return { ok: false, failure: badToken('a role name', role) };
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const stored = await store.write({ stream, subject: names.wake(role, priority) }, Buffer.from(agentId));
      return stored.ok ? ok(undefined) : stored;
    },
    consume: async (role, options, deliver) => {
      if (!isToken(role)) return options.onFailure(badToken('a role name', role));
      await new RoleConsumer(store, names, role, ackWaitMs, options, deliver).run();
    },
  };
}

interface Queue {
  readonly priority: Priority;
  readonly source: PullSource;
  readonly puller: Puller;
  backlog: number;
  /** The consumer is being made. */
  making: boolean;
}

class RoleConsumer {
  readonly #store: Store;
  readonly #wire: Wire;
  readonly #names: Names;
  readonly #role: RoleName;
  readonly #ackWaitMs: number;
  readonly #options: ConsumeOptions;
  readonly #deliver: (wake: Wake) => void;
  readonly #queues: Queue[];
  #unfinished = 0;
  #scheduled = false;

  constructor(
    store: Store,
    names: Names,
    role: RoleName,
    ackWaitMs: number,
    options: ConsumeOptions,
    deliver: (wake: Wake) => void,
  ) {
    this.#store = store;
    this.#wire = store.wire;
    this.#names = names;
    this.#role = role;
    this.#ackWaitMs = ackWaitMs;
    this.#options = options;
    this.#deliver = deliver;
    this.#queues = priorities.map((priority, index) => {
      const source = { stream: names.streams.wake, consumer: `${role}-${priority}` };
      const puller = new Puller(
        store.wire,
        source,
        (delivery) => this.#receive(index, delivery),
        (end) => this.#changed(index, end),
      );
      return { priority, source, puller, backlog: 0, making: false };
    });
  }

  /** Resolves when the signal has aborted and nothing comes any more. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const tick = setInterval(() => this.#replenish(), tickMs);
    const unlisten = onDeleted(this.#wire, this.#names.streams.wake, () => {
      for (const index of this.#queues.keys()) this.#changed(index, 'gone');
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      for (const queue of this.#queues) void this.#make(queue);
    });
    clearInterval(tick);
    unlisten();
    await Promise.all(this.#queues.map(({ puller }) => puller.close()));
  }

  #receive(index: number, delivery: Delivery): void {
    const queue = this.#queues[index];
    if (queue === undefined) return;
    queue.backlog = delivery.pending;
    const { signal, capacity } = this.#options;
    const agentId = decodeText(delivery.msg.data);
    if (!isToken(agentId)) {
      this.#wire.tell(delivery.reply, acknowledged);
      this.#options.onFailure(badToken('an agent id in a wake', agentId));
    } else if (signal.aborted || this.#unfinished >= capacity()) {
      this.#wire.tell(delivery.reply, givenBack(0));
      queue.backlog += 1;
    } else {
      this.#unfinished += 1;
      this.#deliver(this.#wakeOf(queue, delivery, agentId as AgentId));
    }
    this.#schedule();
  }

  #wakeOf(queue: Queue, delivery: Delivery, agentId: AgentId): Wake {
    const { reply, deliveries } = delivery;
    let open = true;
    const finish = (payload: Uint8Array): void => {
      if (!open) return;
      open = false;
      this.#wire.tell(reply, payload);
      this.#unfinished -= 1;
      this.#schedule();
    };
    return {
      agentId,
      role: this.#role,
      priority: queue.priority,
      deliveries,
      ack: () => finish(acknowledged),
      giveBack: (delayMs) => finish(givenBack(delayMs)),
      extend: () => {
        if (open) this.#wire.tell(reply, inProgress);
      },
    };
  }

  #changed(index: number, end: PullEnd): void {
    const queue = this.#queues[index];
    if (queue === undefined || this.#options.signal.aborted) return;
    queue.backlog = 0;
    if (end === 'gone' && !queue.making) void this.#make(queue, goneDelayMs);
    else if (end !== 'refused') this.#schedule();
  }

  /** Makes the consumer, trying for as long as it takes. */
  async #make(queue: Queue, afterMs = 0): Promise<void> {
    const { signal, onFailure } = this.#options;
    queue.making = true;
    await pause(afterMs);
    queue.puller.forget();
    for (let delayMs = 100; !signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
      const subject = this.#names.wake(this.#role, queue.priority);
      const made = await ensureConsumer(this.#store, queue.source, {
        subject,
        ackWaitMs: this.#ackWaitMs,
        maxAckPending,
      });
      if (made.ok) break;
      onFailure(made.failure);
      await pause(delayMs);
    }
    queue.making = false;
    this.#schedule();
  }

  /** Many deliveries of one socket read lead to one round of requests. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#replenish();
    });
  }

  #replenish(): void {
    if (this.#options.signal.aborted || !this.#wire.connected) return;
    const ready = this.#queues.filter((queue) => !queue.making);
    const demands = ready.map(({ puller, backlog }) => ({ underway: puller.underway, backlog }));
    for (const { index, count, hurried } of share(this.#options.capacity() - this.#unfinished, demands)) {
      ready[index]?.puller.pull(count, hurried ? hurriedExpiresMs : idleExpiresMs);
    }
  }
}
