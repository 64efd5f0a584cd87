import { describe, expect, it } from 'vitest';
import { passagesOf } from '../../agents/conversation.js';
import { buildPrompt, perceive, takePrompt } from '../../agents/perceive.js';
import { type AgentContext, createContext } from '../../machines/context.js';
import type { AssistantMessage, ChatMessage } from '../../src/domain/chat.js';
import type { Json } from '../../src/domain/json.js';
import { delegateTask } from '../../src/tools/builtin/control.js';
import { callOf } from '../tools/fixtures.js';
import { fakeModel, finalOf, look, nativeCall, orderOf, policy, roundOf, scopeOf, sourceOf } from './fixtures.js';

/** A journal of rounds, each with one native call of `look` and a result of so many characters. */
function lookedAround(rounds: number, chars: number) {
  const bodies: Record<string, unknown> = {};
  const transcript = Array.from({ length: rounds }, (_, index) => {
    const n = index + 1;
    const call = { ...callOf(look, { what: `${n}` }, `r${n}c1`), modelCallId: `m${n}` };
    const message = { role: 'assistant', content: null, tool_calls: [nativeCall(`m${n}`, 'look', { what: `${n}` })] };
    bodies[`d${n}`] = { ...finalOf(''), kind: 'calls', message, calls: [call], actionHash: `${n}` };
    bodies[`t${n}`] = {
      observations: [{ callId: `r${n}c1`, name: 'look', status: 'ok', data: `${n}${'x'.repeat(chars)}` }],
    };
    return roundOf(n, `d${n}`, [{ callId: `r${n}c1`, name: 'look', status: 'ok', ref: `t${n}` }]);
  });
  return { bodies, transcript };
}

const exact = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);

describe('a prompt', () => {
  it('has the goal at its head and the standing at its end, however full the window', () => {
    const { bodies, transcript } = lookedAround(30, 3_000);
    for (const windowTokens of [200_000, 40_000, 12_000, 6_000, 3_000]) {
      const scope = scopeOf(orderOf('找出最大的一笔'), { bodies, context: { transcript } });
      const { messages } = buildPrompt(scope, sourceOf(fakeModel({}, 'stop', windowTokens)));
      expect(messages[0]?.role).toBe('system');
      expect(messages[1]?.content).toContain('Goal: 找出最大的一笔');
      expect(messages.at(-1)?.content).toContain('Left: 10 rounds');
    }
  });

  it('is counted exactly, tools and overhead included', () => {
    const { bodies, transcript } = lookedAround(3, 50);
    const source = sourceOf(fakeModel({}));
    const scope = scopeOf(orderOf('Look'), { bodies, context: { transcript } });
    const prompt = buildPrompt(scope, source);
    expect(prompt.tokens).toBe(3 + exact(prompt.messages) + JSON.stringify(prompt.tools).length);
    expect(perceive(scope, source)).toMatchObject({ promptTokens: prompt.tokens, roomTokens: 100_000 - prompt.tokens });
  });

  it('is built once for perceive and decide, and the same again in another process', () => {
    const { bodies, transcript } = lookedAround(2, 50);
    const options = { bodies, context: { transcript } };
    const source = sourceOf(fakeModel({}));
    const scope = scopeOf(orderOf('Look'), options);
    perceive(scope, source);
    const taken = takePrompt(scope, source);
    expect(scope.memo.get('prompt')).toBeUndefined();
    expect(takePrompt(scopeOf(orderOf('Look'), options), source)).toEqual(taken);
  });
});

