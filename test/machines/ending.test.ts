/** Every way in which an agent ends (A7), and the one report that follows. */
import { describe, expect, it } from 'vitest';
import { migrations } from '../../machines/version.js';
import { type Agent, begin, beginChild } from './agent.js';
import { birth, body, delegation, finish, prompt, refused, risky, tool, used } from './fixtures.js';
import { message } from './life.js';
import { settings } from './settings.js';

const endingOf = (agent: Agent) => {
  const { status, termination } = agent.context.ending ?? {};
  return { state: agent.state, status, termination };
};

describe('an agent ends', () => {
  it('as done when the model answers in words', () => {
    const agent = begin().perceived().answered();
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'done', termination: 'finished' });
    expect(agent.context.ending?.ref).toBe('e2');
  });

  it('as done when the model calls finish, after the other calls of that round have run', () => {
    const agent = begin().perceived().called([tool(), finish()]);
    expect(agent.state).toBe('act.running');
    agent.toolsRan('ok');
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'done', termination: 'finished' });
  });

  it('when its rounds are used up, with the decision of the last call as the last word', () => {
    const agent = begin({ budget: { rounds: 3 } })
      .round()
      .round();
    agent.perceived().called([tool()]);
    expect(endingOf(agent)).toEqual({
      state: 'terminate.report',
      status: 'exhausted',
      termination: 'rounds_exhausted',
    });
    expect(agent.context.ending?.ref).toBe('e8');
    expect(agent.context.ending?.failure?.message).toContain('granted 3, left 0');
  });

  it('when the tokens do not allow another call', () => {
    const agent = begin({ budget: { tokens: 1_500 } }).round();
    agent.perceived(prompt(1_200));
    expect(endingOf(agent)).toEqual({
      state: 'terminate.report',
      status: 'exhausted',
      termination: 'tokens_exhausted',
    });
  });

  it('when the prompt leaves no room for an answer in the window', () => {
    const agent = begin().perceived(prompt(500, { roomTokens: 99 }));
    expect(endingOf(agent)).toMatchObject({ status: 'exhausted', termination: 'tokens_exhausted' });
  });

  it('when the money does not allow another call', () => {
    const agent = begin({ budget: { costUsd: 0.002 } }).round();
    agent.perceived(prompt(1_400));
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'exhausted', termination: 'cost_exhausted' });
  });

  it('when three of the last five rounds did the same, with one more call for its last words', () => {
    const same = { actionHash: 'same' };
    const agent = begin();
    agent.perceived().called([tool()], same).toolsRan('ok').round();
    agent.perceived().called([tool()], same).toolsRan('ok').round();
    expect(agent.state).toBe('perceive');
    agent.perceived().called([tool()], same).toolsRan('ok');
    expect(endingOf(agent)).toEqual({ state: 'terminate.grace', status: 'partial', termination: 'no_progress' });
  });

  it('as done when it finishes, even if that looks like a repetition', () => {
    const same = { actionHash: 'same' };
    const agent = begin().perceived().called([tool()], same).toolsRan().perceived().called([tool()], same).toolsRan();
    agent.perceived().called([finish()], same);
    expect(endingOf(agent)).toMatchObject({ status: 'done', termination: 'finished' });
  });

  it('not when the third repetition lies outside the last five rounds', () => {
    const same = { actionHash: 'same' };
    const agent = begin();
    agent.perceived().called([tool()], same).toolsRan('ok').round().round();
    agent.perceived().called([tool()], same).toolsRan('ok').round();
    agent.perceived().called([tool()], same).toolsRan('ok');
    expect(agent.state).toBe('perceive');
  });

  it('when the deadline has passed before the next call', () => {
    const agent = begin().later(600_000).perceived();
    expect(endingOf(agent)).toEqual({
      state: 'terminate.report',
      status: 'exhausted',
      termination: 'deadline_passed',
    });
  });

  it('when the model fails in a way that no repeat can mend', () => {
    const agent = begin().perceived().modelFailed('model_unauthorised');
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'failed', termination: 'failed' });
    expect(agent.context.ending?.failure?.kind).toBe('model_unauthorised');
  });

  it('as partial and denied when it answers after a human refused', () => {
    const agent = begin().perceived().called([risky()]).decided('r1c1', false);
    agent.perceived().answered();
    expect(endingOf(agent)).toMatchObject({ status: 'partial', termination: 'denied' });
  });

  it('as failed when an effect breaks in a way that no outcome describes', () => {
    for (const agent of [begin().broke('perceive'), begin().perceived().broke('decide')]) {
      expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'failed', termination: 'failed' });
      expect(agent.context.ending?.failure).toMatchObject({ kind: 'internal', message: 'a bug' });
    }
    const agent = begin().perceived().called([tool()]).broke('callTools');
    expect(endingOf(agent)).toMatchObject({ status: 'failed', termination: 'failed' });
  });

  it('as poisoned when so many hosts died over it', () => {
    const agent = begin().perceived().poisoned();
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'failed', termination: 'poisoned' });
    expect(agent.context.ending?.failure?.message).toContain('5');
  });
});

