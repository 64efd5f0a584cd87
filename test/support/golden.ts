/**
 * Records the journals of a small team, with what the machine came to, so that later versions can be held to replay them:
 * `npm run golden -- VERSION` writes test/host/golden/VERSION.jsonl, one agent a line. Done once for each release. The
 * first process of the executors is killed in the middle of a call, so that takeovers are in it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import type { Result } from '../../src/domain/failure.js';
import type { AgentId, TaskId } from '../../src/domain/id.js';
import { defineAgent, defineTool, delegateTask, finish, startWorker } from '../../src/index.js';
import { startTestNats } from './nats.js';
import type { Scenario, ScriptEntry } from './scenario/scenario.js';
import { openStage } from './scenario/stage.js';

const calls = (...wanted: [name: string, args: object][]): ScriptEntry => ({
  finish_reason: 'tool_calls',
  usage: { prompt_tokens: 80, completion_tokens: 6 },
  message: {
    role: 'assistant',
    content: null,
    tool_calls: wanted.map(([name, args], n) => ({
      id: `call_${n}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })),
  },
});
const finishing = (summary: string) => calls(['finish', { status: 'done', result: summary, summary }]);

/** Delegation of three, tools that work and fail, a call that needs approval, one that kills, and a last answer. */
const script = {
  id: 'golden',
  model_script: {
    planner: [
      calls(
        ['delegate_task', { goal: 'count the rows' }],
        ['delegate_task', { goal: '写报告' }],
        ['delegate_task', { goal: 'pay the bill' }],
      ),
      calls(['look', { at: 'sales.csv' }]),
      finishing('226,995 rows'),
    ],
    executors: [
      {
        when: { task_includes: 'count' },
        steps: [calls(['look', { at: 'rows' }], ['fail', {}]), finishing('226,995')],
      },
      {
        when: { task_includes: 'bill' },
        steps: [calls(['look', { at: 'bill' }], ['pay', { to: 'ana' }]), finishing('paid, perhaps')],
      },
      { when: { task_includes: '报告' }, steps: [calls(['write', { text: '共 226,995 行' }]), finishing('written')] },
    ],
  },
  tool_script: [],
} as unknown as Scenario;

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const tools = [
  defineTool({
    name: 'look',
    description: 'looks',
    parameters: object('at'),
    effect: 'read',
    run: async () => '226995',
  }),
  defineTool({
    name: 'fail',
    description: 'fails',
    parameters: object(),
    effect: 'pure',
    run: () => Promise.reject(new Error('no such column')),
  }),
  defineTool({
    name: 'write',
    description: 'writes',
    parameters: object('text'),
    effect: 'unsafe',
    confirm: true,
    run: async () => 'written',
  }),
  // Begun at most once: the process that begins it is killed.
  defineTool({
    name: 'pay',
    description: 'pays',
    parameters: object('to'),
    effect: 'unsafe',
    run: () => {
      process.send?.('paying');
      return new Promise<string>(() => {});
    },
  }),
];

const instructions = 'You do what the script says.';
const agents = [
  defineAgent({ name: 'planner', instructions, tools: [...tools, delegateTask, finish], childRole: 'executor' }),
  defineAgent({ name: 'executor', instructions, tools: [...tools, finish] }),
];

async function record(version: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hact-golden-'));
  const nats = await startTestNats();
  const stage = await openStage(script, { place: 'prompt', afterTool: async () => {}, toolAnswered: () => {} });
  const settings = {
    'nats.url': nats.url,
    'nats.token': nats.token,
    'model.baseUrl': `${stage.url}/p/primary/v1`,
    'model.name': 'script',
    'model.apiKey': 'none',
    'log.file': join(folder, 'worker.log'),
    dataDir: folder,
  };
  const worker = await startWorker({ roles: ['planner'], agents, settings });
  const mortal = fork(fileURLToPath(import.meta.url), ['executor', JSON.stringify(settings)]);
  const killed = once(mortal, 'message').then(async () => {
    mortal.kill('SIGKILL');
    return startWorker({ roles: ['executor'], agents, settings });
  });
  const bus = must(await openBus({ servers: nats.url, token: nats.token }));
  const { taskId } = must(await worker.client.submit({ goal: 'count and report' }));
  const stop = new AbortController();
  for await (const { value: event } of bus.feed.read(taskId as TaskId, 0, stop.signal)) {
    if (event.kind === 'asked') must(await worker.client.approve(event.request.id, { by: 'ana' }));
    if (event.kind === 'ended' && event.agentId === (taskId as string)) break;
  }
  must(await worker.client.result(taskId));
  await Promise.all([worker.stop(), (await killed).stop()]);
  const lines = await Promise.all(['', '-1', '-2', '-3'].map((end) => dump(bus, `${taskId}${end}` as AgentId)));
  await writeFile(join('test', 'host', 'golden', `${version}.jsonl`), `${lines.join('\n')}\n`);
  await bus.close();
  await Promise.all([stage.close(), nats.stop()]);
  await rm(folder, { recursive: true, force: true });
}

async function dump(bus: Bus, agentId: AgentId): Promise<string> {
  const records = must(await bus.journal.read(agentId, 0));
  const snapshot = must(await bus.buckets.agent.get(agentId))?.value;
  return JSON.stringify({ agentId, records, snapshot });
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return result.value;
}

const [, , version, mortal] = process.argv;
if (version === 'executor' && mortal !== undefined) {
  await startWorker({ roles: ['executor'], agents, settings: JSON.parse(mortal) as Record<string, unknown> });
} else if (version === undefined || !/^[\w.-]+$/.test(version)) {
  throw new Error('usage: npm run golden -- VERSION');
} else {
  await record(version);
}
