/** `hact dev`: NATS, a planner, executors and the inspector in one command. */
import type { Command } from 'commander';
import { eventLine } from '../event-line.js';
import { exitCodes } from '../exit.js';
import { command as hact } from '../follow.js';
import { untilInterrupted } from '../interrupt.js';
import { isScripted, modelLabel } from '../offline-model.js';
import { type Session, value, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { openOwn, ownWorkers } from './run.js';

export function addDevCommands(program: Command): void {
  withSettings(program.command('dev').description('NATS, planner, executors and inspector in one command'))
    .option('--workers <count>', 'executors', String(ownWorkers.executor))
    .option('--xstate-inspect <target>', 'feed the XState inspector that listens on this port or ws: url')
    .action(dev);
  withSettings(program.command('inspect').description('the web inspector for a running installation'))
    .option('--xstate-inspect <target>', 'feed the XState inspector that listens on this port or ws: url')
    .action(inspect);
}

const dev = (flags: Flags): Promise<void> =>
  withRuntime(flags, { startServer: true }, async (session) => {
    const { output, server, settings } = session;
    const own = await openOwn(session);
    try {
      const crew = own.hire(flags.workers);
      const inspector = await inspectorOn(session, flags);
      const { style } = output;
      output.say(
        `${style.green('✔')} nats ${server.shownUrl}${server.started ? '' : ' (was running)'}   ${style.green('✔')} model ${modelLabel(settings)}`,
      );
      if (isScripted(settings)) output.say(style.dim('scripted model: decisions are rules, the work is real'));
      output.say(
        `${style.green('✔')} workers ${crew.workers.map(({ name }) => name).join(', ')}   logs in ${settings.dataDir}/logs`,
      );
      output.say(`${style.green('✔')} inspector ${style.bold(inspector.url)}`);
      output.say(
        style.dim(
          `in another terminal here: ${hact} run "…" --file data.csv      Ctrl-C ends everything; tasks are kept`,
        ),
      );
      const told = untilInterrupted();
      void showFeed(session);
      const broken = await Promise.race([told.then(() => undefined), crew.broken]);
      if (broken !== undefined) output.fail(broken);
      await inspector.close();
      return broken === undefined ? exitCodes.done : exitCodes.failed;
    } finally {
      await own.stop();
    }
  });

/** Everything that happens from now on, one line each. Ends with the bus. */
async function showFeed({ bus, output }: Session): Promise<void> {
  const last = await bus.feed.last(undefined);
  if (!last.ok) return;
  for await (const { value: event } of bus.feed.read(undefined, last.value, new AbortController().signal)) {
    const line = eventLine(event, output.style, hact);
    if (line !== undefined) output.say(`${output.style.dim(event.taskId)} ${line}`);
  }
}

const inspect = (flags: Flags): Promise<void> =>
  withRuntime(flags, {}, async (session) => {
    const inspector = await inspectorOn(session, flags);
    session.output.say(`inspector ${session.output.style.bold(inspector.url)}   Ctrl-C ends it`);
    await untilInterrupted();
    await inspector.close();
    return exitCodes.done;
  });

async function inspectorOn(session: Session, { xstateInspect }: Flags) {
  const { openInspector } = await import('../../app/inspect.js');
  return value(await openInspector(session, typeof xstateInspect === 'string' ? { xstateInspect } : {}));
}
