import { describe, expect, it } from 'vitest';
import { createDeltaAssembler } from '../../src/parse/delta.js';
import { type ParseTool, parseReply, type Reply } from '../../src/parse/reply.js';

const tools: ParseTool[] = [
  {
    name: 'water',
    description: 'Waters a bed of the garden.',
    parameters: {
      type: 'object',
      properties: {
        bed: { type: 'string' },
        litres: { type: 'integer' },
        when: { type: ['string', 'null'] },
        amount: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'object' }] },
        extra: {},
        zones: { type: 'uint8' },
        plan: { type: 'object' },
      },
      required: ['bed'],
    },
    effect: 'unsafe',
  },
  { name: 'list_beds', description: 'Lists the beds.', parameters: { type: 'object', properties: {} }, effect: 'read' },
];

const read = (text: string, finishReason = 'stop', promptOpenedReasoning = false): Reply =>
  parseReply({ text, tools, finishReason, promptOpenedReasoning });
const calls = (text: string, finishReason?: string): unknown[] =>
  read(text, finishReason).calls.map(({ name, arguments: args }) => [name, args]);
const pair = (key: string, value: string): string => `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`;

describe('tags with a mark on their names', () => {
  it('are read as the plain ones when two known names have the mark', () => {
    const text = '<tool_calls:oak><tool_call:oak>list_beds</tool_call:oak></tool_calls:oak>';
    expect(calls(text)).toEqual([['list_beds', {}]]);
    expect(read('<think:oak>which bed?</think:oak>Bed three.')).toMatchObject({
      reasoning: 'which bed?',
      content: 'Bed three.',
    });
  });

  it('keep the argument that holds such a tag to the byte', () => {
    const value = 'see <oak|tool_call> and </oak|tool_call>';
    const text = `<oak|tool_calls><oak|tool_call>water<oak|arg_key>bed</oak|arg_key><oak|arg_value>${value}</oak|arg_value></oak|tool_call></oak|tool_calls>`;
    expect(calls(text)).toEqual([['water', { bed: value }]]);
  });

  it('are text when only one name has the mark, as in a type or a namespace', () => {
    const text = 'Use Map<string|function> here, or Promise<void|function>.';
    expect(read(text).content).toBe(text);
    expect(calls('<tool:list_beds></tool:list_beds>')).toEqual([['list_beds', {}]]);
  });

  it('never run when they are cut', () => {
    const text = '<oak|tool_calls><oak|tool_call>water<oak|arg_key>bed</oak|arg_key><oak|arg_value>rose';
    expect(read(text, 'length')).toMatchObject({ calls: [], content: '' });
  });
});

describe('tags with bars around a word', () => {
  it.each(['｜', '｜｜', '|', '||', '‖'])('are read with %s', (bar) => {
    const mark = `${bar}DSML${bar}`;
    const body = `<${mark}invoke name="water"><${mark}parameter name="bed">玫瑰</${mark}parameter></${mark}invoke>`;
    expect(calls(`<${mark}tool_calls>${body}</${mark}tool_calls>`)).toEqual([['water', { bed: '玫瑰' }]]);
  });
});

describe('an action in brackets', () => {
  it('is the name when an input follows', () => {
    expect(calls('Action: [water]\nAction Input: {"bed": "玫瑰"}')).toEqual([['water', { bed: '玫瑰' }]]);
  });
});

describe('a name in a call region', () => {
  it('is a call without arguments only when nothing else stands there', () => {
    expect(calls('<tool_call>list_beds</tool_call>')).toEqual([['list_beds', {}]]);
    expect(calls('<tool_call>list_beds <given>rose</given></tool_call>')).toEqual([]);
    expect(calls('<|tool_call_start|>list_beds\n<|in|>bed<|is|>rose<|out|>\n<|tool_call_end|>')).toEqual([]);
  });

  it('may hold a special token by mistake', () => {
    const text = '<invoke name="water<|message|>"><parameter name="bed">rose</parameter></invoke>';
    expect(calls(text)).toEqual([['water', { bed: 'rose' }]]);
  });
});

