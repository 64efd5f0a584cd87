/**
 * Consumes the wakes of one role: a puller for each lane that is in use, long polls bounded by capacity, and the free
 * places shared among lanes (`share.ts`). Lanes of tenants are found by what their users tell, and, in
 * case that was lost, by looking at what lies in the stream.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentId, RoleName } from '../domain/id.js';
import { defaultTenant, type Lane } from '../domain/lane.js';
import { ensureConsumer, onDeleted } from './consumer.js';
import type { ConsumeOptions, Wake } from './contract.js';
import { acknowledged, type Delivery, givenBack, inProgress, type PullEnd, Puller, type PullSource } from './pull.js';
import { createSharing, type Sharing } from './share.js';
import type { Store } from './store.js';
import { badToken, isToken, type Names, priorities } from './subject.js';
import { decodeText } from './text.js';

const maxAckPending = 1_000_000;
const idleExpiresMs = 30_000;
/** Requests for what is known to be there end at once, so that places are not kept for wakes which others took. */
const hurriedExpiresMs = 25;
/** A server that is still deleting a consumer takes a request to make it for one about the old one. */
const goneDelayMs = 250;
/** Capacity may change without an event; it is looked at this often. */
const tickMs = 100;
const lookMs = 15_000;
/** A lane that was not heard of for this long is closed here; what comes for it opens it again. */
const closeMs = 60_000;
/** And its consumer goes when all workers have closed it. */
const inactiveMs = 600_000;
/** Of one role; further ones wait until others are closed. */
const mostLanes = 4_096;
/** There may be thousands of them. */
const onDemandHeartbeatMs = 4_000;
const idleAsk = { always: 16, onDemand: 1 };

interface Setting {
  readonly store: Store;
  readonly names: Names;
  readonly role: RoleName;
  readonly ackWaitMs: number;
  readonly options: ConsumeOptions;
  readonly deliver: (wake: Wake) => void;
}

interface OpenLane {
  readonly lane: Lane;
  readonly subject: string;
  readonly rank: number;
  /** Names a tenant: open while it is in use. */
  readonly onDemand: boolean;
  readonly source: PullSource;
  readonly puller: Puller;
  backlog: number;
  unfinished: number;
  heardAt: number;
  /** The consumer is being made. */
  making: boolean;
}

