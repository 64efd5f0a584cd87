import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failure } from '../../src/domain/failure.js';
import type { ApprovalId } from '../../src/domain/id.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Permission } from '../../src/domain/permission.js';
import { controlTools } from '../../src/tools/builtin/control.js';
import { type GateOptions, passGate, planCall } from '../../src/tools/gate.js';
import { approvalHash } from '../../src/tools/hash.js';
import { createRegistry } from '../../src/tools/registry.js';
import { defineTool } from '../../src/tools/tool.js';

const parameters = z.object({ path: z.string() });
const read = defineTool({
  name: 'read_it',
  description: 'r',
  parameters,
  effect: 'read',
  paths: ['path'],
  run: () => 1,
});
const write = defineTool({ name: 'write_it', description: 'w', parameters, effect: 'idempotent', run: () => 1 });
const pay = defineTool({ name: 'pay', description: 'p', parameters: z.object({}), confirm: true, run: () => 1 });
const gone = defineTool({
  name: 'gone',
  description: 'g',
  parameters: z.object({}),
  available: () => false,
  run: () => 1,
});

/** A user's own way to delegate. */
const hand = defineTool({
  name: 'hand_over',
  description: 'd',
  parameters: z.object({ task: z.string(), tools: z.array(z.string()).optional(), max_rounds: z.int().optional() }),
  route: 'delegate',
  delegation: ({ task, tools, max_rounds: rounds }) => ({
    goal: task,
    ...(tools === undefined ? {} : { tools }),
    ...(rounds === undefined ? {} : { budget: { rounds } }),
  }),
});

const made = createRegistry([read, write, pay, gone, hand, ...controlTools]);
if (!made.ok) throw new Error(made.failure.message);
const registry = made.value;
const gate = (permission: Partial<Permission> = {}, more: Partial<GateOptions> = {}): GateOptions => ({
  registry,
  permission: { approval: 'risky', ...permission },
  roots: ['/data'],
  ...more,
});
const through = (name: string, args: unknown, options = gate()) => passGate({ name, arguments: args }, options);

describe('the gate', () => {
  test('lets a right call through with its tool and its action', () => {
    expect(through('read_it', { path: 'a.csv' })).toMatchObject({
      ok: true,
      value: { tool: read, action: { route: 'tool' }, needsApproval: false },
    });
  });

  test.each(['Bash', 'read_it ', 'reаd_it', 'toString', '__proto__', 'x'.repeat(10_000)])(
    'does not know %j and says what there is',
    (name) => {
      const refused = through(name, {});
      expect(refused).toMatchObject({ ok: false, failure: { kind: 'unknown_tool' } });
      if (!refused.ok) expect(refused.failure.hint).toContain('available tools: read_it, write_it');
      if (!refused.ok) expect(refused.failure.message.length).toBeLessThan(200);
    },
  );

  test('names the nearest tools', () => {
    expect(through('raed_it', {})).toMatchObject({
      failure: { hint: expect.stringContaining('did you mean read_it') },
    });
  });

  test('refuses a tool that is off, or not on the list', () => {
    expect(through('gone', {})).toMatchObject({ failure: { kind: 'tool_unavailable' } });
    const refused = through('write_it', { path: 'a' }, gate({ tools: ['read_it'] }));
    expect(refused).toMatchObject({ failure: { kind: 'not_permitted', hint: expect.stringContaining('read_it') } });
    if (!refused.ok) expect(refused.failure.hint).not.toContain('write_it,');
  });

  test('looks at the schema before anything else is asked', () => {
    const budget = () => failure('budget_exhausted', 'none left');
    expect(through('read_it', { path: 1 }, gate({}, { budget }))).toMatchObject({
      failure: { kind: 'invalid_arguments' },
    });
    expect(through('read_it', { path: 'a' }, gate({}, { budget }))).toMatchObject({
      failure: { kind: 'budget_exhausted' },
    });
  });

  test.each([
    '../x',
    '/etc/passwd',
    '/data-evil/x',
    'a/../../b',
    '%2e%2e/x',
    '..\\x',
    'a\0b',
    '',
    `${'a/'.repeat(2100)}b`,
  ])('refuses the path %j before a human is asked', (path) => {
    expect(through('read_it', { path }, gate({ approval: 'all' })).ok).toBe(false);
  });

  test('takes the roots of the permission before those of the worker', () => {
    expect(through('read_it', { path: '/mine/a' }, gate({ roots: ['/mine'] })).ok).toBe(true);
    expect(through('read_it', { path: '/data/a' }, gate({ roots: ['/mine'] })).ok).toBe(false);
    expect(through('read_it', { path: '/data/a' }, gate({ roots: [] })).ok).toBe(false);
  });

  test.each([
    ['auto', 'pay', false],
    ['risky', 'pay', true],
    ['risky', 'write_it', false],
    ['all', 'read_it', true],
    ['all', 'hand_over', true],
    ['all', 'finish', false],
    ['all', 'ask_user', false],
  ] as const)('under policy %s, %s asks first: %s', (approval, name, asks) => {
    const args = {
      write_it: { path: 'a' },
      read_it: { path: 'a' },
      hand_over: { task: 'a' },
      ask_user: { question: 'a' },
    };
    const passed = through(name, (args as Record<string, JsonObject>)[name] ?? {}, gate({ approval }));
    expect(passed).toMatchObject({ ok: true, value: { needsApproval: asks } });
  });

  test('asks before tainted arguments change the world', () => {
    expect(through('write_it', { path: 'a' }, gate({}, { tainted: true }))).toMatchObject({
      value: { needsApproval: true },
    });
    expect(through('read_it', { path: 'a' }, gate({}, { tainted: true }))).toMatchObject({
      value: { needsApproval: false },
    });
  });
});

