/** One schedule: a seed, played from its first submission until everything has drained, or until patience is over. */
import type { CallUsage } from '../../src/domain/decision.js';
import type { Failure } from '../../src/domain/failure.js';
import type { Json } from '../../src/domain/json.js';
import type { Weather } from './bus/link.js';
import type { Append } from './bus/server.js';
import { SimServer } from './bus/server.js';
import { ClientSlot } from './cast/client.js';
import { startHuman } from './cast/human.js';
import { noSeams, type Seams, type Stage, settings } from './cast/stage.js';
import { WorkerSlot } from './cast/worker.js';
import { History } from './history.js';
import { World } from './kernel/world.js';
import { unleash } from './nemesis.js';
import { Brain } from './outside/brain.js';
import { isPlain, type Scenario, scenarioFrom } from './scenario.js';

/** Longest deadline, the last approval's time, and three leases. */
export const patienceMs = 60_000 + 8_000 + 3 * settings.worker.leaseMs + 30_000;
/** For zombies that come back late. */
const afterMs = 3_500;

/** @param adjust changes what the seed means, for tests of single faults */
export const playSchedule = async (
  seed: number,
  seams?: Seams,
  adjust?: (scenario: Scenario) => Scenario,
): Promise<History> => (await playOut(seed, seams, adjust)).history;

/** The same, with everything as it is at the end. */
export async function playOut(
  seed: number,
  seams: Seams = noSeams,
  adjust: (scenario: Scenario) => Scenario = (scenario) => scenario,
): Promise<Stage> {
  const world = new World(seed);
  const scenario = adjust(scenarioFrom(world));
  const { stage, weather } = openStage(world, scenario, seams);
  const { server } = stage;
  const restartMs = (): number => (world.time < scenario.faultMs ? world.between(200, 4_000) : 300);
  const workers = Array.from(
    { length: scenario.workers },
    (_, index) => new WorkerSlot(stage, `w${index + 1}`, restartMs),
  );
  const client = new ClientSlot(stage, scenario.jobs, restartMs);
  const isOver = (): boolean => client.isOver && isDrained(server);
  if (!scenario.jobs.every(isPlain)) startHuman(stage, scenario.human, () => client.isOver);
  const heal = unleash(stage, scenario, { workers, client, weather });
  await world.run(isOver, scenario.faultMs + patienceMs);
  heal();
  await world.run(() => false, world.time + afterMs);
  // A zombie that came back may have taken its lease again: it lets go when it hears that it was replaced.
  await world.run(isOver, scenario.faultMs + patienceMs);
  noteEnd(stage, scenario, client);
  return stage;
}

/** A server and the world around it, before anybody is at work. */
export function openStage(world: World, scenario: Scenario, seams: Seams): { stage: Stage; weather: Weather } {
  const history = new History(world);
  const weather = { ...scenario.weather };
  const server = new SimServer(world, {
    weather,
    leaseMs: settings.worker.leaseMs,
    ackWaitMs: 5_000,
    patienceMs: 2_000,
    onMishap: (mishap, about, process, ms) => history.add('fault', { fault: mishap, about, process, ms }),
    onAppend: (append) => noteAppend(history, append),
    onDeadLetter: (text) =>
      history.add('server.dead', { reason: (JSON.parse(text) as { reason: Failure }).reason.kind }),
    onPut: (bucket, key, value) => notePut(history, bucket, key, value),
  });
  const stage: Stage = {
    world,
    server,
    history,
    brain: new Brain(world, scenario),
    modelMood: { ...scenario.model },
    toolMood: { ...scenario.tools },
    processes: new Set(),
    links: new Map(),
    seams,
    onBug: (where, error) => history.add('bug', { where, error: error instanceof Error ? error.stack : String(error) }),
  };
  return { stage, weather };
}

/** A host that was cut off and waits for its model lets its agent go only then. */
export const isDrained = (server: SimServer): boolean =>
  server.queued === 0 && server.inbox.subjects().size === 0 && server.buckets.lease.keys().length === 0;

function noteAppend(history: History, { agentId, after, outcome, process, record }: Append): void {
  if (!outcome.ok) return;
  const about = {
    process: process.name,
    agent: agentId,
    seq: outcome.value,
    after,
    epoch: record.epoch,
    record: record.kind,
  };
  if (record.kind === 'step') {
    const events = record.events.map(({ type }) => String(type));
    const ended = record.events.flatMap(endIn)[0];
    const settled = record.events.flatMap(callsIn);
    const used = record.events.flatMap(usageIn);
    history.add('server.appended', {
      ...about,
      events,
      settled,
      state: record.state,
      ...(ended && { ended }),
      ...(used.length > 0 && { used }),
    });
  } else if (record.kind === 'part') {
    const settled = record.state === 'settled' ? [record.part] : [];
    history.add('server.appended', { ...about, part: record.state, settled });
  } else {
    history.add('server.appended', about);
  }
}

/** Calls whose outcome an event holds. */
function callsIn({ type, output }: { readonly [field: string]: unknown }): string[] {
  if (type !== 'xstate.done.actor.callTools') return [];
  return (output as { results: { callId: string; status: string }[] }).results.map(({ callId, status }) =>
    status === 'unknown' ? `${callId}?` : callId,
  );
}

/** What a model call used, as its agent recorded it. */
function usageIn({ type, output }: { readonly [field: string]: unknown }): { input: number; output: number }[] {
  if (type !== 'xstate.done.actor.decide' && type !== 'xstate.done.actor.grace') return [];
  const { usage } = output as { usage?: CallUsage };
  return usage === undefined ? [] : [{ input: usage.inputTokens, output: usage.outputTokens }];
}

/** How the agent ended. */
function endIn({ type, output }: { readonly [field: string]: unknown }): { status: string; termination: string }[] {
  if (type !== 'xstate.done.actor.report') return [];
  const { status, termination } = output as { status: string; termination: string };
  return [{ status, termination }];
}

/** When a task's result is stored: what comes later of its agents are orphans. */
function notePut(history: History, bucket: string, key: string, value: Json): void {
  if (bucket === 'task' && !key.includes('.')) {
    const { state } = value as { state: string };
    history.add('server.task', { task: key, state });
  }
  if (bucket === 'agent') {
    const { seq, ended } = value as { seq: number; ended: boolean };
    history.add('server.snapshot', { agent: key, seq, ended });
  }
}

export function noteEnd({ history, server }: Stage, scenario: Scenario, client: ClientSlot): void {
  history.add('end', {
    waiting: client.isOver ? 0 : 1,
    leased: server.buckets.lease.keys(),
    queued: server.queued,
    inbox: server.inbox.subjects().size,
    leases: server.buckets.lease.keys().length,
    faultMs: scenario.faultMs,
  });
}
