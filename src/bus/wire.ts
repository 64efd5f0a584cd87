/**
 * One connection, and request and reply on it. Replies of all requests come over one wildcard subscription; a request
 * costs a map entry, so that a stored write takes about a third of the library's own `js.publish` (15 against 50 µs).
 */
import { createInbox, type Msg, type MsgHdrs, type NatsConnection, type PublishOptions, type Subscription } from 'nats';
import type { BusStatus } from './contract.js';

export type Reply =
  | { readonly kind: 'answer'; readonly msg: Msg }
  /** The server says that nobody listens on that subject. */
  | { readonly kind: 'nobody' }
  /** Sent, and the connection was lost before a reply came: whether it was carried out is not known. */
  | { readonly kind: 'lost' }
  /** The same, and the connection stands: no reply in time. */
  | { readonly kind: 'silent' }
  /** Not sent: there was no connection for as long as we wait for one. */
  | { readonly kind: 'away' }
  /** The server says that this user may not publish there. */
  | { readonly kind: 'denied' };

const lost: Reply = { kind: 'lost' };
const silent: Reply = { kind: 'silent' };
const away: Reply = { kind: 'away' };
const nobody: Reply = { kind: 'nobody' };
const denied: Reply = { kind: 'denied' };
const sweepMs = 100;
const closeTimeoutMs = 2_000;

interface Pending {
  readonly subject: string;
  readonly settle: (reply: Reply) => void;
  readonly expiresAt: number;
  /** For requests with several replies: takes one, and returns true when it was the last. */
  readonly collect: ((msg: Msg) => boolean) | undefined;
}

/** A message that waits for the end of this turn of the event loop. */
interface Outgoing {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly options: PublishOptions;
  /** The connection was lost meanwhile, or the library refused the message before a byte was sent. */
  readonly refused: (() => void) | undefined;
}

export interface WireOptions {
  /** How long a call waits for the connection to come back. */
  readonly patienceMs: number;
  /** Connects anew and leaves at once; rejects when nobody answers in time. */
  readonly knock?: (timeoutMs: number) => Promise<void>;
  /** Of the subjects on which replies come. Default `_INBOX`. */
  readonly inboxPrefix?: string | undefined;
}

export class Wire {
  readonly connection: NatsConnection;
  readonly patienceMs: number;
  readonly #knock: WireOptions['knock'];
  readonly #inboxPrefix: string;
  #connected = true;
  #closed = false;
  #counter = 0;
  /** Below it come the replies of this connection. */
  readonly #inbox: string;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting = new Set<(connected: boolean) => void>();
  readonly #listeners = new Set<(status: BusStatus) => void>();
  #outgoing: Outgoing[] = [];
  #onDenied: (subject: string) => void = () => undefined;
  readonly #sweep: NodeJS.Timeout;