describe('values without types', () => {
  it.each([
    ['amount', '{"cans": 2}', { cans: 2 }],
    ['amount', '12', 12],
    ['amount', '12 cans', '12 cans'],
    ['amount', '{cans', '{cans'],
    ['when', 'null', null],
    ['when', 'noon', 'noon'],
    ['zones', '3', 3],
  ])('under %s, %s is %o', (key, written, value) => {
    expect(calls(`<tool_call>water${pair('bed', 'rose')}${pair(key, written)}</tool_call>`)).toEqual([
      ['water', { bed: 'rose', [key]: value }],
    ]);
  });

  it('stay text in JSON, where the model could have left the quotes out', () => {
    const text = '<tool_call>{"name": "water", "arguments": {"bed": "rose", "amount": "12"}}</tool_call>';
    expect(calls(text)).toEqual([['water', { bed: 'rose', amount: '12' }]]);
  });

  it('keep a last newline that no first one frames', () => {
    expect(calls(`<tool_call>water${pair('bed', '  rose\n')}</tool_call>`)).toEqual([['water', { bed: '  rose\n' }]]);
    expect(calls(`<tool_call>water${pair('bed', '\nrose\n')}</tool_call>`)).toEqual([['water', { bed: 'rose' }]]);
  });

  it('keep null where the schema says nothing', () => {
    const text =
      '<tool_call>{"name": "water", "arguments": {"bed": "rose", "extra": null, "litres": null}}</tool_call>';
    expect(calls(text)).toEqual([['water', { bed: 'rose', extra: null }]]);
  });

  it('make a list of an element that repeats in an object', () => {
    const text = '<invoke name="water"><bed>rose</bed><plan><day>Mon</day><day>Thu</day><by>Li</by></plan></invoke>';
    expect(calls(text)).toEqual([['water', { bed: 'rose', plan: { day: ['Mon', 'Thu'], by: 'Li' } }]]);
  });

  it('end before the token that opens the next call', () => {
    const text =
      '<|tool_call:start|>water\n<|tool_arg:start|>bed<|tool_arg:value|>rose<|tool_call:end|><|tool_call:start|>list_beds\n<|tool_call:end|>';
    expect(calls(text)).toEqual([
      ['water', { bed: 'rose' }],
      ['list_beds', {}],
    ]);
  });
});

describe('reasoning', () => {
  it.each([
    '<|plan:begin_think:plan|>which?<|plan:end_think:plan|>Bed three.',
    '<|think:start|>which?<|think:end|>Bed three.',
    '<|channel>which?<channel|>Bed three.',
    '<|channel>thought\nwhich?<channel|>Bed three.<channel|>',
    ' to=self<|message|>which?<|eom|><|start|>assistant to=user<|message|>Bed three.<|eot|>',
  ])('ends where its own kind ends: %s', (text) => {
    expect(read(text)).toMatchObject({ reasoning: 'which?', content: 'Bed three.' });
  });

  it('that the prompt opened ends at any end of reasoning', () => {
    expect(read('which?<channel|>Bed three.', 'stop', true)).toMatchObject({
      reasoning: 'which?',
      content: 'Bed three.',
    });
  });

  it('holds the calls that stand in it', () => {
    const call = '<tool_call>{"name": "list_beds", "arguments": {}}</tool_call>';
    expect(calls(` to=self<|message|>maybe ${call}<|eom|>`)).toEqual([]);
    expect(calls(`<|channel>maybe ${call}<channel|>`)).toEqual([]);
  });
});

describe('an action behind a final answer', () => {
  it('is no part of the turn', () => {
    const reply = read('Final Answer: The roses are fine.\nAction: list_beds\nAction Input: {}');
    expect(reply.calls).toEqual([]);
    expect(reply.rejected).toMatchObject([{ name: 'list_beds', failure: 'not_a_call' }]);
  });
});

describe('a text with quotes of its own kind', () => {
  it('does not end before more closers than the call has', () => {
    const text = `<|tool_call_start|>[water(bed='say "join(map('-', f('x')))"')]<|tool_call_end|>`;
    expect(calls(text)).toEqual([['water', { bed: `say "join(map('-', f('x')))"` }]]);
  });
});

describe('messages that are addressed to a tool', () => {
  const script: ParseTool = {
    name: 'python',
    description: 'Runs a program.',
    parameters: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
  };
  const header = '<|start|>assistant<|channel|>commentary to=python <|constrain|>code<|message|>';

  it('may hold its one argument as plain text', () => {
    const { calls: found, content } = parseReply({
      text: `${header}print(2 < 3)\nprint("x")<|call|>`,
      tools: [script],
      finishReason: 'stop',
    });
    expect(found.map(({ arguments: args }) => args)).toEqual([{ code: 'print(2 < 3)\nprint("x")' }]);
    expect(content).toBe('');
  });

  it('do not run when they are cut, or when the tool is not known', () => {
    expect(parseReply({ text: `${header}print(2 <`, tools: [script], finishReason: 'length' }).calls).toEqual([]);
    expect(read(`${header}print(2)<|call|>`)).toMatchObject({ calls: [], content: '', rejected: [{ name: 'python' }] });
  });
});

