/** The people of a schedule: who submits, cancels, pauses, corrects, and decides on calls. */
import type { TaskId } from '../../src/domain/id.js';
import { systemClock } from '../../src/observe/clock.js';
import { goalOf } from './brain.js';
import type { Decision, TaskHistory } from './history.js';
import type { House } from './house.js';
import { budget, type Submitted } from './schedule.js';

const againMs = 200;
/** Jumps of a clock by an hour must not pass a deadline. */
const seconds = 4 * 3_600;

/** From the submission to the result; the signal ends the waiting. */
export async function follow(task: Submitted, house: House, signal: AbortSignal): Promise<TaskHistory> {
  const { client } = house.runtime;
  const ids = await submit(task, house, signal);
  const [taskId] = ids;
  const known = { key: task.key, ids, cancelled: task.cancelAtMs !== undefined };
  if (taskId === undefined) return { ...known, results: [] };
  const done = new AbortController();
  const ending = AbortSignal.any([signal, done.signal]);
  const decisions: Decision[] = [];
  const deciding = task.denied === undefined ? undefined : decide(taskId, task.denied, decisions, house, ending);
  const cancelling = task.cancelAtMs === undefined ? undefined : cancel(taskId, task.cancelAtMs, house, ending);
  const pausing = task.pause === undefined ? undefined : pause(taskId, task.pause, house, ending);
  let result: string | undefined;
  let endedAt = 0;
  for await (const item of client.watch(taskId, { signal })) {
    if (item.type !== 'result') continue;
    result = JSON.stringify(item.value);
    endedAt = Date.now();
    break;
  }
  done.abort();
  await Promise.all([deciding, cancelling]);
  const paused = await pausing;
  return {
    ...known,
    results: result === undefined ? [] : [result],
    ...(result === undefined ? {} : { endedAt }),
    ...(paused === undefined ? {} : { paused }),
    ...(deciding === undefined ? {} : { decisions }),
  };
}

async function submit(task: Submitted, { runtime }: House, signal: AbortSignal): Promise<TaskId[]> {
  const submission = {
    goal: goalOf(task.work),
    idempotencyKey: task.key,
    budget: { ...budget, tokens: 1_000_000, costUsd: 100, seconds },
    ...(task.denied === undefined ? {} : { permission: { approval: 'all' as const } }),
  };
  const ids: TaskId[] = [];
  for (let tries = task.again ? 2 : 1; tries > 0 && !signal.aborted; ) {
    const accepted = await runtime.client.submit(submission);
    if (accepted.ok) {
      ids.push(accepted.value.taskId);
      tries -= 1;
    } else await systemClock.sleep(againMs, signal);
  }
  return ids;
}

/** Until it is taken, or comes too late. */
async function insist(
  act: () => Promise<{ ok: true } | { ok: false; failure: { kind: string } }>,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const outcome = await act();
    if (outcome.ok) return true;
    if (outcome.failure.kind === 'conflict') return false;
    await systemClock.sleep(againMs, signal);
  }
  return false;
}

async function cancel(taskId: TaskId, atMs: number, { runtime }: House, signal: AbortSignal): Promise<void> {
  await systemClock.sleep(atMs, signal);
  await insist(() => runtime.client.cancel({ taskId }), signal);
}

async function pause(
  taskId: TaskId,
  { atMs, ms }: NonNullable<Submitted['pause']>,
  { runtime, tally }: House,
  signal: AbortSignal,
): Promise<TaskHistory['paused']> {
  const { client } = runtime;
  await systemClock.sleep(atMs, signal);
  if (!(await insist(() => client.pause({ taskId }), signal))) return undefined;
  const from = Date.now();
  tally.count('pauses');
  await systemClock.sleep(ms, signal);
  const to = Date.now();
  await insist(() => client.correct({ taskId, text: 'Mind the other file.' }), signal);
  await insist(() => client.resume({ taskId }), signal);
  return { from, to };
}

/** Two of them decide at once, and say the same. */
async function decide(
  taskId: TaskId,
  denied: readonly string[],
  decisions: Decision[],
  { runtime, tally }: House,
  signal: AbortSignal,
): Promise<void> {
  const { client } = runtime;
  while (!signal.aborted) {
    const asked = await client.approvals({ taskId });
    for (const request of asked.ok ? asked.value.requests : []) {
      if (request.kind !== 'approval') continue;
      const allow = !denied.includes(String(request.arguments.key));
      const { agentId, callId } = request;
      decisions.push({ agentId, callId, allow, at: Date.now() });
      const said = await Promise.all([0, 1].map(() => client.decide({ id: request.id, allow })));
      if (said.some(({ ok }) => ok)) tally.count(allow ? 'calls allowed' : 'calls denied');
    }
    await systemClock.sleep(againMs / 2, signal);
  }
}
