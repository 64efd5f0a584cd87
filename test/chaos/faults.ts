/** What each kind of fault does to a house. All of them heal by themselves. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RetentionPolicy, type StreamConfig } from 'nats';
import { systemClock } from '../../src/observe/clock.js';
import { randomFrom } from '../support/random.js';
import { fill } from '../support/small-disk.js';
import { throwDamaged } from './damage.js';
import type { House } from './house.js';
import { crewSize, type Fault } from './schedule.js';

/** Of the clock of one process. */
const jumpMs = 3_600_000;
/** So many messages of each kind are thrown at once. */
const damagedMessages = 40;

/** Resolves when the fault is over and whoever it concerned can be reached again. */
export async function strike(fault: Fault, house: House): Promise<void> {
  await systemClock.sleep(fault.atMs);
  const from = Date.now();
  const pid = concernsOne(fault) ? house.crew.pid(fault.worker) : 0;
  // Known from its beginning on, as what follows from it may be looked at before it ends.
  const disturbance = { pid, from, to: Number.POSITIVE_INFINITY };
  house.disturbances.push(disturbance);
  house.tally.count(fault.kind);
  await carryOut(fault, house);
  if (pid === 0) await serverAnswers(house);
  disturbance.to = Date.now();
}

const concernsOne = ({ kind }: Fault): boolean =>
  kind.endsWith('worker') || ['lose replies', 'repeat messages', 'replay messages', 'clock jump'].includes(kind);

async function carryOut({ atMs, kind, ms, worker }: Fault, house: House): Promise<void> {
  const { crew, modelProxy, tally } = house;
  switch (kind) {
    case 'kill worker':
      return killWorkers([worker], house);
    case 'kill server':
      return killServer(house);
    case 'kill all':
      killServer(house);
      return killWorkers(
        Array.from({ length: crewSize }, (_, index) => index),
        house,
      );
    case 'freeze worker':
      tally.count('freezes');
      return crew.freeze(worker, ms);
    case 'cut worker':
      return crew.cut(worker);
    case 'half-open worker':
      return crew.halfOpen(worker, ms);
    case 'lose replies':
      return crew.loseReplies(worker, ms);
    case 'slow worker':
      return crew.slow(worker, 20 + ms / 4, ms);
    case 'repeat messages':
      return crew.repeat(worker, ms);
    case 'replay messages':
      return crew.replay(worker, ms);
    case 'clock jump':
      return crew.skew(worker, atMs % 2 === 0 ? jumpMs : -jumpMs, ms);
    case 'refuse model':
      modelProxy.refuse();
      await systemClock.sleep(ms);
      return modelProxy.pass();
    case 'slow model':
      modelProxy.delay(20 + ms / 4);
      await systemClock.sleep(ms);
      return modelProxy.delay(0);
    case 'full storage':
      return house.disk !== undefined && atMs % 2 === 0 ? fillDisk(house.disk, ms) : limitStreams(house, ms);
    case 'delete consumers':
      return patiently(() => deleteConsumers(house));
    case 'damaged messages':
      return patiently(() => throwDamaged(house, randomFrom(atMs), damagedMessages));
  }
}

async function killWorkers(workers: readonly number[], { crew, tally }: House): Promise<void> {
  const alive = workers.filter((index) => crew.lives(index));
  tally.count('kills', alive.length);
  await Promise.all(alive.map((index) => crew.kill(index)));
}

/** One that is down already, from an earlier fault, is left to its keeper. */
function killServer({ runtime, tally }: House): void {
  const { pid } = runtime.server;
  if (pid === undefined || pid === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
    tally.count('kills');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function fillDisk(disk: string, ms: number): Promise<void> {
  const ballast = join(disk, 'ballast');
  await fill(ballast);
  await systemClock.sleep(ms);
  await rm(ballast, { force: true });
}

/** Room that a limited stream keeps: a limit below what came in meanwhile makes the server delete what is oldest. */
const roomBytes = 4_096;

/** Streams take hardly more bytes than they have, as in an account that has used up its share. */
async function limitStreams(house: House, ms: number): Promise<void> {
  const setMost = async (name: string, most: (bytes: number) => number): Promise<unknown> =>
    patiently(async () => {
      const { streams } = await house.admin();
      const { config, state } = await streams.info(name);
      return streams.update(name, { ...config, max_bytes: most(state.bytes) });
    });
  const names = (await streamsOf(house)).map(({ name }) => name);
  await Promise.all(names.map((name) => setMost(name, (bytes) => bytes + roomBytes)));
  await systemClock.sleep(ms);
  await Promise.all(names.map((name) => setMost(name, () => -1)));
}

/** A server that is killed may have acknowledged the end of a limit, and come back with it. */
export async function liftLimits(house: House): Promise<void> {
  for (;;) {
    const limited = (await streamsOf(house)).filter(({ max_bytes }) => max_bytes > 0);
    if (limited.length === 0) return;
    for (const config of limited)
      await patiently(async () => (await house.admin()).streams.update(config.name, { ...config, max_bytes: -1 }));
  }
}

async function streamsOf(house: House): Promise<StreamConfig[]> {
  const listed = await patiently(async () => {
    const streams = [];
    for await (const { config } of (await house.admin()).streams.list()) streams.push(config);
    return streams;
  });
  return listed.filter(({ name }) => /_(JOURNAL_\d+|INBOX|AGENT|TASK)$/.test(name));
}

/** Those of the queues; whoever pulled from them makes them anew. */
async function deleteConsumers(house: House): Promise<void> {
  const admin = await house.admin();
  const queues: [stream: string, consumer: string][] = [];
  for await (const { config } of admin.streams.list()) {
    if (config.retention !== RetentionPolicy.Workqueue) continue;
    for await (const { name } of admin.consumers.list(config.name)) queues.push([config.name, name]);
  }
  await Promise.all(queues.map(([stream, consumer]) => admin.consumers.delete(stream, consumer).catch(() => false)));
}

/** Tries until it succeeds: the server may be away, by another fault. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch {
      await systemClock.sleep(200);
    }
  }
}

async function serverAnswers({ runtime }: House): Promise<void> {
  while (!(await runtime.bus.buckets.task.get('none')).ok) await systemClock.sleep(50);
}
