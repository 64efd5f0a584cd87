/** Plays one schedule in a house: submits, disturbs, heals, waits for the ends, and writes down what was seen from outside. */
import type { TaskId } from '../../src/domain/id.js';
import { systemClock } from '../../src/observe/clock.js';
import { readLedger } from '../support/demo/ledger.js';
import { goalOf } from './brain.js';
import type { Disturbance, History, TaskHistory } from './history.js';
import { type House, leaseMs } from './house.js';
import { budget, crewSize, type Fault, type Schedule, type Submitted } from './schedule.js';

/** After the last fault everything must have ended within this time. */
const drainMs = 30_000;
/** Afterwards, for zombies. */
const zombieMs = 2 * leaseMs;
/** Within this time nothing of an ended task is left on the server. */
const sweepMs = 30_000;

export interface Tally {
  kills: number;
  freezes: number;
  cuts: number;
}

export async function playSchedule(schedule: Schedule, house: House, tally: Tally): Promise<History> {
  const disturbances: Disturbance[] = [];
  const healing = Promise.all(schedule.faults.map((fault) => strike(fault, house, disturbances, tally)));
  const stop = new AbortController();
  const tasks = schedule.tasks.map((task) => follow(task, house, stop.signal));
  await healing;
  const late = systemClock.sleep(drainMs, stop.signal).then(() => stop.abort());
  const ended = await Promise.all(tasks);
  stop.abort();
  await late;
  await systemClock.sleep(zombieMs);
  return {
    tasks: await Promise.all(ended.map((task) => readAgain(task, house))),
    ledger: await readLedger(house.ledger),
    replies: Object.fromEntries(house.brain.replies),
    disturbances,
    leftovers: await leftovers(ended, house),
    budget,
  };
}

async function strike(
  { atMs, kind, ms, worker }: Fault,
  house: House,
  seen: Disturbance[],
  tally: Tally,
): Promise<void> {
  const { crew, modelProxy } = house;
  await systemClock.sleep(atMs);
  const from = Date.now();
  const pid = kind.endsWith('worker') || kind === 'lose replies' ? crew.pid(worker) : 0;
  const everybody = Array.from({ length: crewSize }, (_, index) => index);
  switch (kind) {
    case 'kill worker':
      if (crew.lives(worker)) tally.kills += 1;
      await crew.kill(worker);
      break;
    case 'freeze worker':
      tally.freezes += 1;
      await crew.freeze(worker, ms);
      break;
    case 'cut worker':
      tally.cuts += 1;
      crew.cut(worker);
      break;
    case 'half-open worker':
      tally.cuts += 1;
      await crew.halfOpen(worker, ms);
      break;
    case 'lose replies':
      tally.cuts += 1;
      await crew.loseReplies(worker, ms);
      break;
    case 'kill server':
      tally.kills += killServer(house);
      break;
    case 'kill all':
      tally.kills += killServer(house) + everybody.filter((index) => crew.lives(index)).length;
      await Promise.all(everybody.map((index) => crew.kill(index)));
      break;
    case 'refuse model':
      tally.cuts += 1;
      modelProxy.refuse();
      await systemClock.sleep(ms);
      modelProxy.pass();
      break;
  }
  seen.push({ pid, from, to: Date.now() });
}

/** How many were killed: one that is down already, from an earlier fault, is left to its keeper. */
function killServer({ runtime }: House): number {
  const { pid } = runtime.server;
  if (pid === undefined || pid === 0) return 0;
  try {
    process.kill(pid, 'SIGKILL');
    return 1;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return 0;
  }
}

async function follow(task: Submitted, { runtime }: House, signal: AbortSignal): Promise<TaskHistory> {
  const { client } = runtime;
  const submission = {
    goal: goalOf(task.work),
    idempotencyKey: task.key,
    budget: { ...budget, tokens: 1_000_000, costUsd: 100, seconds: 300 },
  };
  const ids: TaskId[] = [];
  for (let tries = task.again ? 2 : 1; tries > 0 && !signal.aborted; ) {
    const accepted = await client.submit(submission);
    if (accepted.ok) {
      ids.push(accepted.value.taskId);
      tries -= 1;
    } else await systemClock.sleep(200, signal);
  }
  const [taskId] = ids;
  if (taskId === undefined) return { key: task.key, ids, cancelled: false, results: [] };
  if (task.cancelAtMs !== undefined) {
    await systemClock.sleep(task.cancelAtMs, signal);
    for (let sent = false; !sent && !signal.aborted; ) {
      const cancelled = await client.cancel({ taskId });
      sent = cancelled.ok || cancelled.failure.kind === 'conflict';
      if (!sent) await systemClock.sleep(200, signal);
    }
  }
  const cancelled = task.cancelAtMs !== undefined;
  for await (const item of client.watch(taskId, { signal })) {
    if (item.type === 'result')
      return { key: task.key, ids, cancelled, results: [JSON.stringify(item.value)], endedAt: Date.now() };
  }
  return { key: task.key, ids, cancelled, results: [] };
}

/** A second reader, later: a result never changes. */
async function readAgain(task: TaskHistory, { runtime }: House): Promise<TaskHistory> {
  const [taskId] = task.ids;
  if (taskId === undefined || task.results.length === 0) return task;
  const read = await runtime.client.get(taskId);
  return { ...task, results: [...task.results, read.ok ? JSON.stringify(read.value) : read.failure.message] };
}

/** What is left after the time in which the hosts look after lost agents. */
async function leftovers(tasks: readonly TaskHistory[], house: House): Promise<string[]> {
  const giveUpAt = systemClock.elapsed() + sweepMs;
  for (;;) {
    const left = await leftNow(tasks, house);
    if (left.length === 0 || systemClock.elapsed() > giveUpAt) return left;
    await systemClock.sleep(500);
  }
}

async function leftNow(tasks: readonly TaskHistory[], { runtime }: House): Promise<string[]> {
  const ours = tasks.flatMap(({ ids: [root] }) => (root === undefined ? [] : [root]));
  const isOurs = (agentId: string): boolean => ours.some((root) => agentId === root || agentId.startsWith(`${root}-`));
  const { buckets, inbox } = runtime.bus;
  const agents = await inbox.agents();
  const leases = await buckets.lease.keys();
  return [
    ...(agents.ok ? [...agents.value.keys()].filter(isOurs).map((agentId) => `inbox of ${agentId}`) : ['inbox unread']),
    ...(leases.ok ? leases.value.filter(isOurs).map((agentId) => `lease of ${agentId}`) : ['leases unread']),
  ];
}
