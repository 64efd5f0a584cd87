/** Runs the built program as a user does: its own folder, its own home, no settings from around. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Ran>;
  /** Resolves when a text has come on either stream; rejects when the program ends without it. */
  says(text: string | RegExp): Promise<string>;
}

export interface Place {
  readonly folder: string;
  /** Environment of the programs; may be added to. */
  readonly env: Record<string, string>;
  start(args: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Running;
  run(args: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<Ran>;
  remove(): Promise<void>;
}

export async function openPlace(env: Record<string, string> = {}): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-cli-'));
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name, set]) => set !== undefined && !/^(HACT_|NATS_|OPENAI_|OTEL_)/.test(name),
    ),
  ) as Record<string, string>;
  const own = { ...inherited, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), USER: 'ana', ...env };
  const running = new Set<Running>();
  const place: Place = {
    folder,
    env: own,
    start(args, options = {}) {
      const started = start(place, args, options);
      running.add(started);
      void started.done.then(() => running.delete(started));
      return started;
    },
    run: (args, options) => place.start(args, options).done,
    async remove() {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ done }) => done));
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return place;
}

function start(
  { folder, env }: Place,
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string> },
): Running {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...env, ...options.env } });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const heard = () => {
    for (const listener of [...listeners]) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard();
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  const done = new Promise<Ran>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
      heard();
    });
  });
  const says = (text: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const all = stdout + stderr;
        const found = typeof text === 'string' ? all.includes(text) : text.test(all);
        if (found) resolve(all);
        else if (child.exitCode !== null) reject(new Error(`ended without saying ${text}:\n${all}`));
        else return;
        listeners.delete(look);
      };
      listeners.add(look);
      look();
    });
  return { child, done, says };
}

/** The one JSON object on standard output. */
export function jsonOf({ stdout, stderr }: Ran): Record<string, unknown> {
  try {
    return JSON.parse(stdout) as Record<string, unknown>;
  } catch {
    throw new Error(`expected one JSON object on standard output, got:\n${stdout}\n${stderr}`);
  }
}
