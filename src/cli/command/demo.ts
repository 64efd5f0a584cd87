/** `hact demo`: the whole system on one file, with mess in the replies and a process killed in mid-work. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Scripted } from '../../app/scripted.js';
import type { Settings } from '../../config/settings.js';
import type { TaskTree } from '../../control/tree.js';
import type { FeedEvent } from '../../domain/event.js';
import type { JournalRecord } from '../../domain/journal.js';
import { costLine } from '../../observe/cost.js';
import { demoCast, demoJob, demoLatencyMs } from '../demo/job.js';
import { createWitness, type ModelStats, survivals } from '../demo/survived.js';
import { verify } from '../demo/verify.js';
import { exitCodes } from '../exit.js';
import { follow } from '../follow.js';
import { inputFiles } from '../input.js';
import { isScripted, reach } from '../offline-model.js';
import { type Session, value, withRuntime } from '../session.js';
import { type Flags, withSettings } from '../settings.js';
import { treeLines } from '../tree-view.js';
import { type Crew, startCrew } from '../worker-process.js';
import { brokenCrew } from './run.js';
import { wholeNumber } from './task.js';

export function addDemoCommand(program: Command): void {
  withSettings(
    program.command('demo').description('the whole system on your table or log file, one process killed in mid-work'),
  )
    .argument('[file]', 'a CSV, TSV, JSON lines or access log file; without it a bundled sample')
    .option('-y, --yes', 'allow the report to be written without asking')
    .option('--verify', 'recompute every number of the report by independent code')
    .option('--seed <number>', 'which mess comes when', '1')
    .option('--keep', 'keep the journal and the logs')
    .action(demo);
}

async function demo(file: string | undefined, flags: Flags): Promise<void> {
  const sample = fileURLToPath(new URL('../demo/sample.csv', import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'hact-demo-'));
  const output = resolve('hact-demo');
  let path = '';
  const change = async (settings: Settings): Promise<Settings> => {
    [path = sample] = await inputFiles([file ?? sample], folder);
    await mkdir(output, { recursive: true });
    return { ...settings, dataDir: folder, files: { roots: [output, dirname(path)] } };
  };
  try {
    await withRuntime(flags, { startServer: true, change }, (session) => perform(session, path, output));
  } finally {
    if (flags.keep !== true) await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the cast, lets it play, and takes everything down again. */
async function perform(session: Session, path: string, folder: string): Promise<number> {
  const { flags, output, server, settings } = session;
  const { style } = output;
  const seed = wholeNumber('--seed', flags.seed) ?? 1;
  const model = isScripted(settings) ? await scripted(seed) : undefined;
  if (model === undefined) value(await reach(settings));
  const variables: Record<string, string> =
    model === undefined ? {} : { HACT_MODEL_PRESET: 'scripted', HACT_MODEL_BASE_URL: model.url };
  const env = { HACT_FILES_ROOTS: settings.files.roots.join(','), ...variables };
  const crew = startCrew({ runtime: { settings, server }, flags, roles: demoCast, env });
  try {
    output.say(
      `${style.green('✔')} nats ${server.shownUrl.replace(/^\w+:\/\//, '')}   ${style.green('✔')} planner and ${demoCast.executor} executors, each a process`,
    );
    if (model !== undefined) output.say(style.dim('scripted model: decisions are rules, the work is real'));
    return await play(session, crew, { path, folder, modelUrl: model?.url });
  } finally {
    await crew.stop();
    await model?.stop();
  }
}

async function scripted(seed: number): Promise<Scripted> {
  const { forkScripted } = await import('../../app/scripted.js');
  return value(await forkScripted({ seed, latencyMs: demoLatencyMs }));
}

interface Stage {
  readonly path: string;
  /** Where the report goes. */
  readonly folder: string;
  /** Of the scripted model. */
  readonly modelUrl: string | undefined;
}

async function play(session: Session, crew: Crew, stage: Stage): Promise<number> {
  const { path, folder } = stage;
  const { client, flags, output } = session;
  const report = join(folder, 'report.md');
  await rm(report, { force: true });
  const { taskId } = value(await client.submit(demoJob(path, report)));
  const witness = createWitness();
  const kill = killOnce(session, crew);
  const onTerminal = process.stdin.isTTY === true && output.live && flags.yes !== true;
  if (!onTerminal && flags.yes !== true)
    output.say('no terminal to ask on: the report may be written without asking (as with --yes)');
  const following = follow(session, taskId, {
    humans: onTerminal ? 'ask' : 'allow',
    detached: 'the demo ends here',
    onEvent: (event, say) => {
      witness.see(event);
      kill.see(event, say);
    },
  });
  const followed = await Promise.race([following, brokenCrew(crew)]);
  if (followed.kind === 'left') return exitCodes.interrupted;
  await kill.done();
  const ended = followed.record.report;
  if (ended === undefined) return exitCodes.failed;
  const { style } = output;
  const text = await readFile(report, 'utf8').catch(() => undefined);
  output.print(text ?? ended.summary);
  const look = { columns: output.columns(), style, now: Date.now(), command: 'hact' };
  if (!output.live) for (const line of treeLines(followed.tree, look)) output.say(line);
  output.say(costLine(ended.usage));
  output.say(style.bold('What it came through'));
  const records = await journalsOf(session, followed.tree);
  for (const line of survivals(witness, records, await statsOf(stage))) output.say(`  ${line}`);
  if (text !== undefined) output.say(`report in ${report}`);
  if (flags.verify === true && text !== undefined) return tellVerdict(session, path, text);
  return ended.status === 'done' ? exitCodes.done : exitCodes.failed;
}

async function journalsOf({ bus }: Session, { agents }: TaskTree): Promise<JournalRecord[]> {
  const journals = await Promise.all(agents.map(({ agentId }) => bus.journal.read(agentId, 0)));
  return journals.flatMap((journal) => value(journal).map((stored) => stored.value));
}

async function statsOf({ modelUrl }: Stage): Promise<ModelStats | undefined> {
  if (modelUrl === undefined) return undefined;
  const response = await fetch(new URL('/stats', modelUrl));
  return (await response.json()) as ModelStats;
}

/** Kills the first executor that is seen at a tool, and hires none in its place: the others take its work over. */
function killOnce(
  { output }: Session,
  { workers, kill }: Crew,
): { see(event: FeedEvent, say: (line: string) => void): void; done(): Promise<void> } {
  let killing: Promise<void> | undefined;
  return {
    see(event, say) {
      if (killing !== undefined || event.kind !== 'moved' || event.role !== 'executor' || event.state !== 'act') return;
      const victim = workers.find(({ pid }) => event.host.startsWith(`h_${pid}_`));
      if (victim === undefined) return;
      say(output.style.yellow(`✖ kill -9 ${victim.name} (process ${victim.pid}), which is at: ${event.detail}`));
      killing = kill(victim, 'SIGKILL');
    },
    done: async () => killing,
  };
}

async function tellVerdict({ output }: Session, path: string, report: string): Promise<number> {
  const { checked, unchecked, wrong } = verify(await readFile(path, 'utf8'), report);
  const skipped = unchecked === 0 ? '' : `, ${unchecked} of a kind that the check does not know`;
  output.say(`${basename(path)}: ${checked} numbers recomputed by other code, ${wrong.length} differ${skipped}`);
  for (const line of wrong.slice(0, 20)) output.fail({ kind: 'invalid_result', message: line });
  return wrong.length === 0 && checked > 0 ? exitCodes.done : exitCodes.failed;
}
