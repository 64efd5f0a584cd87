/** Steering from outside: pause, resume, correct, and other budgets, in every state. */
import { describe, expect, it } from 'vitest';
import { begin, beginChild } from './agent.js';
import { birth, delegation, prompt, question, risky, tool } from './fixtures.js';
import { settings } from './settings.js';

describe.each(settings)('in $state ($because)', ({ at, state }) => {
  const isEnding = state.startsWith('terminate');

  it('a pause does not interrupt what is under way, and a resume undoes it', () => {
    const agent = at().paused();
    expect(agent.state).toBe(state);
    expect(agent.latest).toEqual([]);
    expect(agent.context.paused).toBe(!isEnding);
    agent.resumed();
    expect(agent.context.paused).toBe(false);
  });

  it('a correction is kept for the next prompt, with the facts that it sets', () => {
    const agent = at().corrected({ year: 2026 });
    expect(agent.state).toBe(state);
    const { transcript, memory } = agent.context;
    if (isEnding) expect(memory).toEqual({});
    else {
      expect(transcript.at(-1)).toEqual({ kind: 'note', about: 'correction', ref: `in.${agent.life.messageCount}` });
      expect(memory).toEqual({ year: 2026 });
    }
  });

  it('another budget holds from now on', () => {
    const agent = at().budgeted({ rounds: 33, costUsd: 2 });
    expect(agent.state).toBe(state);
    if (!isEnding) expect(agent.context.ledger.granted).toMatchObject({ rounds: 33, costUsd: 2, tokens: 100_000 });
  });

  it('a budget is never cut below what is spent, reserved, handed out or about to run', () => {
    const agent = at().budgeted({ rounds: 1, tokens: 1, costUsd: 0.000_001, toolCalls: 0, children: 0 });
    expect(Math.max(...Object.values(agent.left))).toBeGreaterThanOrEqual(0);
    expect(Math.min(...Object.values(agent.left))).toBeGreaterThanOrEqual(-1e-9);
  });
});

describe('a paused agent', () => {
  it('finishes the round, then rests until it is resumed', () => {
    const agent = begin().perceived().paused().called([tool()]).toolsRan();
    expect(agent.state).toBe('perceive');
    agent.perceived();
    expect(agent.state).toBe('parked');
    expect(agent.effects).toEqual([]);
    agent.corrected();
    expect(agent.state).toBe('parked');
    agent.resumed();
    expect(agent.state).toBe('perceive');
  });

  it('does not go on when a human or a child has answered, until it is resumed', () => {
    const agent = begin().perceived().called([risky(), delegation()]).paused();
    agent.decided('r1c1', true).childReported('tsk_1-1');
    expect(agent.state).toBe('parked');
    expect(agent.resumed().state).toBe('act.running');
    const other = begin().perceived().called([question()]).paused().answeredBy('r1c1');
    expect(other.state).toBe('parked');
    expect(other.resumed().state).toBe('perceive');
  });

  it('keeps waiting for the others when it is resumed', () => {
    const agent = begin().perceived().called([delegation(), delegation()]).paused();
    agent.childReported('tsk_1-1').resumed();
    expect(agent.state).toBe('parked');
    expect(agent.childReported('tsk_1-2').state).toBe('perceive');
  });

  it('that has run out of budget rests all the same, and goes on when it is given more', () => {
    const agent = begin({ budget: { rounds: 1 } })
      .perceived()
      .mumbled()
      .paused()
      .perceived();
    expect(agent.state).toBe('parked');
    agent.budgeted({ rounds: 5 }).resumed().perceived();
    expect(agent.state).toBe('decide');
  });
});

describe('the deadline', () => {
  it('has a timer from the first time that the agent is parked', () => {
    const agent = begin().perceived().called([risky()]);
    const dueAt = birth + 600_000;
    expect(agent.latest).toContainEqual({ to: 'timer', name: `deadline.${dueAt}`, dueAt });
    agent.decided('r1c1', true).toolsRan().perceived().called([risky()]);
    expect(agent.latest.filter((delivery) => delivery.to === 'timer')).toHaveLength(1);
  });

  it('that was put off lets the timer of the former one pass', () => {
    const agent = begin().perceived().called([risky()]).budgeted({ seconds: 3_600 });
    const dueAt = birth + 3_600_000;
    expect(agent.context.deadlineAt).toBe(dueAt);
    expect(agent.latest).toEqual([{ to: 'timer', name: `deadline.${dueAt}`, dueAt }]);
    agent.deadlinePassed(birth + 600_000);
    expect(agent.state).toBe('parked');
    agent.deadlinePassed();
    expect(agent.context.ending?.termination).toBe('deadline_passed');
  });

  it('that was brought forward ends a parked agent sooner', () => {
    const agent = begin().perceived().called([risky()]).later(1_000).budgeted({ seconds: 60 });
    const dueAt = birth + 61_000;
    expect(agent.latest).toEqual([{ to: 'timer', name: `deadline.${dueAt}`, dueAt }]);
    expect(agent.deadlinePassed(dueAt).context.ending?.termination).toBe('deadline_passed');
  });

  it('that was changed while the agent worked gets its timer when it is parked again', () => {
    const agent = begin().perceived().called([risky()]).decided('r1c1', true).budgeted({ seconds: 60 });
    expect(agent.latest).toEqual([]);
    agent.toolsRan().perceived().called([risky()]);
    expect(agent.latest).toContainEqual({ to: 'timer', name: `deadline.${birth + 60_000}`, dueAt: birth + 60_000 });
    const next = begin().budgeted({ seconds: 60 }).later(60_000).perceived();
    expect(next.context.ending?.termination).toBe('deadline_passed');
  });
});

describe('the budget of a child', () => {
  it('is a slice of its parent and can be cut, never raised', () => {
    const agent = beginChild({ budget: { rounds: 8 } }).budgeted({ rounds: 50, tokens: 1_000, seconds: 99_999 });
    expect(agent.context.ledger.granted).toMatchObject({ rounds: 8, tokens: 1_000 });
    expect(agent.context.deadlineAt).toBe(birth + 600_000);
    agent.budgeted({ rounds: 2, seconds: 10 });
    expect(agent.context.ledger.granted.rounds).toBe(2);
    expect(agent.context.deadlineAt).toBe(birth + 10_000);
  });
});

describe('an agent that was given more', () => {
  it('goes on where it would have ended', () => {
    const agent = begin({ budget: { tokens: 1_500 } })
      .round()
      .budgeted({ tokens: 50_000 });
    expect(agent.perceived(prompt(1_200)).state).toBe('decide');
  });
});
