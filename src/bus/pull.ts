/**
 * Pulling from a durable consumer by long poll, with an exact count of what has been asked for and may still come. The
 * loop of the library does not survive every restart of the server (nats.node#590); this one only sends requests and
 * counts, and its owner asks anew whenever `onChange` says that something was lost.
 */
import type { Msg, Subscription } from 'nats';
import { encode } from './text.js';
import type { Wire } from './wire.js';

export interface Delivery {
  readonly msg: Msg;
  /** Subject to acknowledge on. */
  readonly reply: string;
  readonly streamSeq: number;
  readonly consumerSeq: number;
  /** 1 for the first. */
  readonly deliveries: number;
  /** Messages that this consumer has not delivered yet. */
  readonly pending: number;
}

/**
 * Why less will come than was asked for. `expired`, `reconnected`: ask again; `refused`: ask again, but not at once;
 * `gone`: the consumer is not there.
 */
export type PullEnd = 'expired' | 'reconnected' | 'refused' | 'gone';

export interface PullSource {
  readonly stream: string;
  readonly consumer: string;
}

interface Request {
  readonly count: number;
  readonly expiresAt: number;
}

/** An end that was not told within this time after its moment is taken as told. */
const graceMs = 3_000;
/**
 * On a long request the server gives a sign of life this often. Without it nobody would know of a request that is lost: a
 * consumer that is being deleted may swallow it, and so may a 2.9 server that has more to do than it can.
 */
const heartbeatMs = 1_000;
const missedHeartbeats = 2;
const sweepMs = 500;
export const acknowledged = Buffer.from('+ACK');
export const inProgress = Buffer.from('+WPI');
export const givenBack = (delayMs: number): Uint8Array =>
  Buffer.from(delayMs > 0 ? `-NAK {"delay":${Math.round(delayMs) * 1_000_000}}` : '-NAK');

export class Puller {
  readonly #wire: Wire;
  readonly #subject: string;
  readonly #inbox: string;
  readonly #requests = new Map<string, Request>();
  readonly #onDelivery: (delivery: Delivery) => void;
  readonly #onChange: (end: PullEnd) => void;
  readonly #subscription: Subscription | undefined;
  readonly #unlisten: () => void;
  readonly #sweep: NodeJS.Timeout;
  #underway = 0;
  #counter = 0;
  /** When the last long request was sent or answered in any way; undefined when none is open. */
  #heardAt: number | undefined;
  /** Signs of life were missed at the last look. This process may have been too busy to read them, so they get one more. */
  #missed = false;
  readonly #heartbeatMs: number;

  constructor(
    wire: Wire,
    source: PullSource,
    onDelivery: (delivery: Delivery) => void,
    onChange: (end: PullEnd) => void,
    signs: { readonly heartbeatMs?: number } = {},
  ) {
    this.#wire = wire;
    this.#heartbeatMs = signs.heartbeatMs ?? heartbeatMs;
    this.#inbox = wire.newInbox();
    this.#subject = `$JS.API.CONSUMER.MSG.NEXT.${source.stream}.${source.consumer}`;
    this.#onDelivery = onDelivery;
    this.#onChange = onChange;
    this.#subscription = wire.listen(`${this.#inbox}*`, (msg) => this.#receive(msg));
    this.#unlisten = wire.onStatus(({ connected }) => {
      this.forget();
      if (connected) this.#onChange('reconnected');
    });
    this.#sweep = setInterval(() => this.#expire(), sweepMs);
    this.#sweep.unref();
  }

  /** How many messages have been asked for and may still come. */
  get underway(): number {
    return this.#underway;
  }

  /** Asks for up to `count` messages, to be sent within `expiresMs`. */
  pull(count: number, expiresMs: number): void {
    this.#counter += 1;
    const token = this.#counter.toString(36);
    const long = expiresMs > 2 * this.#heartbeatMs;
    const body = encode({
      batch: count,
      expires: expiresMs * 1_000_000,
      ...(long ? { idle_heartbeat: this.#heartbeatMs * 1_000_000 } : {}),
    });
    if (!this.#wire.tellWithReply(this.#subject, body, this.#inbox + token)) return;
    this.#requests.set(token, { count, expiresAt: performance.now() + expiresMs + graceMs });
    this.#underway += count;
    if (long) this.#heardAt = performance.now();
  }

  /** Stops. What was sent meanwhile is given to the callback until the server has heard of it. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#unlisten();
    this.forget();
    if (this.#wire.connected) await this.#subscription?.drain().catch(() => undefined);
    else this.#subscription?.unsubscribe();
  }

  #receive(msg: Msg): void {
    const { reply } = msg;
    if (this.#heardAt !== undefined) this.#heardAt = performance.now();
    if (reply) {
      const delivery = deliveryOf(msg, reply);
      if (delivery === undefined) return;
      this.#underway = Math.max(0, this.#underway - 1);
      if (this.#underway === 0) this.forget(); // all that was asked for has come: no more signs of life will
      this.#onDelivery(delivery);
      return;
    }
    const code = msg.headers?.code ?? 0;
    if (code < 400) return;
    const token = msg.subject.slice(this.#inbox.length);
    const request = this.#requests.get(token);
    this.#requests.delete(token);
    if (this.#requests.size === 0) this.forget();
    else {
      const left = msg.headers?.get('Nats-Pending-Messages') ?? '';
      this.#underway = Math.max(0, this.#underway - (left === '' ? (request?.count ?? 0) : Number(left)));
    }
    const gone = code === 503 || (code === 409 && /deleted/i.test(msg.headers?.description ?? ''));
    this.#onChange(gone ? 'gone' : code === 408 ? 'expired' : 'refused');
  }

  /** Takes all open requests as ended, without a word to the owner. */
  forget(): void {
    this.#requests.clear();
    this.#underway = 0;
    this.#heardAt = undefined;
    this.#missed = false;
  }

  #expire(): void {
    const now = performance.now();
    const missed = this.#heardAt !== undefined && now - this.#heardAt > missedHeartbeats * this.#heartbeatMs;
    const isLost = missed && this.#missed;
    this.#missed = missed;
    if (isLost) {
      this.forget();
      this.#onChange('gone');
      return;
    }
    let late = false;
    for (const [token, request] of this.#requests) {
      if (request.expiresAt > now) continue;
      this.#requests.delete(token);
      late = true;
    }
    if (!late) return;
    if (this.#requests.size === 0) this.forget();
    this.#onChange('expired');
  }
}

/** Reads `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>`, with or without domain. */
function deliveryOf(msg: Msg, reply: string): Delivery | undefined {
  const parts = reply.split('.');
  const at = parts.length === 9 ? 4 : 6;
  const [deliveries, streamSeq, consumerSeq, , pending] = parts.slice(at, at + 5).map(Number);
  if (deliveries === undefined || streamSeq === undefined || consumerSeq === undefined || pending === undefined)
    return undefined;
  if (parts[1] !== 'ACK') return undefined;
  return { msg, reply, streamSeq, consumerSeq, deliveries, pending };
}
