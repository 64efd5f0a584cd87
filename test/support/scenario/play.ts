/** Plays a scenario through the real host: NATS, a worker process, HTTP model, tools outside, scripted people. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBus } from '../../../src/bus/connect.js';
import type { Bus } from '../../../src/bus/contract.js';
import { startServer } from '../../../src/bus/server.js';
import { settingsSchema } from '../../../src/config/settings.js';
import { createClient } from '../../../src/control/client.js';
import { randomIds } from '../../../src/control/control.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import type { AgentId, TaskId } from '../../../src/domain/id.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { Report } from '../../../src/domain/report.js';
import { systemClock } from '../../../src/observe/clock.js';
import { schemaProblem } from '../../../src/tools/schema-result.js';
import { People } from './people.js';
import { readScenario, type Scenario } from './scenario.js';
import { openStage, type ToolRun } from './stage.js';

export interface Played {
  readonly scenario: Scenario;
  readonly report: Report;
  readonly runs: readonly ToolRun[];
  readonly modelCalls: number;
  readonly events: readonly FeedEvent[];
  readonly humanEvents: readonly string[];
  /** Journal of every agent of the tree, the root's first. */
  readonly journals: ReadonlyMap<string, readonly JournalRecord[]>;
  /** Everything the worker logged. */
  readonly log: string;
}

const patienceMs = 60_000;
/** Of the workers. */
export const leaseMs = 2_000;

export interface PlayOptions {
  /** Called while the task runs; kills what it likes. */
  readonly nemesis?: (crew: Crew, signal: AbortSignal) => Promise<void>;
}

