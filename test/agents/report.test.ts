import { describe, expect, it } from 'vitest';
import { claimLimits } from '../../agents/claims/check.js';
import { describe as describeStep } from '../../agents/feed.js';
import { report } from '../../agents/report.js';
import { type AgentContext, createContext } from '../../machines/context.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { StepView } from '../../src/host/role.js';
import { createRedactor } from '../../src/safety/redact.js';
import { finish } from '../../src/tools/builtin/control.js';
import { callOf } from '../tools/fixtures.js';
import { finalOf, orderOf, policy, roundOf, scopeOf } from './fixtures.js';

const looked = roundOf(1, 'd1', [
  { callId: 'r1c1', name: 'look', status: 'ok', ref: 't1' },
  { callId: 'r1c2', name: 'write', status: 'error', ref: 't1' },
]);
const bodies = {
  d1: finalOf('First I look.'),
  d2: finalOf('All in all: 42.'),
  t1: {
    observations: [
      { callId: 'r1c1', status: 'ok', data: { written: true, path: '/data/out.csv', bytes: 12 } },
      { callId: 'r1c2', status: 'error', data: null },
    ],
  },
};

const reported = (goal: string, context: Partial<AgentContext>, more: Record<string, unknown> = {}) =>
  report(scopeOf(orderOf(goal), { context, bodies: { ...bodies, ...more } }), 4_000, {
    tools: [],
    limits: claimLimits,
  });

describe('the report of an agent', () => {
  it('that answered is its answer, with evidence, files and time', () => {
    const one = reported('Count', {
      transcript: [looked],
      ending: { status: 'done', termination: 'finished', ref: 'd2' },
    });
    expect(one).toMatchObject({
      status: 'done',
      result: 'All in all: 42.',
      termination: 'finished',
      usage: { ms: 3_000 },
    });
    expect(one.evidence).toMatchObject([
      { callId: 'r1c1', tool: 'look', status: 'ok' },
      { callId: 'r1c2', tool: 'write', status: 'error' },
    ]);
    expect(one.artifacts).toEqual([{ name: 'out.csv', ref: 'file:/data/out.csv', bytes: 12 }]);
    expect(one.error).toBeUndefined();
  });

  it.each([
    ['done', 'done'],
    ['partial', 'partial'],
    ['failed', 'failed'],
  ] as const)('that finished as %s says so', (given, status) => {
    const action = { route: 'finish', status: given, result: { total: 3 }, summary: '三' };
    const d3 = { ...finalOf(''), kind: 'calls', calls: [{ ...callOf(finish), action }], actionHash: 'h' };
    const one = reported('Count', { ending: { status: 'done', termination: 'finished', ref: 'd3' } }, { d3 });
    expect(one).toMatchObject({ status, result: { total: 3 }, summary: '三' });
  });

  it('keeps what children reported, and their files', () => {
    const child = {
      ...reported('part', { ending: { status: 'done', termination: 'finished', ref: 'd2' } }),
      artifacts: [{ name: 'x', ref: 'file:/x' }],
    };
    const one = reported(
      'Count',
      {
        reports: { 'a1-1': 'in.7' } as AgentContext['reports'],
        ending: { status: 'done', termination: 'finished', ref: 'd2' },
      },
      { 'in.7': { type: 'child.reported', report: child } },
    );
    expect(one.children).toEqual([child]);
    expect(one.artifacts).toEqual([{ name: 'x', ref: 'file:/x' }]);
  });
});

describe('the claims of a report', () => {
  const read = roundOf(1, 'd1', [{ callId: 'r1c1', name: 'look', status: 'ok', ref: 't1' }]);
  const look = {
    callId: 'r1c1',
    name: 'look',
    arguments: { what: 'users' },
    action: { route: 'tool' },
    effect: 'read',
  };
  const bodies = {
    d1: { ...finalOf(''), kind: 'calls', calls: [look] },
    t1: { observations: [{ callId: 'r1c1', status: 'ok', data: { users: 1_204 } }] },
  };
  const said = (text: string, resultSchema?: object) =>
    report(
      scopeOf(
        orderOf('Count the users', resultSchema === undefined ? {} : { resultSchema: resultSchema as JsonObject }),
        {
          context: { transcript: [read], ending: { status: 'done', termination: 'finished', ref: 'd2' } },
          bodies: { ...bodies, d2: finalOf(text) },
        },
      ),
      4_000,
      { tools: ['look', 'send_mail'], limits: claimLimits },
    );

  it('stand beside the calls that support them', () => {
    const one = said('There are 1,204 users.');
    expect(one.unverified).toBeUndefined();
    expect(one.evidence).toMatchObject([{ callId: 'r1c1', claims: ['1,204'] }]);
  });

  it('are named where the journal does not support them; the status stays what the agent said', () => {
    const one = said('There are 1,377 users. I used send_mail to tell them.');
    expect(one.status).toBe('done');
    expect(one.unverified).toMatchObject([
      { kind: 'tool', about: 'send_mail', reason: 'send_mail was never called' },
      { kind: 'number', about: '1,377' },
    ]);
  });

  it('do not matter where the result is not in the form that was asked for: that has failed', () => {
    const schema = { type: 'object', properties: { users: { type: 'number' } }, required: ['users'] };
    expect(said('{"users": 1204}', schema)).toMatchObject({ status: 'done', result: { users: 1_204 } });
    expect(said('There are 1,204 users.', schema)).toMatchObject({
      status: 'failed',
      error: { kind: 'invalid_result', message: expect.stringContaining('does not fit the requested schema') },
      retryable: false,
    });
  });
});

