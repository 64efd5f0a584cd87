/** Waiting for people: leave to run a call, and answers to questions (T7). */
import { describe, expect, it } from 'vitest';
import { type Agent, begin } from './agent.js';
import { birth, question, risky, tool } from './fixtures.js';

const waiting = (): Agent => begin().perceived().called([risky()]);
const asking = (): Agent => begin().perceived().called([question()]);
const withdrawal = { to: 'human', key: 'apr_tsk_1_r1c1', request: null };

describe('a call that needs leave', () => {
  it('is shown to a human as it would run, with a timer, and the agent is parked', () => {
    const agent = waiting();
    expect(agent.state).toBe('parked');
    expect(agent.latest.slice(0, 2)).toMatchObject([
      {
        to: 'human',
        key: 'apr_tsk_1_r1c1',
        request: { kind: 'approval', tool: 'write', hash: '0123456789abcdef', callId: 'r1c1', askedAt: birth },
      },
      { to: 'timer', name: 'human.r1c1', dueAt: birth + 60_000 },
    ]);
  });

  it('waits while the others of its round run', () => {
    const agent = begin().perceived().called([risky(), tool()]);
    expect(agent.state).toBe('act.running');
    expect(agent.life.books.started).toEqual(['r1c2']);
    expect(agent.toolsRan().state).toBe('parked');
  });

  it('runs when it is allowed, under the name of who allowed it', () => {
    const agent = waiting().decided('r1c1', true);
    expect(agent.input('callTools')).toEqual({ decision: 'e2', calls: [{ callId: 'r1c1', approvedBy: 'ana' }] });
    expect(agent.latest).toEqual([withdrawal]);
    expect(agent.toolsRan().state).toBe('perceive');
  });

  it('runs after the others when it is allowed while they run', () => {
    const agent = begin().perceived().called([risky(), tool()]).decided('r1c1', true);
    expect(agent.state).toBe('act.running');
    agent.toolsRan();
    expect(agent.input('callTools')).toMatchObject({ calls: [{ callId: 'r1c1' }] });
  });

  it('is an error for the model when it is denied', () => {
    const agent = waiting().decided('r1c1', false);
    expect(agent.state).toBe('perceive');
    expect(agent.latest).toEqual([withdrawal]);
    expect(agent.context.transcript[0]).toMatchObject({ results: [{ callId: 'r1c1', status: 'error', ref: 'in.1' }] });
  });

  it('is denied when nobody decides in time', () => {
    const agent = waiting().unansweredInTime('r1c1');
    expect(agent.state).toBe('perceive');
    expect(agent.latest).toEqual([withdrawal]);
    expect(agent.context.unmet).toBe('denied');
  });

  it('is decided once: the first decision counts', () => {
    const allowed = waiting().decided('r1c1', true);
    const { context } = allowed;
    allowed.decided('r1c1', false).unansweredInTime('r1c1');
    expect(allowed.context).toEqual(context);
    expect(allowed.latest).toEqual([]);
    const denied = waiting().decided('r1c1', false).decided('r1c1', true).unansweredInTime('r1c1');
    expect(denied.life.books.started).toEqual([]);
    expect(denied.state).toBe('perceive');
  });

  it('is not decided by a word on something else', () => {
    const agent = waiting().decided('r9c9', true).answeredBy('r1c1').unansweredInTime('r9c9');
    expect(agent.state).toBe('parked');
    expect(agent.latest).toEqual([]);
    expect(asking().decided('r1c1', true).state).toBe('parked');
  });

  it('that was denied is made good by one that was allowed', () => {
    const agent = waiting().decided('r1c1', false);
    agent
      .perceived()
      .called([risky('send')])
      .decided('r2c1', true)
      .toolsRan()
      .perceived()
      .answered();
    expect(agent.context.ending).toMatchObject({ status: 'done', termination: 'finished' });
  });
});

describe('a question', () => {
  it('is put to a human, and the answer is its result', () => {
    const agent = asking();
    expect(agent.state).toBe('parked');
    expect(agent.latest[0]).toMatchObject({ to: 'human', request: { kind: 'question', callId: 'r1c1' } });
    agent.answeredBy('r1c1');
    expect(agent.state).toBe('perceive');
    expect(agent.latest).toEqual([withdrawal]);
    expect(agent.context.transcript[0]).toMatchObject({ results: [{ callId: 'r1c1', status: 'ok', ref: 'in.1' }] });
    expect(agent.answeredBy('r1c1').latest).toEqual([]);
  });

  it('that nobody answers leaves the result partial, for want of input', () => {
    const agent = asking().unansweredInTime('r1c1');
    expect(agent.context.transcript[0]).toMatchObject({ results: [{ callId: 'r1c1', status: 'error' }] });
    agent.perceived().answered();
    expect(agent.context.ending).toMatchObject({ status: 'partial', termination: 'needs_input' });
  });

  it('that is answered the second time leaves nothing wanting', () => {
    const agent = asking().unansweredInTime('r1c1').perceived().called([question()]).answeredBy('r2c1');
    agent.perceived().answered();
    expect(agent.context.ending).toMatchObject({ status: 'done', termination: 'finished' });
  });

  it('that is answered does not undo a denial', () => {
    const agent = waiting().decided('r1c1', false).perceived().called([question()]).answeredBy('r2c1');
    agent.perceived().answered();
    expect(agent.context.ending).toMatchObject({ status: 'partial', termination: 'denied' });
  });
});
