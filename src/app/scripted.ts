/** The offline model of the default installation: rules in place of a model, served over the OpenAI protocol. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fail, ok, type Result } from '../domain/failure.js';
import { analystBrain } from '../llm/scripted/analyst.js';
import { startScriptedModel } from '../llm/scripted/server.js';

export interface Scripted {
  /** For the openai SDK: ends in `/v1`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** In this process, and orderly: what a user tries out without a model should not look broken. */
export async function startScripted(): Promise<Result<Scripted>> {
  try {
    return ok(await startScriptedModel({ brain: analystBrain({ seed: 1, mess: false }) }));
  } catch (error) {
    return fail(
      'internal',
      `the scripted model did not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export interface ScriptedOptions {
  /** Decides which reply comes in which disorder. */
  readonly seed: number;
  /** Time that each reply takes. */
  readonly latencyMs: number;
}

const patienceMs = 20_000;

/** As a process of its own, with the whole disorder, for the demo. It ends with this process. */
export function forkScripted({ seed, latencyMs }: ScriptedOptions): Promise<Result<Scripted>> {
  const program = fileURLToPath(new URL('../llm/scripted/main.js', import.meta.url));
  const child = fork(program, ['--seed', String(seed), '--latency', String(latencyMs)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A process group of its own: Ctrl-C on the terminal is for whoever started it.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 2_000);
    await exited;
    clearTimeout(force);
  };
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(fail('internal', `the scripted model was not ready after ${patienceMs} ms`));
      void stop();
    }, patienceMs);
    void exited.then(() => {
      clearTimeout(timer);
      resolve(fail('internal', 'the scripted model ended while starting'));
    });
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve(ok({ url: String((message as { url?: unknown }).url), stop }));
    });
  });
}
