/** `hact worker`: hosts agents until it is told to stop. */
import type { Command } from 'commander';
import { exitCodes } from '../exit.js';
import { onInterrupt } from '../interrupt.js';
import { value, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { guardVariable } from '../worker-process.js';

export function addWorkerCommand(program: Command): void {
  const words = (names: string, before: string[] = []): string[] => [
    ...before,
    ...names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ];
  const command = program
    .command('worker')
    .description('host agents; start as many as you like, on as many machines as you like')
    .option('--role <names>', 'roles to host, separated by commas (default: all)', words)
    .option('--queue <names>', 'queues to serve besides the default one: what this machine can do, like gpu', words);
  withSettings(command).action(worker);
}

const worker = (flags: Flags): Promise<void> =>
  withRuntime(flags, { updateStreams: true }, async (session) => {
    const { output, log, settings } = session;
    // From here on a signal does not end the process: what was begun is handed over.
    const end = told();
    const roles = flags.role as string[] | undefined;
    const queues = flags.queue as string[] | undefined;
    // Only here: model client, tokenizer and statecharts take a second to load.
    const { runWorker } = await import('../../app/worker.js');
    const running = value(
      await runWorker(session, {
        concurrency: settings.worker.concurrency,
        ...(roles === undefined ? {} : { roles }),
        ...(queues === undefined ? {} : { queues }),
      }),
    );
    if (process.stdout.isTTY)
      output.say(`worker ${running.hostId} takes ${roles?.join(', ') ?? 'every role'}; Ctrl-C hands its agents over`);
    const why = await end;
    log.logger.info('worker drains', { host: running.hostId, why });
    await running.drain();
    return exitCodes.done;
  });

/** Resolves on the first signal, or when the command that started this worker is gone. A second signal ends it at once. */
async function told(): Promise<'stopped' | 'orphaned'> {
  const { stdin } = process;
  const why = await new Promise<'stopped' | 'orphaned'>((resolve) => {
    onInterrupt((times) => {
      if (times > 1) process.exit(exitCodes.interrupted);
      resolve('stopped');
    });
    if (process.env[guardVariable] === undefined) return;
    if (stdin.readableEnded) resolve('orphaned');
    stdin.once('end', () => resolve('orphaned'));
  });
  // Listened to any longer, it would keep the process alive.
  stdin.destroy();
  return why;
}
