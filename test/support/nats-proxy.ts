/** A TCP proxy before a server, which can hold back what passes, in either direction, and cut connections. */
import { connect, createServer, type Socket } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** Drops from now on what the server sends to clients. */
  swallowReplies(): void;
  /** Drops from now on the messages that the server sends, not its answers to pings. */
  swallowMessages(): void;
  /** Drops from now on everything, and closes nothing: a half-open connection. */
  freeze(): void;
  /** Lets everything pass again (on connections that are made from now on). */
  pass(): void;
  /** Resets all connections. */
  cut(): void;
  /** Resolves when `count` more pieces have come from clients. */
  heard(count: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startProxy(target: string): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'no replies' | 'no messages' | 'frozen' = 'pass';
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (mode !== 'frozen') upstream.write(bytes);
      for (const one of waiting) {
        one.count -= 1;
        if (one.count <= 0) one.resolve();
      }
      waiting = waiting.filter(({ count }) => count > 0);
    });
    upstream.on('data', (bytes) => {
      const pingsOnly = mode === 'no messages' && !bytes.includes('MSG ');
      if (mode === 'pass' || pingsOnly) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : 0;
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
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    heard: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
