import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FailureError } from '../../src/domain/failure.js';
import type { JsonObject } from '../../src/domain/json.js';
import { type Behaviour, defineTool, type Tool, type ToolContext } from '../../src/tools/tool.js';

const weather = defineTool({
  name: 'get_weather',
  description: 'Weather of a city.',
  parameters: z.object({ city: z.string(), days: z.int().min(1).default(3), unit: z.enum(['c', 'f']).optional() }),
  examples: [{ city: '上海' }],
  effect: 'read',
  run: ({ city, days }) => `${city} ${days}`,
});

const run = (tool: Tool, args: JsonObject): unknown =>
  (tool.behaviour as Extract<Behaviour, { route: 'tool' }>).run(args, {} as ToolContext);

describe('a tool defined with zod', () => {
  test('tells the model its schema, its limit and its examples', () => {
    expect(weather.declaration.parameters).toMatchObject({
      type: 'object',
      required: ['city'],
      additionalProperties: false,
      properties: { days: { type: 'integer', default: 3 } },
    });
    expect(weather.declaration.description).toContain('cut at 2,000 characters or 50 lines');
    expect(weather.declaration.description).toContain('Example: {"city":"上海"}');
  });

  test('hands its code typed arguments with defaults applied, while the checked ones stay as they came', () => {
    expect(weather.schema.check({ city: '北京' })).toEqual({ ok: true, value: { city: '北京' } });
    expect(run(weather, { city: '北京' })).toBe('北京 3');
  });

  test.each([
    [{}, '"city" is missing (string)'],
    [{ city: 5 }, '"city": expected string, received number'],
    [{ city: 'a', sudo: true }, '"sudo" is not one of its parameters'],
    [{ city: 'a', days: 0 }, '"days"'],
    [{ city: 'a', unit: 'k' }, '"unit"'],
    ['{"city":"a"}', 'must be a JSON object, not string'],
    [['a'], 'must be a JSON object, not an array'],
    [7, 'must be a JSON object, not number'],
    [null, 'must be a JSON object, not null'],
    ['x'.repeat(1_000_000), 'must be a JSON object, not string'],
  ])('refuses %j in words', (args, words) => {
    const checked = weather.schema.check(args);
    expect(checked).toMatchObject({ ok: false, failure: { kind: 'invalid_arguments' } });
    if (!checked.ok) expect(checked.failure.message).toContain(words);
    if (!checked.ok && typeof args === 'object' && !Array.isArray(args) && args !== null) {
      expect(checked.failure.hint).toBe('get_weather takes { city: string, days?: integer, unit?: c | f }');
    }
  });

  test('is unsafe, never retried and without confirmation when nothing is declared', () => {
    const tool = defineTool({ name: 'x', description: 'x', parameters: z.object({}), retries: 5, run: () => 1 });
    expect(tool.declaration).toMatchObject({ effect: 'unsafe', destructive: false, network: false, confirm: false });
    expect(tool.retries).toBe(0);
  });

  test('asks for confirmation when it is destructive', () => {
    const tool = defineTool({ name: 'x', description: 'x', parameters: z.object({}), destructive: true, run: () => 1 });
    expect(tool.declaration.confirm).toBe(true);
  });

  test('keeps unknown arguments when its author says so', () => {
    const tool = defineTool({ name: 'x', description: 'x', parameters: z.looseObject({}), run: () => 1 });
    expect(tool.schema.check({ any: 1 }).ok).toBe(true);
  });

  test('a schema whose own code throws is a failure, not a crash', () => {
    const parameters = z.object({
      a: z.string().refine(() => {
        throw new Error('boom');
      }),
    });
    const tool = defineTool({ name: 'x', description: 'x', parameters, run: () => 1 });
    expect(tool.schema.check({ a: 'b' })).toMatchObject({ ok: false, failure: { kind: 'invalid_arguments' } });
    const async = z.object({ a: z.string().refine(async () => true) });
    expect(
      defineTool({ name: 'x', description: 'x', parameters: async, run: () => 1 }).schema.check({ a: 'b' }).ok,
    ).toBe(false);
  });
});

