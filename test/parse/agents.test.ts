import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';

const text = { type: 'string' };
const tool = (name: string, properties: object, required: string[] = []): ParseTool => ({
  name,
  description: name,
  effect: 'unsafe',
  parameters: { type: 'object', properties, required } as ParseTool['parameters'],
});
const tools: ParseTool[] = [
  tool('look_up', { query: text }, ['query']),
  tool('shell', { command: text }, ['command']),
  tool('paint', { prompt: text }, ['prompt']),
  tool('browse', { action: text, reason: text }, ['action']),
  tool('use_mcp_tool', { server_name: text, tool_name: text, arguments: text }, ['tool_name']),
];

type Expected = readonly (readonly [name: string, args: object])[];
const look: Expected = [['look_up', { query: 'old maps' }]];

const layouts: readonly (readonly [what: string, reply: string, calls: Expected])[] = [
  ['name and input in two elements', '<tool>look_up</tool><tool_input>old maps</tool_input>', look],
  ['the same, stopped at the end tag', '<tool>look_up</tool>\n<tool_input>old maps', look],
  [
    'an input that is the name of a tool',
    '<tool>look_up</tool><tool_input>shell</tool_input>',
    [['look_up', { query: 'shell' }]],
  ],
  [
    'flowers around labels',
    '好的。\n✿FUNCTION✿: look_up\n✿ARGS✿: {"query": "old maps"}\n✿FUNCTION✿: paint\n✿ARGS✿: {"prompt": "a map"}\n✿RESULT✿',
    [...look, ['paint', { prompt: 'a map' }]],
  ],
  [
    'arguments on lines of their own',
    'Let me look.\n```tool\nTOOL_NAME: look_up\nBEGIN_ARG: query\nold maps\nEND_ARG\n```',
    look,
  ],
  ['the same without a fence', '我来查一下。\nTOOL_NAME: look_up\nBEGIN_ARG: query\nold maps\nEND_ARG\n', look],
  ['the same with the name alone', '```tool\nlook_up\nbegin_arg: query\nold maps\nend_arg\n```', look],
  [
    'two of them, with lines inside',
    '```tool\nTOOL_NAME: shell\nBEGIN_ARG: command\ncat <<E\nBEGIN\nE\nEND_ARG\n```\n然后\n```tool\nTOOL_NAME: look_up\nBEGIN_ARG: query\n古地图\nEND_ARG\n```',
    [
      ['shell', { command: 'cat <<E\nBEGIN\nE' }],
      ['look_up', { query: '古地图' }],
    ],
  ],
  ['a name that is explained', 'Action: look_up (finds things in books)\nAction Input: {"query": "old maps"}', look],
  ['words in braces', 'Action: look_up\nAction Input: {old maps}', [['look_up', { query: '{old maps}' }]]],
  ['words in brackets', 'Action: look_up\nAction Input: "[maps of old]"', [['look_up', { query: '[maps of old]' }]]],
  [
    'a program and its line',
    '<tool: shell>\ncat a.txt | wc -l\n</tool>',
    [['shell', { command: 'cat a.txt | wc -l' }]],
  ],
  ['a function and its line', '<tool: function>\nshell ls -l\n</tool>', [['shell', { command: 'ls -l' }]]],
  [
    'a line with angle brackets',
    '<tool: shell>\ncat <<X > a.txt\nhello\nX\n</tool>',
    [['shell', { command: 'cat <<X > a.txt\nhello\nX' }]],
  ],
  [
    'a tool whose parameters have the names of wrappers',
    '<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>t</tool_name>\n<arguments>{"k": 1}</arguments>\n</use_mcp_tool>',
    [['use_mcp_tool', { server_name: 's', tool_name: 't', arguments: '{"k": 1}' }]],
  ],
  [
    'a tool whose parameters have the names of markers',
    '<browse>\n<action>open</action>\n<reason>看一眼</reason>\n</browse>',
    [['browse', { action: 'open', reason: '看一眼' }]],
  ],
  [
    'a text that stands behind the parameter left empty for it',
    '<tool_call>\n{"name": "shell", "arguments": {"command": ""}}\n<command>\nif a < b; then\n  echo "x"\nfi\n</command>\n</tool_call>',
    [['shell', { command: 'if a < b; then\n  echo "x"\nfi' }]],
  ],
  [
    'an empty parameter, and an element of another name',
    '<tool_call>{"name": "look_up", "arguments": {"query": ""}}</tool_call>\n<code>1</code>',
    [['look_up', { query: '' }]],
  ],
  [
    'an action behind the answer',
    'Final Answer: it is so\n\nAction:\n```\n{"action": "look_up", "action_input": "old maps"}\n```',
    [],
  ],
  [
    'members that came loose',
    '<tool_call>{"name": "look_up", "arguments": {"query": "maps", ["x"], "page": 2}}</tool_call>',
    [],
  ],
];

