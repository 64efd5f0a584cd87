/** Starting a nats-server as a child process that ends with this one, however this one ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fail, ok, type Result } from '../domain/failure.js';

export interface Launched {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the server has ended. */
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const startTimeoutMs = 30_000;
const logBytes = 8_000;
/** What a server is short of: room on its disk, or of what its configuration allows. */
export type Shortage = 'disk' | 'limit';

/** What a server says that could not write, of 2.9 and later. */
const shortPatterns: readonly (readonly [Shortage, RegExp])[] = [
  ['disk', /no space left on device/i],
  ['limit', /resource limits exceeded|out of (?:file |storage |memory )?resources/i],
];

/**
 * The guard is a child of the same shell that becomes the server: it reads a pipe which closes with our process (by
 * whatever death) and then ends the server. `$$` stays the pid of the shell, hence of the server.
 */
const guardScript = `(
  cat <&3 >/dev/null
  kill -TERM $$ 2>/dev/null
  n=0; while [ $n -lt 50 ] && kill -0 $$ 2>/dev/null; do sleep 0.1; n=$((n+1)); done
  kill -KILL $$ 2>/dev/null
) >/dev/null 2>&1 &
exec "$0" -c "$1" 3<&-`;

/**
 * Resolves when the server takes connections.
 * @param onShort called whenever the server says that it is short of space.
 */
export function launch(binary: string, config: string, onShort: (of: Shortage) => void): Promise<Result<Launched>> {
  const child = start(binary, config);
  const exited = new Promise<void>((done) => {
    child.once('exit', () => {
      endGroup(child);
      done();
    });
  });
  return new Promise((done) => {
    let log = '';
    const settle = (outcome: Result<Launched>) => {
      clearTimeout(timer);
      if (!outcome.ok) endGroup(child);
      done(outcome);
    };
    const refuse = (what: string) =>
      settle(fail('bus_unreachable', `nats-server ${what}: ${tail(log)}`, 'look at its configuration and store'));
    const timer = setTimeout(() => refuse(`was not ready after ${startTimeoutMs} ms`), startTimeoutMs);
    child.once('error', (error) => refuse(`did not start (${error.message})`));
    void exited.then(() => refuse('ended while starting'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-logBytes);
      for (const [of, pattern] of shortPatterns) if (pattern.test(text)) onShort(of);
      const port = /client connections on \S*:(\d+)/.exec(log)?.[1];
      if (port === undefined || child.pid === undefined || !log.includes('Server is ready')) return;
      settle(ok({ pid: child.pid, port: Number(port), exited, kill: (signal) => void child.kill(signal) }));
    });
  });
}

function start(binary: string, config: string): ChildProcess {
  if (process.platform === 'win32') {
    return spawn(binary, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  }
  return spawn('/bin/sh', ['-c', guardScript, binary, config], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // A process group of its own: an interrupt at the terminal reaches us, and we end the server in good order.
    detached: true,
  });
}

/** The last lines of a log, for a message. */
const tail = (log: string): string => log.trim().split('\n').slice(-4).join(' | ') || 'it said nothing';

/** Ends whatever is left of the child's process group: after the server's exit, its guard. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
