/** Journals of versions that this one does not know: nobody ends such an agent, and nothing is written to it. */
import { connect } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namesOf } from '../../src/bus/subject.js';
import type { Failure } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import type { JsonObject } from '../../src/domain/json.js';
import { Happenings } from '../bus/conformance/harness.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { answer, orThrow, Stage } from './stage.js';
import { orderFor } from './toy.js';

let buses: TestBuses;
beforeAll(async () => {
  buses = await startTestBuses();
});
afterAll(() => buses.end());

it.each([
  ['chart', { v: 1, kind: 'epoch', epoch: 1, at: 1, host: 'newer', machineVersion: 9 }],
  ['record', { v: 2, kind: 'leap', epoch: 1, at: 1, host: 'newer' }],
])('an agent whose %s is newer is refused with a typed failure and left alone', async (what, newer) => {
  const prefix = `newer.${what}`;
  const stage = await Stage.open(buses, prefix);
  const failures = new Happenings<Failure>();
  await stage.order('a1', 'work:x');
  const stranger = await connect({ servers: buses.nats.url, token: buses.nats.token });
  await stranger.request(namesOf(prefix, 1).log('a1'), JSON.stringify(newer));
  await stranger.close();
  const before = orThrow(await stage.bus.inbox.read('a1' as AgentId, 0));
  const crewed = await stage.start({ poisonAttempts: 1, onFailure: failures.add });
  const [failure] = await failures.reached(1);
  expect(failure?.kind).toBe('unsupported_version');
  await crewed.host.drain();
  expect(orThrow(await stage.bus.dead.list())).toEqual([]);
  expect(orThrow(await stage.bus.inbox.read('a1' as AgentId, 0))).toEqual(before);
  expect(orThrow(await stage.bus.buckets.agent.get('a1'))).toBeUndefined();
  expect(stage.world.performed).toEqual([]);
  await stage.end();
});

it('an agent whose journal no version at hand reads ends a minute after its deadline, and not before', async () => {
  const prefix = 'newer.overdue';
  const stage = await Stage.open(buses, prefix);
  const stranger = await connect({ servers: buses.nats.url, token: buses.nats.token });
  const newer = JSON.stringify({ v: 1, kind: 'epoch', epoch: 1, at: 1, host: 'newer', machineVersion: 9 });
  for (const id of ['late', 'due', 'extended']) await stranger.request(namesOf(prefix, 1).log(id), newer);
  await stranger.close();
  const refused = new Set<string>();
  await stage.start({ poisonAttempts: 1, onFailure: (_, agentId) => refused.add(String(agentId)) });
  await stage.order('due', 'work:x', Date.now() - 30_000);
  const budget = { seconds: 3_600 };
  const order = orderFor('extended', 'work:x', 1);
  await stage.put('extended', { v: 1, type: 'task.ordered', id: 'o', at: 1, order });
  await stage.send('extended', { v: 1, type: 'budget.changed', id: 'b', at: Date.now(), budget, by: 'test' });
  await stage.order('late', 'work:x', Date.now() - 61_000);
  await expect
    .poll(async () => orThrow(await stage.bus.dead.list()), { timeout: 10_000 })
    .toMatchObject([{ value: { agentId: 'late', reason: { kind: 'unsupported_version' } } }]);
  const told = (await stage.inbox('boss')).map(({ value }) => (value.type === 'human.corrected' ? value.text : ''));
  expect(told).toEqual([expect.stringContaining('late unsupported_version')]);
  expect([...orThrow(await stage.bus.inbox.agents()).keys()]).toEqual(expect.arrayContaining(['due', 'extended']));
  expect([...refused].sort()).toEqual(['due', 'extended', 'late']);
  expect(stage.world.performed).toEqual([]);
  await stage.end();
});

it('a parked agent that a newer chart carries on is no longer taken for one of the older', async () => {
  const stage = await Stage.open(buses, 'upgraded');
  const older = await stage.start();
  await stage.order('a1', 'wait work:x');
  await stage.rests('a1', 'parked');
  await older.host.drain();
  const migrations = [{ from: 1, event: (event: JsonObject) => event }];
  await stage.start({ roles: [{ ...stage.world.role('newer'), machineVersion: 2, migrations }] });
  await stage.send('a1', answer('go on'));
  await stage.rests('a1', 'finished');
  const journal = await stage.journal('a1');
  const told = journal.findIndex((record) => record.kind === 'epoch' && record.machineVersion === 2);
  const answered = journal.findIndex(
    (record) => record.kind === 'step' && record.events.some(({ type }) => type === 'human.answered'),
  );
  expect(told).toBeGreaterThan(0);
  expect(told).toBeLessThan(answered);
  await stage.end();
});

it('a message of a newer form is neither read nor buried by an older worker', async () => {
  const stage = await Stage.open(buses, 'newer.message');
  const stranger = await connect({ servers: buses.nats.url, token: buses.nats.token });
  const message = JSON.stringify({ v: 2, type: 'task.leaped', id: 'l', at: 1 });
  await stranger.request(namesOf('newer.message', 1).inbox('a1'), message);
  await stranger.close();
  expect(await stage.bus.inbox.read('a1' as AgentId, 0)).toMatchObject({ failure: { kind: 'unsupported_version' } });
  await stage.reconcile();
  expect(orThrow(await stage.bus.dead.list())).toEqual([]);
  expect(orThrow(await stage.bus.inbox.agents()).has('a1' as AgentId)).toBe(true);
  await stage.end();
});