  constructor(connection: NatsConnection, options: WireOptions) {
    this.connection = connection;
    this.#knock = options.knock;
    this.#inboxPrefix = options.inboxPrefix ?? '_INBOX';
    this.#inbox = this.newInbox();
    this.patienceMs = options.patienceMs;
    connection.subscribe(`${this.#inbox}*`, { callback: (_error, msg) => this.#receive(msg) });
    this.#sweep = setInterval(() => this.#expire(), sweepMs);
    this.#sweep.unref();
    void this.#followStatus();
    void connection.closed().then(() => this.#end());
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** A subject for replies that nobody else has, with a dot at its end. */
  newInbox(): string {
    return `${createInbox(this.#inboxPrefix)}.`;
  }

  /** The most bytes that a message may have, headers included. */
  get maxPayload(): number {
    return this.connection.info?.max_payload ?? 1_048_576;
  }

  status(): BusStatus {
    const { info } = this.connection;
    return { connected: this.#connected, server: this.connection.getServer(), version: info?.version ?? '' };
  }

  onStatus(callback: (status: BusStatus) => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** Sends a request and resolves with what came of it. Never rejects. */
  ask(subject: string, payload: Uint8Array, timeoutMs: number, headers?: RawHeaders): Promise<Reply> {
    if (this.#connected) return this.#send(subject, payload, timeoutMs, headers);
    return this.ready().then((connected) => (connected ? this.#send(subject, payload, timeoutMs, headers) : away));
  }

  /** The same for a request with several replies; the last one, for which `collect` returns true, is the answer. */
  async askMany(
    subject: string,
    payload: Uint8Array,
    timeoutMs: number,
    collect: (msg: Msg) => boolean,
  ): Promise<Reply> {
    return (await this.ready()) ? this.#send(subject, payload, timeoutMs, undefined, collect) : away;
  }

  /** Sends at the end of this turn, without a reply; false when there is no connection now. Whether it arrives is not known. */
  tell(subject: string, payload: Uint8Array, headers?: RawHeaders): boolean {
    if (!this.#connected) return false;
    this.#publish(subject, payload, headers === undefined ? {} : { headers: asHeaders(headers) });
    return true;
  }

  /** Sends a pull request or the like, whose replies come over a subscription of the caller. */
  tellWithReply(subject: string, payload: Uint8Array, reply: string): boolean {
    if (!this.#connected) return false;
    this.#publish(subject, payload, { reply });
    return true;
  }

  /** Subscribes; the subscription outlives reconnects. Undefined once the bus is closed. The callback must not throw. */
  listen(subject: string, callback: (msg: Msg) => void, queue?: string): Subscription | undefined {
    if (this.#closed) return undefined;
    try {
      return this.connection.subscribe(subject, {
        callback: (error, msg) => {
          if (error === null) callback(msg);
        },
        ...(queue === undefined ? {} : { queue }),
      });
    } catch {
      return undefined;
    }
  }

  /** Resolves true as soon as there is a connection; false after the patience. */
  ready(patienceMs = this.patienceMs): Promise<boolean> {
    if (this.#connected) return Promise.resolve(true);
    if (this.#closed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (connected: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve(connected);
      };
      const timer = setTimeout(() => done(false), patienceMs);
      this.#waiting.add(done);
    });
  }

  /**
   * Whether the server answers at all, on this connection or on a new one: a server whose disk is full may read no more
   * from a connection that has sent it a write (measured on 2.9.10).
   */
  async answers(timeoutMs: number): Promise<boolean> {
    const late = new Promise<never>((_, reject) => setTimeout(reject, timeoutMs).unref());
    this.#flush();
    const signs = [this.connection.flush(), this.#knock?.(timeoutMs) ?? late].map((sign) => Promise.race([sign, late]));
    return Promise.any(signs).then(
      () => true,
      () => false,
    );
  }

  /** The subjects that the server refuses this user while `act` sends and listens, synchronously. */
  async refusals(act: () => void): Promise<ReadonlySet<string>> {
    const refused = new Set<string>();
    this.#onDenied = (subject) => refused.add(subject);
    act();
    this.#flush();
    await this.connection.flush().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve)); // what the library was told, it passes on in a later turn
    this.#onDenied = () => undefined;
    return refused;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    if (this.#connected) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeTimeoutMs).unref());
      await Promise.race([this.connection.drain().catch(() => undefined), late]);
    }
    if (!this.connection.isClosed()) await this.connection.close().catch(() => undefined);
    this.#end();
  }

  #send(
    subject: string,
    payload: Uint8Array,
    timeoutMs: number,
    headers?: RawHeaders,
    collect?: (msg: Msg) => boolean,
  ): Promise<Reply> {
    return new Promise((settle) => {
      this.#counter += 1;
      const token = this.#counter.toString(36);
      const reply = this.#inbox + token;
      this.#pending.set(reply, { subject, settle, expiresAt: performance.now() + timeoutMs, collect });
      const options = headers === undefined ? { reply } : { reply, headers: asHeaders(headers) };
      this.#publish(subject, payload, options, () => {
        if (this.#pending.delete(reply)) settle(away);
      });
    });
  }

  /**
   * All messages of one turn of the event loop leave in one write: agents at work side by side fall into step, and a
   * shared write costs them and the server a fraction of a lone one.
   */
  #publish(subject: string, payload: Uint8Array, options: PublishOptions, refused?: () => void): void {
    const count = this.#outgoing.push({ subject, payload, options, refused });
    if (count === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const outgoing = this.#outgoing;
    this.#outgoing = [];
    for (const { subject, payload, options, refused } of outgoing) {
      // The library would keep it and send it after the reconnect, when nobody waits for the answer any more.
      if (!this.#connected) {
        refused?.();
        continue;
      }
      try {
        this.connection.publish(subject, payload, options);
      } catch {
        refused?.();
      }
    }
  }

  #receive(msg: Msg): void {
    const reply = msg.subject;
    const pending = this.#pending.get(reply);
    if (pending === undefined) return;
    if (pending.collect !== undefined && !pending.collect(msg)) return;
    this.#pending.delete(reply);
    pending.settle(msg.data.length === 0 && msg.headers?.code === 503 ? nobody : { kind: 'answer', msg });
  }

  #expire(): void {
    const now = performance.now();
    for (const [reply, pending] of this.#pending) {
      if (pending.expiresAt > now) continue;
      this.#pending.delete(reply);
      pending.settle(silent);
    }
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.#set(false);
      else if (status.type === 'reconnect') this.#set(true);
      else if (status.permissionContext !== undefined) {
        this.#onDenied(status.permissionContext.subject);
        if (status.permissionContext.operation === 'publish') this.#deny(status.permissionContext.subject);
      }
    }
  }

  #deny(subject: string): void {
    for (const [reply, pending] of this.#pending) {
      if (pending.subject !== subject) continue;
      this.#pending.delete(reply);
      pending.settle(denied);
    }
  }

  #set(connected: boolean): void {
    if (!connected) {
      const pending = [...this.#pending.values()];
      this.#pending.clear();
      for (const { settle } of pending) settle(lost);
    }
    if (this.#connected === connected) return;
    this.#connected = connected;
    if (connected) for (const done of [...this.#waiting]) done(true);
    const status = this.status();
    for (const listener of [...this.#listeners]) listener(status);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#set(false);
    for (const done of [...this.#waiting]) done(false);
    this.#listeners.clear();
  }
}

/** Headers that are already text. The library needs nothing of a headers object but `encode` when it publishes. */
export class RawHeaders {
  readonly #bytes: Uint8Array;
  /** @param fields complete `Name: value\r\n` lines; values must not hold line breaks. */
  constructor(fields: string) {
    this.#bytes = Buffer.from(`NATS/1.0\r\n${fields}\r\n`, 'latin1');
  }
  encode(): Uint8Array {
    return this.#bytes;
  }
}

const asHeaders = (headers: RawHeaders): MsgHdrs => headers as unknown as MsgHdrs;
