/** A real nats-server for tests: own port, token and store, ended with the test process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startServer } from '../../src/bus/server.js';

export interface TestNats {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly pid: number;
  /** Ends the server and removes its store. */
  stop(): Promise<void>;
  /** Ends in good order; the store stays. */
  halt(): Promise<void>;
  /** SIGKILL; the store stays. */
  kill(): Promise<void>;
  /** Starts again on the same port, token and store (after `kill`, or ending the running one first). */
  restart(): Promise<void>;
}

export async function startTestNats(): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-nats-'));
  const start = async (port?: number, token?: string): Promise<EmbeddedServer> => {
    const started = await startServer({
      folder,
      env: process.env,
      fetch: false,
      ...(port === undefined ? {} : { port }),
      ...(token === undefined ? {} : { token }),
    });
    if (!started.ok) throw new Error(`${started.failure.message} (${started.failure.hint ?? ''})`);
    return started.value;
  };
  const first = await start();
  let current: EmbeddedServer | undefined = first;
  const end = async (how: 'stop' | 'kill') => {
    await current?.[how]();
    current = undefined;
  };
  return {
    url: first.url,
    token: first.token,
    folder,
    get pid() {
      return current?.pid ?? 0;
    },
    halt: () => end('stop'),
    kill: () => end('kill'),
    restart: async () => {
      await end('stop');
      current = await start(first.port, first.token);
    },
    stop: async () => {
      await end('kill');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
