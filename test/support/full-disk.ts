/**
 * A disk that is really full: `npm run full-disk` mounts a small tmpfs in a namespace of its own, fills it under an
 * embedded server that is at work, frees it again, and tells what came of it as JSON.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBus } from '../../src/bus/connect.js';
import { keepServer } from '../../src/bus/supervise.js';
import type { Control } from '../../src/control/control.js';
import { randomIds } from '../../src/control/control.js';
import { acceptSubmission } from '../../src/control/submit.js';
import type { Failure, Result } from '../../src/domain/failure.js';
import type { AgentId, TaskId } from '../../src/domain/id.js';
import { systemClock } from '../../src/observe/clock.js';
import { fill, runOnSmallDisk } from './small-disk.js';

export interface FullDisk {
  /** Tasks that were accepted: before, while it was full, after. */
  readonly accepted: readonly [number, number, number];
  /** Of those, how many have no record or no order at the end. */
  readonly lost: number;
  /** Kinds of the failures while it was full. */
  readonly refusals: readonly Failure['kind'][];
  readonly slowestRefusalMs: number;
  /** From freed space to the first accepted task. */
  readonly recoveryMs: number;
}

const defaults = {
  budget: {
    tokens: 200_000,
    usd: 1,
    roundsByKind: { question: 5, general: 20, coding: 30 },
    seconds: 600,
    toolCalls: 100,
    children: 16,
  },
  approval: { policy: 'risky' },
  tasks: { queues: [], tenants: {} },
} as const;
const context = 'x'.repeat(20_000);
const mostRefusals = 4;

async function fillAndFree(disk: string): Promise<FullDisk> {
  const kept = must(await keepServer({ folder: join(disk, 'nats'), env: process.env, fetch: false, lookMs: 500 }));
  const bus = must(await openBus({ servers: kept.url, token: kept.token }));
  const control: Control = {
    bus,
    prefix: 'hact.v1',
    defaults,
    clock: systemClock,
    ids: randomIds,
    schemaProblem: () => undefined,
  };
  const accepted: TaskId[] = [];
  const submit = async (): Promise<Failure | undefined> => {
    const outcome = await acceptSubmission(control, { goal: 'fill', context, idempotencyKey: randomIds.token() });
    if (outcome.ok) accepted.push(outcome.value.taskId);
    return outcome.ok ? undefined : outcome.failure;
  };
  for (let n = 0; n < 50; n += 1) await submit();
  const before = accepted.length;

  const ballast = join(disk, 'ballast');
  await fill(ballast);
  const refusals: Failure['kind'][] = [];
  let slowestRefusalMs = 0;
  while (refusals.length < mostRefusals) {
    const asked = performance.now();
    const failure = await submit();
    if (failure === undefined) continue;
    refusals.push(failure.kind);
    slowestRefusalMs = Math.max(slowestRefusalMs, Math.round(performance.now() - asked));
  }
  const during = accepted.length - before;

  await rm(ballast);
  const freed = performance.now();
  while ((await submit()) !== undefined) await pause(100);
  const recoveryMs = Math.round(performance.now() - freed);
  for (let n = 0; n < 20; n += 1) must(await acceptSubmission(control, { goal: 'after' }));

  let lost = 0;
  for (const taskId of accepted) {
    const record = must(await bus.buckets.task.get(taskId));
    const order = must(await bus.inbox.read(taskId as string as AgentId, 0));
    if (record === undefined || order.length === 0) lost += 1;
  }
  await bus.close();
  await kept.stop();
  return {
    accepted: [before, during, accepted.length - before - during],
    lost,
    refusals,
    slowestRefusalMs,
    recoveryMs,
  };
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return result.value;
}

const [, , disk] = process.argv;
if (disk === undefined) process.exitCode = await runOnSmallDisk(fileURLToPath(import.meta.url), [], 32);
else process.stdout.write(`${JSON.stringify(await fillAndFree(disk))}\n`);
