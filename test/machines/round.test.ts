/** What one round is: last calls (A8), asking again (A9), corrections (A9), tool budgets, and the shape of results (A4, A5). */
import { describe, expect, it } from 'vitest';
import { type Agent, begin } from './agent.js';
import { finish, prompt, question, refused, risky, tool, used } from './fixtures.js';
import { outcome } from './life.js';

const notes = (agent: Agent): string[] =>
  agent.context.transcript.flatMap((entry) => (entry.kind === 'note' ? [entry.about] : []));

describe('a model call', () => {
  it('is paid for before it is made, by an upper bound', () => {
    const agent = begin().perceived(prompt(500));
    expect(agent.input('decide')).toEqual({ round: 1, outputTokens: 2_048, last: null });
    expect(agent.context.ledger.reserved.decide).toMatchObject({
      rounds: 1,
      tokens: 2_548,
      costUsd: 0.0005 + 0.004096,
    });
  });

  it('is booked as used when it comes back, and the rest is free again', () => {
    const agent = begin().perceived().answered(used(480, 20));
    expect(agent.context.ledger).toMatchObject({ spent: { rounds: 1, tokens: 500 }, reserved: {} });
    expect(agent.context.usage).toMatchObject({ rounds: 1, inputTokens: 480, outputTokens: 20 });
  });

  it('gets a shorter answer when a longer one would leave nothing for another call', () => {
    const agent = begin({ budget: { tokens: 2_000 } }).perceived(prompt(500));
    expect(agent.input('decide')).toEqual({ round: 1, outputTokens: 450, last: null });
  });

  it('is the last when no other one like it would fit, and may then use all that is left', () => {
    const agent = begin({ budget: { tokens: 1_299 } }).perceived(prompt(500));
    expect(agent.input('decide')).toEqual({ round: 1, outputTokens: 799, last: 'tokens' });
    expect(agent.left.tokens).toBe(0);
    expect(
      begin({ budget: { tokens: 1_300 } })
        .perceived(prompt(500))
        .input('decide'),
    ).toMatchObject({ last: null });
    expect(
      begin({ budget: { rounds: 1 } })
        .perceived()
        .input('decide'),
    ).toMatchObject({ last: 'rounds' });
    expect(
      begin({ budget: { costUsd: 0.0014 } })
        .perceived()
        .input('decide'),
    ).toMatchObject({ last: 'costUsd' });
  });

  it('is reckoned by what the provider counted before, when it counts more than we do', () => {
    const agent = begin()
      .perceived(prompt(500))
      .called([tool()], { usage: { ...used(600, 20), countedInputTokens: 500 } })
      .toolsRan();
    agent.perceived(prompt(700));
    expect(agent.context.ledger.reserved.decide?.tokens).toBe(600 + 240 + 2_048);
  });
});

describe('the last call', () => {
  const last = (): Agent => begin({ budget: { rounds: 1 } }).perceived();

  it('runs no tools', () => {
    const agent = last().called([tool(), question()]);
    expect(agent.state).toBe('terminate.report');
    expect(agent.life.books).toMatchObject({ started: [], asked: [] });
  });

  it('may still finish', () => {
    const agent = last().called([finish()]);
    expect(agent.context.ending).toMatchObject({ status: 'done', termination: 'finished', ref: 'e2' });
  });

  it('may still answer', () => {
    expect(last().answered().context.ending).toMatchObject({ status: 'done', termination: 'finished' });
  });

  it('ends the agent when its reply is unreadable', () => {
    const agent = last().mumbled();
    expect(agent.state).toBe('perceive');
    agent.perceived();
    expect(agent.context.ending).toMatchObject({ status: 'exhausted', termination: 'rounds_exhausted' });
  });

  it('is no longer the last when the budget that ran out was raised meanwhile', () => {
    expect(last().budgeted({ rounds: 5 }).called([tool()]).state).toBe('act.running');
    expect(last().budgeted({ tokens: 900_000 }).called([tool()]).state).toBe('terminate.report');
  });
});

describe('an unreadable reply', () => {
  it('is asked for again once without a word, then the problem is shown, then the agent fails', () => {
    const agent = begin().perceived().mumbled();
    expect(agent.state).toBe('perceive');
    expect(notes(agent)).toEqual([]);
    agent.perceived().mumbled();
    expect(agent.state).toBe('perceive');
    expect(agent.context.transcript).toEqual([{ kind: 'note', about: 'unreadable', ref: 'e4' }]);
    agent.perceived().mumbled();
    expect(agent.context.ending).toMatchObject({ status: 'failed', termination: 'failed' });
    expect(agent.context.ending?.failure).toEqual({
      kind: 'reply_unreadable',
      message: 'neither a call nor an answer',
    });
  });

  it('is forgotten after a readable one', () => {
    const agent = begin().perceived().mumbled().perceived().mumbled().round();
    agent.perceived().mumbled().perceived().mumbled();
    expect(agent.state).toBe('perceive');
  });

  it('still leaves what it stated in working memory', () => {
    expect(begin().perceived().remembered({ city: '北京' }).context.memory).toEqual({ city: '北京' });
  });
});

