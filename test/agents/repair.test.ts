import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decide } from '../../agents/decide.js';
import { type RepairSource, weighRules } from '../../agents/repair.js';
import type { Decision, DecisionOf } from '../../src/domain/decision.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Order } from '../../src/domain/task.js';
import { withRules } from '../../src/parse/learn/learned.js';
import { newRule } from '../../src/parse/learn/rule.js';
import { finish } from '../../src/tools/builtin/control.js';
import { defineTool } from '../../src/tools/tool.js';
import { learnerOn, memoryStore } from '../parse/learn/support.js';
import { type FakeModel, fakeModel, nativeCall, orderOf, roundOf, scopeOf, sourceOf, usage } from './fixtures.js';

const day = z.iso.date();
const sales = defineTool({
  name: 'sales',
  description: 'Sales of a stretch of days.',
  parameters: z.object({ start_date: day, end_date: day.optional() }),
  effect: 'read',
  run: () => 'sold',
});
const dropOrders = defineTool({
  name: 'drop_orders',
  description: 'Deletes orders.',
  parameters: z.object({ start_date: day, end_date: day.optional(), mode: z.enum(['soft', 'hard']).optional() }),
  effect: 'unsafe',
  run: () => 'gone',
});
const tools = [sales, dropOrders, finish];

interface Asked {
  readonly goal?: string;
  readonly order?: Partial<Order>;
  readonly repair?: Partial<RepairSource>;
  readonly outputTokens?: number;
  readonly last?: string;
  readonly bodies?: Record<string, unknown>;
  readonly context?: JsonObject;
}

/** 2026-11-30 */
const submittedAt = Date.UTC(2026, 10, 30);

function decided(name: string, args: JsonObject | string, asked: Asked = {}): Promise<Decision> {
  const { bodies = {}, context = {}, goal = 'Look', last = null, order, outputTokens = 5_000, repair } = asked;
  const reply =
    typeof args === 'string' && name === '' ? { content: args } : { tool_calls: [nativeCall('x', name, args)] };
  const scope = scopeOf(orderOf(goal, { submittedAt, ...order }), {
    input: { round: 2, outputTokens, last },
    bodies,
    context,
  });
  return decide(scope, sourceOf(billing(fakeModel(reply), 1), tools, repair));
}

/** A provider that counts so many times our tokens, and writes all that it may. */
function billing(model: FakeModel, times: number): FakeModel {
  return {
    ...model,
    async call(request, options) {
      const outcome = await model.call(request, options);
      const inputTokens = Math.floor((request.promptTokens ?? 0) * times);
      return { ...outcome, usage: { ...usage, inputTokens, outputTokens: times === 1 ? 20 : request.maxOutputTokens } };
    },
  };
}
async function callOf(...args: Parameters<typeof decided>): Promise<DecisionOf<'calls'>['calls'][number]> {
  const decision = await decided(...args);
  if (decision.kind !== 'calls') throw new Error(`expected a call, came ${JSON.stringify(decision)}`);
  return decision.calls[0] as DecisionOf<'calls'>['calls'][number];
}

describe('a call against its goal', () => {
  it.each(['Sales of Q3 2025', '2025年第三季度的销售额'])('is set right when its tool only reads: %s', async (goal) => {
    const call = await callOf('sales', { start_date: '2025-07-01' }, { goal });
    expect(call).toMatchObject({
      arguments: { start_date: '2025-07-01', end_date: '2025-09-30' },
      action: { route: 'tool' },
    });
    expect(call.confidence).toBeLessThan(1);
    expect(call.repairs.join()).toContain('first day only');
  });

  it('of relative days is reckoned from the day on which the task was submitted', async () => {
    const call = await callOf(
      'sales',
      { start_date: '2024-01-01', end_date: '2024-01-31' },
      { goal: '上个月的销售额' },
    );
    expect(call.arguments).toEqual({ start_date: '2026-10-01', end_date: '2026-10-31' });
  });

  it('goes back to the model when its tool changes something, and runs unchanged when it says so again', async () => {
    const asked = { goal: 'Delete the orders of Q3 2025' };
    const args = { start_date: '2025-07-01' };
    const first = await decided('drop_orders', args, asked);
    if (first.kind !== 'calls') throw new Error('no call');
    expect(first.calls[0]).toMatchObject({
      arguments: args,
      action: { route: 'refused', failure: { kind: 'invalid_arguments' } },
    });
    expect(JSON.stringify(first.calls[0]?.action)).toContain('Q3 2025');
    const context = { transcript: [roundOf(1, 'd1', [])] } as unknown as JsonObject;
    const again = await callOf('drop_orders', args, { ...asked, bodies: { d1: first }, context });
    expect(again).toMatchObject({ arguments: args, action: { route: 'tool' } });
  });

  it('runs with a warning beside its result when the contradiction is not sure', async () => {
    const call = await callOf(
      'drop_orders',
      { start_date: '2026-11-16', end_date: '2026-11-20' },
      { goal: 'Delete the orders of last week' },
    );
    expect(call).toMatchObject({
      action: { route: 'tool' },
      warnings: [expect.stringContaining('last week'), expect.anything()],
    });
  });
});

