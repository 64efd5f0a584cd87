/** What a subtask may spend, changed while it is at work (D2). */
import { describe, expect, it } from 'vitest';
import { remaining } from '../../src/domain/budget.js';
import { type Agent, begin, beginChild } from './agent.js';
import { birth, delegation, grant, steer } from './fixtures.js';
import { message } from './life.js';

const resultsOf = (agent: Agent) =>
  agent.context.transcript.flatMap((entry) => (entry.kind === 'round' ? entry.results : []));
const toldTo = (agent: Agent, child: string) =>
  agent.latest.flatMap((sent) => (sent.to === 'inbox' && sent.agentId === child ? [sent.message] : []));
const askedFor = (agent: Agent, agentId: string, budget: object) =>
  agent.take(message(agent.life, 'subtask.budget', { agentId: agentId as never, budget, by: 'ana' }));

/** Two subtasks, the first of which has failed, so that the agent is asked while the second is at work. */
const between = (budget = { rounds: 5, tokens: 10_000 }): Agent =>
  begin()
    .perceived()
    .called([delegation({ name: 'a', budget: { rounds: 1, tokens: 1_000 } }), delegation({ name: 'b', budget })])
    .childReported('tsk_1-1', 'failed')
    .perceived();

describe('a subtask at work', () => {
  it('is given more out of what the agent has left', () => {
    const agent = between();
    agent.called([steer({ subtask: 'b', budget: { tokens: 30_000, seconds: 60 } })]);
    expect(toldTo(agent, 'tsk_1-2')).toMatchObject([
      { type: 'slice.changed', id: 'tsk_1-2.r2c1', slice: { rounds: 5, tokens: 30_000 }, deadlineAt: birth + 60_000 },
    ]);
    expect(agent.context.ledger.slices['tsk_1-2']?.tokens).toBe(30_000);
    expect(resultsOf(agent).at(-1)).toMatchObject({ callId: 'r2c1', status: 'ok' });
    expect(agent.state).toBe('perceive');
  });

  it('gets no more than there is, and the agent keeps enough for one more call', () => {
    const agent = between();
    agent.called([steer({ subtask: 'b', budget: { rounds: 1_000, tokens: 10_000_000 } })]);
    expect(agent.left.rounds).toBe(1);
    expect(agent.left.tokens).toBeGreaterThan(0);
    expect(agent.perceived().state).toBe('decide');
  });

  it('that is cut short may have spent it already: the agent gets nothing back before the report', () => {
    const agent = between();
    const before = agent.context.ledger.slices;
    agent.called([steer({ subtask: 'b', budget: { tokens: 2_000 } })]);
    expect(toldTo(agent, 'tsk_1-2')).toMatchObject([{ slice: { rounds: 5, tokens: 2_000 } }]);
    expect(agent.context.ledger.slices).toEqual(before);
    const { tokens } = agent.left;
    agent.childReported('tsk_1-2', 'done', { tokens: 1_500 });
    expect(agent.left.tokens).toBe(tokens + 10_000 - 1_500);
  });

  it('is stopped, and reports', () => {
    const agent = between().called([steer({ subtask: 'b', cancel: true })]);
    expect(toldTo(agent, 'tsk_1-2')).toMatchObject([{ type: 'task.cancelled', by: 'tsk_1' }]);
    expect(agent.context.plan[1]?.state).toBe('running');
  });

  it('is given more by a person, too, while the agent is parked', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ budget: { rounds: 2 } })]);
    expect(askedFor(agent, 'tsk_1-1', { rounds: 4 }).state).toBe('parked');
    expect(toldTo(agent, 'tsk_1-1')).toMatchObject([{ type: 'slice.changed', slice: { rounds: 4 } }]);
    agent.childReported('tsk_1-1');
    askedFor(agent, 'tsk_1-1', { rounds: 9 });
    expect(agent.latest).toEqual([]);
  });
});

describe('a subtask that waits', () => {
  it('is stopped before it begins, with all that wait for it', () => {
    const agent = begin({ policy: { plan: { fanOut: 16, parallel: 1, attempts: 3, repairShare: 1, early: true } } })
      .perceived()
      .called([
        delegation({ name: 'a' }),
        delegation({ name: 'b' }),
        delegation({ name: 'c', dependsOn: ['b'] }),
        delegation({ name: 'd' }),
      ])
      .childReported('tsk_1-1', 'failed')
      .perceived();
    const [, , , last] = agent.context.plan;
    agent.called([steer({ subtask: 'd', cancel: true })]);
    expect(agent.context.plan.map(({ state }) => state)).toEqual(['failed', 'running', 'waiting', 'cancelled']);
    expect(agent.context.ledger.slices[last?.agentId ?? '']).toBeUndefined();
    expect(resultsOf(agent).find(({ callId }) => callId === 'r1c4')).toMatchObject({ refusal: 'cancelled' });
  });
});

describe('steering', () => {
  it('of what nobody knows, or without a wish, is refused', () => {
    const agent = between().called([steer({ subtask: 'z', cancel: true }), steer({ subtask: 'b' })]);
    expect(resultsOf(agent).slice(-2)).toMatchObject([{ refusal: 'not_found' }, { refusal: 'invalid_arguments' }]);
  });
});

describe('an agent below the root', () => {
  const changed = (agent: Agent, rounds: number) =>
    agent.take(message(agent.life, 'slice.changed', { slice: { ...grant(), rounds, tokens: 50_000 } }));

  it('takes the slice that it is given', () => {
    const agent = beginChild({ budget: { rounds: 3 } }).perceived();
    expect(changed(agent, 9).left.rounds).toBe(8);
  });

  it('never falls below what it has spent', () => {
    const agent = beginChild({ budget: { rounds: 9 } })
      .round()
      .round();
    changed(agent, 1);
    expect(agent.context.ledger.granted.rounds).toBe(2);
    expect(remaining(agent.context.ledger).rounds).toBe(0);
  });

  it('goes on when its last call is no longer the last', () => {
    const agent = beginChild({ budget: { rounds: 1 } }).perceived();
    expect(agent.context.last).toBe('rounds');
    expect(changed(agent, 5).context.last).toBeUndefined();
  });
});
