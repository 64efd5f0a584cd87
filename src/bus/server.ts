/**
 * The embedded nats-server: on loopback, with a random token, its own store, and no WebSocket, MQTT or leaf listener.
 * It ends with the process that started it, however that process dies.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Failure, fail, failure, ok, type Result } from '../domain/failure.js';
import { type BinaryOptions, findBinary } from './binary.js';
import { dropLock, isAlive, type LockNote, readNote, takeLock, updateNote } from './lock.js';

export interface ServerOptions extends BinaryOptions {
  /** Folder of configuration, lock and store; made when it is not there. */
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: a random one. */
  readonly token?: string;
  /** Called once when the server ends without `stop()`. */
  readonly onExit?: (failure: Failure) => void;
}

export interface EmbeddedServer {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  /** Ends the server and resolves when it is gone and the folder is free again. */
  stop(): Promise<void>;
  /** The same by SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const startTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;

/** Starts a server on the folder's store. Fails with `conflict` when another living process runs one there. */
export async function startServer(options: ServerOptions): Promise<Result<EmbeddedServer>> {
  const binary = await findBinary(options);
  if (!binary.ok) return binary;
  const folder = resolve(options.folder);
  const config = join(folder, 'server.conf');
  const token = options.token ?? randomBytes(24).toString('base64url');
  const note: LockNote = { v: 1, ownerPid: process.pid, serverPid: 0, config, url: '', token };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await takeLock(folder, note);
    if (!lock.taken) return heldBy(folder, lock.by);
    await writeFile(config, configuration(folder, options.port ?? -1, token), { mode: 0o600 });
  } catch (error) {
    return fail(
      'storage_refused',
      `cannot write to ${folder}: ${String(error)}`,
      'choose another folder with HACT_DATA_DIR',
    );
  }
  const started = await launch(binary.value.path, config);
  if (!started.ok) {
    await dropLock(folder);
    return started;
  }
  const { child, port, exited } = started.value;
  const url = `nats://127.0.0.1:${port}`;
  await updateNote(folder, { ...note, serverPid: child.pid ?? 0, url });
  return ok(handle({ child, exited, folder, url, token, port, version: binary.value.version, onExit: options.onExit }));
}

/** Url and token of the server that another process of this installation runs on the folder, if one does. */
export async function findServer(folder: string): Promise<{ url: string; token: string } | undefined> {
  const note = await readNote(resolve(folder));
  if (note === undefined || note.url === '' || !isAlive(note.ownerPid) || !isAlive(note.serverPid)) return undefined;
  return { url: note.url, token: note.token };
}

const heldBy = (folder: string, note: LockNote) =>
  fail(
    'conflict',
    `the NATS store in ${folder} is in use by process ${note.ownerPid}`,
    'connect to that one, or choose another folder with HACT_DATA_DIR',
  );

const configuration = (folder: string, port: number, token: string): string =>
  [
    'host: "127.0.0.1"',
    `port: ${port}`,
    `authorization { token: ${JSON.stringify(token)} }`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }`,
    'lame_duck_duration: "30s"',
    '',
  ].join('\n');

interface Launched {
  readonly child: ChildProcess;
  readonly port: number;
  readonly exited: Promise<void>;
}

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

function launch(binary: string, config: string): Promise<Result<Launched>> {
  const guarded = process.platform !== 'win32';
  const child = guarded
    ? spawn('/bin/sh', ['-c', guardScript, binary, config], {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        detached: true,
      })
    : spawn(binary, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
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
      log = (log + text).slice(-8000);
      const port = /client connections on \S*:(\d+)/.exec(log)?.[1];
      if (port !== undefined && log.includes('Server is ready')) settle(ok({ child, port: Number(port), exited }));
    });
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

function handle(
  parts: Launched & {
    folder: string;
    url: string;
    token: string;
    version: string;
    onExit: ((failure: Failure) => void) | undefined;
  },
): EmbeddedServer {
  const { child, exited, folder, url, token, port, version } = parts;
  let ending = false;
  const released = exited.then(async () => {
    await dropLock(folder).catch(() => undefined);
    if (!ending)
      parts.onExit?.(failure('bus_unreachable', `the embedded nats-server (process ${child.pid}) ended by itself`));
  });
  child.unref();
  const end = async (first: NodeJS.Signals): Promise<void> => {
    ending = true;
    const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    child.ref();
    child.kill(first);
    await released;
    clearTimeout(force);
  };
  return { url, token, port, version, pid: child.pid ?? 0, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
