import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const tool = (properties: JsonObject, more: JsonObject = {}): ParseTool => ({
  name: 'plant',
  description: 'Plants something.',
  effect: 'unsafe',
  parameters: { type: 'object', properties, required: Object.keys(properties), ...more },
});

/** The arguments of the call that runs; undefined when it is refused. */
function fitted(planted: ParseTool, given: object): unknown {
  const call = { id: 'c', type: 'function', function: { name: 'plant', arguments: JSON.stringify(given) } };
  const reply = parseReply({
    message: { role: 'assistant', content: null, tool_calls: [call] },
    tools: [planted],
    finishReason: 'tool_calls',
  });
  return reply.calls[0]?.arguments;
}

const text = { type: 'string' };

describe('a choice', () => {
  const flower = tool({
    flower: { type: 'string', enum: ['rose', 'lily', 'café au lait', '玫瑰', '百合', 'C++', 'C'] },
  });

  it.each([
    ['**rose**', 'rose'],
    ['"lily"', 'lily'],
    ['Rose: blooms in June', 'rose'],
    ['lily (white)', 'lily'],
    ['cafe au lait', 'café au lait'],
    ['玫瑰（红色）', '玫瑰'],
    ['百合：白色', '百合'],
  ])('%s is taken as %s', (given, meant) => {
    expect(fitted(flower, { flower: given })).toEqual({ flower: meant });
  });

  it.each(['rose - or lily', 'rose: not this one', 'C#', '玫瑰：不要', '玫瑰（或百合）', 'a rose'])(
    '%s is refused',
    (given) => {
      expect(fitted(flower, { flower: given })).toBeUndefined();
    },
  );

  it('is no object, unless one is listed', () => {
    const choice = tool({ size: { enum: [1, { wide: true }] } });
    expect(fitted(choice, { size: { n: 1 } })).toBeUndefined();
    expect(fitted(choice, { size: { wide: true } })).toEqual({ size: { wide: true } });
  });
});

describe('a name', () => {
  it('is known without its accents', () => {
    const planted = tool({ variété: text, numéro: { type: 'integer' } });
    expect(fitted(planted, { variete: 'rose', numero: 4 })).toEqual({ variété: 'rose', numéro: 4 });
  });
});

describe('a schema that contains itself', () => {
  const any = { $ref: '#/$defs/any' };
  const forms: JsonObject[] = [
    { type: 'integer' },
    { type: 'boolean' },
    text,
    { type: 'array', items: any },
    { type: 'object', additionalProperties: any },
  ];
  const planted = tool({ value: any }, { $defs: { any: { anyOf: forms } } });

  it('takes any JSON as it is', () => {
    const value = { bed: { names: ['rose', 2, { deep: { er: [true, { still: 'x' }] } }], on: true } };
    expect(fitted(planted, { value })).toEqual({ value });
  });
});

describe('arguments without names', () => {
  const planted = tool({ bed: text, litres: { type: 'integer' } });
  const run = (reply: string): unknown[] =>
    parseReply({ text: reply, tools: [planted], finishReason: 'stop' }).calls.map((call) => call.arguments);

  it('are refused when no parameter is left for one', () => {
    expect(run('[plant("rose", 3)]')).toEqual([{ bed: 'rose', litres: 3 }]);
    expect(run('[plant(bed="rose", litres=12,5)]')).toEqual([]);
  });

  it('are none where a number is written in groups', () => {
    expect(run('[plant(bed="rose", litres=12,500)]')).toEqual([{ bed: 'rose', litres: 12_500 }]);
  });
});