describe('layouts of agent frameworks', () => {
  it.each(layouts)('%s', (_, reply, calls) => {
    const read = parseReply({ text: reply, tools, finishReason: 'stop' });
    expect(read.calls.map((call) => [call.name, call.arguments])).toEqual(calls);
    const stream = createReplyStream({ tools });
    for (const char of reply) stream.push(char);
    expect(stream.end('stop').calls).toEqual(read.calls);
  });

  it.each(layouts)('%s: cut off, it gives no call that was not whole', (_, reply, calls) => {
    const whole = calls.map(([name, args]) => JSON.stringify([name, args]));
    for (let at = 0; at < reply.length; at++) {
      const read = parseReply({ text: reply.slice(0, at), tools, finishReason: 'length' });
      for (const call of read.calls) expect(whole).toContain(JSON.stringify([call.name, call.arguments]));
    }
  });
});

it('two different objects behind one action give no call', () => {
  const reply = 'Action: look_up\nAction Input: {"query": "old maps"}{"query": "new maps"}';
  expect(parseReply({ text: reply, tools, finishReason: 'stop' })).toMatchObject({
    calls: [],
    rejected: [{ name: 'look_up' }],
  });
});

describe('arguments of native calls', () => {
  const native = (args: string) =>
    parseReply({ message: { tool_calls: [{ id: 'c1', function: { name: 'look_up', arguments: args } }] }, tools });

  it('are read behind an empty object', () => {
    expect(native('{}{"query": "old maps"}').calls).toMatchObject([{ arguments: { query: 'old maps' } }]);
  });

  it('may stand there twice', () => {
    expect(native('{"query": "a"}{"query": "a"}').calls).toMatchObject([{ arguments: { query: 'a' } }]);
  });

  it('are the first of two blocks when the second means something else', () => {
    const second = '```json\n{"other": 1}\n```';
    expect(native(`\`\`\`json\n{"query": "a"}\n\`\`\`\n${second}`).calls).toMatchObject([
      { arguments: { query: 'a' } },
    ]);
  });

  it.each([
    '{"query": "a"}{"query": "b"}',
    '{"query": "a"} {"query": "b',
    '```json\n{"query": "a"}\n```\n```json\n{"query": "b"}\n```',
  ])('are not chosen out of two: %s', (args) => {
    const read = native(args);
    expect(read.calls).toEqual([]);
    expect(read.rejected).toMatchObject([{ name: 'look_up', id: 'c1' }]);
  });
});

describe('a call that holds calls', () => {
  const holder = (uses: unknown) =>
    parseReply({
      message: {
        tool_calls: [
          { id: 'c1', function: { name: 'multi_tool_use.parallel', arguments: JSON.stringify({ tool_uses: uses }) } },
          { id: 'c2', function: { name: 'paint', arguments: '{"prompt": "一张地图"}' } },
        ],
      },
      tools,
      finishReason: 'tool_calls',
    });

  it('gives them in order; its id is that of the first', () => {
    const read = holder([
      { recipient_name: 'functions.look_up', parameters: { query: 'old maps' } },
      { recipient_name: 'functions.shell', parameters: { command: 'ls' } },
    ]);
    expect(read.calls.map(({ name, id }) => [name, id])).toEqual([
      ['look_up', 'c1'],
      ['shell', undefined],
      ['paint', 'c2'],
    ]);
  });

  it.each([[[]], [[42]], ['nope'], [[{ recipient_name: 'functions.look_up', parameters: { query: 'a' } }, 7]]])(
    '%j is refused as a whole',
    (uses) => {
      expect(holder(uses)).toMatchObject({
        calls: [{ name: 'paint' }],
        rejected: [{ name: 'multi_tool_use.parallel', id: 'c1' }],
      });
    },
  );
});

describe('a list in place of the arguments', () => {
  const mark = tool('mark', { places: { type: 'array', items: { type: 'object' } } }, ['places']);
  const native = (args: string) =>
    parseReply({
      message: { tool_calls: [{ id: 'c1', function: { name: 'mark', arguments: args } }] },
      tools: [mark],
      finishReason: 'tool_calls',
    }).calls.map((call) => call.arguments);

  it('is the one parameter when that takes a list', () => {
    expect(native('[{"x": 1}, {"x": 2}]')).toEqual([{ places: [{ x: 1 }, { x: 2 }] }]);
    expect(native('[{"x": 1}]')).toEqual([{ places: [{ x: 1 }] }]);
    expect(native('[{"places": [{"x": 1}]}]')).toEqual([{ places: [{ x: 1 }] }]);
  });
});