describe('the small model', () => {
  const answer = JSON.stringify({ name: 'sales', arguments: { start_date: '2025-07-01' } });
  const small = () => fakeModel({ content: answer });
  const wrong = { begins: '2025-07-01' };

  it('is asked once when nothing else can read the call; the second time a rule does it', async () => {
    const [smallModel, learner] = [small(), learnerOn(memoryStore())];
    const repair = { smallModel, learner };
    const first = await decided('sales', wrong, { repair });
    expect(first).toMatchObject({
      kind: 'calls',
      calls: [{ arguments: { start_date: '2025-07-01' }, confidence: 0.4 }],
    });
    expect(first.usage).toMatchObject({ outputTokens: 20 + usage.outputTokens, countedInputTokens: 0 });
    const second = await callOf('sales', { begins: '2024-02-02' }, { repair });
    expect(second).toMatchObject({ arguments: { start_date: '2024-02-02' }, rules: [expect.stringMatching(/^rule_/)] });
    expect(smallModel.requests).toHaveLength(1);
  });

  it.each([
    ['the reservation does not leave enough', { outputTokens: 300 }],
    ['it is the last call', { last: 'rounds' }],
  ])('is not asked when %s', async (_, more) => {
    const smallModel = small();
    await decided('sales', wrong, { repair: { smallModel }, ...more });
    expect(smallModel.requests).toEqual([]);
  });

  it('never makes a decision cost more than was reserved for it', async () => {
    const [main, smallModel] = [fakeModel({ tool_calls: [nativeCall('x', 'sales', wrong)] }), billing(small(), 1.5)];
    for (let outputTokens = 100; outputTokens < 4_000; outputTokens += 100) {
      const scope = scopeOf(orderOf('Look'), { input: { round: 2, outputTokens, last: null } });
      const { usage: paid } = await decide(scope, sourceOf(billing(main, 1), tools, { smallModel }));
      const reserved = (main.requests.at(-1)?.promptTokens ?? 0) + outputTokens;
      expect(paid.inputTokens + paid.outputTokens).toBeLessThanOrEqual(reserved);
    }
    expect(smallModel.requests.length).toBeGreaterThan(5);
    expect(smallModel.requests.length).toBeLessThan(main.requests.length);
  });

  it('is paid for even when its answer is of no use', async () => {
    const smallModel = fakeModel({ content: 'I do not know.' });
    const decision = await decided('sales', wrong, { repair: { smallModel } });
    expect(decision).toMatchObject({
      usage: { inputTokens: expect.any(Number), countedInputTokens: 0 },
      calls: [{ action: { route: 'refused' } }],
    });
  });

  it.each([
    ['risky', { route: 'tool' }, true],
    ['auto', { route: 'refused' }, false],
  ] as const)(
    'guesses for a tool that changes something only with leave (%s)',
    async (approval, action, needsApproval) => {
      const smallModel = fakeModel({ content: '{"name": "drop_orders", "arguments": {"start_date": "2025-07-01"}}' });
      const call = await callOf('drop_orders', wrong, { repair: { smallModel }, order: { permission: { approval } } });
      expect(call).toMatchObject({ action, needsApproval });
    },
  );
});

describe('replies that nobody can read', () => {
  const odd = (n: number) => `sales ?! start_date ~ 2025-07-0${n} !`;

  it('are answers, and a human is told once after some in a row', async () => {
    const alerts: string[] = [];
    const learner = learnerOn(memoryStore());
    const repair = { learner, alert: (_: unknown, text: string) => void alerts.push(text) };
    for (let n = 1; n <= 4; n += 1) expect((await decided('', odd(n), { repair })).kind).toBe('final');
    expect(learner.unparsedCount()).toBe(4);
    expect(alerts).toHaveLength(1);
  });

  it('are kept without personal data', async () => {
    const store = memoryStore();
    const repair = { learner: learnerOn(store), redact: (text: string) => text.replaceAll('2025', '[year]') };
    await decided('', odd(1), { repair });
    expect(store.read().samples[0]?.text).toContain('[year]');
    expect(store.read().samples[0]?.text).not.toContain('2025');
  });
});

describe('a rule that made a call', () => {
  const rule = newRule({ on: 'keys', tool: 'sales', rename: { begins: 'start_date' } }, 'human', 1);
  async function weighed(status: 'ok' | 'error', kind = 'tool_failed') {
    const store = memoryStore();
    store.change((now) => withRules(now, [rule]));
    const learner = learnerOn(store);
    const decision = await decided('sales', { begins: '2024-02-02' }, { repair: { learner } });
    const error = { kind, message: '', retryable: false } as never;
    weighRules(decision, [{ callId: 'r2c1', status, ...(status === 'ok' ? {} : { error }) }], learner);
    return store.read().rules[0];
  }

  it('gains by success, loses by arguments that are refused, and nothing by other failures', async () => {
    expect(await weighed('ok')).toMatchObject({ uses: 1, failures: 0 });
    expect(await weighed('error', 'invalid_arguments')).toMatchObject({ uses: 1, failures: 1 });
    expect(await weighed('error')).toMatchObject({ uses: 0, weight: rule.weight });
  });
});
