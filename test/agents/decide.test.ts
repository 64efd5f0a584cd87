import { describe, expect, it } from 'vitest';
import { decide, sayLastWords } from '../../agents/decide.js';
import { buildPrompt } from '../../agents/perceive.js';
import type { QueueRefusal } from '../../agents/queue.js';
import type { AgentContext } from '../../machines/context.js';
import type { AssistantMessage } from '../../src/domain/chat.js';
import type { Decision, DecisionOf } from '../../src/domain/decision.js';
import { fail, failure, ok } from '../../src/domain/failure.js';
import type { Order } from '../../src/domain/task.js';
import { fakeModel, finalOf, nativeCall, orderOf, roundOf, scopeOf, sourceOf, usage } from './fixtures.js';

const input = { round: 3, outputTokens: 500, last: null };

async function decided(
  reply: Partial<AssistantMessage>,
  more: { order?: Partial<Order>; finish?: string; last?: string } = {},
): Promise<Decision> {
  const model = fakeModel(reply, more.finish);
  return decide(
    scopeOf(orderOf('Look around', more.order), { input: { ...input, last: more.last ?? null } }),
    sourceOf(model),
  );
}

async function calls(reply: Partial<AssistantMessage>, order: Partial<Order> = {}): Promise<DecisionOf<'calls'>> {
  const decision = await decided(reply, { order });
  if (decision.kind !== 'calls') throw new Error(`expected calls, came ${JSON.stringify(decision)}`);
  return decision;
}

describe('a reply with calls', () => {
  it('becomes planned calls with ids of the round, and the model keeps its own', async () => {
    const decision = await calls({
      tool_calls: [nativeCall('x', 'look', { what: 'a' }), nativeCall('y', 'look', { what: 'b' })],
    });
    expect(decision.calls).toMatchObject([
      {
        callId: 'r3c1',
        modelCallId: 'x',
        name: 'look',
        arguments: { what: 'a' },
        effect: 'read',
        requestId: 'apr_a1_r3c1',
      },
      { callId: 'r3c2', modelCallId: 'y', name: 'look', arguments: { what: 'b' } },
    ]);
  });

  it('has the same hash for the same action, another for another', async () => {
    const one = await calls({ tool_calls: [nativeCall('x', 'look', { what: 'a' })] });
    const same = await calls({ content: '', tool_calls: [nativeCall('z', 'look', { what: 'a' })] });
    const other = await calls({ tool_calls: [nativeCall('x', 'look', { what: 'b' })] });
    expect(same.actionHash).toBe(one.actionHash);
    expect(other.actionHash).not.toBe(one.actionHash);
  });

  it('turns an unknown tool and wrong arguments into refusals with a hint, not into nothing', async () => {
    const { calls: planned } = await calls({
      tool_calls: [nativeCall('x', 'fly_to_moon', { speed: 1 }), nativeCall('y', 'look', { nothing: 1 })],
    });
    const failures = planned.flatMap(({ action }) => (action.route === 'refused' ? [action.failure] : []));
    expect(failures.map(({ kind }) => kind).sort()).toEqual(['invalid_arguments', 'unknown_tool']);
    expect(failures.every(({ hint }) => hint !== undefined && hint !== '')).toBe(true);
  });

  it('refuses what goes beyond the calls of one round', async () => {
    const many = Array.from({ length: 6 }, (_, n) => nativeCall(`x${n}`, 'look', { what: `${n}` }));
    const { calls: planned } = await calls({ tool_calls: many });
    expect(planned.map(({ action }) => action.route)).toEqual(['tool', 'tool', 'tool', 'tool', 'refused', 'refused']);
  });

  it('does not let a task call what it was not permitted', async () => {
    const { calls: planned } = await calls(
      { tool_calls: [nativeCall('x', 'look', { what: 'a' })] },
      { permission: { approval: 'risky', tools: [] } },
    );
    expect(planned[0]?.action.route).toBe('refused');
  });

  it('goes back to the model with arguments that are JSON, whatever was written', async () => {
    const { message } = await calls({ tool_calls: [nativeCall('x', 'look', "{what: 'a',}")] });
    const [call] = (message as unknown as AssistantMessage).tool_calls ?? [];
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual({ what: 'a' });
  });
});

