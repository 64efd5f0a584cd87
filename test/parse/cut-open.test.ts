import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const tools: ParseTool[] = [
  {
    name: 'sweep',
    description: 'Sweeps a room.',
    effect: 'unsafe',
    parameters: {
      type: 'object',
      properties: {
        room: { type: 'string' },
        times: { type: ['integer', 'null'] },
        minutes: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        label: { type: ['string', 'null'] },
      },
    },
  },
];

const read = (text: string) => parseReply({ text, tools, finishReason: 'stop' });

describe('arguments that were opened and not begun', () => {
  it.each([
    '<tool_call>{"name": "sweep", "arguments": {',
    '[TOOL_CALLS]sweep{',
    'Action: sweep\nAction Input: {',
    'sweep(',
  ])('do not run as none: %s', (text) => {
    expect(read(text).calls).toEqual([]);
  });

  it('run when they were closed, or only the outer closer is missing', () => {
    for (const text of [
      '<tool_call>{"name": "sweep", "arguments": {}}',
      '<tool_call>{"name": "sweep", "arguments": {}',
    ])
      expect(read(text).calls.map((call) => call.arguments)).toEqual([{}]);
  });
});

it('reads None as null where null is allowed and text is not', () => {
  const parameter = (key: string) => `<parameter=${key}>\nNone\n</parameter>\n`;
  const text = `<function=sweep>\n${['times', 'minutes', 'label'].map(parameter).join('')}</function>`;
  expect(read(text).calls.map((call) => call.arguments)).toEqual([{ times: null, minutes: null, label: 'None' }]);
});
