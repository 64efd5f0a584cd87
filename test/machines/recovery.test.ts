/** Another host took the agent over while effects were under way (R2, section 5 of the architecture). */
import { describe, expect, it } from 'vitest';
import { lackingToRepeat } from '../../machines/spending.js';
import { nothing } from '../../src/domain/budget.js';
import { type Agent, begin } from './agent.js';
import { delegation, prompt, risky, tool } from './fixtures.js';

const orderedChild = () => begin().perceived().called([delegation()]).context;

describe('when another host takes over', () => {
  it('a model call that was under way is spent and paid a second time', () => {
    const agent = begin().perceived();
    const bound = agent.context.ledger.reserved.decide;
    agent.recovered();
    expect(agent.state).toBe('decide');
    expect(agent.context.ledger).toMatchObject({ spent: bound, reserved: { decide: bound } });
    agent.answered();
    expect(agent.context.ledger.spent).toMatchObject({ rounds: 2, tokens: (bound?.tokens ?? 0) + 500 });
  });

  it.each([
    ['tokens', { tokens: 2_000 }, 'tokens_exhausted'],
    ['rounds', { rounds: 1 }, 'rounds_exhausted'],
    ['money', { costUsd: 0.0025 }, 'cost_exhausted'],
  ])('the agent ends when there is not enough for a second attempt: %s', (_, budget, termination) => {
    const agent = begin({ budget }).perceived(prompt(1_000));
    const bound = agent.context.ledger.reserved.decide;
    agent.recovered();
    expect(agent.state).toBe('terminate.report');
    expect(agent.effects).toEqual(['report']);
    expect(agent.context.ending).toMatchObject({ status: 'exhausted', termination });
    expect(agent.context.ledger).toMatchObject({ spent: bound, reserved: {} });
  });

  it('tool calls go on as they were: their own journal says what has run', () => {
    const agent = begin().perceived().called([tool()]);
    const { context } = agent;
    expect(agent.recovered().context).toEqual(context);
    expect(agent.toolsRan().state).toBe('perceive');
  });

  it('a parked agent goes on waiting', () => {
    for (const wanted of [risky(), delegation()]) {
      const agent = begin().perceived().called([wanted]);
      const { context } = agent;
      expect(agent.recovered().context).toEqual(context);
      expect(agent.state).toBe('parked');
    }
  });

  it('a call that leaves room for another one can be paid a second time, but not for ever', () => {
    const agent = begin({ budget: { tokens: 4_000 } }).perceived(prompt(1_000));
    expect(agent.input('decide')).toMatchObject({ last: null });
    expect(agent.recovered().state).toBe('decide');
    expect(agent.recovered().context.ending?.termination).toBe('tokens_exhausted');
  });

  it('a parked agent goes on waiting even if a provider billed more than was reserved', () => {
    const billedTooMuch = { ...orderedChild(), ledger: { ...orderedChild().ledger, granted: nothing } };
    expect(lackingToRepeat(billedTooMuch)).toBeUndefined();
  });

  it('a reflection is charged likewise', () => {
    const agent = begin({ policy: { reflectEvery: 1, reflectTokens: 300 } }).round();
    const { spent } = agent.context.ledger;
    agent.recovered();
    expect(agent.state).toBe('reflect');
    expect(agent.context.ledger.spent.tokens).toBe(spent.tokens + 300);
  });

  const stuck = (rounds: number): Agent => {
    const agent = begin({ budget: { rounds } });
    for (let n = 0; n < 3; n += 1) agent.perceived().called([tool()], { actionHash: 'same' }).toolsRan('ok');
    return agent;
  };

  it('the grace call is paid a second time when that is possible, and given up otherwise', () => {
    expect(stuck(5).recovered().state).toBe('terminate.grace');
    const agent = stuck(4).recovered();
    expect(agent.state).toBe('terminate.report');
    expect(agent.context.ending?.termination).toBe('no_progress');
    expect(agent.context.ledger.spent.rounds).toBe(4);
  });
});
