/** Plays the demo's job once with every part a process of its own, and kills one of them at a given moment. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRuntime, type Runtime } from '../../../src/app/runtime.js';
import { forkScripted } from '../../../src/app/scripted.js';
import { settingsHere } from '../../../src/app/settings.js';
import { demoJob, demoLatencyMs } from '../../../src/cli/demo/job.js';
import type { Result } from '../../../src/domain/failure.js';
import type { TaskId } from '../../../src/domain/id.js';
import type { Report } from '../../../src/domain/report.js';
import type { Stats } from '../../../src/llm/scripted/stats.js';
import { systemClock } from '../../../src/observe/clock.js';
import { Crew } from './crew.js';
import { type LedgerLine, readLedger } from './ledger.js';

export const victims = ['planner', 'executor', 'nats-server'] as const;
export type Victim = (typeof victims)[number];

export interface Kill {
  readonly victim: Victim;
  /** After the task was accepted. */
  readonly afterMs: number;
  /** Which executor, when none is known to be at work. */
  readonly place: number;
}

export interface Played {
  readonly report: Report;
  /** The file that the demo writes. */
  readonly text: string;
  /** From acceptance to the result. */
  readonly ms: number;
  /** The longest time after the kill in which watchers heard of no step. */
  readonly quietMs: number;
  readonly ledger: readonly LedgerLine[];
  readonly stats: Stats;
  /** Absent when nobody was killed: the task ended before. */
  readonly killed?: { readonly at: number; readonly statsBefore: Stats };
}

const patienceMs = 120_000;
/**
 * Between the last byte that a model or a tool hands over and the record of it lies some work of the process that asked:
 * what is younger than this at the kill counts as still under way.
 */
export const handOverMs = 250;

export interface PlayOptions {
  readonly file: string;
  /** Of the scripted model's mess. */
  readonly seed: number;
  readonly kill?: Kill;
  /** Leave the log, the feed and the journal where they are. */
  readonly keep?: boolean;
}

export async function play({ file, keep = false, kill, seed }: PlayOptions): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-demo-kills-'));
  const output = join(folder, 'out');
  await mkdir(output);
  const places = { dataDir: folder, 'files.roots': `${output},${dirname(file)}`, 'log.file': join(folder, 'log') };
  const { settings } = orThrow(await settingsHere(places));
  const runtime = orThrow(await openRuntime(settings, { startServer: true }));
  const model = orThrow(await forkScripted({ seed, latencyMs: demoLatencyMs }));
  const { url, token } = runtime.server;
  const ledger = join(folder, 'ledger');
  const workerSettings = {
    ...places,
    'nats.url': url,
    'nats.token': token,
    'model.preset': 'scripted',
    'model.baseUrl': model.url,
  };
  let crew: Crew | undefined;
  try {
    crew = await Crew.start({ ledger, settings: workerSettings });
    const stats = () => statsOf(model.url);
    const watcher = new Watcher();
    const outcome = await perform(runtime, crew, stats, watcher, { file, report: join(output, 'report.md'), kill });
    if (keep) await writeFile(join(folder, 'feed.jsonl'), watcher.lines.map((line) => `${line}\n`).join(''));
    return {
      ...outcome,
      quietMs: watcher.quietAfter(outcome.killed?.at ?? Number.POSITIVE_INFINITY),
      text: await readFile(join(output, 'report.md'), 'utf8').catch(() => ''),
      ledger: await readLedger(ledger),
      stats: await stats(),
    };
  } finally {
    await crew?.stop();
    await model.stop();
    await runtime.close();
    if (keep) console.log(`     kept in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

interface Part {
  readonly file: string;
  readonly report: string;
  readonly kill: Kill | undefined;
}

async function perform(
  runtime: Runtime,
  crew: Crew,
  stats: () => Promise<Stats>,
  watcher: Watcher,
  { file, report, kill }: Part,
): Promise<Pick<Played, 'report' | 'ms' | 'killed'>> {
  const { taskId } = orThrow(await runtime.client.submit(demoJob(file, report)));
  const beganAt = systemClock.elapsed();
  const stop = new AbortController();
  const late = systemClock
    .sleep(patienceMs, stop.signal)
    .then(() => Promise.reject(new Error(`no result within ${patienceMs} ms`)));
  const killing = kill === undefined ? undefined : strike(kill, runtime, crew, stats, watcher, stop.signal);
  try {
    const ended = await Promise.race([watcher.follow(runtime, taskId), late]);
    const ms = systemClock.elapsed() - beganAt;
    stop.abort();
    const killed = await killing;
    return { report: ended, ms, ...(killed === undefined ? {} : { killed }) };
  } finally {
    stop.abort();
    await killing;
  }
}

/** Undefined when the task ended before the moment. */
async function strike(
  { afterMs, place, victim }: Kill,
  runtime: Runtime,
  crew: Crew,
  stats: () => Promise<Stats>,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Played['killed']> {
  await systemClock.sleep(Math.max(0, afterMs - handOverMs), signal);
  if (signal.aborted) return undefined;
  const statsBefore = await stats();
  await systemClock.sleep(handOverMs, signal);
  if (signal.aborted) return undefined;
  const at = Date.now();
  if (victim === 'planner') await crew.killPlanner();
  else if (victim === 'executor') await crew.killExecutor(watcher.atWork, place);
  else process.kill(runtime.server.pid ?? 0, 'SIGKILL');
  return { at, statsBefore };
}

/** The client: watches as the demo does, and allows the report to be written. */
class Watcher {
  /** Process of the executor that was heard of last. */
  atWork: number | undefined;
  readonly lines: string[] = [];
  readonly #steps: number[] = [];

  quietAfter(moment: number): number {
    const later = this.#steps.filter((at) => at > moment).sort((a, b) => a - b);
    return later.reduce((most, at, index) => Math.max(most, at - (later[index - 1] ?? moment)), 0);
  }

  async follow({ client }: Runtime, taskId: TaskId): Promise<Report> {
    for await (const item of client.watch(taskId)) {
      if (item.type === 'result') {
        if (item.value.report === undefined) throw new Error('the task ended without a report');
        return item.value.report;
      }
      const event = item.value;
      this.lines.push(JSON.stringify(event));
      this.#steps.push(event.at);
      if (event.role === 'executor') this.atWork = Number(/^h_(\d+)_/.exec(event.host)?.[1]);
      if (event.kind === 'asked') void client.approve(event.request.id, { by: 'demo' });
    }
    throw new Error('the watch ended without a result');
  }
}

async function statsOf(url: string): Promise<Stats> {
  const response = await fetch(new URL('/stats', url));
  return (await response.json()) as Stats;
}

export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.failure.message} ${result.failure.hint ?? ''}`);
}
