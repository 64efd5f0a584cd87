import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';

const object = (properties: object, required: string[] = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as ParseTool['parameters'];
const tool = (name: string, properties: object, required?: string[]): ParseTool => ({
  name,
  description: name,
  parameters: object(properties, required),
});

const forecast = tool('get_forecast', { city: { type: 'string' }, date: { type: 'string' } }, ['city']);
const stock = tool('query_stock', { sku: { type: 'string' } });
const refund = tool('issue_refund', { order_id: { type: 'string' }, amount: { type: 'number' } });
const train = tool('book_train', { train_no: { type: 'string' }, seat: { type: 'string' } });

const calls = (text: string, tools: ParseTool[], finishReason = 'stop') =>
  parseReply({ text, tools, finishReason }).calls.map(({ name, arguments: args }) => ({ name, args }));

describe('parseReply', () => {
  it('reads a call with a misspelt name, single quotes and a trailing comma, and no draft in reasoning', () => {
    const reply = parseReply({
      text: "<think>\nA draft: {\"name\": \"get_forecast\", \"arguments\": {\"city\": \"Oslo\"}} - no.\n</think>\n\nLet me look.\n<tool_call>\n{'name': 'get-forecast', 'arguments': {'city': 'Bergen', 'date': '2026-03-14',}}\n</tool_call>",
      tools: [forecast],
      finishReason: 'stop',
    });
    expect(reply.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['get_forecast', { city: 'Bergen', date: '2026-03-14' }],
    ]);
    expect(reply.content).toBe('Let me look.');
    expect(reply.reasoning).toContain('A draft');
    expect(reply.rejected[0]).toMatchObject({ name: 'get_forecast', failure: 'not_a_call' });
    expect(reply.calls[0]?.confidence).toBeLessThan(1);
  });

  it('reads full-width punctuation and a parameter name in another case', () => {
    const text =
      '<tool_call>\n{“name”：“query_stock”，“arguments”：{“sku”：“A100”}}\n</tool_call>\n<tool_call>\n{"name": "queryStock", "parameters": {"SKU": "C300"}}\n</tool_call>';
    expect(calls(text, [stock])).toEqual([
      { name: 'query_stock', args: { sku: 'A100' } },
      { name: 'query_stock', args: { sku: 'C300' } },
    ]);
  });

  it('reads native calls whose arguments are encoded twice', () => {
    const message = {
      role: 'assistant' as const,
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function' as const,
          function: { name: 'query_stock', arguments: '"{\\"sku\\": \\"B2\\"}"' },
        },
      ],
    };
    expect(parseReply({ message, tools: [stock], finishReason: 'tool_calls' }).calls[0]).toMatchObject({
      id: 'c1',
      name: 'query_stock',
      arguments: { sku: 'B2' },
    });
  });

  it('reads a fenced object with other key names and converts a number', () => {
    expect(
      calls(
        'Policy allows it.\n```json\n{"tool": "issue_refund", "args": {"order_id": "R-1", "amount": "84.50"}}\n```',
        [refund],
      ),
    ).toEqual([{ name: 'issue_refund', args: { order_id: 'R-1', amount: 84.5 } }]);
    expect(
      calls('```json\n{"action": "book_train", "action_input": {"trainNo": "D2", "seat": "二等座"}}\n```', [train])[0]
        ?.args,
    ).toEqual({ train_no: 'D2', seat: '二等座' });
  });

  it('never runs what was cut', () => {
    const reply = parseReply({
      text: '<tool_call>\n{"name": "query_stock", "arguments": {"sku": "A1',
      tools: [stock],
      finishReason: 'length',
    });
    expect(reply.calls).toEqual([]);
    expect(reply.incomplete[0]?.name).toBe('query_stock');
  });

  it('runs the correction, not what it corrects', () => {
    const call = (sku: string) => `<tool_call>\n{"name": "query_stock", "arguments": {"sku": "${sku}"}}\n</tool_call>`;
    const reply = parseReply({
      text: `${call('A')}\n不对，上面的作废，更正如下：\n${call('B')}`,
      tools: [stock],
      finishReason: 'stop',
    });
    expect(reply.calls.map((c) => c.arguments)).toEqual([{ sku: 'B' }]);
    expect(reply.superseded[0]?.arguments).toEqual({ sku: 'A' });
  });

  it('passes over a call in a comment and strips control tokens', () => {
    const reply = parseReply({
      text: '<!-- <tool_call>{"name": "issue_refund", "arguments": {"order_id": "x", "amount": 1}}</tool_call> -->\n<tool_call>\n{"name": "query_stock", "arguments": {"sku": "A"}}\n</tool_call><|im_end|>',
      tools: [stock, refund],
      finishReason: 'stop',
    });
    expect(reply.calls.map((c) => c.name)).toEqual(['query_stock']);
    expect(reply.content).toBe('');
    expect(reply.rejected.map((r) => r.name)).toEqual(['issue_refund']);
  });

  it('tells an unknown tool from arguments that do not fit', () => {
    const unknown = parseReply({
      text: '<tool_call>{"name": "launch_teapot", "arguments": {}}</tool_call>',
      tools: [stock],
      finishReason: 'stop',
    });
    expect(unknown.rejected[0]).toMatchObject({ failure: 'unknown_tool', nearest: ['query_stock'] });
    const invalid = parseReply({
      text: '<tool_call>{"name": "issue_refund", "arguments": {"order_id": "R"}}</tool_call>',
      tools: [refund],
      finishReason: 'stop',
    });
    expect(invalid.rejected[0]).toMatchObject({
      failure: 'invalid_arguments',
      reason: 'amount is required and missing',
    });
  });

  it('gives the same result for every cut', () => {
    const text = '<think>hm</think>ok\n<tool_call>\n{"name": "query_stock", "arguments": {"sku": "A"}}\n</tool_call>';
    const whole = parseReply({ text, tools: [stock], finishReason: 'stop' });
    for (let i = 0; i <= text.length; i++) {
      const stream = createReplyStream({ tools: [stock] });
      stream.push(text.slice(0, i));
      stream.push(text.slice(i));
      expect(stream.end('stop')).toEqual(whole);
    }
  });
});
