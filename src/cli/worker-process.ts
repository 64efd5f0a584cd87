/** Worker processes that a command starts for itself. They end with it, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Runtime } from '../app/runtime.js';
import { type Failure, failure } from '../domain/failure.js';
import { type Flags, flagsAgain, secretVariables } from './settings.js';

export interface WorkerProcess {
  /** `executor-2`. */
  readonly name: string;
  readonly pid: number;
  /** Where its log lines go. */
  readonly logFile: string;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

export interface Crew {
  readonly workers: readonly WorkerProcess[];
  /** Resolves when a worker ends that nobody told to. */
  readonly broken: Promise<Failure>;
  /** Ends this one on purpose. */
  kill(worker: WorkerProcess, signal: NodeJS.Signals): Promise<void>;
  /** Lets all hand over what they are at, and waits until they are gone. */
  stop(): Promise<void>;
}

/** Tells a worker that it belongs to a command: it ends when its standard input does. */
export const guardVariable = 'HACT_INTERNAL_GUARD';
/** Time to hand over when the command is gone: its server goes with it, so there may be nobody to hand over to. */
const orphanMs = 2_000;

/** In a worker that belongs to a command: sees to it that it ends soon after the command, whatever it is doing. */
export function endWithOwner(): void {
  const end = () => setTimeout(() => process.exit(1), orphanMs).unref();
  process.stdin.once('end', end);
  process.stdin.once('error', end);
  process.stdin.resume();
}

/** A person who has pressed Ctrl-C waits no longer for calls under way; killing is safe, such calls are made again. */
const stopMs = 6_000;

export interface CrewOptions {
  readonly runtime: Pick<Runtime, 'settings' | 'server'>;
  readonly flags: Flags;
  /** Role and number of processes. */
  readonly roles: Readonly<Record<string, number>>;
  /** Environment variables for all, beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startCrew(options: CrewOptions): Crew {
  const stopping = new Set<string>();
  const { settings } = options.runtime;
  const folder = join(settings.dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const names = Object.entries(options.roles).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, index) => ({ role, name: count === 1 ? role : `${role}-${index + 1}` })),
  );
  const workers = names.map(({ role, name }) => startWorker(role, name, join(folder, `${name}.log`), options));
  const broken = Promise.race(
    workers.map(async (worker): Promise<Failure> => {
      await worker.exited;
      if (stopping.has(worker.name)) return new Promise(() => {});
      const last = lastLine(await readFile(worker.logFile, 'utf8').catch(() => ''));
      return failure('internal', `worker ${worker.name} ended by itself${last}`, `its log is ${worker.logFile}`);
    }),
  );
  const endAll = () => {
    for (const worker of workers) worker.kill('SIGKILL');
  };
  process.once('exit', endAll);
  return {
    workers,
    broken,
    async kill(worker, signal) {
      stopping.add(worker.name);
      worker.kill(signal);
      await worker.exited;
    },
    async stop() {
      for (const worker of workers) {
        stopping.add(worker.name);
        worker.kill('SIGTERM');
      }
      const force = setTimeout(endAll, Math.min(stopMs, settings.worker.drainMs));
      await Promise.all(workers.map(({ exited }) => exited));
      clearTimeout(force);
      process.off('exit', endAll);
    },
  };
}

function startWorker(role: string, name: string, logFile: string, options: CrewOptions): WorkerProcess {
  const { runtime, flags, env = {} } = options;
  const log = openSync(logFile, 'a');
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'worker', '--role', role, ...flagsAgain(flags)], {
    stdio: ['pipe', log, log],
    // A process group of its own: Ctrl-C on the terminal is this command's business.
    detached: true,
    env: { ...process.env, ...secretVariables(flags), ...natsVariables(runtime), ...env, [guardVariable]: '1' },
  });
  closeSync(log);
  child.stdin?.on('error', () => {});
  return { name, pid: child.pid ?? 0, logFile, exited: endOf(child), kill: (signal) => void child.kill(signal) };
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });

/** The token goes through the environment, where other users cannot read it. */
function natsVariables({ server }: CrewOptions['runtime']): Record<string, string> {
  return {
    HACT_NATS_URL: server.url,
    ...(server.token === undefined ? {} : { HACT_NATS_TOKEN: server.token }),
  };
}

/** The last thing that the log says, whether it is one of our JSON lines or anything else. */
function lastLine(log: string): string {
  const line = log.trimEnd().split('\n').at(-1)?.trim() ?? '';
  if (line === '') return '';
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? `: ${msg}` : '';
  } catch {
    return `: ${line.slice(0, 300)}`;
  }
}
