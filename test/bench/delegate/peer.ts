/**
 * This product as a durable peer of `bench/peers/durable.mjs`: planners in the client's process, executors in the worker
 * processes, each assembled as `hact worker` does it, with nats-server between them. Only the model is a script.
 *
 * `delegate` takes from the moment a planner says what it delegates to the moment its model is asked again: the order is
 * recorded by the planner, stored and sent; the executor is made, its birth and its decision are recorded, it reports; the
 * planner has recorded the report. `flow` and `crash` are tasks of one executor, from submission to result.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentDefinition } from '../../../agents/definition.js';
import { plannerAgent } from '../../../agents/planner.js';
import { assembleWorker } from '../../../src/app/assemble.js';
import { openTrail } from '../../../src/app/audit.js';
import { regressionRows } from '../../../src/app/regression.js';
import { openRuntime, type Runtime } from '../../../src/app/runtime.js';
import { settingsHere } from '../../../src/app/settings.js';
import type { Result } from '../../../src/domain/failure.js';
import type { Model } from '../../../src/llm/model.js';
import { createTokenizer } from '../../../src/llm/tokens.js';
import { loadMeter } from '../../../src/observe/load.js';
import { MARKERS } from '../../../src/parse/markers.js';
import { delegateTask } from '../../../src/tools/builtin/control.js';
import { echoExecutor, executorSays } from './executor.js';
import { Parents } from './parents.js';
import { scripted } from './script.js';

/** As many delegations are open at once. */
const width = 100;
/** A reply may hold sixteen calls: a wider fan-out is that of several planners. */
const callsOfOne = 10;

function good<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.failure.message);
}

async function open(): Promise<Runtime> {
  const flags = {
    'nats.url': process.env.NATS_URL ?? '',
    'log.level': 'error',
    'approval.policy': 'auto',
    'worker.concurrency': 2 * width,
    'worker.firstConcurrency': 2 * width,
    'limits.parallelSubtasks': 2 * callsOfOne,
    'limits.fanOut': 2 * callsOfOne,
  } as const;
  const { settings } = good(await settingsHere(flags));
  return good(await openRuntime(settings, { startServer: false, updateStreams: true }));
}

async function host(runtime: Runtime, agent: AgentDefinition, model: Model): Promise<void> {
  const hostId = `h_${process.pid}_${randomBytes(6).toString('hex')}`;
  const { control, log, redactor, settings } = runtime;
  const parts = {
    ...{ control, settings, hostId, agents: [agent], model, redactor, log: log.logger },
    ...{ markers: MARKERS, corpus: regressionRows(), trail: good(await openTrail(runtime, hostId)) },
    ...{ random: Math.random, load: loadMeter(), concurrency: settings.worker.concurrency },
  };
  good(await assembleWorker(parts));
}

export async function worker(): Promise<void> {
  await host(await open(), echoExecutor, scripted(await createTokenizer('scripted'), executorSays));
}

export async function client() {
  const runtime = await open();
  const parents = new Parents(runtime.client);
  await host(runtime, plannerAgent([delegateTask]), scripted(await createTokenizer('scripted'), parents.says));
  for (let count = 0; count < width; count += 1) await parents.engage();
  while (parents.idle < width) await pause(10);
  const run = Date.now().toString(36);
  let asked = 0;
  /** The same work twice would be done once. */
  const add = (a: number): string => `add ${a} 1 #${++asked}`;
  const steps = async (goal: string): Promise<number> => {
    const budget = { rounds: 100, toolCalls: 100, tokens: 10_000_000, seconds: 3_600 };
    const { taskId } = good(await runtime.client.submit({ goal, role: 'executor', budget }));
    return Number(good(await runtime.client.result(taskId)).report?.result);
  };
  return {
    delegate: async (i: number) => Number((await parents.order([add(i)]))[0]),
    async fanout(n: number) {
      const orders = Array.from({ length: Math.ceil(n / callsOfOne) }, (_, index) => {
        const from = index * callsOfOne;
        return Array.from({ length: Math.min(callsOfOne, n - from) }, (__, i) => add(from + i));
      });
      const results = await Promise.all(orders.map((goals) => parents.order(goals)));
      return results.flat().reduce((sum, result) => sum + Number(result), 0);
    },
    flow: (i: string, count: number) => steps(`flow ${run}-${i} ${count}`),
    crash: (id: string) => steps(`crash ${id}`),
    close: () => runtime.close(),
  };
}