describe('the progress note of an agent that did not finish', () => {
  const failure = { kind: 'budget_exhausted' as const, message: 'no rounds are left' };
  const ending = { status: 'exhausted', termination: 'rounds_exhausted', failure } as const;

  it('says in English what was done, what failed, what was found and why it stopped', () => {
    const one = reported('Count the sales', { transcript: [looked], ending });
    expect(one.summary).toBe(
      [
        'Not finished: Count the sales',
        'Stopped because: no rounds are left',
        'Done: look × 1',
        'Failed: write × 1',
        'Found so far: First I look.',
      ].join('\n'),
    );
    expect(one).toMatchObject({ status: 'exhausted', result: 'First I look.', retryable: true, error: failure });
  });

  it('says it in Chinese when the goal is Chinese', () => {
    const one = reported('统计销售额', { transcript: [looked], ending });
    expect(one.summary).toContain(
      '未完成: 统计销售额\n停止原因: no rounds are left\n已做: look × 1\n失败: write × 1\n目前得到: First I look.',
    );
  });

  it('says that nothing has run when nothing has', () => {
    expect(reported('Count', { ending }).summary).toContain('Done: no tool has run');
    expect(reported('统计', { ending }).summary).toContain('没有运行任何工具');
  });

  it('keeps the last words of a talkative agent', () => {
    const long = { d1: finalOf(`${'a'.repeat(7_000)} the end`) };
    const one = reported('Count', { transcript: [looked], ending }, long);
    expect(String(one.result)).toHaveLength(6_000);
    expect(String(one.result).endsWith('the end')).toBe(true);
  });
});

describe('what watchers are told of a step', () => {
  const context = createContext({ order: orderOf('Mail zoe@example.com'), policy });
  const view = (events: unknown[], more: Partial<StepView> = {}): StepView => ({
    agentId: context.me.agentId,
    state: 'decide',
    context,
    events: events as StepView['events'],
    deliveries: [],
    seq: 7,
    born: false,
    ended: false,
    host: 'h1',
    at: 5,
    ...more,
  });
  const recall = (ref: string): Json | undefined =>
    ref === 'order' ? (orderOf('Mail zoe@example.com') as unknown as Json) : undefined;
  const told = (one: StepView) => describeStep(one, recall, createRedactor());

  it('begins with the birth, its goal redacted', () => {
    const [started, moved] = told(view([{ type: 'agent.created' }], { born: true }));
    expect(started).toMatchObject({ kind: 'started', depth: 0, seq: 7, host: 'h1', granted: { rounds: 10 } });
    expect(JSON.stringify(started)).not.toContain('zoe@example.com');
    expect(moved).toMatchObject({ kind: 'moved', state: 'decide', cause: 'agent.created' });
  });

  it('names as cause what matters, not what was only computed', () => {
    const [moved] = told(
      view([
        { type: 'xstate.done.actor.decide', output: finalOf('ok') },
        { type: 'xstate.done.actor.perceive', output: {} },
      ]),
    );
    expect(moved).toMatchObject({ cause: 'done.decide', detail: 'answers' });
  });

  it('shows what was repaired, and why a reply was not used', () => {
    const repaired = { ...finalOf('ok'), repairs: ['closed a bracket'] };
    const unreadable = { ...finalOf(''), kind: 'unreadable', problem: 'it was empty', incomplete: false };
    const details = [repaired, unreadable].map(
      (output) => told(view([{ type: 'xstate.done.actor.decide', output }]))[0],
    );
    expect(details).toMatchObject([
      { detail: 'answers [repaired: closed a bracket]' },
      { detail: 'reply not used: it was empty' },
    ]);
  });

  it('ends with the report, once', () => {
    const end = reported('Count', { ending: { status: 'done', termination: 'finished', ref: 'd2' } });
    const event = { type: 'xstate.done.actor.report', output: end };
    expect(told(view([event], { ended: true })).map(({ kind }) => kind)).toEqual(['moved', 'ended']);
    expect(told(view([event])).map(({ kind }) => kind)).toEqual(['moved']);
    expect(told(view([], { ended: true })).map(({ kind }) => kind)).toEqual(['moved']);
  });

  it('says of every step whether a pause is under way', () => {
    const paused = { ...context, paused: true };
    const detail = (type: string, state: string) => told(view([{ type }], { context: paused, state }))[0];
    expect(detail('human.paused', 'decide')).toMatchObject({ detail: 'pauses after this round' });
    expect(detail('child.reported.none', 'parked')).toMatchObject({ detail: 'paused' });
    expect(told(view([{ type: 'human.resumed' }]))[0]).toMatchObject({ detail: '' });
  });

  it('tells of a takeover in words', () => {
    expect(told(view([{ type: 'host.recovered' }]))[0]).toMatchObject({ detail: 'taken over from a host that died' });
  });
});
