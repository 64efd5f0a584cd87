/**
 * `npm run soak -- [--warm-up N] [--minutes N] [--at-once N] [--seed S]`: real processes at work for a long time, undisturbed.
 * What they keep must not grow with the tasks that they did: memory after a collection, descriptors, consumers of the server,
 * processes; and of ended tasks nothing may be left. Ends with 0 when none of it grew in the minutes after the warm-up, in
 * which compiled code, pools and caches fill.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/observe/clock.js';
import { slopeOf } from '../support/slope.js';
import type { TaskHistory } from './history.js';
import { type House, openHouse } from './house.js';
import { follow } from './people.js';
import { leftovers } from './play.js';
import { crewSize, type Submitted, scheduleOf } from './schedule.js';
import { Tally } from './tally.js';

const { values } = parseArgs({
  options: {
    'warm-up': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
});
const minuteMs = 60_000;
const warmUpMs = Number(values['warm-up']) * minuteMs;
const runMs = warmUpMs + Number(values.minutes) * minuteMs;
/** So long tasks are at work between two samples. */
const sampleMs = 30_000;
/** Samples that are printed: one in five minutes. */
const everyManieth = (5 * minuteMs) / sampleMs;
/** Of memory that grows with time: bytes an hour. */
const mostSlope = 1_000_000;
const hourMs = 3_600_000;

interface Sample {
  readonly atMs: number;
  /** Of each worker. */
  readonly kept: readonly number[];
  /** Resident memory of nats-server. */
  readonly server: number;
  /** Of workers and server. */
  readonly descriptors: number;
  readonly consumers: number;
}

async function sampleOf({ admin, crew, runtime }: House, atMs: number): Promise<Sample> {
  const workers = Array.from({ length: crewSize }, (_, index) => index);
  const server = runtime.server.pid ?? 0;
  const manager = await admin();
  let consumers = 0;
  for await (const { state } of manager.streams.list()) consumers += state.consumer_count;
  return {
    atMs,
    kept: await Promise.all(workers.map((index) => crew.keptBytes(index))),
    server: residentBytes(server),
    descriptors: [...workers.map((index) => crew.pid(index)), server].reduce((sum, pid) => sum + descriptorsOf(pid), 0),
    consumers,
  };
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

/** Tasks of all kinds but those that kill their process, one after the other. */
function* tasksFrom(seed: number): Generator<Submitted> {
  for (let next = seed; ; next += 1) {
    const { tasks } = scheduleOf(next, { faultMs: 1_000, tasks: 6 });
    yield* tasks.filter(({ work }) => !JSON.stringify(work).includes('"crash"'));
  }
}

async function work(house: House, tasks: Iterator<Submitted>, until: number): Promise<TaskHistory[]> {
  const done: TaskHistory[] = [];
  while (systemClock.elapsed() < until) {
    const next = tasks.next();
    done.push(await follow(next.value as Submitted, house, new AbortController().signal));
  }
  return done;
}

/** Samples are taken while nothing is at work: what tasks under way hold differs by more than what would be lost. */
async function workAndRest(house: House): Promise<{ done: TaskHistory[]; samples: Sample[] }> {
  const done: TaskHistory[] = [];
  const samples: Sample[] = [];
  const tasks = tasksFrom(Number(values.seed));
  const from = systemClock.elapsed();
  while (systemClock.elapsed() < from + runMs) {
    const until = systemClock.elapsed() + sampleMs;
    const lanes = Array.from({ length: Number(values['at-once']) }, () => work(house, tasks, until));
    done.push(...(await Promise.all(lanes)).flat());
    samples.push(await sampleOf(house, systemClock.elapsed() - from));
  }
  return { done, samples };
}

function tell(tasks: readonly TaskHistory[], all: readonly Sample[], left: readonly string[]): boolean {
  const samples = all.filter(({ atMs }) => atMs >= warmUpMs);
  const first = samples[0] as Sample;
  const last = samples.at(-1) as Sample;
  const lost = tasks.filter(({ results }) => results.length === 0).length;
  console.log(`${tasks.length} tasks in ${(last.atMs / minuteMs).toFixed(1)} minutes, ${lost} without an end`);
  const slopes = first.kept.map(
    (_, index) => slopeOf(samples.map(({ atMs, kept }) => [atMs, kept[index] ?? 0])) * hourMs,
  );
  for (const { atMs, kept } of all.filter((_, index) => index % everyManieth === 0))
    console.log(`after ${(atMs / minuteMs).toFixed(1)} minutes workers keep ${kept.map(mega).join(', ')} MB`);
  for (const [index, slope] of slopes.entries())
    console.log(`worker ${index} keeps ${mega(last.kept[index] ?? 0)} MB, ${mega(slope)} MB more an hour`);
  const server = slopeOf(samples.map((sample) => [sample.atMs, sample.server])) * hourMs;
  console.log(`nats-server ${mega(last.server)} MB resident, ${mega(server)} MB more an hour, for what it stores`);
  const half = samples.length / 2;
  const levels = (['descriptors', 'consumers'] as const).map((kind) => {
    const counts = samples.map((sample) => sample[kind]);
    const [most, least] = [Math.max(...counts.slice(0, half)), Math.min(...counts.slice(half))];
    console.log(`${kind}: at most ${most} in the first half, at least ${least} in the second`);
    return least <= most;
  });
  console.log(`left of ended tasks: ${left.length === 0 ? 'nothing' : left.slice(0, 5).join('; ')}`);
  const isLevel = levels.every(Boolean) && slopes.every((slope) => slope <= mostSlope);
  return lost === 0 && left.length === 0 && isLevel;
}

const mega = (bytes: number): string => (bytes / 1_000_000).toFixed(2);

async function main(): Promise<number> {
  const house = await openHouse(Number(values.seed), new Tally());
  try {
    const { done, samples } = await workAndRest(house);
    return tell(done, samples, await leftovers(done, house)) ? 0 : 1;
  } finally {
    await house.close();
  }
}

process.exit(await main());