describe('a subtask for a queue', () => {
  const delegating = (queue: string) => ({
    tool_calls: [nativeCall('x', 'delegate_task', { goal: 'train', queue })],
  });
  const served = async (role: string, queue: string) =>
    ok(queue === 'gpu' ? undefined : failure('unknown_queue', `known queues: ${role}: default, gpu`));
  const decidedWith = async (queue: string, queueRefusal: QueueRefusal = served) => {
    const source = { ...sourceOf(fakeModel(delegating(queue))), queueRefusal };
    const decision = await decide(scopeOf(orderOf('Train'), { input }), source);
    return decision.kind === 'calls' ? decision.calls[0]?.action : undefined;
  };

  it('is ordered when somebody serves it, or when that cannot be told', async () => {
    expect(await decidedWith('gpu')).toMatchObject({ route: 'delegate', delegation: { queue: 'gpu' } });
    const unknown = async () => fail('bus_unreachable', 'away');
    expect(await decidedWith('other', unknown)).toMatchObject({ route: 'delegate', delegation: { queue: 'other' } });
  });

  it('is refused with the queues that there are when nobody serves it', async () => {
    expect(await decidedWith('tpu')).toMatchObject({
      route: 'refused',
      failure: { kind: 'unknown_queue', message: 'known queues: executor: default, gpu' },
    });
  });
});

describe('a result that was asked for by a schema', () => {
  const order = { resultSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } };
  const finishing = (args: object) => calls({ tool_calls: [nativeCall('x', 'finish', args)] }, order);

  it('is taken when it fits', async () => {
    const { calls: planned } = await finishing({ result: { total: 3 }, summary: 'ok' });
    expect(planned[0]?.action).toMatchObject({ route: 'finish', result: { total: 3 } });
  });

  it('is refused with the reason when it does not', async () => {
    const { calls: planned } = await finishing({ result: { total: 'three' }, summary: 'ok' });
    expect(planned[0]?.action).toMatchObject({ route: 'refused', failure: { kind: 'invalid_result' } });
  });

  it('need not fit when the agent says that it is partial', async () => {
    const { calls: planned } = await finishing({ result: 'not all', summary: 'half', status: 'partial' });
    expect(planned[0]?.action).toMatchObject({ route: 'finish', status: 'partial' });
  });

  it('may stand in plain text when that is the JSON', async () => {
    expect((await decided({ content: '{"total": 4}' }, { order })).kind).toBe('final');
  });

  it('is asked for again when the text is no such JSON', async () => {
    expect(await decided({ content: 'The total is four.' }, { order })).toMatchObject({
      kind: 'calls',
      calls: [{ name: 'finish', action: { route: 'refused', failure: { kind: 'invalid_result' } } }],
    });
  });

  it('is asked for once more only: of the second try the report says that it does not fit', async () => {
    const tried = { transcript: [roundOf(1, 'd1', [])] };
    const failure = { kind: 'invalid_result', message: '' };
    const bodies = { d1: { ...finalOf(''), kind: 'calls', calls: [{ action: { route: 'refused', failure } }] } };
    const scope = () => scopeOf(orderOf('Look', order), { input, context: tried, bodies });
    const text = await decide(scope(), sourceOf(fakeModel({ content: 'Still four.' })));
    expect(text).toMatchObject({ kind: 'final', text: 'Still four.' });
    const finishes = { tool_calls: [nativeCall('x', 'finish', { result: { total: 'four' } })] };
    const call = await decide(scope(), sourceOf(fakeModel(finishes)));
    expect(call).toMatchObject({ calls: [{ action: { route: 'finish', status: 'done' } }] });
  });

  it('is not asked for while subtasks are at work: words wait for them', async () => {
    const open = [{ callId: 'r1c1', name: 'delegate_task', route: 'delegate', state: 'child' }] as AgentContext['open'];
    const scope = scopeOf(orderOf('Look', order), { input, context: { open } });
    expect(await decide(scope, sourceOf(fakeModel({ content: 'I wait.' })))).toMatchObject({ kind: 'final' });
  });
});

