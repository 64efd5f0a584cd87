/** One installation for many schedules: nats-server, a model behind a proxy, the crew, the ledger. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRuntime, type Runtime } from '../../src/app/runtime.js';
import { settingsHere } from '../../src/app/settings.js';
import { orThrow } from '../support/demo/play.js';
import { startProxy, type TestProxy } from '../support/nats-proxy.js';
import { startTestModel } from '../support/rule-model.js';
import { type Brain, brainOf } from './brain.js';
import { Crew } from './crew.js';

export interface House {
  readonly runtime: Runtime;
  readonly crew: Crew;
  readonly brain: Brain;
  /** Before the model. */
  readonly modelProxy: TestProxy;
  readonly ledger: string;
  close(): Promise<void>;
}

export const leaseMs = 1_500;
/** Share of model requests that go wrong at all times. */
const disorder = 0.02;

export async function openHouse(seed: number): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-chaos-'));
  const common = { dataDir: folder, 'log.file': join(folder, 'log'), 'worker.leaseMs': leaseMs };
  const { settings } = orThrow(await settingsHere(common));
  const runtime = orThrow(await openRuntime(settings, { startServer: true }));
  const brain = brainOf(seed, disorder);
  const model = await startTestModel((asked) => brain.rule(asked));
  const modelProxy = await startProxy(model.url);
  const { port } = new URL(modelProxy.url);
  const ledger = join(folder, 'ledger');
  const crew = await Crew.start({
    ledger,
    url: runtime.server.url,
    settings: {
      ...common,
      'nats.token': runtime.server.token,
      'model.baseUrl': `http://127.0.0.1:${port}/v1`,
      'model.name': 'chaos',
      'model.apiKey': 'none',
      'approval.policy': 'auto',
    },
  });
  return {
    runtime,
    crew,
    brain,
    modelProxy,
    ledger,
    async close() {
      await crew.stop();
      await model.close();
      await modelProxy.stop();
      await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
