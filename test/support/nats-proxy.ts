/** A TCP proxy before a server, which can hold back, delay and repeat what passes, in either direction, and cut connections. */
import { connect, createServer, type Socket } from 'node:net';
import { Frames, isMessage } from './nats-frames.js';

export interface TestProxy {
  readonly url: string;
  /** Drops from now on what the server sends to clients. */
  swallowReplies(): void;
  /** Drops from now on the messages that the server sends, not its answers to pings. */
  swallowMessages(): void;
  /** Drops from now on everything, and closes nothing: a half-open connection. */
  freeze(): void;
  /** Resets all connections, and every new one. */
  refuse(): void;
  /** Holds everything back by so much, in order; 0 for no longer. */
  delay(ms: number): void;
  /** Whether each message passes twice (of NATS connections only). */
  repeat(twice: boolean): void;
  /** Sends the server the last messages of all connections once more (of NATS connections only). */
  replay(): void;
  /** Lets everything pass again (on connections that are made from now on). */
  pass(): void;
  /** Resets all connections. */
  cut(): void;
  stop(): Promise<void>;
}

/** So many messages of a connection are kept for a replay. */
const mostKept = 100;

interface Disorder {
  delayMs: number;
  twice: boolean;
}

/** One direction of one connection. What it is given leaves in order, however the delay changes. */
class Lane {
  readonly #to: Socket;
  readonly #disorder: Disorder;
  readonly #frames: Frames | undefined;
  readonly #waiting: { readonly piece: Buffer; readonly dueAt: number }[] = [];
  #kept: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(to: Socket, disorder: Disorder, frames: Frames | undefined) {
    this.#to = to;
    this.#disorder = disorder;
    this.#frames = frames;
  }

  take(bytes: Buffer): void {
    for (const piece of this.#frames?.push(bytes) ?? [bytes]) {
      const repeatable = this.#frames !== undefined && isMessage(piece);
      this.#send(piece);
      if (repeatable && this.#disorder.twice) this.#send(piece);
      if (repeatable) this.#kept = [...this.#kept.slice(1 - mostKept), piece];
    }
  }

  replay(): void {
    for (const piece of this.#kept) this.#send(piece);
  }

  #send(piece: Buffer): void {
    this.#waiting.push({ piece, dueAt: performance.now() + this.#disorder.delayMs });
    if (this.#timer === undefined) this.#pump();
  }

  #pump(): void {
    this.#timer = undefined;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const leftMs = first.dueAt - performance.now();
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), leftMs);
        return;
      }
      this.#waiting.shift();
      if (!this.#to.destroyed) this.#to.write(first.piece);
    }
  }
}

/** @param nats whether the NATS protocol is spoken, so that single messages can be told apart */
export async function startProxy(target: string, { nats = false } = {}): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const lanes = new Set<Lane>();
  const disorder: Disorder = { delayMs: 0, twice: false };
  let mode: 'pass' | 'no replies' | 'no messages' | 'frozen' | 'refused' = 'pass';
  const laneTo = (socket: Socket): Lane => new Lane(socket, disorder, nats ? new Frames() : undefined);
  const server = createServer((client) => {
    if (mode === 'refused') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    const [asked, answered] = [laneTo(upstream), laneTo(client)];
    lanes.add(asked);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        lanes.delete(asked);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (mode !== 'frozen') asked.take(bytes);
    });
    upstream.on('data', (bytes) => {
      const pingsOnly = mode === 'no messages' && !bytes.includes('MSG ');
      if (mode === 'pass' || pingsOnly) answered.take(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `nats://127.0.0.1:${listening}`,
    swallowReplies: () => {
      mode = 'no replies';
    },
    swallowMessages: () => {
      mode = 'no messages';
    },
    freeze: () => {
      mode = 'frozen';
    },
    pass: () => {
      mode = 'pass';
    },
    refuse: () => {
      mode = 'refused';
      cut();
    },
    delay: (ms) => {
      disorder.delayMs = ms;
    },
    repeat: (twice) => {
      disorder.twice = twice;
    },
    replay: () => {
      for (const lane of lanes) lane.replay();
    },
    cut,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
