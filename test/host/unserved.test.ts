/** Orders for a role that no living host has: they wait, and end when they are cancelled or late. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import type { Message } from '../../src/domain/message.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage } from './stage.js';
import { orderFor } from './toy.js';

let buses: TestBuses;
let stage: Stage;
let tests = 0;

beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());
beforeEach(async () => {
  tests += 1;
  stage = await Stage.open(buses, `unserved${tests}`);
});
afterEach(() => stage.end());

const farAway = Date.now() + 3_600_000;

async function orderElsewhere(deadlineAt: number, ...more: Message[]): Promise<void> {
  const order = { ...orderFor('a1', 'work:x', deadlineAt), role: 'elsewhere' as RoleName };
  await stage.put('a1', { v: 1, type: 'task.ordered', id: 'a1.order', at: 1, order });
  for (const message of more) await stage.put('a1', message);
}

const waiting = async (): Promise<boolean> => orThrow(await stage.bus.inbox.agents()).has('a1' as AgentId);
const told = async (): Promise<string[]> =>
  (await stage.inbox('boss')).map(({ value }) => (value.type === 'human.corrected' ? value.text : ''));

describe('an order for a role that nobody hosts', () => {
  it.each([
    [
      'is cancelled',
      farAway,
      { v: 1, type: 'task.cancelled', id: 'c', at: 1, by: '李雷', reason: '不用了' },
      'a1 cancelled: cancelled by 李雷: 不用了',
    ],
    [
      'has lost its parent',
      farAway,
      { v: 1, type: 'parent.ended', id: 'p', at: 1 },
      'a1 parent_gone: the agent that ordered this has ended',
    ],
    [
      'is late',
      1,
      answer('too late'),
      'a1 deadline_passed: the deadline has passed, and no worker for the role elsewhere took the task',
    ],
  ] as const)('ends once when it %s, without a dead letter', async (_, deadlineAt, message, words) => {
    await orderElsewhere(deadlineAt, message);
    await stage.reconcile();
    await stage.reconcile();
    expect(await told()).toEqual([words]);
    expect(await waiting()).toBe(false);
    expect(orThrow(await stage.bus.dead.list())).toEqual([]);
  });

  it('waits as long as it may', async () => {
    await orderElsewhere(farAway, answer('hello?'));
    await stage.reconcile();
    expect(await told()).toEqual([]);
    expect(await waiting()).toBe(true);
  });

  it('waits longer when its time was extended', async () => {
    const seconds = 3_600;
    await orderElsewhere(1, { v: 1, type: 'budget.changed', id: 'b', at: Date.now(), budget: { seconds }, by: 'test' });
    await stage.reconcile();
    expect(await waiting()).toBe(true);
  });

  it('is left to the host that has begun it', async () => {
    await orderElsewhere(1);
    const begun = { v: 1, kind: 'epoch', epoch: 1, at: 1, host: 'h', machineVersion: 1 } as const;
    orThrow(await stage.bus.journal.append('a1' as AgentId, begun, 0));
    await stage.reconcile();
    expect(await waiting()).toBe(true);
  });

  it('is woken, not ended, as soon as somebody has the role', async () => {
    await stage.start({ roles: [{ ...stage.world.role('other'), name: 'elsewhere' as RoleName }] });
    await orderElsewhere(farAway);
    await stage.reconcile();
    await stage.rests('a1', 'finished');
    expect(stage.world.performed).toHaveLength(1);
  });
});
