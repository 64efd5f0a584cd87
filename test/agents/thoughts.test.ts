/** The reasoning of a reply held against what really ran, and its gaps bridged while there is money for it. */
import { describe, expect, it } from 'vitest';
import { decide } from '../../agents/decide.js';
import { buildPrompt } from '../../agents/perceive.js';
import type { BridgeSource } from '../../agents/thoughts.js';
import { nothing } from '../../src/domain/budget.js';
import type { Decision } from '../../src/domain/decision.js';
import { callOf } from '../tools/fixtures.js';
import { fakeModel, finalOf, look, nativeCall, orderOf, roundOf, scopeOf, sourceOf } from './fixtures.js';

/** One round is over, in which `look` saw four hotels. */
const bodies = {
  d1: {
    ...finalOf(''),
    kind: 'calls',
    message: { role: 'assistant', content: null },
    calls: [callOf(look, { what: 'hotels' }, 'r1c1')],
    actionHash: '1',
  },
  t1: { observations: [{ callId: 'r1c1', name: 'look', status: 'ok', data: 'four hotels in Oslo 奥斯陆有四家酒店' }] },
};
const transcript = [roundOf(1, 'd1', [{ callId: 'r1c1', name: 'look', status: 'ok', ref: 't1' }])];
const scopeAfterARound = (context = {}) =>
  scopeOf(orderOf('Find hotels'), {
    input: { round: 2, outputTokens: 5_000, last: null },
    bodies,
    context: { transcript, ...context },
  });

/** The decision on a reply that thinks so and then looks again. */
const thinking = (reasoning: string, bridging?: BridgeSource, context = {}): Promise<Decision> =>
  decide(
    scopeAfterARound(context),
    sourceOf(
      fakeModel({ reasoning_content: reasoning, tool_calls: [nativeCall('x', 'look', { what: 'more' })] }),
      [look],
      {},
      bridging,
    ),
  );

describe('a thought that claims a result', () => {
  it.each([
    ['The test in round 7 passed.', 'round 7'],
    ['I have verified the signature of the contract.', 'no result has its words'],
    ['我已经运行了全部脚本。', 'no result has its words'],
  ])('is marked when no tool gave one: %s', async (thought, why) => {
    const decision = await thinking(thought);
    expect(decision).toMatchObject({ untrusted: [{ thought, reason: expect.stringContaining(why) }] });
  });

  it.each(['The search found four hotels in Oslo.', '查询返回了奥斯陆四家酒店。', 'I will look for more hotels.', ''])(
    'is left alone when one did, or nothing is claimed: %s',
    async (thought) => expect(await thinking(thought)).not.toHaveProperty('untrusted'),
  );

  it('without a result is told to the model after the results of that round', async () => {
    const decision = await thinking('The test in round 7 passed.');
    const next = roundOf(2, 'd2', [{ callId: 'r2c1', name: 'look', status: 'ok', ref: 't1' }]);
    const scope = scopeOf(orderOf('Find hotels'), {
      bodies: { ...bodies, d2: decision },
      context: { transcript: [...transcript, next] },
    });
    const { messages } = buildPrompt(scope, sourceOf(fakeModel({})));
    const told = messages.findIndex(({ content }) => content?.includes('"The test in round 7 passed."'));
    expect(messages[told]?.role).toBe('user');
    expect(messages[told - 1]?.role).toBe('tool');
  });
});

describe('a gap between two thoughts', () => {
  const gap = 'The hotel must be near the harbour. Copper prices rose yesterday.';
  const small = (content: string) => fakeModel({ content });

  it('is bridged by the small model, which is paid for', async () => {
    const smallModel = small('Copper is shipped from the harbour.');
    const decision = await thinking(gap, { smallModel, mostBridges: 2 });
    expect(decision).toMatchObject({
      bridges: [{ from: 'rn_0', to: 'rn_1', content: 'Copper is shipped from the harbour.' }],
      usage: { inputTokens: 20, outputTokens: 10 },
    });
  });

  it.each([
    ['it is off', gap, { mostBridges: 0 }, {}],
    ['there is none', 'The hotel is near the harbour. The harbour is near the hotel.', { mostBridges: 2 }, {}],
    [
      'the budget is tight',
      gap,
      { mostBridges: 2 },
      {
        ledger: {
          granted: { ...nothing, tokens: 50_000 },
          spent: { ...nothing, tokens: 40_000 },
          spentBelow: nothing,
          reserved: {},
          slices: {},
        },
      },
    ],
  ])('is not asked about when %s', async (_, reasoning, options, context) => {
    const smallModel = small('Because.');
    expect(await thinking(reasoning, { smallModel, ...options }, context)).not.toHaveProperty('bridges');
    expect(smallModel.requests).toEqual([]);
  });

  it('stays when the small model knows of nothing that leads there', async () => {
    const decision = await thinking(gap, { smallModel: small('None.'), mostBridges: 2 });
    expect(decision).not.toHaveProperty('bridges');
    expect(decision).toMatchObject({ usage: { inputTokens: 20 } });
  });
});
