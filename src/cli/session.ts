/** What every command that talks to NATS begins with: settings, the runtime, and their end whatever happens. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Runtime } from '../app/runtime.js';
import type { Explained } from '../config/load.js';
import type { Settings } from '../config/settings.js';
import { FailureError, failure } from '../domain/failure.js';
import { exitCodes, exitOfFailure } from './exit.js';
import { type Output, type OutputFlags, openOutput } from './output.js';
import { type Flags, settingsFrom } from './settings.js';

export interface Session extends Runtime {
  readonly output: Output;
  readonly flags: Flags;
  readonly explanation: readonly Explained[];
}

/** The body of a command; resolves with its exit code. */
type Body<T> = (context: T) => Promise<number>;

/** Runs a command without a runtime. Failures are told in one line; nothing is thrown further. */
export async function run(flags: OutputFlags, body: Body<Output>): Promise<void> {
  const output = openOutput(flags);
  try {
    process.exitCode = await body(output);
  } catch (error) {
    const told =
      error instanceof FailureError
        ? error.failure
        : failure(
            'internal',
            `this should not happen: ${error instanceof Error ? error.message : String(error)}`,
            'please report it with the command you gave',
          );
    output.fail(told);
    process.exitCode = error instanceof FailureError ? exitOfFailure(told) : exitCodes.failed;
  }
}

/** Adds `--json`. */
export const withJson = (command: Command): Command => command.option('--json', 'one JSON object on standard output');

export interface Open {
  /**
   * Starts a NATS server when none is set and none runs on the data folder: always, or (`kept`, the default) only when
   * tasks are kept there, so that they can be looked at and steered while nothing else runs.
   */
  readonly startServer?: boolean | 'kept';
  /** For commands that host agents. Default false. */
  readonly updateStreams?: boolean;
  /** Settings of the command itself, stronger than everything else. */
  readonly change?: (settings: Settings) => Settings | Promise<Settings>;
}

/** Runs a command with a runtime, which is closed at its end. */
export function withRuntime(flags: Flags, open: Open, body: Body<Session>): Promise<void> {
  return run(flags as OutputFlags, async (output) => {
    const loaded = value(await settingsFrom(flags));
    const settings = (await open.change?.(loaded.settings)) ?? loaded.settings;
    const { startServer = 'kept', updateStreams = false } = open;
    const mayStart = startServer === 'kept' ? existsSync(join(settings.dataDir, 'nats', 'store')) : startServer;
    const { openRuntime } = await import('../app/runtime.js');
    const runtime = value(await openRuntime(settings, { startServer: mayStart, updateStreams }));
    try {
      return await body({ ...runtime, output, flags, explanation: loaded.explanation });
    } finally {
      await runtime.close();
    }
  });
}

/** The value of a result; a failure is thrown to `run`. */
export function value<T>(result: { ok: true; value: T } | { ok: false; failure: FailureError['failure'] }): T {
  if (!result.ok) throw new FailureError(result.failure);
  return result.value;
}
