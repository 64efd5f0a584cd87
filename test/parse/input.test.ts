import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';

const plain = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const tool = (name: string, parameters: unknown = plain): ParseTool =>
  ({ name, description: '', parameters }) as ParseTool;
const call = (name: string, args: unknown) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
const read = (name: string, args: unknown, tools: ParseTool[]) =>
  parseReply({ text: call(name, args), tools, finishReason: 'stop' });

const choices = (depth: number): unknown =>
  depth === 0 ? { type: 'integer' } : { anyOf: [choices(0), { $ref: '#/properties/q' }, { $ref: '#/properties/q' }] };

describe('input that is not what it should be', () => {
  it.each([undefined, null, 5, 'text', [], { text: 5 }, { text: null, tools: null }, { message: 'text', tools: {} }])(
    'gives an empty reply: %j',
    (input) => {
      expect(parseReply(input as never)).toMatchObject({ calls: [], rejected: [], incomplete: [] });
    },
  );

  it('is passed over in a stream', () => {
    const stream = createReplyStream({ tools: null as never });
    for (const chunk of [5, null, undefined, {}]) expect(stream.push(chunk as never)).toEqual([]);
    expect(stream.end({} as never).calls).toEqual([]);
  });

  it('ends for a message that holds itself', () => {
    const message: Record<string, unknown> = { role: 'assistant' };
    message.message = message;
    message.content = [message, { type: 'text', text: 'x' }];
    expect(parseReply({ message: message as never, tools: [] }).calls).toEqual([]);
  });

  it('keeps lone surrogates as they are', () => {
    const reply = parseReply({ text: `\ud800${call('a', { q: '\udc00' })}`, tools: [tool('a')], finishReason: 'stop' });
    expect(reply.calls[0]?.arguments).toEqual({ q: '\udc00' });
  });

  it('is read up to a limit, and said so', () => {
    const reply = parseReply({ text: 'a '.repeat(35_000_000), tools: [] });
    expect(reply.incomplete.at(-1)?.reason).toContain('longer than');
  });
});

describe('tools with names of the language', () => {
  it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('are tools like others: %s', (name) => {
    expect(read(name, { q: 'x' }, [tool(name)]).calls).toMatchObject([{ name, arguments: { q: 'x' } }]);
    expect(read(name, { q: 'x' }, [tool('other')]).rejected).toMatchObject([{ name, failure: 'unknown_tool' }]);
  });

  it('takes the first of two with one name, and neither of two that differ in spelling only', () => {
    const second = tool('a', { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
    expect(read('a', { q: 'x' }, [tool('a'), second]).calls).toMatchObject([{ name: 'a', arguments: { q: 'x' } }]);
    expect(read('get-a', { q: 'x' }, [tool('get_a'), tool('getA')]).calls).toEqual([]);
  });
});

describe('schemas that are wrong or without end', () => {
  it.each<[string, unknown]>([
    ['of another type', 'schema'],
    ['a list', []],
    ['properties of another type', { type: 'object', properties: 'x', required: 'q' }],
    ['odd members', { type: [{}], properties: { q: 7, r: { enum: 'abc', type: [1] } }, required: [1, null] }],
    ['its own reference', { $ref: '#' }],
    ['references in a circle', { $ref: '#/a', a: { $ref: '#/b' }, b: { $ref: '#/a' } }],
    [
      'parts that are the whole',
      { allOf: [{ $ref: '#' }, { $ref: '#' }], properties: { q: { allOf: [{ $ref: '#' }] } } },
    ],
  ])('give an outcome: %s', (_, parameters) => {
    expect(read('a', { q: 'x' }, [tool('a', parameters)]).calls.length).toBeLessThanOrEqual(1);
  });

  it('refuses when choices within choices have no end', () => {
    const parameters = { type: 'object', properties: { q: choices(1) }, required: ['q'] };
    expect(read('a', { q: 'x' }, [tool('a', parameters)]).rejected).toMatchObject([{ failure: 'invalid_arguments' }]);
  });
});
