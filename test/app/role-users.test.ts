/** A whole task where every process is a user with the rights of its role and no other. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectNats, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBus } from '../../src/bus/connect.js';
import type { Bus } from '../../src/bus/contract.js';
import { namesOf } from '../../src/bus/subject.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { AgentId } from '../../src/domain/id.js';
import type { Message } from '../../src/domain/message.js';
import {
  type Connection,
  connect,
  defineAgent,
  defineTool,
  delegateTask,
  finish,
  startWorker,
  type WorkerHandle,
} from '../../src/index.js';
import { must } from '../bus/conformance/harness.js';
import { reportOf } from '../control/support.js';
import { type RoleNats, startRoleNats } from '../support/role-nats.js';
import type { Scenario, ScriptEntry } from '../support/scenario/scenario.js';
import { openStage, type Stage } from '../support/scenario/stage.js';

const calls = (name: string, args: object): ScriptEntry => ({
  finish_reason: 'tool_calls',
  usage: { prompt_tokens: 80, completion_tokens: 6 },
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_0', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
});
const finishing = (summary: string) => calls('finish', { status: 'done', result: summary, summary });

const script = {
  id: 'roles',
  model_script: {
    planner: [calls('delegate_task', { goal: 'wait for the gate' }), finishing('the child said: 42')],
    executors: [{ when: { task_includes: 'gate' }, steps: [calls('wait', {}), finishing('42')] }],
  },
  tool_script: [],
} as unknown as Scenario;

const names = namesOf('hact.v1', 8);
let folder: string;
let nats: RoleNats;
let stage: Stage;
let planner: WorkerHandle;
let executor: WorkerHandle;
let client: Connection;
let inspector: Bus;
let rogue: NatsConnection;
let admin: NatsConnection;
let gate: () => void = () => {};
let waiting: () => void = () => {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-roles-'));
  nats = await startRoleNats();
  stage = await openStage(script, { place: 'prompt', afterTool: async () => {}, toolAnswered: () => {} });
  const settings = (user: string) => ({
    'nats.url': nats.url(user),
    'model.baseUrl': `${stage.url}/p/primary/v1`,
    'model.name': 'script',
    'model.apiKey': 'none',
    'log.file': join(folder, `${user}.log`),
    dataDir: folder,
  });
  const wait = defineTool({
    name: 'wait',
    description: 'waits',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    run: () =>
      new Promise<string>((resolve) => {
        gate = () => resolve('open');
        waiting();
      }),
  });
  const instructions = 'You do what the script says.';
  const agents = [
    defineAgent({ name: 'planner', instructions, tools: [delegateTask, finish], childRole: 'executor' }),
    defineAgent({ name: 'executor', instructions, tools: [wait, finish] }),
  ];
  planner = await startWorker({ roles: ['planner'], agents, settings: settings('hact_worker') });
  executor = await startWorker({ roles: ['executor'], agents, settings: settings('hact_worker_b') });
  client = await connect({ settings: settings('hact_client') });
  inspector = must(await openBus({ servers: nats.url('hact_inspector') }));
  rogue = await plainly('hact_worker_b');
  admin = await plainly('hact_admin');
});
afterAll(async () => {
  gate();
  await Promise.all([client.close(), inspector.close(), rogue.close(), admin.close()]);
  await Promise.all([planner.stop(), executor.stop()]);
  await stage.close();
  await nats.end();
  await rm(folder, { recursive: true, force: true });
});

/** A plain client with the credentials of a role user. */
function plainly(user: string): Promise<NatsConnection> {
  const { username, password, host } = new URL(nats.url(user));
  return connectNats({ servers: host, user: username, pass: password, inboxPrefix: `_INBOX_${user}` });
}

