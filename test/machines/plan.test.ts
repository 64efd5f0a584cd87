/** Plans: deciding while subtasks are at work, trying again within bounds, never the same work twice (D4). */
import { describe, expect, it } from 'vitest';
import { type Agent, begin } from './agent.js';
import { delegation, finish, risky, tool } from './fixtures.js';

const resultsOf = (agent: Agent) =>
  agent.context.transcript.flatMap((entry) => (entry.kind === 'round' ? entry.results : []));

describe('a subtask that came to nothing', () => {
  const two = () =>
    begin()
      .perceived()
      .called([delegation({ name: 'a' }), delegation({ name: 'b' })])
      .childReported('tsk_1-1', 'failed');

  it('is decided on at once, while others are at work', () => {
    const agent = two();
    expect(agent.state).toBe('perceive');
    expect(agent.context.open).toMatchObject([{ callId: 'r1c2', state: 'child', decision: 'e2' }]);
    agent.perceived().called([delegation({ name: 'a' })]);
    expect(agent.ordered).toEqual(['tsk_1-3']);
    expect(agent.state).toBe('parked');
    agent.childReported('tsk_1-2').childReported('tsk_1-3');
    expect(agent.state).toBe('perceive');
    expect(resultsOf(agent).map(({ callId, status, ref }) => [callId, status, ref])).toEqual([
      ['r1c1', 'error', 'in.1'],
      ['r1c2', 'ok', 'in.2'],
      ['r2c1', 'ok', 'in.3'],
    ]);
    expect(agent.context.open).toEqual([]);
  });

  it('is waited out with the others where a plan has no policy, as in journals of the first version', () => {
    const agent = begin({ policy: { plan: undefined } })
      .perceived()
      .called([delegation(), delegation()])
      .childReported('tsk_1-1', 'failed');
    expect(agent.state).toBe('parked');
    expect(agent.childReported('tsk_1-2').state).toBe('perceive');
  });

  it('is heard of when the model asks for something else meanwhile', () => {
    const agent = two().perceived().called([tool()]).toolsRan('ok');
    expect(agent.state).toBe('perceive');
    expect(agent.perceived().answered().state).toBe('parked');
    expect(agent.childReported('tsk_1-2').state).toBe('perceive');
    expect(agent.perceived().answered().state).toBe('terminate.report');
  });

  it('that was done in another way does not wake the agent before the others have reported', () => {
    const agent = two()
      .perceived()
      .called([delegation({ name: 'a' })]);
    expect(agent.childReported('tsk_1-3').state).toBe('parked');
    expect(agent.childReported('tsk_1-2').state).toBe('perceive');
  });

  it('is waited for when a report comes while the model answers in words', () => {
    const agent = two().perceived().childReported('tsk_1-2');
    expect(agent.state).toBe('decide');
    expect(agent.answered().state).toBe('perceive');
  });

  it('ends with the agent that finishes, and so do the others', () => {
    const agent = two().perceived().called([finish()]);
    expect(agent.latest).toContainEqual(expect.objectContaining({ agentId: 'tsk_1-2' }));
    expect(agent.state).toBe('terminate.gather');
    expect(agent.childReported('tsk_1-2', 'cancelled').state).toBe('terminate.report');
  });

  it('does not let an agent go on while a human is waited for', () => {
    const agent = begin().perceived().called([risky(), delegation(), delegation()]).childReported('tsk_1-1', 'failed');
    expect(agent.state).toBe('parked');
    agent.decided('r1c1', true).toolsRan('ok');
    expect(agent.state).toBe('perceive');
  });

  it('may be tried so often, and counts the tries', () => {
    const agent = begin({ policy: { plan: { fanOut: 16, parallel: 8, attempts: 2, repairShare: 1, early: true } } })
      .perceived()
      .called([delegation({ name: 'a' })])
      .childReported('tsk_1-1', 'failed')
      .perceived()
      .called([delegation({ name: 'a', goal: 'look better' })]);
    expect(agent.context.plan.map(({ attempt }) => attempt)).toEqual([undefined, 2]);
    agent
      .childReported('tsk_1-2', 'exhausted')
      .perceived()
      .called([delegation({ name: 'a' })]);
    expect(agent.ordered).toEqual([]);
    expect(resultsOf(agent).at(-1)).toMatchObject({ status: 'error', refusal: 'repair_exhausted' });
  });

  it('may take so much of the budget when it is tried again', () => {
    const agent = begin({
      budget: { rounds: 20 },
      policy: { plan: { fanOut: 16, parallel: 8, attempts: 9, repairShare: 0.25, early: true } },
    })
      .perceived()
      .called([delegation({ name: 'a', budget: { rounds: 2 } })])
      .childReported('tsk_1-1', 'failed', { rounds: 1 });
    for (const [n, rounds] of [
      [2, 4],
      [3, 1],
    ] as const) {
      agent.perceived().called([delegation({ name: 'a', budget: { rounds: 4 } })]);
      expect(agent.orderTo(`tsk_1-${n}`)?.budget.rounds).toBe(rounds);
      agent.childReported(`tsk_1-${n}`, 'failed', { rounds });
    }
    agent.perceived().called([delegation({ name: 'a' })]);
    expect(agent.ordered).toEqual([]);
    expect(resultsOf(agent).at(-1)).toMatchObject({ refusal: 'repair_exhausted' });
  });
});

