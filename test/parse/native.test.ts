import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply, type ReplyInput } from '../../src/parse/reply.js';

const tools: ParseTool[] = [
  {
    name: 'ring',
    description: 'Rings a bell.',
    effect: 'unsafe',
    parameters: { type: 'object', properties: { bell: { type: 'string' } } },
  },
];

const read = (message: object) => parseReply({ message: message as NonNullable<ReplyInput['message']>, tools });
const east = { bell: '东' };
const text = JSON.stringify(east);

describe('a call in the layout of an API', () => {
  it.each<readonly [what: string, message: object, id: string]>([
    [
      'an item beside sealed reasoning',
      {
        output: [
          { type: 'reasoning', summary: [], encrypted_content: 'E' },
          { type: 'function_call', id: 'fc', call_id: 'c', name: 'ring', arguments: text, status: 'completed' },
        ],
      },
      'c',
    ],
    ['an item alone', { type: 'function_call', call_id: 'c', name: 'ring', arguments: text }, 'c'],
    [
      'an event with an item',
      {
        type: 'response.output_item.done',
        item: { type: 'function_call', call_id: 'c', name: 'ring', arguments: text, status: 'completed' },
      },
      'c',
    ],
    [
      'an event with the whole response',
      {
        type: 'response.completed',
        response: { output: [{ type: 'function_call', call_id: 'c', name: 'ring', arguments: text }] },
      },
      'c',
    ],
    ['a block', { role: 'assistant', content: [{ type: 'tool_use', id: 'u', name: 'ring', input: east }] }, 'u'],
    [
      'a completion with a message inside',
      { completion_message: { content: '', tool_calls: [{ call_id: 'k', tool_name: 'ring', arguments: text }] } },
      'k',
    ],
    ['a part without a type', { content: [{ id: 'p', name: 'ring', arguments: text }] }, 'p'],
  ])('runs: %s', (_, message, id) => {
    expect(read(message).calls).toMatchObject([{ name: 'ring', arguments: east, id }]);
  });

  it.each<readonly [what: string, message: object]>([
    ['of a server tool', { content: [{ type: 'server_tool_use', id: 's', name: 'ring', input: east }] }],
    [
      'of a remote server',
      { content: [{ type: 'mcp_tool_use', id: 's', name: 'ring', server_name: 'x', input: east }] },
    ],
    ['with its output', { output: [{ type: 'mcp_call', id: 's', name: 'ring', arguments: text, output: 'rang' }] }],
    [
      'that the provider carried out',
      { content: [{ type: 'tool-call', toolCallId: 's', toolName: 'ring', input: east, providerExecuted: true }] },
    ],
  ])('does not run a second time when the provider runs it: %s', (_, message) => {
    const { calls, rejected, incomplete } = read(message);
    expect([calls, rejected, incomplete]).toEqual([[], [], []]);
  });

  it.each(['in_progress', 'incomplete'])('does not run while its status is %s', (status) => {
    const { calls, incomplete } = read({
      output: [{ type: 'function_call', call_id: 'c', name: 'ring', arguments: text, status }],
    });
    expect([calls, incomplete]).toEqual([[], [{ name: 'ring', reason: 'cut off inside a value' }]]);
  });
});