it('goes from submit to the result, is watched and inspected, and takes no report that nobody was asked for', async () => {
  const isWaiting = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  const { taskId } = must(await client.submit({ goal: 'ask your child' }));
  await isWaiting;
  const parent = taskId as string as AgentId;
  const child = `${taskId}-1` as AgentId;

  // A worker gone bad: reports of children that were never asked, into this task and into one that does not exist; a
  // journal record of an old epoch; and what the planner was told already, once more.
  const forged = (agentId: string, id: string): Message => ({
    v: 1,
    type: 'child.reported',
    id,
    at: Date.now(),
    report: reportOf(taskId, { agentId: agentId as AgentId, result: 'forged', summary: 'forged' }),
  });
  const send = (to: string, message: Message) => rogue.publish(names.inbox(to), JSON.stringify(message));
  send(parent, forged(`${taskId}-7`, 'forged.1'));
  send(parent, forged('tsk_other-1', 'forged.2'));
  send('tsk_nobody', forged('tsk_nobody-1', 'forged.3'));
  const [order] = must(await nats.admin.inbox.read(parent, 0));
  if (order !== undefined) send(parent, order.value);
  rogue.publish(names.wake({ role: 'planner', priority: 'normal' }), parent);
  const epoch = { v: 1, kind: 'epoch', epoch: 0, at: 1, host: 'rogue', machineVersion: 1 } as const;
  const late = await nats.admin.journal.append(child, epoch, 0);
  expect(late).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
  await rogue.flush();

  gate();
  const record = must(await client.result(taskId));
  expect(record.report).toMatchObject({ status: 'done', summary: 'the child said: 42' });
  expect(record.report?.children.map(({ agentId, summary }) => [agentId, summary])).toEqual([[child, '42']]);
  expect(JSON.stringify(record)).not.toContain('forged');

  const kinds: FeedEvent['kind'][] = [];
  for await (const item of client.watch(taskId)) if (item.type === 'event') kinds.push(item.value.kind);
  expect(kinds.filter((kind) => kind === 'started')).toHaveLength(2);
  expect(kinds).toContain('ended');
  expect(must(await client.list()).tasks.map((task) => task.taskId)).toContain(taskId);
  expect(must(await client.workers())).toBe(2);
  expect(must(await client.tree(taskId)).agents).toHaveLength(2);

  expect(must(await inspector.journal.read(parent, 0)).length).toBeGreaterThan(3);
  expect(must(await inspector.buckets.agent.get(parent))?.value).toMatchObject({ ended: true });
  expect(must(await inspector.feed.last(taskId))).toBeGreaterThan(0);
});

it('is not moved by messages that are replayed after its end', async () => {
  const isWaiting = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  const captured: [subject: string, data: Uint8Array][] = [];
  const spying = rogue.subscribe(names.inbox('*'), { callback: (_, msg) => captured.push([msg.subject, msg.data]) });
  await rogue.flush();
  const { taskId } = must(await client.submit({ goal: 'ask your child' }));
  const agentId = taskId as string as AgentId;
  await isWaiting;
  gate();
  const before = must(await client.result(taskId));
  await emptied(agentId);
  spying.unsubscribe();
  const texts = captured.map(([, data]) => Buffer.from(data).toString());
  expect(texts.some((text) => text.includes('child.reported'))).toBe(true);
  const journal = must(await nats.admin.journal.read(agentId, 0));

  for (const [subject, data] of captured) rogue.publish(subject, data);
  rogue.publish(names.wake({ role: 'planner', priority: 'normal' }), agentId);
  await rogue.flush();
  await emptied(agentId);
  expect(must(await nats.admin.journal.read(agentId, 0))).toEqual(journal);
  expect(must(await client.get(taskId))).toEqual(before);
});

it('needs no right that it does not have', () => {
  expect(nats.violations()).toEqual([]);
});

/** Resolves when a host has dropped what lay in the inbox of an ended agent. */
async function emptied(agentId: AgentId): Promise<void> {
  // The server tells of every request to its API when it has been carried out.
  const removals = admin.subscribe('$JS.EVENT.ADVISORY.API');
  await admin.flush();
  const isEmpty = async () => must(await nats.admin.inbox.read(agentId, 0)).length === 0;
  if (!(await isEmpty())) for await (const _ of removals) if (await isEmpty()) break;
  removals.unsubscribe();
}