describe('control calls', () => {
  test('are read out of their arguments by the mapping of their author', () => {
    expect(through('hand_over', { task: 'Rent in Porto', tools: ['rent_index'], max_rounds: 3 })).toMatchObject({
      ok: true,
      value: {
        action: {
          route: 'delegate',
          delegation: { goal: 'Rent in Porto', tools: ['rent_index'], budget: { rounds: 3 } },
        },
      },
    });
    expect(through('hand_over', { task: ' ' })).toMatchObject({ failure: { kind: 'invalid_arguments' } });
    expect(through('hand_over', { task: 'x', max_rounds: -1 })).toMatchObject({
      failure: { kind: 'invalid_arguments' },
    });
  });

  test('the built-in delegate_task refuses a result schema that is none', () => {
    expect(through('delegate_task', { goal: 'x', result_schema: { type: 'objekt' } })).toMatchObject({
      failure: { kind: 'invalid_arguments', message: expect.stringContaining('is no JSON Schema') },
    });
  });

  test('the built-in delegate_task maps every field', () => {
    const args = {
      goal: '汇总',
      context: 'c',
      tools: ['read_it'],
      budget: { rounds: 2, tokens: 10, cost_usd: 0.5, seconds: 60, tool_calls: 3 },
      result_schema: { type: 'object' },
      depends_on: ['a'],
      name: 'b',
    };
    expect(through('delegate_task', args)).toMatchObject({
      value: {
        action: {
          delegation: {
            goal: '汇总',
            context: 'c',
            tools: ['read_it'],
            budget: { rounds: 2, tokens: 10, costUsd: 0.5, seconds: 60, toolCalls: 3 },
            resultSchema: { type: 'object' },
            dependsOn: ['a'],
            name: 'b',
          },
        },
      },
    });
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, Number('1e400'), '10', 1e12])(
    'a budget of %s seconds is refused',
    (seconds) => {
      expect(through('delegate_task', { goal: 'x', budget: { seconds } }).ok).toBe(false);
    },
  );

  test('finish and ask_user', () => {
    expect(through('finish', { result: { a: 1 }, summary: 's', status: 'partial' })).toMatchObject({
      value: { action: { route: 'finish', result: { a: 1 }, summary: 's', status: 'partial' } },
    });
    expect(through('finish', { result: '42' })).toMatchObject({ value: { action: { summary: '42', status: 'done' } } });
    expect(through('finish', { summary: 'all' })).toMatchObject({ value: { action: { result: 'all' } } });
    expect(through('ask_user', { question: '哪一年?' })).toMatchObject({ value: { action: { question: '哪一年?' } } });
  });
});

describe('a planned call', () => {
  const base = { callId: 'r1c1', requestId: 'apr_t_1' as ApprovalId, confidence: 0.9, repairs: ['x'] };

  test('carries what it asks for', () => {
    expect(planCall({ ...base, name: 'pay', arguments: {} }, gate())).toMatchObject({
      action: { route: 'tool' },
      effect: 'unsafe',
      needsApproval: true,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('carries its refusal', () => {
    expect(planCall({ ...base, name: 'nope', arguments: {} }, gate())).toMatchObject({
      action: { route: 'refused', failure: { kind: 'unknown_tool' } },
      needsApproval: false,
      effect: 'unsafe',
    });
  });

  test('hashes equal arguments equally, and arguments too deep to walk as well', () => {
    const hash = (args: JsonObject) => planCall({ ...base, name: 'pay', arguments: args }, gate()).hash;
    expect(hash({ a: 1, b: { c: 2, d: 3 } })).toBe(hash({ b: { d: 3, c: 2 }, a: 1 }));
    expect(hash({ a: 1 })).not.toBe(hash({ a: 2 }));
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i += 1) deep = { a: deep };
    expect(hash(deep)).toMatch(/^[0-9a-f]{16}$/);
  });

  test('an approval is bound to tool, arguments and task', () => {
    const hash = approvalHash('pay', { a: 1, b: 2 }, 't1');
    expect(approvalHash('pay', { b: 2, a: 1 }, 't1')).toBe(hash);
    const others = [
      approvalHash('pay2', { a: 1, b: 2 }, 't1'),
      approvalHash('pay', { a: 1, b: 3 }, 't1'),
      approvalHash('pay', { a: 1, b: 2 }, 't2'),
    ];
    expect(others).not.toContain(hash);
  });
});
