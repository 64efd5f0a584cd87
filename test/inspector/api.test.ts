import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentId, TaskId } from '../../src/domain/id.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { Json } from '../../src/domain/json.js';
import { startInspector } from '../../src/inspector/server.js';
import { silent } from '../../src/observe/log.js';
import { value } from '../control/support.js';
import { agentChart, ask, type Inspected, Life, startInspected, until } from './support.js';

let at: Inspected;
beforeAll(async () => {
  at = await startInspected();
});
afterAll(() => at.end());

const get = async (path: string) => {
  const { status, text } = await ask(at.inspector.port, path);
  return { status, body: JSON.parse(text) };
};
const post = async (path: string, body: unknown = {}) => {
  const headers = { authorization: `Bearer ${at.inspector.token}`, 'content-type': 'application/json' };
  const { status, text } = await ask(at.inspector.port, path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status, body: JSON.parse(text) };
};
const told = (taskId: TaskId, events: number) =>
  until(async () => (await get(`/api/tasks/${taskId}`)).body.events?.length >= events);
const inbox = async (agentId: string) =>
  value(await at.control.bus.inbox.read(agentId as AgentId, 0))
    .map((stored) => stored.value)
    .filter(({ type }) => type !== 'task.ordered');

describe('the list of tasks', () => {
  it('tells state, agents, rounds, tokens and cost of running and ended ones', async () => {
    const running = await at.submit({ goal: '找出变慢的接口' });
    const ended = await at.submit({ goal: 'b' });
    const planner = new Life(at.control, running).start('找出变慢的接口');
    planner.move('decide', 'done.perceive').move('act', 'done.decide', 'list_files', { tokens: 1000 });
    await planner.child().start('part', planner).ask('write_file', { path: 'x' });
    await new Life(at.control, ended).start('b').end('ready', 'partial');
    await told(running, 5);
    const { body } = await get('/api/tasks');
    const rows = new Map<string, Record<string, unknown>>(
      body.tasks.map((task: { taskId: string }) => [task.taskId, task]),
    );
    expect(rows.get(running)).toMatchObject({
      goal: '找出变慢的接口',
      state: 'accepted',
      live: {
        state: 'act',
        round: 1,
        agents: 2,
        waiting: 1,
        usage: { inputTokens: 850, outputTokens: 150, costUsd: 0.002 },
      },
    });
    expect(rows.get(ended)).toMatchObject({ state: 'ended', status: 'partial' });
  });
});

describe('a task', () => {
  it('has its record, the tree of its agents, its events, and the feed sequence they reach to', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const planner = new Life(at.control, taskId).start('g').move('perceive', '').move('decide', 'done.perceive');
    planner.child().start('part', planner);
    await told(taskId, 4);
    const { body } = await get(`/api/tasks/${taskId}`);
    expect(body.task).toMatchObject({ taskId, goal: 'g', state: 'accepted' });
    expect(body.tree.agents.map((agent: { agentId: string }) => agent.agentId)).toEqual([taskId, `${taskId}-1`]);
    expect(body.events.map(({ value: event }: { value: { kind: string } }) => event.kind)).toEqual([
      'started',
      'moved',
      'moved',
      'started',
    ]);
    expect(body.seq).toBeGreaterThanOrEqual(body.events.at(-1).seq);
  });

  it('that began before this inspector did is known from its first event', async () => {
    const taskId = await at.submit({ goal: 'g' });
    new Life(at.control, taskId).start('g').move('decide', 'done.perceive');
    await told(taskId, 2);
    const later = value(
      await startInspector({ bus: at.control.bus, client: at.client, machines: [agentChart], log: silent }),
    );
    const { text } = await ask(later.port, `/api/tasks/${taskId}`);
    expect(JSON.parse(text).tree.agents).toMatchObject([{ agentId: taskId, state: 'decide' }]);
    await later.close();
  });

  it('that nobody submitted is not found, and a bad id is told from that', async () => {
    expect(await get('/api/tasks/tsk_none')).toMatchObject({ status: 404, body: { error: { kind: 'not_found' } } });
    expect(await get('/api/tasks/a%2Fb.c')).toMatchObject({
      status: 400,
      body: { error: { kind: 'invalid_request' } },
    });
  });
});