describe('a model that fails', () => {
  it('is asked again when the failure may pass, at most twice in a row', () => {
    const agent = begin().perceived().modelFailed('model_rate_limited');
    expect(agent.state).toBe('perceive');
    agent.perceived().modelFailed('model_unreachable');
    expect(agent.state).toBe('perceive');
    agent.perceived().modelFailed('model_failed');
    expect(agent.context.ending).toMatchObject({ status: 'failed', failure: { kind: 'model_failed' } });
  });

  it('is asked again as often after a reply', () => {
    const agent = begin().perceived().modelFailed('model_failed').perceived().modelFailed('model_failed').round();
    agent.perceived().modelFailed('model_failed').perceived().modelFailed('model_failed');
    expect(agent.state).toBe('perceive');
  });

  it('spends a round and what was billed all the same', () => {
    const agent = begin().perceived().modelFailed('model_failed', used(480, 0));
    expect(agent.context.ledger.spent).toMatchObject({ rounds: 1, tokens: 480 });
  });
});

describe('refused calls', () => {
  it('may be corrected three times in a row, then the agent fails with the reason', () => {
    const agent = begin();
    for (let n = 0; n < 3; n += 1) {
      agent.perceived().called([refused()]);
      expect(agent.state).toBe('perceive');
    }
    agent.perceived().called([refused('lok', 'invalid_arguments')]);
    expect(agent.state).toBe('terminate.grace');
    expect(agent.context.ending).toMatchObject({ status: 'failed', termination: 'failed' });
    expect(agent.context.ending?.failure?.message).toContain('3 corrections');
  });

  it('count only when nothing else was in the round, and in a row', () => {
    const agent = begin();
    for (let n = 0; n < 6; n += 1) {
      agent.perceived().called([refused()]);
      agent.perceived().called([refused(), tool()]).toolsRan();
    }
    expect(agent.state).toBe('perceive');
  });

  it('are results of the round, found in the decision itself', () => {
    const agent = begin().perceived().called([refused(), tool()]).toolsRan('error');
    expect(agent.context.transcript).toMatchObject([
      {
        kind: 'round',
        n: 1,
        decision: 'e2',
        results: [
          { callId: 'r1c1', name: 'lok', status: 'error', ref: 'e2' },
          { callId: 'r1c2', name: 'look', status: 'error', ref: 'e3' },
        ],
      },
    ]);
  });
});

describe('the tool calls of a round', () => {
  it('are paid for before they run and start together', () => {
    const agent = begin()
      .perceived()
      .called([tool(), tool('list')]);
    expect(agent.input('callTools')).toEqual({
      decision: 'e2',
      calls: [
        { callId: 'r1c1', approvedBy: null },
        { callId: 'r1c2', approvedBy: null },
      ],
    });
    expect(agent.context.ledger.reserved.callTools?.toolCalls).toBe(2);
    agent.toolsRan('ok', 'unknown');
    expect(agent.context.ledger.spent.toolCalls).toBe(2);
    expect(agent.context.usage.toolCalls).toBe(2);
    expect(agent.state).toBe('perceive');
  });

  it('have one result each, whatever else their outcome names', () => {
    const agent = begin().perceived().called([refused(), tool()]);
    const results = ['r1c1', 'r1c2', 'r9c9'].map((callId) => ({ callId, name: 'look', status: 'ok' as const }));
    agent.take(outcome(agent.life, 'callTools', { results }));
    expect(agent.context.transcript[0]).toMatchObject({
      results: [
        { callId: 'r1c1', status: 'error' },
        { callId: 'r1c2', status: 'ok' },
      ],
    });
  });

  it('never stop the loop when they fail', () => {
    const agent = begin();
    for (let n = 0; n < 10; n += 1) agent.round([tool(`t${n}`)], 'error');
    expect(agent.state).toBe('perceive');
  });

  it('are refused beyond the budget for tool calls, in order, with the reason', () => {
    const agent = begin({ budget: { toolCalls: 2 } })
      .perceived()
      .called([tool('a'), risky('b'), tool('c')]);
    expect(agent.life.books).toMatchObject({ started: ['r1c1'], asked: ['apr_tsk_1_r1c2'] });
    agent.toolsRan().decided('r1c2', true).toolsRan();
    expect(agent.context.transcript[0]).toMatchObject({
      results: [
        { callId: 'r1c3', status: 'error', ref: 'e2', refusal: 'budget_exhausted' },
        { callId: 'r1c1', status: 'ok' },
        { callId: 'r1c2', status: 'ok' },
      ],
    });
    expect(agent.left.toolCalls).toBe(0);
  });
});