export async function play(path: string, { nemesis }: PlayOptions = {}): Promise<Played> {
  const scenario = await readScenario(path);
  const folder = await mkdtemp(join(tmpdir(), 'hact-scenario-'));
  const nats = orThrow(await startServer({ folder: join(folder, 'nats'), env: process.env, fetch: false }));
  const bus = orThrow(await openBus({ servers: nats.url, token: nats.token }));
  const client = createClient({
    bus,
    prefix: 'hact.v1',
    defaults: settingsSchema.parse({}),
    clock: systemClock,
    ids: randomIds,
    schemaProblem,
  });
  const people = new People(scenario, client);
  const crew = new Crew();
  const stage = await openStage(scenario, {
    afterTool: (run) => people.afterTool(run),
    toolAnswered: (run) => crew.crashAfter(run, scenario),
    place: nemesis === undefined ? 'asked' : 'prompt',
  });
  const stop = new AbortController();
  const haunted = new AbortController();
  try {
    const log = join(folder, 'worker.log');
    await crew.start(
      path,
      stage.url,
      settingsFor(scenario, { url: nats.url, token: nats.token, stage: stage.url, folder, log }),
    );
    const accepted = orThrow(
      await client.submit({ goal: scenario.goal, role: rootRole(scenario), budget: budgetOf(scenario) } as Parameters<
        typeof client.submit
      >[0]),
    );
    people.meet(accepted.taskId);
    const haunting = nemesis?.(crew, haunted.signal);
    const events = collect(bus, accepted.taskId, stop.signal, (event) => people.sees(event));
    const late = systemClock
      .sleep(patienceMs, stop.signal)
      .then(() => Promise.reject(new Error(`${scenario.id}: no result within ${patienceMs} ms`)));
    const ended = orThrow(await Promise.race([client.result(accepted.taskId), late]));
    if (ended.report === undefined) throw new Error(`${scenario.id} ended without a report`);
    await people.done();
    haunted.abort();
    await haunting;
    await crew.stop();
    return {
      scenario,
      report: ended.report,
      runs: stage.runs,
      modelCalls: stage.modelCalls(),
      events: await events.whole(),
      humanEvents: people.acted,
      journals: await journalsOf(bus, ended.report),
      log: await readFile(log, 'utf8').catch(() => ''),
    };
  } finally {
    stop.abort();
    haunted.abort();
    await crew.stop();
    await stage.close();
    await bus.close();
    await nats.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const rootRole = ({ agents }: Scenario): string => (agents?.planner === undefined ? 'executor' : 'planner');

const budgetOf = ({ budget }: Scenario) => ({
  rounds: budget.rounds,
  tokens: budget.tokens,
  costUsd: budget.cost_usd,
  seconds: budget.time_ms / 1000,
});

interface Places {
  readonly url: string;
  readonly token: string;
  readonly stage: string;
  readonly folder: string;
  readonly log: string;
}

function settingsFor({ price, providers, settings }: Scenario, places: Places): Record<string, unknown> {
  const at = (provider: string): string => `${places.stage}/p/${provider}/v1`;
  const [first = 'primary', ...others] = providers;
  return {
    'nats.url': places.url,
    'nats.token': places.token,
    dataDir: places.folder,
    'model.baseUrl': at(first),
    'model.name': 'scenario',
    'model.apiKey': 'none',
    ...(others.length === 0 ? {} : { 'model.fallback': others.map((provider) => `${at(provider)}#scenario`) }),
    'model.prices': JSON.stringify({
      scenario: { inputPerMillion: price.prompt_per_1k * 1000, outputPerMillion: price.completion_per_1k * 1000 },
    }),
    'log.file': places.log,
    'worker.leaseMs': leaseMs,
    // A script answers request by request: it counts on rounds that are waited for.
    'limits.decideEarly': false,
    ...settings,
  };
}

/** The worker process, and its successor when the script kills it. */
export class Crew {
  private child: ChildProcess | undefined;
  private again: () => Promise<void> = async () => {};
  private crashed = 0;

  async start(path: string, stage: string, settings: Record<string, unknown>): Promise<void> {
    this.again = () => this.start(path, stage, settings);
    const program = fileURLToPath(new URL('worker.js', import.meta.url));
    const child = fork(program, [path, stage, JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, HACT_MODEL: '' },
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`the worker ended with code ${code} before it was ready`)));
    });
  }

  /** `faults: [{ kind: "crash", after_tool, times }]` kills the process right after the tool's answer went out. */
  crashAfter(run: ToolRun, { faults }: Scenario): void {
    const fault = faults.find(
      (item) => String(item.kind).includes('crash') && (item.after_tool ?? item.tool) === run.tool,
    );
    if (fault === undefined || this.crashed >= Number(fault.times ?? 1)) return;
    this.crashed += 1;
    this.child?.kill('SIGKILL');
    void this.again();
  }

  /** SIGKILL, and a new process at once. */
  async killAndRestart(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.again();
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
}

function collect(
  bus: Bus,
  taskId: TaskId,
  signal: AbortSignal,
  see: (event: FeedEvent) => void,
): { whole(): Promise<FeedEvent[]> } {
  const events: FeedEvent[] = [];
  let ended: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  void (async () => {
    for await (const { value: event } of bus.feed.read(taskId, 0, signal)) {
      events.push(event);
      see(event);
      if (event.kind === 'ended' && event.agentId === (taskId as string)) ended();
    }
  })();
  return { whole: () => end.then(() => events) };
}

async function journalsOf(bus: Bus, report: Report): Promise<Map<string, JournalRecord[]>> {
  const agents = (one: Report): AgentId[] => [one.agentId, ...one.children.flatMap(agents)];
  const journals = new Map<string, JournalRecord[]>();
  for (const agentId of agents(report)) {
    journals.set(
      agentId,
      orThrow(await bus.journal.read(agentId, 0)).map(({ value }) => value),
    );
  }
  return journals;
}

function orThrow<T>(
  result: { ok: true; value: T } | { ok: false; failure: { message: string; hint?: string | undefined } },
): T {
  if (result.ok) return result.value;
  throw new Error(`${result.failure.message} ${result.failure.hint ?? ''}`);
}
