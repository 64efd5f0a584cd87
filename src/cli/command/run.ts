/** `hact run`: submit, watch, print; with NATS, model and workers of its own where there are none. */
import type { Command } from 'commander';
import type { Settings } from '../../config/settings.js';
import { FailureError } from '../../domain/failure.js';
import type { TaskId } from '../../domain/id.js';
import { type Followed, follow } from '../follow.js';
import { inputFiles, rootsFor } from '../input.js';
import { isScripted, modelLabel, reach, startModel } from '../offline-model.js';
import { type Session, value, withJson, withRuntime } from '../session.js';
import type { Flags } from '../settings.js';
import { short, shortDuration } from '../style.js';
import { submissionFrom, withSubmission } from '../submission.js';
import { type Crew, startCrew } from '../worker-process.js';
import { finish, noteUnserved, wholeNumber } from './task.js';

/** Worker processes that a command starts when it has started the server too. */
export const ownWorkers = { planner: 1, executor: 2 } as const;

export function addRunCommand(program: Command): void {
  withJson(withSubmission(program.command('run').description('do a task now and print its result')))
    .option('--stream-json', 'one event a line, with its sequence')
    .option('-y, --yes', 'allow whatever agents ask for')
    .option('--workers <count>', 'executors to start when none runs', String(ownWorkers.executor))
    .action(run);
}

async function run(goal: string, flags: Flags): Promise<void> {
  let files: string[] = [];
  const change = async (settings: Settings): Promise<Settings> => {
    files = await inputFiles((flags.file as string[] | undefined) ?? [], settings.dataDir);
    return { ...settings, files: { ...settings.files, roots: rootsFor(files, settings.files.roots) } };
  };
  await withRuntime(flags, { startServer: true, change }, async (session) => {
    const own = session.server.started ? await openOwn(session) : undefined;
    try {
      return await submitAndFollow(session, goal, files, own);
    } finally {
      await own?.stop();
    }
  });
}

/** What this process starts for its task and takes down again. */
export interface Own {
  /** Starts the workers. */
  hire(executors: unknown): Crew;
  stop(): Promise<void>;
}

/** Starts the model that workers will need if it is the offline one, and looks whether it is there if not. */
export async function openOwn({ settings, server, flags }: Session): Promise<Own> {
  const model = isScripted(settings) ? value(await startModel()) : undefined;
  if (model === undefined) value(await reach(settings));
  let crew: Crew | undefined;
  return {
    hire(executors) {
      const roles = { ...ownWorkers, executor: wholeNumber('--workers', executors) || ownWorkers.executor };
      const env = { HACT_FILES_ROOTS: settings.files.roots.join(','), ...model?.variables };
      crew = startCrew({ runtime: { settings, server }, flags, roles, env });
      return crew;
    },
    async stop() {
      await crew?.stop();
      await model?.stop();
    },
  };
}

async function submitAndFollow(
  session: Session,
  goal: string,
  files: readonly string[],
  own: Own | undefined,
): Promise<number> {
  const { client, output, settings, explanation, flags } = session;
  const submission = await submissionFrom(goal, flags, files, explanation, settings);
  const { taskId } = value(await client.submit(submission));
  const crew = own?.hire(flags.workers);
  output.say(headerOf(session, taskId, own !== undefined));
  if (own === undefined) await noteUnserved(session, taskId, submission);
  const humans = flags.yes === true ? 'allow' : process.stdin.isTTY && output.live ? 'ask' : 'show';
  const detached =
    own === undefined
      ? `${taskId} goes on; hact watch ${taskId} shows it`
      : `${taskId} is kept in ${settings.dataDir} and goes on when hact dev (or hact worker) runs there`;
  const following = follow(session, taskId, { humans, detached });
  return finish(session, await (crew === undefined ? following : Promise.race([following, brokenCrew(crew)])));
}

/** A worker that cannot work would leave the task waiting for ever. */
export const brokenCrew = async ({ broken }: Crew): Promise<Followed> => {
  throw new FailureError(await broken);
};

function headerOf({ output, server, settings }: Session, taskId: TaskId, isOwn: boolean): string {
  const { style } = output;
  const { budget } = settings;
  const rounds = budget.rounds ?? budget.roundsByKind.general;
  const limits = [
    `${short(budget.tokens)} tok`,
    `$${budget.usd.toFixed(2)}`,
    `${rounds} rounds`,
    shortDuration(budget.seconds),
  ];
  const tick = style.green('✔');
  const host = server.shownUrl.replace(/^\w+:\/\//, '');
  const model = isOwn ? `   ${tick} model ${modelLabel(settings)}` : '';
  return `${tick} nats ${host}${model}   task ${style.bold(taskId)}   budget ${limits.join(' · ')}`;
}
