/** Handing work to sub-agents: slices, dependencies, reports (D1, D2, D4, D6). */
import { describe, expect, it } from 'vitest';
import type { QueueName, TenantName } from '../../src/domain/lane.js';
import type { Order } from '../../src/domain/task.js';
import { Agent, begin, beginChild } from './agent.js';
import { birth, body, delegation, patient, risky, tool, used } from './fixtures.js';
import { born } from './take.js';

const resultsOf = (agent: ReturnType<typeof begin>) =>
  agent.context.transcript.flatMap((entry) => (entry.kind === 'round' ? entry.results : []));

describe('a delegation', () => {
  it('orders a child and parks the agent until it reports', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ role: undefined, tools: ['look'] })]);
    expect(agent.state).toBe('parked');
    expect(agent.latest[0]).toMatchObject({
      to: 'inbox',
      agentId: 'tsk_1-1',
      role: 'executor',
      message: { type: 'task.ordered', id: 'tsk_1-1.order' },
    });
    expect(agent.orderTo('tsk_1-1')).toMatchObject({
      taskId: 'tsk_1',
      parent: { agentId: 'tsk_1', role: 'planner', callId: 'r1c1' },
      depth: 1,
      goal: 'look at a part',
      context: body,
      permission: { approval: 'risky', tools: ['look'] },
      budget: { deadlineAt: birth + 600_000 },
    });
    agent.childReported('tsk_1-1');
    expect(agent.state).toBe('perceive');
    expect(resultsOf(agent)).toEqual([{ callId: 'r1c1', name: 'delegate_task', status: 'ok', ref: 'in.1' }]);
    expect(agent.context.reports).toEqual({ 'tsk_1-1': 'in.1' });
  });

  it('sends a child to the queue it names, and its report to that of its parent', () => {
    const order = { queue: 'cpu' as QueueName, tenant: 'acme' as TenantName, priority: 'high' as const };
    const agent = begin({ order })
      .perceived()
      .called([delegation({ queue: 'gpu' as QueueName }), delegation()]);
    expect(agent.latest.filter(({ to }) => to === 'inbox')).toMatchObject([
      { role: 'executor', priority: 'high', queue: 'gpu', tenant: 'acme' },
      { role: 'executor', priority: 'high', tenant: 'acme' },
    ]);
    expect(agent.orderTo('tsk_1-1')).toMatchObject({ queue: 'gpu', tenant: 'acme', parent: { queue: 'cpu' } });
    expect(agent.orderTo('tsk_1-2')).not.toHaveProperty('queue');
    const child = new Agent(born({ order: agent.orderTo('tsk_1-1') as Order, policy: patient }));
    child.cancelled().reported();
    expect(child.latest[0]).toMatchObject({ to: 'inbox', agentId: 'tsk_1', role: 'planner', queue: 'cpu' });
  });

  it('gives several children equal shares, and keeps one for the agent itself', () => {
    const agent = begin({ budget: { rounds: 10 } })
      .perceived()
      .called([delegation(), delegation()]);
    expect(agent.ordered).toEqual(['tsk_1-1', 'tsk_1-2']);
    const [a, b] = [agent.orderTo('tsk_1-1'), agent.orderTo('tsk_1-2')];
    expect(a?.budget.rounds).toBe(2);
    expect(b?.budget.rounds).toBe(3);
    expect(Math.abs((a?.budget.tokens ?? 0) - (b?.budget.tokens ?? 0))).toBeLessThanOrEqual(1);
    expect(a?.budget.costUsd).toBeCloseTo(b?.budget.costUsd ?? 0, 12);
    expect(agent.left.rounds).toBe(10 - 1 - 2 - 3);
  });

  it('gives what is asked for, cut to what is left beside one call of the agent itself', () => {
    const agent = begin({ budget: { rounds: 10 } })
      .perceived()
      .called([delegation({ budget: { rounds: 4, seconds: 30 } }), delegation({ budget: { rounds: 1_000 } })]);
    expect(agent.orderTo('tsk_1-1')?.budget).toMatchObject({ rounds: 4, deadlineAt: birth + 30_000 });
    expect(agent.orderTo('tsk_1-2')?.budget.rounds).toBe(10 - 1 - 4 - 1);
    expect(agent.left.rounds).toBe(1);
  });

  it('never outlives the agent that gave it', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ budget: { seconds: 86_400 } })]);
    expect(agent.orderTo('tsk_1-1')?.budget.deadlineAt).toBe(birth + 600_000);
  });

  it('leaves the tool calls of its own round their budget', () => {
    const agent = begin({ budget: { toolCalls: 3 } })
      .perceived()
      .called([tool(), risky(), delegation({ budget: { toolCalls: 50 } })]);
    expect(agent.orderTo('tsk_1-1')?.budget.toolCalls).toBe(1);
    agent.toolsRan().decided('r1c2', true);
    expect(agent.left.toolCalls).toBe(0);
  });

  it('takes back what the child did not spend', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ budget: { rounds: 5, tokens: 9_000, toolCalls: 7, children: 2 } })]);
    const before = agent.left;
    agent.childReported('tsk_1-1', 'done', { rounds: 2, tokens: 3_000, toolCalls: 1, children: 1, costUsd: 0.01 });
    expect(agent.context.ledger.spentBelow).toMatchObject({ rounds: 2, tokens: 3_000, toolCalls: 1, children: 1 });
    expect(agent.left).toMatchObject({
      rounds: before.rounds + 3,
      tokens: before.tokens + 6_000,
      children: before.children + 1,
    });
    expect(agent.context.usageBelow).toMatchObject({ rounds: 2, inputTokens: 3_000, costUsd: 0.01 });
  });

  it('counts every child ever started', () => {
    const agent = begin({ budget: { children: 2 } })
      .perceived()
      .called([delegation({ budget: { children: 0 } })]);
    agent.childReported('tsk_1-1').perceived().called([delegation(), delegation()]);
    expect(agent.ordered).toEqual(['tsk_1-2']);
    expect(agent.left.children).toBe(0);
  });
});