describe('a reply without calls', () => {
  it.each(['It is done.', '完成了，一共三件。'])('is the answer: %s', async (content) => {
    expect(await decided({ content })).toMatchObject({ kind: 'final', text: content, usage });
  });

  it('is not used when it is empty, or cut at the output limit', async () => {
    expect(await decided({ content: '  ' })).toMatchObject({
      kind: 'unreadable',
      problem: expect.stringContaining('empty'),
    });
    expect(await decided({ content: 'It was a dark and' }, { finish: 'length' })).toMatchObject({
      kind: 'unreadable',
      problem: expect.stringContaining('cut off at the output limit'),
    });
  });

  it('is never run when a call in it was cut', async () => {
    const decision = await decided(
      { content: '<tool_call>{"name": "look", "arguments": {"what": "a' },
      { finish: 'length' },
    );
    expect(decision).toMatchObject({
      kind: 'unreadable',
      incomplete: true,
      problem: expect.stringContaining('cut off'),
    });
  });

  it('is taken as it is when it is the last that can be paid for', async () => {
    expect(await decided({ content: 'It was a dark and' }, { finish: 'length', last: 'tokens' })).toMatchObject({
      kind: 'final',
    });
  });
});

/** Of an agent with eight long rounds behind it, and so many tokens reserved for the prompt of its last words. */
function lastScope(promptTokens: number, context: Partial<AgentContext> = {}) {
  const rounds = Array.from({ length: 8 }, (_, at) => roundOf(at + 1, `e${at}`, []));
  const bodies = Object.fromEntries(rounds.map(({ decision }) => [decision, finalOf('long '.repeat(200))]));
  return scopeOf(orderOf('Look'), {
    input: { promptTokens, outputTokens: 150 },
    bodies,
    context: { transcript: rounds, ...context },
  });
}

describe('a call of the model', () => {
  it('is told that it is the last one when it is', async () => {
    const model = fakeModel({ content: 'so far' });
    const scope = scopeOf(orderOf('Look'), { input: { ...input, last: 'rounds' } });
    await decide(scope, sourceOf(model));
    const [request] = model.requests;
    expect(request?.messages.at(-1)?.content).toContain('This is your last call');
    const reserved = buildPrompt(scope, sourceOf(model)).tokens + 500;
    expect((request?.promptTokens ?? 0) + (request?.maxOutputTokens ?? 0)).toBe(reserved);
  });

  it('after the end may only speak, as long as was reserved', async () => {
    const model = fakeModel({ content: 'that was it' });
    const decision = await sayLastWords(lastScope(8_000), sourceOf(model));
    expect(decision).toMatchObject({ kind: 'final', text: 'that was it' });
    expect(model.requests[0]?.maxOutputTokens).toBe(150);
  });

  it('after the end leaves out old rounds until the prompt is no larger than what was reserved', async () => {
    const model = fakeModel({ content: 'in short' });
    const whole = buildPrompt(lastScope(0), sourceOf(model)).tokens;
    const most = whole - 3_000;
    expect(await sayLastWords(lastScope(most), sourceOf(model))).toMatchObject({ kind: 'final' });
    const [request] = model.requests;
    expect(request?.promptTokens).toBeLessThanOrEqual(most);
    expect(request?.messages.at(-1)?.content).toContain('This is your last call');
    expect(JSON.stringify(request?.messages)).toContain('Goal: Look');
  });

  it('after the end counts in the tokens of a provider that counts more', async () => {
    const model = fakeModel({ content: 'in short' });
    const whole = buildPrompt(lastScope(0), sourceOf(model)).tokens;
    const calibration = { ratio: 1.5, reported: 150, counted: 100, growth: 0 };
    await sayLastWords(lastScope(whole + 500, { calibration }), sourceOf(model));
    expect((model.requests[0]?.promptTokens ?? 0) * 1.5).toBeLessThanOrEqual(whole + 500);
  });

  it('after the end is not made when nothing can be left out any more', async () => {
    const model = fakeModel({ content: 'too dear' });
    expect(await sayLastWords(lastScope(50), sourceOf(model))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'budget_exhausted' },
      usage: { inputTokens: 0, costUsd: 0 },
    });
    expect(model.requests).toEqual([]);
  });

  it('that failed is a decision too, with what it may have cost', async () => {
    const why = { kind: 'model_unreachable' as const, message: 'nobody there' };
    const model = fakeModel({ ok: false, failure: why, usage, attempts: 4, ms: 9 });
    expect(await decide(scopeOf(orderOf('Look'), { input }), sourceOf(model))).toEqual({
      kind: 'failed',
      failure: why,
      usage,
      attempts: 4,
      ms: 9,
    });
  });
});
