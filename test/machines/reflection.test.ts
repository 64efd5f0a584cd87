/** Looking back (A6). */
import { describe, expect, it } from 'vitest';
import { type Agent, begin } from './agent.js';
import { tool, used } from './fixtures.js';

const reflective = { reflectEvery: 4, reflectTokens: 300 };
const reflecting = (): Agent => begin({ policy: reflective }).round().round().round().round();

describe('reflection', () => {
  it('comes after every fourth round', () => {
    const agent = begin({ policy: reflective }).round().round().round();
    expect(agent.state).toBe('perceive');
    agent.round();
    expect(agent.state).toBe('reflect');
    agent.reflected().round().round().round();
    expect(agent.state).toBe('perceive');
    agent.round();
    expect(agent.state).toBe('reflect');
  });

  it('comes after two poor results in a row from the same tool', () => {
    const agent = begin({ policy: reflective }).round([tool('fetch')], 'error');
    expect(agent.state).toBe('perceive');
    agent.round([tool('fetch')], 'unknown');
    expect(agent.state).toBe('reflect');
  });

  it('comes when both poor results lie in one round', () => {
    expect(begin({ policy: reflective }).round([tool('fetch'), tool('fetch')], 'error', 'error').state).toBe('reflect');
  });

  it('does not come for poor results of two tools, nor when a good one lies between', () => {
    const agent = begin({ policy: reflective }).round([tool('fetch')], 'error');
    agent.round([tool('look')], 'error').round([tool('look')], 'ok');
    expect(agent.state).toBe('perceive');
  });

  it('starts counting anew for poor results', () => {
    const agent = begin({ policy: reflective }).round([tool()], 'error').round([tool()], 'error').reflected();
    expect(agent.round([tool()], 'error').state).toBe('perceive');
    expect(agent.round([tool()], 'error').state).toBe('reflect');
  });

  it('never comes when it is switched off', () => {
    const agent = begin();
    for (let n = 0; n < 10; n += 1) agent.round([tool()], 'error');
    expect(agent.state).toBe('perceive');
  });

  it('is one more observation, in the transcript by reference', () => {
    const agent = reflecting();
    const { ref } = agent.life.effects.reflect ?? {};
    agent.reflected();
    expect(agent.state).toBe('perceive');
    expect(agent.context.transcript.at(-1)).toEqual({ kind: 'note', about: 'reflection', ref });
  });

  it('is paid for before it is made, in tokens and in money, and booked as used', () => {
    const agent = reflecting();
    expect(agent.context.ledger.reserved.reflect).toEqual({
      rounds: 0,
      tokens: 300,
      costUsd: 300 * 0.000_002,
      toolCalls: 0,
      children: 0,
    });
    const before = agent.context.ledger.spent;
    agent.reflected(used(200, 100));
    expect(agent.context.ledger).toMatchObject({ spent: { tokens: before.tokens + 300 }, reserved: {} });
    expect(agent.context.usage.costUsd).toBeCloseTo(agent.context.ledger.spent.costUsd, 12);
  });

  it.each([
    ['rounds', { rounds: 5 }],
    ['tokens', { tokens: 3_800 }],
    ['money', { costUsd: 0.0045 }],
  ])('does not come when two more calls could not be paid after it: %s', (_, budget) => {
    const agent = begin({ policy: reflective, budget }).round().round().round().round();
    expect(agent.state).toBe('perceive');
    expect(agent.context.counts.sinceReflection).toBe(4);
  });

  it('that breaks counts as spent and as made', () => {
    const agent = reflecting();
    const before = agent.context.ledger.spent;
    agent.broke('reflect');
    expect(agent.state).toBe('perceive');
    expect(agent.context.ledger).toMatchObject({ spent: { tokens: before.tokens + 300 }, reserved: {} });
    expect(agent.round().state).toBe('perceive');
  });
});
