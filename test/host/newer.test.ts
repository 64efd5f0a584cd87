/** Journals of versions that this one does not know: nobody ends such an agent, and nothing is written to it. */
import { connect } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namesOf } from '../../src/bus/subject.js';
import type { Failure } from '../../src/domain/failure.js';
import type { AgentId } from '../../src/domain/id.js';
import { Happenings } from '../bus/conformance/harness.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { orThrow, Stage } from './stage.js';

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