describe('the same work', () => {
  const same = { work: '0123', name: 'a' };

  it('is not done again: its report stands for the second call', () => {
    const agent = begin()
      .perceived()
      .called([delegation(same)])
      .childReported('tsk_1-1')
      .perceived()
      .called([delegation({ ...same, name: 'again' })]);
    expect(agent.ordered).toEqual([]);
    expect(agent.state).toBe('perceive');
    expect(resultsOf(agent).at(-1)).toEqual({ callId: 'r2c1', name: 'delegate_task', status: 'ok', ref: 'in.1' });
    expect(agent.context.plan).toHaveLength(1);
  });

  it('is refused while it is under way', () => {
    const agent = begin()
      .perceived()
      .called([delegation(same), delegation({ ...same, name: 'b' })]);
    expect(agent.ordered).toEqual(['tsk_1-1']);
    expect(resultsOf(agent)).toMatchObject([{ callId: 'r1c2', refusal: 'conflict' }]);
  });
});

describe('many subtasks', () => {
  const some = (n: number) => Array.from({ length: n }, (_, index) => delegation({ name: `s${index}` }));
  const tight = { fanOut: 3, parallel: 2, attempts: 3, repairShare: 0.5, early: true };

  it('work so many at a time; the others wait for their turn', () => {
    const agent = begin({ policy: { plan: tight } })
      .perceived()
      .called(some(3));
    expect(agent.ordered).toEqual(['tsk_1-1', 'tsk_1-2']);
    expect(agent.childReported('tsk_1-1').ordered).toEqual(['tsk_1-3']);
  });

  it('are refused beyond the fan-out', () => {
    const agent = begin({ policy: { plan: tight } })
      .perceived()
      .called(some(4));
    expect(agent.context.plan).toHaveLength(3);
    expect(resultsOf(agent)).toMatchObject([{ callId: 'r1c4', refusal: 'fan_out_exceeded' }]);
  });

  it('are refused when they are what the agent, or one above it, was asked to do', () => {
    const agent = begin({ order: { depth: 1, lineage: ['e1', 'e2'] } })
      .perceived()
      .called([delegation({ name: 'a', errand: 'e1' }), delegation({ name: 'b', errand: 'e3' })]);
    expect(agent.ordered).toEqual(['tsk_1-2']);
    expect(resultsOf(agent)).toMatchObject([{ callId: 'r1c1', refusal: 'circular' }]);
    expect(agent.orderTo('tsk_1-2')?.lineage).toEqual(['e1', 'e2', 'e3']);
  });

  it('that wait for each other in a circle are refused, all of them', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ name: 'a', dependsOn: ['b'] }), delegation({ name: 'b', dependsOn: ['a'] }), delegation()]);
    expect(agent.ordered).toEqual(['tsk_1-3']);
    expect(resultsOf(agent).map(({ refusal }) => refusal)).toEqual(['invalid_arguments', 'invalid_arguments']);
  });
});
