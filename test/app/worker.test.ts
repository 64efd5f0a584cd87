/** A worker that cannot start leaves nothing running in its process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRuntime, type Runtime } from '../../src/app/runtime.js';
import { settingsHere } from '../../src/app/settings.js';
import { runWorker } from '../../src/app/worker.js';
import type { Bus } from '../../src/bus/contract.js';
import { fail } from '../../src/domain/failure.js';
import { defineAgent, finish } from '../../src/index.js';
import { must } from '../bus/conformance/harness.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';

let buses: TestBuses;
let folder: string;
let runtime: Runtime;
beforeAll(async () => {
  buses = await startTestBuses();
  folder = await mkdtemp(join(tmpdir(), 'hact-worker-'));
  const flags = {
    'nats.url': buses.nats.url,
    'nats.token': buses.nats.token,
    'model.baseUrl': 'http://127.0.0.1:9/v1',
    'model.name': 'none',
    'model.apiKey': 'none',
    'log.file': join(folder, 'log'),
    dataDir: folder,
  };
  runtime = must(await openRuntime(must(await settingsHere(flags)).settings, { startServer: false }));
});
afterAll(async () => {
  await runtime.close();
  await buses.end();
  await rm(folder, { recursive: true, force: true });
});

const agent = defineAgent({ name: 'executor', instructions: 'You do what the goal says.', tools: [finish] });
const unservable = (bus: Bus): Bus => ({
  ...bus,
  requests: { ...bus.requests, serve: async () => fail('bus_unreachable', 'cut by the test') },
});

it.each([
  ['nobody can ask it', { agents: [agent] }, unservable, 'bus_unreachable'],
  ['two tools have one name', { agents: [{ ...agent, tools: [finish, finish] }] }, (bus: Bus) => bus, 'invalid_config'],
] as const)('when %s, it watches no lessons any more', async (_, options, spoil, kind) => {
  let watching = 0;
  const { bus } = runtime;
  const lesson: Bus['buckets']['lesson'] = {
    ...bus.buckets.lesson,
    watch: (key, callback) => {
      watching += 1;
      const stop = bus.buckets.lesson.watch(key, callback);
      return () => {
        watching -= 1;
        stop();
      };
    },
  };
  const counted = spoil({ ...bus, buckets: { ...bus.buckets, lesson } });
  const started = await runWorker(
    { ...runtime, bus: counted, control: { ...runtime.control, bus: counted } },
    { ...options, roles: ['executor'] },
  );
  expect(started).toMatchObject({ ok: false, failure: { kind } });
  expect(watching).toBe(0);
});