describe('a delegation is refused, with the reason,', () => {
  it('beyond the depth limit', () => {
    expect(beginChild({}, 2).perceived().called([delegation()]).ordered).toHaveLength(1);
    const agent = beginChild({}, 3).perceived().called([delegation()]);
    expect(agent.state).toBe('perceive');
    expect(agent.life.books.ordered).toEqual([]);
    expect(resultsOf(agent)).toMatchObject([{ callId: 'r1c1', status: 'error', refusal: 'depth_exceeded' }]);
  });

  it.each([
    ['rounds', { rounds: 2 }],
    ['children', { children: 0 }],
    ['tokens', { tokens: 1_300 }],
  ])('when there is nothing to give: %s', (_, budget) => {
    const usage = used(500, 100);
    const agent = begin({ budget }).perceived().called([delegation()], { usage });
    expect(agent.life.books.ordered).toEqual([]);
    expect(resultsOf(agent)).toMatchObject([{ status: 'error', refusal: 'budget_exhausted' }]);
  });

  it('to those that come last, when there is not enough for all', () => {
    const agent = begin({ budget: { rounds: 4 } })
      .perceived()
      .called([delegation({ budget: { rounds: 2 } }), delegation({ budget: { rounds: 2 } })]);
    expect(agent.ordered).toEqual(['tsk_1-1']);
    expect(resultsOf(agent)).toMatchObject([{ callId: 'r1c2', status: 'error' }]);
  });

  it('when it depends on something unknown, on itself, or in a circle', () => {
    const agent = begin()
      .perceived()
      .called([
        delegation({ dependsOn: ['nobody'] }),
        delegation({ name: 'self', dependsOn: ['self'] }),
        delegation({ name: 'a', dependsOn: ['b'] }),
        delegation({ name: 'b', dependsOn: ['a'] }),
      ]);
    expect(agent.life.books.ordered).toEqual([]);
    expect(resultsOf(agent)).toHaveLength(4);
    for (const { refusal } of resultsOf(agent)) expect(refusal).toBe('invalid_arguments');
    expect(agent.left.children).toBe(10);
  });

  it('when it depends on a subtask that has failed', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ name: 'a' })])
      .childReported('tsk_1-1', 'failed');
    agent.perceived().called([delegation({ dependsOn: ['a'] })]);
    expect(agent.life.books.ordered).toEqual(['tsk_1-1']);
    expect(resultsOf(agent).at(-1)).toMatchObject({ status: 'error', refusal: 'conflict' });
  });
});

