import { describe, expect, it } from 'vitest';
import { emptyTree, grow, type TaskTree, totalsOf, treeOfReport } from '../../src/control/tree.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { AgentId, ApprovalId, TaskId } from '../../src/domain/id.js';
import { noUsage } from '../../src/domain/usage.js';
import { eventOf, reportOf } from './support.js';

const taskId = 'tsk_A' as TaskId;
const root = 'tsk_A' as AgentId;
const child = (n: number, of: string = root) => `${of}-${n}` as AgentId;
const amounts = { rounds: 9, tokens: 900, costUsd: 1, toolCalls: 9, children: 9 };
const usage = (tokens: number) => ({ ...noUsage, inputTokens: tokens, rounds: 1 });

const started = (agentId: AgentId = root, parent?: AgentId) =>
  eventOf(
    taskId,
    'started',
    {
      goal: `goal of ${agentId}`,
      depth: agentId.split('-').length - 1,
      granted: amounts,
      ...(parent ? { parent } : {}),
    },
    { agentId },
  );
const moved = (agentId: AgentId, state: string, cause = 'done.decide', tokens = 0) =>
  eventOf(
    taskId,
    'moved',
    {
      state: state as never,
      cause,
      detail: `${state} by ${cause}`,
      remaining: amounts,
      usage: usage(tokens),
      repairs: 2,
    },
    { agentId, round: 3 },
  );
const asked = (id: string, kind: 'approval' | 'question', agentId: AgentId = root) =>
  eventOf(taskId, 'asked', { request: { kind, id: id as ApprovalId, agentId } as never }, { agentId });

const treeOf = (...events: FeedEvent[]): TaskTree =>
  events.reduce((tree, event, index) => grow(tree, event, index + 1), emptyTree(taskId));
const agent = (tree: TaskTree, agentId: AgentId) => tree.agents.find((one) => one.agentId === agentId);

describe('the tree', () => {
  it('holds what each agent does, with parents before their children', () => {
    const tree = treeOf(
      started(),
      started(child(1), root),
      started(child(2), root),
      started(child(1, child(1)), child(1)),
      moved(child(1), 'act'),
    );
    expect(tree.agents.map(({ agentId }) => agentId)).toEqual([root, child(1), child(1, child(1)), child(2)]);
    expect(agent(tree, root)?.children).toEqual([child(1), child(2)]);
    expect(agent(tree, child(1))).toMatchObject({
      state: 'act',
      detail: 'act by done.decide',
      round: 3,
      repairs: 2,
      depth: 1,
    });
    expect(tree.seq).toBe(5);
  });

  it('is the same when a child is heard of before its parent', () => {
    const tree = treeOf(moved(child(1, child(1)), 'decide'), started(child(1), root), started());
    expect(tree.agents.map(({ agentId, depth }) => [agentId, depth])).toEqual([
      [root, 0],
      [child(1), 1],
      [child(1, child(1)), 2],
    ]);
  });

  it('leaves events of other tasks out', () => {
    const tree = treeOf(started());
    expect(grow(tree, eventOf('tsk_B' as TaskId, 'taken_over', { from: 'x', epoch: 2 }), 9)).toBe(tree);
  });

  it('counts takeovers and knows the present host', () => {
    const tree = treeOf(started(), eventOf(taskId, 'taken_over', { from: 'host-1', epoch: 2 }, { host: 'host-2' }));
    expect(agent(tree, root)).toMatchObject({ takeovers: 1, host: 'host-2' });
  });

  it('shows what humans are asked until the agent moves on', () => {
    const both = treeOf(
      started(),
      moved(root, 'act'),
      asked('apr_1', 'approval'),
      asked('apr_1', 'approval'),
      asked('apr_2', 'question'),
    );
    const waiting = (tree: TaskTree) => agent(tree, root)?.waiting.map(({ id }) => id);
    expect(waiting(both)).toEqual(['apr_1', 'apr_2']);
    const answered = grow(both, moved(root, 'parked', 'human.answered'), 6);
    expect(waiting(answered)).toEqual(['apr_1']);
    expect(waiting(grow(answered, moved(root, 'parked', 'child.reported'), 7))).toEqual(['apr_1']);
    expect(waiting(grow(answered, moved(root, 'perceive', 'human.decided'), 7))).toEqual([]);
  });

  it('closes an agent, and everything below it, with its report', () => {
    const report = reportOf(taskId, {
      status: 'partial',
      children: [reportOf(taskId, { agentId: child(1), status: 'exhausted', usage: usage(7) })],
    });
    const tree = treeOf(started(), asked('apr_1', 'approval'), eventOf(taskId, 'ended', { report }));
    expect(agent(tree, root)).toMatchObject({
      state: 'done',
      status: 'partial',
      waiting: [],
      summary: 'answered',
      remaining: report.budgetLeft,
    });
    expect(agent(tree, child(1))).toMatchObject({ status: 'exhausted', parent: root, depth: 1 });
    expect(grow(tree, moved(root, 'act'), 9).agents).toEqual(tree.agents);
    expect(treeOfReport(report, 1).agents.map(({ agentId, status }) => [agentId, status])).toEqual([
      [root, 'partial'],
      [child(1), 'exhausted'],
    ]);
  });

  it('sums up what is used without counting a reported child twice', () => {
    const ended = eventOf(
      taskId,
      'ended',
      { report: reportOf(taskId, { agentId: child(1), usage: usage(30) }) },
      { agentId: child(1) },
    );
    const running = treeOf(
      started(),
      started(child(1), root),
      started(child(2), root),
      ended,
      moved(root, 'parked', 'child.reported', 100),
      moved(child(2), 'act', 'done.decide', 5),
    );
    expect(totalsOf(running).usage.inputTokens).toBe(105);
    const over = grow(
      running,
      eventOf(taskId, 'ended', { report: reportOf(taskId, { usage: { ...usage(140), ms: 77 } }) }),
      10,
    );
    expect(
      totalsOf(
        grow(
          over,
          eventOf(
            taskId,
            'ended',
            { report: reportOf(taskId, { agentId: child(2), usage: usage(9) }) },
            { agentId: child(2) },
          ),
          11,
        ),
      ).usage,
    ).toMatchObject({
      inputTokens: 140,
      ms: 77,
    });
  });
});
