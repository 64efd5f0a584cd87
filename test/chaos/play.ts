/** Plays schedules in a house: submits, disturbs, heals, waits for the ends, and writes down what was seen from outside. */
import { systemClock } from '../../src/observe/clock.js';
import { readLedger } from '../support/demo/ledger.js';
import { liftLimits, strike } from './faults.js';
import type { History, TaskHistory } from './history.js';
import { type House, leaseMs } from './house.js';
import { follow } from './people.js';
import { budget, type Schedule } from './schedule.js';

/** After the last fault everything must have ended within this time. */
const drainMs = 30_000;
/** Afterwards, for zombies. */
const zombieMs = 2 * leaseMs;
/** Within this time nothing of an ended task is left on the server. */
const sweepMs = 30_000;

/** One after the other; what is left of them is looked for once, in quiet, after the last. */
export async function playSchedules(schedules: readonly Schedule[], house: House): Promise<History> {
  const ended: TaskHistory[] = [];
  for (const schedule of schedules) ended.push(...(await playOne(schedule, house)));
  await systemClock.sleep(zombieMs);
  return {
    tasks: await Promise.all(ended.map((task) => readAgain(task, house))),
    ledger: await readLedger(house.ledger),
    replies: Object.fromEntries(house.brain.replies),
    disturbances: house.disturbances,
    leftovers: await leftovers(ended, house),
    budget,
  };
}

/** Until all tasks have ended, and every place has its process again. */
async function playOne(schedule: Schedule, house: House): Promise<TaskHistory[]> {
  const healing = Promise.all(schedule.faults.map((fault) => strike(fault, house)));
  const stop = new AbortController();
  const tasks = schedule.tasks.map((task) => follow(task, house, stop.signal));
  await healing;
  await liftLimits(house);
  const late = whenLate(house, stop);
  const ended = await Promise.all(tasks);
  stop.abort();
  await late;
  await house.crew.whole();
  return ended;
}

/** Gives up when nothing was disturbed for so long; processes that poisonous tasks take along count as disturbed. */
async function whenLate({ crew, disturbances }: House, stop: AbortController): Promise<void> {
  for (let seen = -1; seen !== disturbances.length && !stop.signal.aborted; ) {
    await crew.whole();
    seen = disturbances.length;
    await systemClock.sleep(drainMs, stop.signal);
  }
  stop.abort();
}

/** A second reader, later: a result never changes. */
async function readAgain(task: TaskHistory, { runtime }: House): Promise<TaskHistory> {
  const [taskId] = task.ids;
  if (taskId === undefined || task.results.length === 0) return task;
  const read = await runtime.client.get(taskId);
  return { ...task, results: [...task.results, read.ok ? JSON.stringify(read.value) : read.failure.message] };
}

/** What is left after the time in which the hosts look after lost agents. */
export async function leftovers(tasks: readonly TaskHistory[], house: House): Promise<string[]> {
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
  const asked = await runtime.client.approvals();
  return [
    ...(agents.ok ? [...agents.value.keys()].filter(isOurs).map((agentId) => `inbox of ${agentId}`) : ['inbox unread']),
    ...(leases.ok ? leases.value.filter(isOurs).map((agentId) => `lease of ${agentId}`) : ['leases unread']),
    ...(asked.ok
      ? asked.value.requests.filter(({ agentId }) => isOurs(agentId)).map(({ id }) => `request ${id}`)
      : ['requests unread']),
  ];
}