describe('the conversation', () => {
  const say = (context: Partial<AgentContext>, bodies: Record<string, unknown>) =>
    passagesOf(
      { ...createContext({ order: orderOf('Look'), policy }), ...context },
      (ref) => bodies[ref] as Json | undefined,
      new Map(),
    );

  it('answers a native call that was not carried out all the same', () => {
    const call = { ...callOf(look, { what: 'a' }, 'r1c1'), modelCallId: 'm1' };
    const message: AssistantMessage = {
      role: 'assistant',
      content: null,
      tool_calls: [nativeCall('m1', 'look', { what: 'a' }), nativeCall('m2', 'look', { what: 'a' })],
    };
    const [passage] = say(
      { transcript: [roundOf(1, 'd1', [{ callId: 'r1c1', name: 'look', status: 'ok', ref: 't1' }])] },
      {
        d1: { ...finalOf(''), kind: 'calls', message, calls: [call], actionHash: '1' },
        t1: { observations: [{ callId: 'r1c1', status: 'ok', data: 'saw a' }] },
      },
    );
    const results = passage?.kind === 'round' ? passage.results : [];
    expect(results.map(({ modelCallId }) => modelCallId)).toEqual(['m1', 'm2']);
    expect(JSON.parse(results[0]?.text ?? '')).toEqual({ status: 'ok', data: 'saw a' });
    expect(JSON.parse(results[1]?.text ?? '')).toMatchObject({ status: 'error', error: { kind: 'not_run' } });
  });

  it('shows calls in text by their own ids, never as native results', () => {
    const call = callOf(look, { what: 'a' }, 'r1c1');
    const [passage] = say(
      { transcript: [roundOf(1, 'd1', [{ callId: 'r1c1', name: 'look', status: 'ok', ref: 't1' }])] },
      {
        d1: { ...finalOf('look a'), kind: 'calls', calls: [call], actionHash: '1' },
        t1: { observations: [{ callId: 'r1c1', status: 'ok', data: 'saw a' }] },
      },
    );
    expect(passage).toMatchObject({ kind: 'round', results: [{ modelCallId: undefined, callId: 'r1c1' }] });
  });

  it('carries refusals, denials and answers of people as results of the calls they belong to', () => {
    const refused = {
      ...callOf(look, {}, 'r1c1'),
      action: {
        route: 'refused',
        failure: { kind: 'unknown_tool', message: 'no such tool', hint: 'did you mean look?' },
      },
    };
    const calls = [refused, callOf(look, {}, 'r1c2'), callOf(look, {}, 'r1c3')];
    const results = [
      { callId: 'r1c1', name: 'look', status: 'error', ref: 'd1' },
      { callId: 'r1c2', name: 'look', status: 'error', ref: 'in.4' },
      { callId: 'r1c3', name: 'look', status: 'ok', ref: 'in.5' },
    ] as const;
    const [passage] = say(
      { transcript: [roundOf(1, 'd1', results)] },
      {
        d1: { ...finalOf(''), kind: 'calls', calls, actionHash: '1' },
        'in.4': { type: 'human.decided', allow: false, by: '王芳', reason: '太贵' },
        'in.5': { type: 'human.answered', text: '上海', by: '王芳' },
      },
    );
    const texts = passage?.kind === 'round' ? passage.results.map(({ text }) => JSON.parse(text) as unknown) : [];
    expect(texts).toMatchObject([
      { status: 'error', error: { kind: 'unknown_tool', hint: 'did you mean look?' } },
      { status: 'error', error: { kind: 'denied', message: '王芳 did not allow this call: 太贵' } },
      { status: 'ok', data: '上海', by: '王芳' },
    ]);
  });

  it.each([
    ['depth_exceeded', 'nested any deeper'],
    ['invalid_arguments', 'not known'],
    ['conflict', 'has failed'],
    ['budget_exhausted', 'budget'],
  ] as const)('says why the machine did not start a subtask: %s', (refusal, words) => {
    const call = callOf(delegateTask, { goal: 'more' }, 'r1c1');
    const result = { callId: 'r1c1', name: 'delegate_task', status: 'error', ref: 'd1', refusal } as const;
    const [passage] = say(
      { transcript: [roundOf(1, 'd1', [result])] },
      { d1: { ...finalOf(''), kind: 'calls', calls: [call], actionHash: '1' } },
    );
    const [shown] = passage?.kind === 'round' ? passage.results : [];
    expect(JSON.parse(shown?.text ?? '')).toMatchObject({
      error: { kind: refusal, message: expect.stringContaining(words) },
    });
  });

  it('repeats corrections for good, and why a reply was not used until it is old', () => {
    const passages = say(
      {
        transcript: [
          { kind: 'note', about: 'correction', ref: 'in.1' },
          { kind: 'note', about: 'unreadable', ref: 'd1' },
          { kind: 'note', about: 'reflection', ref: 'e3' },
        ],
      },
      {
        'in.1': { type: 'human.corrected', text: '只算二季度' },
        d1: { ...finalOf(''), kind: 'unreadable', problem: 'it was empty', incomplete: false },
        e3: { text: 'Looking back' },
      },
    );
    expect(passages).toEqual([
      { kind: 'note', text: 'Correction by the user: 只算二季度', keep: true },
      { kind: 'note', text: 'Your last reply was not used: it was empty. Reply again.', keep: false },
      { kind: 'note', text: 'Looking back', keep: false },
    ]);
  });
});
