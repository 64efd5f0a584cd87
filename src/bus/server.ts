/**
 * The embedded nats-server: on loopback, with a random token, its own store, and no WebSocket, MQTT or leaf listener.
 * It ends with the process that started it, however that process dies.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Failure, fail, failure, ok, type Result } from '../domain/failure.js';
import { type BinaryOptions, findBinary } from './binary.js';
import { type Launched, launch, type Shortage } from './launch.js';
import { dropLock, heldBy, type LockNote, takeLock, updateNote } from './lock.js';
import { freeBytes, storeLimit } from './space.js';

export interface ServerOptions extends BinaryOptions {
  /** Folder of configuration, lock and store; made when it is not there. */
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: a random one. */
  readonly token?: string;
  /** Most bytes that the store may have. Default: what it has, and most of what is free. */
  readonly maxStoreBytes?: number;
  /** Called once when the server ends without `stop()`. */
  readonly onExit?: (failure: Failure) => void;
  /** Called whenever the server says that it is short of space. It takes no more writes then until it is started again. */
  readonly onShort?: (of: Shortage) => void;
}

export interface EmbeddedServer {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  /** Ends the server and resolves when it is gone and the folder is free again. Killed after `patienceMs` (10,000). */
  stop(patienceMs?: number): Promise<void>;
  /** The same by SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const stopTimeoutMs = 10_000;

/** Starts a server on the folder's store. Fails with `conflict` when one runs there already. */
export async function startServer(options: ServerOptions): Promise<Result<EmbeddedServer>> {
  const binary = await findBinary(options);
  if (!binary.ok) return binary;
  const folder = resolve(options.folder);
  const config = join(folder, 'server.conf');
  const note: LockNote = {
    v: 1,
    id: randomBytes(9).toString('base64url'),
    ownerPid: process.pid,
    serverPid: 0,
    at: Date.now(),
    config,
    url: '',
    token: options.token ?? randomBytes(24).toString('base64url'),
  };
  const prepared = await prepare(folder, note, options);
  if (!prepared.ok) return prepared;
  const started = await launch(binary.value.path, config, options.onShort ?? (() => undefined));
  if (!started.ok) {
    await dropLock(folder).catch(() => undefined);
    return started;
  }
  const { pid, port } = started.value;
  const url = `nats://127.0.0.1:${port}`;
  await updateNote(folder, { ...note, serverPid: pid, url }).catch(() => undefined);
  return ok({
    ...handleOf(started.value, folder, options.onExit),
    url,
    port,
    pid,
    token: note.token,
    version: binary.value.version,
  });
}

/** Url and token of the server that a process of this installation runs on the folder, if one does. */
export async function findServer(folder: string): Promise<{ url: string; token: string } | undefined> {
  const note = await heldBy(resolve(folder));
  return note === undefined || note.url === '' ? undefined : { url: note.url, token: note.token };
}

/** Takes the folder and writes the configuration. */
async function prepare(folder: string, note: LockNote, options: ServerOptions): Promise<Result<void>> {
  try {
    const store = join(folder, 'store');
    await makeFolder(store);
    const lock = await takeLock(folder, note);
    if (!lock.taken) {
      return fail(
        'conflict',
        `the NATS store in ${folder} is in use by process ${lock.by.ownerPid}`,
        'connect to that one, or choose another folder with HACT_DATA_DIR',
      );
    }
    const maxStoreBytes = options.maxStoreBytes ?? (await storeLimit(store, await freeBytes(folder)));
    await writeFile(note.config, configuration(store, options.port ?? -1, note.token, maxStoreBytes), { mode: 0o600 });
    return ok(undefined);
  } catch (error) {
    const what = `cannot write to ${folder}: ${error instanceof Error ? error.message : String(error)}`;
    return isFull(error)
      ? fail('storage_refused', what, 'free some space, or choose another folder with HACT_DATA_DIR')
      : fail('invalid_config', what, 'choose another folder with HACT_DATA_DIR');
  }
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));

/** Node's own recursive `mkdir` never comes back where the system says that a folder is not there which is (`/proc`). */
async function makeFolder(path: string): Promise<void> {
  const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  await make().catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  });
}

/** The token is in the file, which only its owner may read, and not in the arguments, which everybody may. */
const configuration = (store: string, port: number, token: string, maxStoreBytes: number): string =>
  [
    'host: "127.0.0.1"',
    `port: ${port}`,
    `authorization { token: ${JSON.stringify(token)} }`,
    `jetstream { store_dir: ${JSON.stringify(store)}, max_file_store: ${maxStoreBytes} }`,
    '',
  ].join('\n');

function handleOf(
  launched: Launched,
  folder: string,
  onExit: ((failure: Failure) => void) | undefined,
): Pick<EmbeddedServer, 'stop' | 'kill'> {
  const { exited, kill, pid } = launched;
  let ending = false;
  const released = exited.then(async () => {
    await dropLock(folder).catch(() => undefined);
    if (!ending) onExit?.(failure('bus_unreachable', `the embedded nats-server (process ${pid}) ended by itself`));
  });
  const end = async (signal: NodeJS.Signals, patienceMs = stopTimeoutMs): Promise<void> => {
    ending = true;
    const force = setTimeout(() => kill('SIGKILL'), patienceMs);
    kill(signal);
    await released;
    clearTimeout(force);
  };
  return { stop: (patienceMs) => end('SIGTERM', patienceMs), kill: () => end('SIGKILL') };
}