export class RoleConsumer {
  readonly #setting: Setting;
  readonly #sharing: Sharing;
  readonly #lanes = new Map<string, OpenLane>();
  #unfinished = 0;
  #scheduled = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#sharing = createSharing((tenant) => this.#terms(tenant).weight);
  }

  /** Resolves when the signal has aborted and nothing comes any more. */
  async run(): Promise<void> {
    const { names, options, role, store } = this.#setting;
    const { signal } = options;
    if (signal.aborted) return;
    const { wire } = store;
    const tick = setInterval(() => this.#tick(), tickMs);
    const heard = wire.listen(names.lane(role), (msg) => this.#open(decodeText(msg.data)));
    const unlisten = [
      onDeleted(wire, names.streams.wake, (consumer) => this.#lost(consumer)),
      wire.onStatus(({ connected }) => {
        if (connected) void this.#look();
      }),
    ];
    for (const queue of [undefined, ...(options.queues ?? [])])
      for (const priority of priorities) this.#open(names.wake({ role, priority, queue }));
    this.#tick();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    clearInterval(tick);
    heard?.unsubscribe();
    for (const stop of unlisten) stop();
    await Promise.all([...this.#lanes.values()].map(({ puller }) => puller.close()));
  }

  #terms = (tenant: string) =>
    this.#setting.options.terms?.(tenant as NonNullable<Lane['tenant']>) ?? { weight: 1, running: undefined };

  /** Opens the lane of a subject, if it is one that is served here; keeps it open if it is. */
  #open(subject: string): void {
    const { names, options, role, store } = this.#setting;
    const known = this.#lanes.get(subject);
    if (known !== undefined) known.heardAt = performance.now();
    const lane = known === undefined ? names.laneOf(subject) : undefined;
    if (lane?.role !== role || options.signal.aborted || this.#lanes.size >= mostLanes) return;
    const { priority, queue, tenant } = lane;
    if (queue !== undefined && options.queues?.includes(queue) !== true) return;
    const onDemand = tenant !== undefined;
    const source = { stream: names.streams.wake, consumer: names.consumer(lane) };
    const open: OpenLane = {
      lane,
      subject,
      // Work that only some can do goes before what everybody can do.
      rank: priorities.indexOf(priority) * 2 + (queue === undefined ? 1 : 0),
      onDemand,
      source,
      puller: new Puller(
        store.wire,
        source,
        (delivery) => this.#receive(open, delivery),
        (end) => this.#changed(open, end),
        onDemand ? { heartbeatMs: onDemandHeartbeatMs } : {},
      ),
      backlog: 0,
      unfinished: 0,
      heardAt: onDemand ? performance.now() : Number.NEGATIVE_INFINITY,
      making: false,
    };
    this.#lanes.set(subject, open);
    void this.#make(open);
  }

  /** What lies in the stream for this role. */
  async #look(): Promise<void> {
    const { names, options, role, store } = this.#setting;
    this.#lookedAt = performance.now();
    const found = await store.subjects({ stream: names.streams.wake, subject: names.wakes(role) });
    if (options.signal.aborted) return;
    if (!found.ok) return options.onFailure(found.failure);
    for (const subject of found.value.keys()) this.#open(subject);
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#lookedAt > lookMs && this.#setting.store.wire.connected) void this.#look();
    for (const open of this.#lanes.values()) {
      const isUsed = open.unfinished > 0 || open.backlog > 0 || open.making;
      if (!open.onDemand || isUsed || now - open.heardAt < closeMs) continue;
      this.#lanes.delete(open.subject);
      void open.puller.close();
    }
    this.#replenish();
  }

  #receive(open: OpenLane, delivery: Delivery): void {
    const { options, deliver, store } = this.#setting;
    open.backlog = delivery.pending;
    open.heardAt = performance.now();
    const agentId = decodeText(delivery.msg.data);
    if (!isToken(agentId)) {
      store.wire.tell(delivery.reply, acknowledged);
      options.onFailure(badToken('an agent id in a wake', agentId));
    } else if (options.signal.aborted || this.#unfinished >= options.capacity()) {
      store.wire.tell(delivery.reply, givenBack(0));
      open.backlog += 1;
    } else {
      this.#unfinished += 1;
      open.unfinished += 1;
      this.#sharing.took(open.lane.tenant ?? defaultTenant);
      deliver(this.#wakeOf(open, delivery, agentId as AgentId));
    }
    this.#schedule();
  }

  #wakeOf(from: OpenLane, delivery: Delivery, agentId: AgentId): Wake {
    const { wire } = this.#setting.store;
    const { reply, deliveries } = delivery;
    let open = true;
    const finish = (payload: Uint8Array): void => {
      if (!open) return;
      open = false;
      wire.tell(reply, payload);
      this.#unfinished -= 1;
      from.unfinished -= 1;
      this.#sharing.left(from.lane.tenant ?? defaultTenant);
      this.#schedule();
    };
    return {
      ...from.lane,
      agentId,
      deliveries,
      ack: () => finish(acknowledged),
      giveBack: (delayMs) => finish(givenBack(delayMs)),
      extend: () => {
        if (open) wire.tell(reply, inProgress);
      },
    };
  }

  #changed(open: OpenLane, end: PullEnd): void {
    if (this.#setting.options.signal.aborted) return;
    open.backlog = 0;
    if (end === 'gone' && !open.making) void this.#make(open, goneDelayMs);
    else if (end !== 'refused') this.#schedule();
  }

  /** Consumers, or the stream, were deleted. One that the server dropped because nobody used it is no news. */
  #lost(consumer: string | undefined): void {
    const lanes = [...this.#lanes.values()];
    const isElsewhere = consumer?.includes('=') && !lanes.some(({ source }) => source.consumer === consumer);
    if (isElsewhere) return;
    for (const open of lanes) this.#changed(open, 'gone');
  }

  /** Makes the consumer, trying for as long as it takes. */
  async #make(open: OpenLane, afterMs = 0): Promise<void> {
    const { ackWaitMs, options, store } = this.#setting;
    const { signal, onFailure } = options;
    open.making = true;
    if (afterMs > 0) await pause(afterMs);
    open.puller.forget();
    const { running } = this.#terms(open.lane.tenant ?? defaultTenant);
    for (let delayMs = 100; !signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
      const made = await ensureConsumer(store, open.source, {
        subject: open.subject,
        ackWaitMs,
        // A wake is acknowledged when its agent rests: so many of the lane are at work at once, wherever.
        maxAckPending: running ?? maxAckPending,
        ...(open.onDemand ? { inactiveMs } : {}),
      });
      if (made.ok) break;
      onFailure(made.failure);
      await pause(delayMs);
    }
    open.making = false;
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
    const { options, store } = this.#setting;
    if (options.signal.aborted || !store.wire.connected) return;
    const ready = [...this.#lanes.values()].filter(({ making }) => !making);
    const now = performance.now();
    const demands = ready.map(({ subject, lane, rank, onDemand, puller, backlog, unfinished, heardAt }) => ({
      key: subject,
      tenant: lane.tenant ?? defaultTenant,
      rank,
      underway: puller.underway,
      backlog,
      idleAsk: onDemand ? idleAsk.onDemand : idleAsk.always,
      active: unfinished > 0 || now - heardAt < closeMs,
    }));
    for (const { index, count, hurried } of this.#sharing.ask(options.capacity() - this.#unfinished, demands)) {
      ready[index]?.puller.pull(count, hurried ? hurriedExpiresMs : idleExpiresMs);
    }
  }
}