const isEnding = ({ state }: (typeof settings)[number]): boolean => state.startsWith('terminate');

describe.each(settings.filter((setting) => !isEnding(setting)))('in $state ($because)', ({ at, state }) => {
  it('a cancellation ends the agent', () => {
    const agent = at();
    expect(agent.state).toBe(state);
    agent.cancelled('enough');
    if (agent.life.books.told.length > 0) agent.gathered();
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'cancelled', termination: 'cancelled' });
    expect(agent.context.ending?.failure?.message).toBe('cancelled by ana: enough');
    expect(agent.effects).toEqual(['report']);
  });

  it('the end of the parent ends the agent', () => {
    expect(endingOf(at().orphaned())).toMatchObject({ status: 'cancelled', termination: 'parent_gone' });
  });

  it('the timer of the deadline ends the agent', () => {
    expect(endingOf(at().deadlinePassed())).toMatchObject({ status: 'exhausted', termination: 'deadline_passed' });
  });
});

describe.each(settings.filter(isEnding))('in $state', ({ at, state }) => {
  it('the first reason to end stands, and nothing interrupts the way out', () => {
    const agent = at();
    const { context, life } = agent;
    agent.cancelled('again').orphaned().unansweredInTime('r1c1').paused().budgeted({ rounds: 99 });
    if (state !== 'terminate.grace') agent.deadlinePassed();
    expect(agent.state).toBe(state);
    expect(agent.context).toBe(context);
    expect(agent.life.effects).toEqual(life.effects);
    expect(agent.life.sent).toEqual(life.sent);
  });
});

describe('the report', () => {
  it('of the root goes to the task, and the agent is done', () => {
    const agent = begin().perceived().answered().later(5).reported();
    expect(agent.state).toBe('done');
    expect(agent.latest).toMatchObject([
      { to: 'task', taskId: 'tsk_1', report: { status: 'done' }, endedAt: agent.life.now },
    ]);
  });

  it('of a child goes to the inbox of its parent, under an id that a repeat shares', () => {
    const agent = beginChild().perceived().answered().reported();
    expect(agent.latest).toMatchObject([
      {
        to: 'inbox',
        agentId: 'tsk_1',
        role: 'planner',
        message: { type: 'child.reported', id: 'tsk_1-1.report', report: { agentId: 'tsk_1-1', status: 'done' } },
      },
    ]);
  });

  it('is preceded by word to the children that nobody waits for them, and followed by word to humans', () => {
    const agent = begin().perceived().called([risky(), delegation(), delegation()]);
    agent.childReported('tsk_1-1').cancelled();
    expect(agent.latest).toMatchObject([
      { to: 'inbox', agentId: 'tsk_1-2', message: { type: 'parent.ended', id: 'tsk_1-2.parent-ended' } },
      { to: 'timer', name: 'gather', dueAt: agent.life.now + 5_000 },
    ]);
    agent.gathered().reported();
    expect(agent.latest).toMatchObject([{ to: 'task' }, { to: 'human', key: 'apr_tsk_1_r1c1', request: null }]);
  });

  it('counts what children may still spend as spent, and what waiting ones never got as left', () => {
    const agent = begin()
      .perceived()
      .called([
        delegation({ name: 'a', budget: { rounds: 3, tokens: 1_000 } }),
        delegation({ name: 'b', budget: { rounds: 4, tokens: 2_000 }, dependsOn: ['a'] }),
      ]);
    agent.cancelled().gathered();
    expect(agent.context.ledger).toMatchObject({ spentBelow: { rounds: 3, tokens: 1_000 }, slices: {} });
    expect(agent.left.rounds).toBe(20 - 1 - 3);
  });

  it('counts a model call that was given up as spent', () => {
    const agent = begin().perceived();
    const bound = agent.context.ledger.reserved.decide;
    agent.cancelled();
    expect(agent.context.ledger).toMatchObject({ spent: bound, reserved: {} });
  });
});

