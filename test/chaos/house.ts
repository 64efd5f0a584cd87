/** One installation for many schedules: nats-server, a model behind a proxy, the crew, the ledger. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type JetStreamManager, type NatsConnection } from 'nats';
import { openRuntime, type Runtime } from '../../src/app/runtime.js';
import { settingsHere } from '../../src/app/settings.js';
import { orThrow } from '../support/demo/play.js';
import { startProxy, type TestProxy } from '../support/nats-proxy.js';
import { startTestModel } from '../support/rule-model.js';
import { type Brain, brainOf } from './brain.js';
import { bundledWorker } from './bundle.js';
import { Crew } from './crew.js';
import type { Disturbance } from './history.js';
import type { Tally } from './tally.js';

export interface House {
  readonly runtime: Runtime;
  readonly crew: Crew;
  readonly brain: Brain;
  /** Before the model. */
  readonly modelProxy: TestProxy;
  readonly ledger: string;
  /** Of client and workers. */
  readonly log: string;
  readonly tally: Tally;
  /** All of them since the house was opened: what one schedule did may be seen in the next. */
  readonly disturbances: Disturbance[];
  /** On which the server's store lies; undefined when it is an ordinary one. */
  readonly disk: string | undefined;
  /** A client of NATS that knows nothing of Hermes, with all rights. */
  stranger(): Promise<NatsConnection>;
  admin(): Promise<JetStreamManager>;
  close(): Promise<void>;
}

export const leaseMs = 1_500;
/** Share of model requests that go wrong at all times. */
const disorder = 0.02;
/** Jumps of a clock by an hour must not time out a question. */
const approvalTimeoutMs = 4 * 3_600_000;

export async function openHouse(seed: number, tally: Tally, disk?: string): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-chaos-'));
  const log = join(folder, 'log');
  const common = {
    'log.file': log,
    'worker.leaseMs': leaseMs,
    'approval.timeoutMs': approvalTimeoutMs,
  };
  const { settings } = orThrow(await settingsHere({ ...common, dataDir: disk ?? folder }));
  const runtime = orThrow(await openRuntime(settings, { startServer: true }));
  const brain = brainOf(seed, disorder);
  const model = await startTestModel((asked) => brain.rule(asked));
  const modelProxy = await startProxy(model.url);
  const { port } = new URL(modelProxy.url);
  const ledger = join(folder, 'ledger');
  const disturbances: Disturbance[] = [];
  const crew = await Crew.start({
    program: await bundledWorker(join(folder, 'program')),
    ledger,
    url: runtime.server.url,
    settings: {
      ...common,
      dataDir: folder,
      'nats.token': runtime.server.token,
      'model.baseUrl': `http://127.0.0.1:${port}/v1`,
      'model.name': 'chaos',
      'model.apiKey': 'none',
      'approval.policy': 'auto',
    },
    onCrash: (pid) => {
      disturbances.push({ pid, from: Date.now(), to: Date.now() });
      tally.count('processes taken by a poisonous task');
    },
  });
  let connection: NatsConnection | undefined;
  const stranger = async (): Promise<NatsConnection> => {
    const { token, url } = runtime.server;
    connection ??= await connect({ servers: url, ...(token === undefined ? {} : { token }), maxReconnectAttempts: -1 });
    return connection;
  };
  return {
    runtime,
    crew,
    brain,
    modelProxy,
    ledger,
    log,
    tally,
    disturbances,
    disk,
    stranger,
    admin: async () => (await stranger()).jetstreamManager({ checkAPI: false }),
    async close() {
      await crew.stop();
      await connection?.close();
      await model.close();
      await modelProxy.stop();
      await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