describe('a text between two equal tokens', () => {
  it.each([
    ['water{bed:<|"|>rose}', { bed: 'rose' }],
    ['water{plan:{by:<|"|>Li}, bed:<|"|>rose<|"|>}', undefined],
    ['water{bed:<|"|>rose<|"|>litres:3}', { bed: 'rose', litres: 3 }],
    ["water{bed:'rose'<|\"|>}", { bed: 'rose' }],
  ])('%s', (body, expected) => {
    const text = `<|tool_call>call:${body}<tool_call|><|tool_call>call:list_beds{}<tool_call|>`;
    const found = calls(text).filter((call) => (call as unknown[])[0] === 'water');
    expect(found).toEqual(expected === undefined ? [] : [['water', expected]]);
  });
});

describe('words around a call', () => {
  it('quote it when the sentence goes on, and do not when another one begins', () => {
    const call = '{"name": "list_beds", "arguments": {}}';
    expect(calls(`Looking that up: ${call} Would you like more?`)).toEqual([['list_beds', {}]]);
    expect(calls(`Looking that up: ${call}; ${call} Would you like more?`)).toEqual([['list_beds', {}]]);
    expect(calls(`You may send ${call} to see them.`)).toEqual([]);
  });
});

describe('a reply that ends early', () => {
  it.each(['{"name": "water", "arguments": {"bed": ', '<tool_call>{"name": "water", "arguments": {"bed":'])(
    'tells the call that it began: %s',
    (text) => {
      expect(read(text, 'length')).toMatchObject({ calls: [], content: '', incomplete: [{ name: 'water' }] });
    },
  );

  it('shows no half element', () => {
    expect(read('Bed three.<|open|>call tool="wat', 'length').content).toBe('Bed three.');
    expect(read('Bed three.<|close|>response').content).toBe('Bed three.');
  });
});

describe('a call behind a tool result that the model made up', () => {
  const water = (bed: string): string => `<tool_call>{"name": "water", "arguments": {"bed": "${bed}"}}</tool_call>\n`;

  it.each([
    '<tool_response>rose is dry</tool_response>',
    '<function_results>\n玫瑰缺水\n</function_results>',
    '<|observation|>\nrose is dry<|assistant|>',
  ])('does not run: %s', (result) => {
    const reply = read(`<tool_call>{"name": "list_beds", "arguments": {}}</tool_call>\n${result}\n${water('玫瑰')}`);
    expect(reply.calls.map(({ name }) => name)).toEqual(['list_beds']);
    expect(reply.rejected.map(({ name }) => name)).toEqual(['water']);
  });

  it('runs when the result is empty, or no call stands before it', () => {
    expect(calls(`${water('a')}<tool_response>\n</tool_response>\n${water('b')}`)).toHaveLength(2);
    expect(calls(`<tool_response>rose is dry</tool_response>\n${water('a')}`)).toHaveLength(1);
  });
});

describe('reasoning without tags', () => {
  it('begins and ends with its sentences', () => {
    expect(read('Here is my thought process: which? Here is my response: Bed three.')).toMatchObject({
      reasoning: 'which?',
      content: 'Bed three.',
    });
    expect(calls('Here is my thought process: <tool_call>{"name": "list_beds", "arguments": {}}</tool_call>')).toEqual(
      [],
    );
  });

  it('that the prompt opened ends with its message', () => {
    expect(read('which?<|end|><|start|>assistant<|channel|>final<|message|>Bed three.', 'stop', true)).toMatchObject({
      reasoning: 'which?',
      content: 'Bed three.',
    });
  });
});

describe('deltas with content as parts', () => {
  it('keep text and thinking apart, and leave out what is neither', () => {
    const assembler = createDeltaAssembler();
    assembler.push({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'which' }] }] });
    assembler.push({ content: [{ type: 'thinking', thinking: '?' }, { type: 'text', text: 'Bed ' }, null] });
    assembler.push({
      content: [
        { type: 'other', text: { at: 1 } },
        { type: 'text', text: 'three.' },
      ],
    });
    expect(assembler.message()).toEqual({ role: 'assistant', content: 'Bed three.', reasoning_content: 'which?' });
  });
});