describe('the grace call', () => {
  const stuck = (budget = {}): Agent => {
    const agent = begin({ budget });
    for (const usage of [used(480, 20), used(480, 20), used(500, 100)]) {
      agent.perceived().called([tool()], { actionHash: 'same', usage }).toolsRan('ok');
    }
    return agent;
  };

  it('gives the agent its last words', () => {
    const agent = stuck();
    const { ref } = agent.life.effects.grace ?? {};
    agent.graced();
    expect(agent.state).toBe('terminate.report');
    expect(agent.context.ending).toMatchObject({ termination: 'no_progress', ref });
    expect(agent.context.ledger.spent.rounds).toBe(4);
  });

  it('is told how long prompt and answer may be, within what is reserved for it', () => {
    const agent = stuck();
    const { promptTokens, outputTokens } = agent.input('grace') as { promptTokens: number; outputTokens: number };
    expect(outputTokens).toBeGreaterThanOrEqual(100);
    expect(promptTokens).toBeGreaterThanOrEqual(500);
    const bound = agent.context.ledger.reserved.grace;
    expect(promptTokens + outputTokens).toBe(bound?.tokens);
    expect(used(promptTokens, outputTokens).costUsd).toBeCloseTo(bound?.costUsd ?? 0, 12);
  });

  it('ends the agent without them when the model fails or the effect breaks', () => {
    expect(endingOf(stuck().graceFailed())).toMatchObject({ state: 'terminate.report', termination: 'no_progress' });
    const agent = stuck().broke('grace');
    expect(endingOf(agent)).toMatchObject({ state: 'terminate.report', termination: 'no_progress' });
    expect(agent.context.ending?.ref).toBeUndefined();
  });

  it('is left out when it cannot be paid', () => {
    expect(stuck({ rounds: 4 }).state).toBe('terminate.grace');
    expect(stuck({ tokens: 2_440 }).state).toBe('terminate.grace');
    expect(stuck({ tokens: 2_439 }).state).toBe('terminate.report');
    expect(stuck({ costUsd: 0.0028 }).state).toBe('terminate.grace');
    expect(stuck({ costUsd: 0.0027 }).state).toBe('terminate.report');
  });

  it('is given up at the deadline, and counts as spent', () => {
    const agent = stuck();
    const { tokens = 0 } = agent.context.ledger.reserved.grace ?? {};
    const { tokens: spent } = agent.context.ledger.spent;
    agent.deadlinePassed(birth + 1);
    expect(agent.state).toBe('terminate.grace');
    agent.deadlinePassed();
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'partial', termination: 'no_progress' });
    expect(agent.context.ledger.spent.tokens).toBe(spent + tokens);
  });

  it('went on past the deadline in journals of version 3, and their timers leave it alone', () => {
    const agent = stuck();
    const fired = message(agent.life, 'timer.fired', { timer: `deadline.${agent.context.deadlineAt}` });
    agent.take(migrations.filter(({ from }) => from >= 3).reduce((event, { event: next }) => next(event), fired));
    expect(agent.state).toBe('terminate.grace');
  });

  it('is given up when it keeps killing hosts', () => {
    const agent = stuck().poisoned();
    expect(endingOf(agent)).toEqual({ state: 'terminate.report', status: 'partial', termination: 'no_progress' });
  });
});

