/** What a tenant may have, and what a refusal says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wake } from '../../src/bus/contract.js';
import { acceptSubmission } from '../../src/control/submit.js';
import type { AgentId } from '../../src/domain/id.js';
import type { Order, Submission } from '../../src/domain/task.js';
import type { TenantTable } from '../../src/domain/tenant.js';
import { sendDelivery } from '../../src/host/outbox.js';
import { Happenings } from '../bus/conformance/harness.js';
import { startTestNats, type TestNats } from '../support/nats.js';
import { openControl, reportOf, type TestControl, value } from './support.js';

let nats: TestNats;
const open: TestControl[] = [];
beforeAll(async () => {
  nats = await startTestNats();
});
afterAll(async () => {
  await Promise.all(open.map(({ bus }) => bus.close()));
  await nats.stop();
});

async function control(tenants: TenantTable, prefix?: string): Promise<TestControl> {
  const opened = await openControl(nats, prefix === undefined ? {} : { prefix });
  open.push(opened);
  return { ...opened, defaults: { ...opened.defaults, tasks: { queues: [], tenants } } };
}

const submit = (at: TestControl, tenant?: string, more: Partial<Submission> = {}) =>
  acceptSubmission(at, { goal: 'sum it up', ...(tenant === undefined ? {} : { tenant }), ...more } as Submission);
const keys = async (at: TestControl) => value(await at.bus.buckets.task.keys()).sort();
const kinds = (outcomes: readonly { ok: boolean }[]) => outcomes.filter(({ ok }) => ok).length;

/** As the root agent does with its last step. */
const end = (at: TestControl, taskId: Order['taskId']) =>
  sendDelivery(
    at.bus,
    { to: 'task', taskId, report: reportOf(taskId), endedAt: 2 },
    { agentId: taskId as string as AgentId, role: 'planner' as Order['role'], priority: 'normal' },
  );

describe('a limit of open tasks', () => {
  it('refuses one more with the limit, what there is and what to do, and leaves no trace of it', async () => {
    const at = await control({ acme: { openTasks: 2 } });
    const [first] = [value(await submit(at, 'acme')), value(await submit(at, 'acme'))];
    const before = await keys(at);
    const refusal = {
      ok: false,
      failure: {
        kind: 'quota_exceeded',
        message: 'tenant acme has 2 open tasks, and its limit is 2',
        hint: 'submit again when one has ended (hact ls --running lists them); the limit is openTasks in tasks.tenants',
      },
    };
    expect(await submit(at, 'acme')).toEqual(refusal);
    expect(await submit(at, 'acme', { idempotencyKey: 'k' })).toEqual(refusal);
    expect(await keys(at)).toEqual(before);
    expect((await submit(at, 'other')).ok).toBe(true);
    value(await end(at, first.taskId));
    const again = value(await submit(at, 'acme', { idempotencyKey: 'k' }));
    expect(await submit(at, 'acme', { idempotencyKey: 'k' }), 'the same task, which is counted once').toEqual({
      ok: true,
      value: again,
    });
    expect((await submit(at, 'acme')).ok).toBe(false);
  });

  it('is for each tenant that has none of its own when it is that of "*", the default tenant too', async () => {
    const at = await control({ '*': { openTasks: 1 }, big: { openTasks: 3 } });
    for (const [tenant, most] of [
      [undefined, 1],
      ['a', 1],
      ['b', 1],
      ['big', 3],
    ] as const) {
      const outcomes = [];
      for (let n = 0; n < 4; n += 1) outcomes.push(await submit(at, tenant));
      expect(kinds(outcomes), tenant).toBe(most);
    }
    expect(await submit(at)).toMatchObject({
      failure: { message: 'tenant default has 1 open tasks, and its limit is 1' },
    });
  });

  it('holds exactly, however many come at once at several processes', async () => {
    const limits = { acme: { openTasks: 5 } };
    const at = await control(limits);
    const others = [at, await control(limits, at.prefix), await control(limits, at.prefix)];
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, n) => submit(others[n % 3] ?? at, 'acme')));
    expect(kinds(outcomes)).toBe(5);
    expect((await keys(at)).filter((key) => key.startsWith('open.'))).toHaveLength(5);
  });

  it('forgets what died between two writes', async () => {
    const at = await control({ acme: { openTasks: 2 } });
    value(await at.bus.buckets.task.put('open.acme.tsk_NEVER', { v: 1 }));
    value(await submit(at, 'acme'));
    expect((await submit(at, 'acme')).ok).toBe(true);
    expect((await submit(at, 'acme')).ok).toBe(false);
    expect((await keys(at)).includes('open.acme.tsk_NEVER')).toBe(false);
  });
});

describe('a limit of waiting agents', () => {
  it('refuses new tasks while so many wakes of the tenant are not taken', async () => {
    const at = await control({ acme: { waitingAgents: 3 } });
    for (const priority of ['high', 'normal', 'low'] as const)
      expect((await submit(at, 'acme', { priority })).ok).toBe(true);
    expect(await submit(at, 'acme')).toMatchObject({
      failure: {
        kind: 'quota_exceeded',
        message: 'tenant acme has 3 agents waiting for a worker, and its limit is 3',
      },
    });
    expect((await submit(at, 'other')).ok).toBe(true);
    const stop = new AbortController();
    const taken = new Happenings<Wake>();
    const options = { capacity: () => 4, signal: stop.signal, onFailure: () => undefined };
    const consuming = at.bus.wakes.consume('planner' as Order['role'], options, taken.add);
    await taken.reached(4);
    expect((await submit(at, 'acme')).ok).toBe(true);
    stop.abort();
    await consuming;
  });
});
