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
  /** Resets all connections, and every new one. */
  refuse(): void;
  /** Lets everything pass again (on connections that are made from now on). */
  pass(): void;
  /** Resets all connections. */
  cut(): void;
  stop(): Promise<void>;
}

export async function startProxy(target: string): Promise<TestProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let mode: 'pass' | 'no replies' | 'no messages' | 'frozen' | 'refused' = 'pass';
  const server = createServer((client) => {
    if (mode === 'refused') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
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
    refuse: () => {
      mode = 'refused';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