describe('after the end', () => {
  const ended = (): Agent => begin().perceived().called([delegation(), risky()]).cancelled().gathered().reported();

  it.each([
    ['a late report', (agent: Agent) => agent.childReported('tsk_1-1')],
    ['a late decision', (agent: Agent) => agent.decided('r1c2', true)],
    ['a late timer', (agent: Agent) => agent.unansweredInTime('r1c2')],
    ['the deadline', (agent: Agent) => agent.deadlinePassed()],
    ['a cancellation', (agent: Agent) => agent.cancelled()],
    ['the end of the parent', (agent: Agent) => agent.orphaned()],
    ['a correction', (agent: Agent) => agent.corrected({ note: 1 })],
    ['a pause', (agent: Agent) => agent.paused()],
    ['another budget', (agent: Agent) => agent.budgeted({ rounds: 99 })],
    ['another host', (agent: Agent) => agent.recovered()],
    ['poison', (agent: Agent) => agent.poisoned()],
    ['a second outcome of the report', (agent: Agent) => agent.reported()],
  ])('%s changes nothing and sends nothing', (_, happen) => {
    const agent = ended();
    const before = agent.life.snapshot;
    happen(agent);
    expect(agent.state).toBe('done');
    expect(agent.context).toBe(before.context);
    expect(agent.latest).toEqual([]);
  });
});

describe('the wait for children that are stopped', () => {
  const two = (policy: Parameters<typeof begin>[0] = {}): Agent =>
    begin(policy).perceived().called([delegation(), delegation()]);

  it('lasts until all have reported; what they spent is counted', () => {
    const agent = two().cancelled();
    expect(agent.state).toBe('terminate.gather');
    expect(agent.effects).toEqual([]);
    agent.childReported('tsk_1-1', 'cancelled', { rounds: 2 });
    expect(agent.state).toBe('terminate.gather');
    agent.childReported('tsk_1-2', 'cancelled', { rounds: 3 });
    expect(agent.state).toBe('terminate.report');
    expect(agent.context.ledger.spentBelow.rounds).toBe(5);
    expect(Object.keys(agent.context.reports)).toEqual(['tsk_1-1', 'tsk_1-2']);
  });

  it('ends with its timer, and with no other', () => {
    const agent = two().cancelled().deadlinePassed();
    expect(agent.state).toBe('terminate.gather');
    expect(agent.gathered().state).toBe('terminate.report');
  });

  it('is none when nothing is at work', () => {
    const agent = two().childReported('tsk_1-1').childReported('tsk_1-2').cancelled();
    expect(agent.state).toBe('terminate.report');
    expect(agent.latest).toEqual([]);
  });

  it('is none in journals from before there was one; children are told with the report', () => {
    const plan = { fanOut: 16, parallel: 8, attempts: 3, repairShare: 0.5, early: true };
    const agent = two({ policy: { plan } }).cancelled();
    expect(agent.state).toBe('terminate.report');
    expect(agent.latest).toEqual([]);
    agent.reported();
    expect(agent.life.books.told).toEqual(['tsk_1-1', 'tsk_1-2']);
  });
});

describe('while it ends', () => {
  it('a late report sends no more work to children', () => {
    const agent = begin()
      .perceived()
      .called([delegation({ name: 'a' }), delegation({ dependsOn: ['a'] })])
      .cancelled()
      .childReported('tsk_1-1');
    expect(agent.state).toBe('terminate.report');
    const { context } = agent;
    agent.corrected().paused().budgeted({ rounds: 50 });
    expect(agent.context).toBe(context);
    agent.reported();
    expect(agent.life.books).toMatchObject({ ordered: ['tsk_1-1'], told: ['tsk_1-1'] });
  });

  it('asks no human for the calls of a last decision that are not run', () => {
    const agent = begin({ budget: { rounds: 1 } })
      .perceived()
      .called([risky(), refused()]);
    expect(endingOf(agent)).toMatchObject({ status: 'exhausted', termination: 'rounds_exhausted' });
    agent.reported();
    expect(agent.latest).toMatchObject([{ to: 'task' }]);
  });

  it('keeps bodies out of its context', () => {
    const agent = begin().perceived().answered().reported();
    expect(JSON.stringify(agent.context)).not.toContain(body);
  });
});
