import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Bus, Wake } from '../../src/bus/contract.js';
import { bucketNames } from '../../src/bus/subject.js';
import { surveyServer } from '../../src/bus/survey.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { freshAgent, freshRole, Happenings, kindOf, message, must } from './conformance/harness.js';

let buses: TestBuses;
let bus: Bus;
beforeAll(async () => {
  buses = await startTestBuses();
  bus = await buses.open({ shards: 3 });
});
afterAll(() => buses.end());

const survey = async (prefix?: string) =>
  must(await surveyServer({ servers: buses.nats.url, token: buses.nats.token, ...(prefix ? { prefix } : {}) }));

it('counts messages, bytes, what waits and what is under way', async () => {
  const role = freshRole();
  for (const agent of [freshAgent(), freshAgent(), freshAgent()]) {
    must(await bus.inbox.put(agent, message('m')));
    must(await bus.wakes.put({ role, priority: 'normal' }, agent));
  }
  const stop = new AbortController();
  const wakes = new Happenings<Wake>();
  const options = { capacity: () => 2, signal: stop.signal, onFailure: () => undefined };
  const consuming = bus.wakes.consume(role, options, wakes.add);
  await wakes.reached(2);
  await expect
    .poll(async () => (await survey()).consumers.find(({ name }) => name === `${role}-normal`))
    .toMatchObject({ stream: 'HACT_V1_WAKE', lag: 1, underway: 2, redelivered: 0 });
  const { streams, server } = await survey();
  expect(streams).toHaveLength(3 + 6 + bucketNames.length);
  expect(streams.every(({ there }) => there)).toBe(true);
  expect(streams.find(({ name }) => name === 'HACT_V1_INBOX')).toMatchObject({ messages: 3, there: true });
  expect(streams.find(({ name }) => name === 'HACT_V1_INBOX')?.bytes).toBeGreaterThan(100);
  expect(server.version).toMatch(/^\d+\.\d+/);
  stop.abort();
  for (const wake of wakes.all) wake.ack();
  await consuming;
});

it('says which streams are not there, and makes none', async () => {
  for (let times = 0; times < 2; times += 1)
    expect((await survey('empty.v1')).streams.map(({ there }) => there)).toEqual(
      new Array(8 + 6 + bucketNames.length).fill(false),
    );
});

it('fails in words where nobody is', async () => {
  expect(kindOf(await surveyServer({ servers: 'nats://127.0.0.1:1' }))).toBe('bus_unreachable');
});