describe('dependent subtasks', () => {
  const chain = () =>
    begin()
      .perceived()
      .called([
        delegation({ name: 'a' }),
        delegation({ name: 'b', dependsOn: ['a'] }),
        delegation({ name: 'c', dependsOn: ['a', 'b'] }),
      ]);

  it('are ordered when all they depend on is done, with references to the reports', () => {
    const agent = chain();
    expect(agent.ordered).toEqual(['tsk_1-1']);
    agent.childReported('tsk_1-1');
    expect(agent.ordered).toEqual(['tsk_1-2']);
    agent.childReported('tsk_1-2', 'partial');
    expect(agent.ordered).toEqual(['tsk_1-3']);
    expect(agent.latest[0]).toMatchObject({ inject: ['in.1', 'in.2'] });
    expect(agent.childReported('tsk_1-3').state).toBe('perceive');
  });

  it('may be named before what they depend on', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ name: 'sum', dependsOn: ['part'] }), delegation({ name: 'part' })]);
    expect(agent.ordered).toEqual(['tsk_1-2']);
    expect(agent.childReported('tsk_1-2').ordered).toEqual(['tsk_1-1']);
  });

  it('may name what they depend on by the id of its call', () => {
    const agent = begin()
      .perceived()
      .called([
        delegation({ name: 'a' }),
        delegation({ dependsOn: ['call_r1c1'] }),
        delegation({ dependsOn: ['r1c2'] }),
      ]);
    agent.childReported('tsk_1-1').childReported('tsk_1-2').childReported('tsk_1-3');
    agent.perceived().called([delegation({ dependsOn: ['a', 'r1c1'] })]);
    expect(agent.ordered).toEqual(['tsk_1-4']);
  });

  it('hold their slices while they wait, and give them back when they are given up', () => {
    const agent = chain();
    expect(Object.keys(agent.context.ledger.slices)).toEqual(['tsk_1-1', 'tsk_1-2', 'tsk_1-3']);
    agent.childReported('tsk_1-1', 'failed', { rounds: 1 });
    expect(agent.context.ledger.slices).toEqual({});
    expect(agent.left.rounds).toBe(20 - 1 - 1);
  });

  it('are given up, to the last of them, when what they depend on fails; others go on', () => {
    const agent = begin()
      .perceived()
      .called([
        delegation({ name: 'a' }),
        delegation({ name: 'b', dependsOn: ['a'] }),
        delegation({ name: 'c', dependsOn: ['b'] }),
        delegation({ name: 'd' }),
      ]);
    agent.childReported('tsk_1-1', 'exhausted');
    expect(agent.ordered).toEqual([]);
    expect(agent.context.plan.map(({ state }) => state)).toEqual(['exhausted', 'cancelled', 'cancelled', 'running']);
    expect(agent.state).toBe('perceive');
    expect(agent.context.held).toEqual({});
    expect(agent.perceived().answered().state).toBe('parked');
    agent.childReported('tsk_1-4');
    expect(agent.state).toBe('perceive');
    expect(resultsOf(agent).map(({ callId, name, status }) => [callId, name, status])).toEqual([
      ['r1c1', 'delegate_task', 'error'],
      ['r1c2', 'delegate_task', 'error'],
      ['r1c3', 'delegate_task', 'error'],
      ['r1c4', 'delegate_task', 'ok'],
    ]);
  });
});

describe('reports', () => {
  it('that come twice are counted once', () => {
    const agent = begin()
      .perceived()
      .called([delegation(), delegation()])
      .childReported('tsk_1-1', 'done', { rounds: 2 });
    const { context } = agent;
    agent.childReported('tsk_1-1', 'failed', { rounds: 3 });
    expect(agent.context).toEqual(context);
  });

  it('of strangers, and of subtasks that were not ordered yet, are ignored', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ name: 'a' }), delegation({ dependsOn: ['a'] })]);
    const { context } = agent;
    expect(agent.childReported('tsk_1-7').context).toEqual(context);
    expect(agent.childReported('tsk_1-2').context).toEqual(context);
    expect(agent.state).toBe('parked');
  });

  it('that failed make the agent look back after two of them, and it may try again', () => {
    const agent = begin({ policy: { reflectEvery: 4 } }).perceived();
    agent.called([delegation({ name: 'a' }), delegation({ name: 'b' })]);
    agent.childReported('tsk_1-1', 'failed');
    expect(agent.state).toBe('perceive');
    agent.perceived().answered().childReported('tsk_1-2', 'unknown');
    expect(agent.state).toBe('reflect');
    agent
      .reflected()
      .perceived()
      .called([delegation({ name: 'a' })]);
    expect(agent.ordered).toEqual(['tsk_1-3']);
  });
});