describe('an agent', () => {
  it('shows its journal in words, and its snapshot', async () => {
    const agentId = 'tsk_J1' as AgentId;
    const base = { v: 1, epoch: 1, at: 5 } as const;
    const step: JournalRecord = {
      ...base,
      kind: 'step',
      events: [{ type: 'xstate.done.actor.decide', output: 'x'.repeat(9_000) }],
      intents: [{ id: `${agentId}.e2`, src: 'callTools', input: {} }],
      stopped: [],
      outgoing: [],
      sent: [],
      inbox: 0,
      state: 'act',
    };
    value(await at.control.bus.journal.append(agentId, { ...base, kind: 'epoch', host: 'w1', machineVersion: 1 }, 0));
    const first = value(await at.control.bus.journal.read(agentId, 0))[0]?.seq ?? 0;
    value(await at.control.bus.journal.append(agentId, step, first));
    value(await at.control.bus.buckets.agent.put(agentId, { value: 'act', context: { round: 2 } } as Json));
    const { body } = await get(`/api/agents/${agentId}`);
    expect(body.records).toMatchObject([
      { kind: 'epoch', line: expect.stringContaining('w1') },
      { kind: 'step', line: expect.stringMatching(/xstate\.done\.actor\.decide ⇒ act.*callTools/) },
    ]);
    expect(body.records[1].record.events[0].output).toMatch(/^x{4000}… \(5000 more characters\)$/);
    expect(body.snapshot).toEqual({ value: 'act', context: { round: 2 } });
    expect((await get(`/api/agents/${agentId}?after=${first}`)).body.records).toHaveLength(1);
  });
});

it('hands out the statecharts with all edges', async () => {
  expect((await get('/api/machines')).body.machines).toEqual([agentChart]);
});

describe('an action', () => {
  it.each([
    ['pause', {}, { type: 'human.paused', by: 'inspector' }],
    ['resume', {}, { type: 'human.resumed' }],
    [
      'correct',
      { text: '用中文', memory: { a: [1] } },
      { type: 'human.corrected', text: '用中文', memory: { a: [1] } },
    ],
    ['cancel', { reason: 'wrong file' }, { type: 'task.cancelled', reason: 'wrong file' }],
  ])('to %s puts its message into the inbox of the agent', async (verb, body, message) => {
    const taskId = await at.submit({ goal: 'g' });
    expect(await post(`/api/agents/${taskId}/${verb}`, body)).toMatchObject({ status: 200, body: { agentId: taskId } });
    expect(await inbox(taskId)).toMatchObject([message]);
  });

  it('on a request decides it once', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const request = await new Life(at.control, taskId).start('g').ask('write_file', { path: '报告.md' });
    expect((await get('/api/approvals')).body.requests).toContainEqual(request);
    expect(await post(`/api/approvals/${request.id}/deny`, { reason: 'no' })).toMatchObject({ status: 200 });
    expect(await post(`/api/approvals/${request.id}/approve`)).toMatchObject({
      status: 409,
      body: { error: { kind: 'conflict', message: expect.stringContaining('denied by inspector') } },
    });
    expect(await inbox(taskId)).toMatchObject([{ type: 'human.decided', allow: false, reason: 'no', by: 'inspector' }]);
    expect((await get('/api/approvals')).body.requests).not.toContainEqual(request);
  });

  it('answers a question', async () => {
    const taskId = await at.submit({ goal: 'g' });
    const asked = await new Life(at.control, taskId).start('g').ask('ask_user', {});
    const { tool: _, arguments: __, hash: ___, ...base } = asked as never as Record<string, Json>;
    const question = { ...base, kind: 'question', question: '哪一年?' };
    value(await at.control.bus.buckets.approval.put(asked.id, question as Json));
    expect(await post(`/api/approvals/${asked.id}/answer`, { text: '2026' })).toMatchObject({ status: 200 });
    expect(await inbox(taskId)).toMatchObject([{ type: 'human.answered', text: '2026' }]);
  });

  it.each([
    ['/api/agents/tsk_none/pause', {}, 404, /tsk_none/],
    ['/api/agents/a.b/pause', {}, 400, /agent id/],
    ['/api/agents/tsk_none/pause', { force: true }, 400, /unknown field "force"/],
    ['/api/agents/tsk_none/correct', {}, 400, /"text" is missing/],
    ['/api/agents/tsk_none/correct', [], 400, /expected an object/],
    ['/api/agents/tsk_none/explode', {}, 404, /nothing at/],
    ['/api/approvals/apr_none/approve', {}, 404, /apr_none/],
    ['/api/tasks', {}, 404, /nothing at/],
  ])('at %s with %j is refused in words', async (path, body, status, words) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toMatch(words);
  });
});
