/**
 * `npm run sim:soak -- [--hours N] [--tasks N] [--seed S]`: one world for a day of virtual time, with thousands of tasks and
 * some faults each hour. The same workers live through it all, so what they keep must not grow with what they did. Each hour
 * the simulation lays aside what is its own (histories, journals of ended agents), and looks at the memory of the process.
 * Ends with 0 when it did not grow, nothing is left, and the checker finds nothing.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../src/domain/json.js';
import { slopeOf } from '../support/slope.js';
import type { BucketStore } from './bus/bucket-store.js';
import { calm } from './bus/link.js';
import { ClientSlot } from './cast/client.js';
import { startHuman } from './cast/human.js';
import { noSeams } from './cast/stage.js';
import { WorkerSlot } from './cast/worker.js';
import { check } from './checker/check.js';
import { readHistory } from './checker/read.js';
import { World } from './kernel/world.js';
import { unleash } from './nemesis.js';
import { soundModel } from './outside/model.js';
import { soundTools } from './outside/tools.js';
import { type Blow, type Job, jobFrom, type Scenario } from './scenario.js';
import { isDrained, noteEnd, openStage, patienceMs } from './schedule.js';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    tasks: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
});
const hours = Number(values.hours);
const tasks = Number(values.tasks);
const hourMs = 3_600_000;
/** Compiled code and pools fill in this share of the time, which is not looked at. */
const warmUp = 0.25;
/** Bytes that the process may keep more in an hour. */
const mostSlope = 1_000_000;
/** Workers are not killed: a new one would have forgotten whatever the old one kept. */
const faults = ['freeze worker', 'cut worker', 'cut client', 'restart server', 'fill disk', 'jump clock'] as const;
const faultsPerHour = 6;

const world = new World(Number(values.seed));
const scenario = scenarioOf();
const { stage, weather } = openStage(world, scenario, noSeams);
const folder = mkdtempSync(join(tmpdir(), 'hact-soak-'));
const histories: string[] = [];
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function scenarioOf(): Scenario {
  const blow = (): Blow => ({
    kind: world.pick(faults),
    atMs: world.between(0, hours * hourMs),
    lengthMs: world.between(200, 6_000),
  });
  return {
    workers: 4,
    jobs: [],
    blows: Array.from({ length: hours * faultsPerHour }, blow),
    faultMs: hours * hourMs,
    weather: { ...calm, lost: 0.002, lostReply: 0.002, repeated: 0.01, overtaking: 0.05, delayMs: 5 },
    model: { ...soundModel, rateLimited: 0.01, failed: 0.01, interrupted: 0.01 },
    tools: { ...soundTools, error: 0.05, hang: 0.01 },
    wildness: 0.1,
    deadliness: 0,
    fanOut: 3,
    human: { allow: 0.8, deny: 0.1 },
  };
}

async function soak(): Promise<boolean> {
  const restartMs = (): number => 300;
  const workers = Array.from(
    { length: scenario.workers },
    (_, index) => new WorkerSlot(stage, `w${index + 1}`, restartMs),
  );
  const client = new ClientSlot(stage, [], restartMs);
  startHuman(stage, scenario.human, () => false);
  const heal = unleash(stage, scenario, { workers, client, weather });
  const kept: [atMs: number, bytes: number][] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    client.take(jobsOf(hour));
    await world.run(() => false, (hour + 1) * hourMs);
    layAside();
    kept.push([world.time, keptBytes()]);
  }
  heal();
  const isOver = (): boolean => client.isOver && isDrained(stage.server);
  const isDone = await world.run(isOver, world.time + patienceMs);
  noteEnd(stage, scenario, client);
  layAside();
  return tell(kept, isDone);
}

/** In the first three quarters of the hour, so that most have ended when it is over. */
function jobsOf(hour: number): Job[] {
  const first = Math.floor((hour * tasks) / hours);
  const count = Math.floor(((hour + 1) * tasks) / hours) - first;
  return Array.from({ length: count }, (_, index) => ({
    ...jobFrom(world, first + index + 1, 0),
    atMs: hour * hourMs + world.between(0, 0.75 * hourMs),
  }));
}

/** Retention: of what has ended, the server keeps nothing; and what was seen goes to disk. */
function layAside(): void {
  const { brain, history, server } = stage;
  const { agent, task } = server.buckets;
  const file = join(folder, String(histories.length));
  appendFileSync(
    file,
    history.lines
      .splice(0)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  histories.push(file);
  for (const key of agent.keys()) if (field(agent, key, 'ended') === true) agent.delete(key);
  for (const agentId of server.journal.subjects().keys())
    if (agent.get(agentId) === undefined) server.journal.clear(agentId);
  for (const key of task.keys()) if (key.startsWith('key.') || field(task, key, 'state') === 'ended') task.delete(key);
  for (const subject of server.dead.subjects().keys()) server.dead.clear(subject);
  server.feed.length = 0;
  server.blobs.clear();
  brain.forget();
}

function field(bucket: BucketStore, key: string, name: string): unknown {
  return (bucket.get(key)?.value as JsonObject | undefined)?.[name];
}

function keptBytes(): number {
  if (globalThis.gc === undefined) throw new Error('node must be started with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function tell(kept: readonly (readonly [atMs: number, bytes: number])[], isDone: boolean): boolean {
  const later = kept.slice(Math.floor(kept.length * warmUp));
  const slope = slopeOf(later) * hourMs;
  const read = readHistory(histories.map((file) => readFileSync(file, 'utf8')).join(''));
  const violations = check(read);
  const ended = read.of('server.task').filter(({ state }) => state === 'ended').length;
  console.log(`${read.of('client.accepted').length} tasks accepted, ${ended} ended, in ${hours} hours of virtual time`);
  console.log(`kept after each hour (MB): ${kept.map(([, bytes]) => mega(bytes)).join(' ')}`);
  console.log(`${mega(slope)} MB more an hour, after the first quarter`);
  console.log(
    `left at the end: ${isDone ? 'nothing' : `${stage.server.queued} wakes, ${stage.server.buckets.lease.keys().length} leases`}`,
  );
  for (const { invariant, says } of violations.slice(0, 20)) console.log(`${invariant}: ${says.slice(0, 300)}`);
  console.log(`${violations.length} broken`);
  return isDone && violations.length === 0 && slope <= mostSlope;
}

function mega(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