describe('a tool defined with JSON Schema', () => {
  const foreign = (parameters: JsonObject): Tool =>
    defineTool({ name: 'f', description: 'f', parameters, run: (args) => args });

  test('checks with words, optional and unknown parameters as the schema says', () => {
    const strict = foreign({
      type: 'object',
      properties: { sku: { type: 'string' }, n: { type: 'integer' }, kind: { enum: ['a', 'b'] } },
      required: ['sku'],
      additionalProperties: false,
    });
    const words = (args: JsonObject): string => {
      const checked = strict.schema.check(args);
      return checked.ok ? 'ok' : checked.failure.message;
    };
    expect(words({ sku: 'a' })).toBe('ok');
    expect(words({})).toContain('"sku" is missing');
    expect(words({ sku: 'a', n: 'x' })).toContain('"n": expected integer, received string');
    expect(words({ sku: 'a', extra: 1 })).toContain('"extra" is not one of its parameters');
    expect(words({ sku: 'a', kind: 'c' })).toContain('expected one of ["a","b"]');
  });

  test('understands recursion, draft 7, conditionals and two schemas with the same $id', () => {
    const tree: JsonObject = {
      $id: 'https://example.com/tree',
      type: 'object',
      properties: { v: { type: 'number' }, kids: { type: 'array', items: { $ref: '#' } } },
      required: ['v'],
    };
    expect(foreign(tree).schema.check({ v: 1, kids: [{ v: 2 }] }).ok).toBe(true);
    expect(foreign(tree).schema.check({ v: 1, kids: [{}] }).ok).toBe(false);
    const draft7 = foreign({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: { s: { type: 'string' } },
      properties: { a: { $ref: '#/definitions/s' } },
      if: { required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['b'] },
    });
    expect(draft7.schema.check({ a: 'x' }).ok).toBe(false);
    expect(draft7.schema.check({ a: 'x', b: 1 }).ok).toBe(true);
  });

  const cyclic: Record<string, unknown> = { type: 'object' };
  cyclic.self = cyclic;
  test.each([
    ['cyclic', cyclic],
    ['not an object schema', { type: 'string' }],
    ['a wrong keyword value', { type: 'object', properties: 5 }],
    ['an unknown reference', { type: 'object', properties: { a: { $ref: '#/nowhere' } } }],
    ['a remote reference', { type: 'object', properties: { a: { $ref: 'http://example.com/x.json' } } }],
    ['gigantic', { type: 'object', description: 'x'.repeat(300_000) }],
    ['an array', []],
    ['null', null],
    ['a zod string', z.string()],
    ['something zod cannot tell as JSON', z.object({ a: z.bigint() })],
  ])('refuses a schema that is %s, in words', (_, parameters) => {
    const define = (): Tool => foreign(parameters as JsonObject);
    expect(define).toThrow(FailureError);
    expect(define).toThrow(/parameters of tool f/);
  });
});

describe('hostile arguments', () => {
  const open = defineTool({ name: 'open', description: 'x', parameters: z.looseObject({}), run: () => 1 });
  const deep = (depth: number): JsonObject => {
    let value: JsonObject = {};
    for (let i = 0; i < depth; i += 1) value = { a: value };
    return value;
  };

  test.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s at every depth and in arrays', (key) => {
    for (const depth of [0, 1, 5, 20]) {
      const inner = JSON.parse(`{"${key}":{"polluted":true}}`) as JsonObject;
      let args: JsonObject = inner;
      for (let i = 0; i < depth; i += 1) args = { list: [args] };
      expect(open.schema.check(args)).toMatchObject({ ok: false });
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ['deep', deep(100_000)],
    ['infinite', { n: Number('1e400') }],
    ['not a number', { n: Number.NaN }],
    ['a function', { n: (() => 1) as unknown as string }],
    ['many values', { list: new Array(300_000).fill(0) }],
    ['long', { s: 'x'.repeat(5_000_000) }],
  ])('refuses what is %s', (_, args) => {
    expect(open.schema.check(args)).toMatchObject({ ok: false, failure: { kind: 'invalid_arguments' } });
  });
});

describe('a wrong definition', () => {
  test.each(['', 'a b', 'a.b', '1a', 'x'.repeat(65), '工具', 'toString', '__proto__', 'hasOwnProperty', 'constructor'])(
    'with the name %j is refused',
    (name) => {
      expect(() => defineTool({ name, description: 'x', parameters: z.object({}), run: () => 1 })).toThrow(
        FailureError,
      );
    },
  );

  test.each([
    { timeoutMs: -1 },
    { timeoutMs: Number.NaN },
    { retries: 1.5 },
    { retries: 99 },
    { result: { chars: 10 } },
  ])('with %j is refused', (numbers) => {
    const define = () =>
      defineTool({ name: 'x', description: 'x', parameters: z.object({}), run: () => 1, ...numbers });
    expect(define).toThrow(FailureError);
  });
});
