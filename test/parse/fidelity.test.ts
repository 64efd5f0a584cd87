import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { createReplyStream } from '../../src/parse/stream.js';

const tool = (
  name: string,
  properties: JsonObject,
  required: string[],
  effect: 'unsafe' | 'read' = 'unsafe',
): ParseTool => ({
  name,
  description: name,
  effect,
  parameters: { type: 'object', properties, required },
});
const text = { type: 'string' };
const tools: ParseTool[] = [
  tool('delete_file', { path: text }, ['path']),
  tool('write_file', { path: text, content: text }, ['path', 'content']),
  tool('find', { path: text }, ['path'], 'read'),
  tool('set_level', { level: { enum: [-5, 1.5, 15, 5] } }, ['level']),
  tool(
    'pay',
    { to: text, id: text, amount: { type: 'number', maximum: 100 }, day: { type: 'string', format: 'date' } },
    ['to'],
  ),
  tool('tag', { names: { type: 'array', items: text } }, ['names']),
  tool(
    'name_it',
    {
      code: { type: 'string', minLength: 3, maxLength: 5, pattern: '^[a-z]+$' },
      note: { type: 'string', maxLength: 3 },
    },
    ['code'],
  ),
  tool('book', { day: { type: 'string', format: 'date' } }, ['day']),
  tool('store', { value: { type: 'object' } }, ['value']),
];
const call = (name: string, args: object): string =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;
const read = (given: string, finishReason?: string) =>
  parseReply({ text: given, tools, ...(finishReason === undefined ? {} : { finishReason }) });
const args = (given: string): unknown[] => read(given, 'stop').calls.map((found) => found.arguments);

describe('an argument in tags', () => {
  const write = (content: string): string =>
    `<function=write_file><parameter=path>/a</parameter><parameter=content>${content}</parameter></function>`;

  it.each([
    'see <parameter=path>/x</parameter> in the manual',
    'it ends with </parameter> in the manual\nand goes on',
    '它以 </parameter> 结尾，\n然后继续',
    'one <parameter=a>1</parameter>, two <parameter=b>2</parameter>, done',
  ])('keeps whole arguments that it shows: %s', (content) => {
    expect(args(write(content))).toEqual([{ path: '/a', content }]);
  });

  it('that is given twice with different values is refused before something is changed', () => {
    const twice = '<function=delete_file><parameter=path>/a</parameter><parameter=path>/b</parameter></function>';
    expect(args(twice)).toEqual([]);
    expect(args('<function=tag><parameter=names>a</parameter><parameter=names>b</parameter></function>')).toEqual([
      { names: ['a', 'b'] },
    ]);
  });
});

describe('a value that is only half there', () => {
  it.each([
    'delete_file(path="/tmp/" + name)',
    'delete_file(path="/a" if old else "/b")',
    'delete_file(path=f"/tmp/{name}")',
    'delete_file(path=paths[0])',
    'pay(to="x", amount=price * 2)',
    'pay(to="x", amount=1 + 2)',
  ])('is not run: %s', (given) => {
    expect(args(given)).toEqual([]);
  });

  it.each(['delete_file(path="/a", )', 'delete_file(path="a+b")', 'delete_file(path="x if y else z")'])(
    'is told from a text that looks so: %s',
    (given) => {
      expect(args(given)).toHaveLength(1);
    },
  );

  it.each([
    'Action: delete_file\nAction Input: /tmp/ol',
    '<start_function_call>call:delete_file{path:<escape>/tmp/ol',
    '<|tool_call>call:delete_file{path:<|"|>/tmp/ol<|"|>',
  ])('does not run when nobody said that the model stopped by itself: %s', (given) => {
    expect(read(given).calls).toEqual([]);
  });

  it('of a native call does not run without its end, either', () => {
    const message = { tool_calls: [{ id: 'c', function: { name: 'delete_file', arguments: '/tmp/ol' } }] };
    expect(parseReply({ message, tools }).calls).toEqual([]);
    expect(parseReply({ message, tools, finishReason: 'tool_calls' }).calls).toHaveLength(1);
  });
});

describe('values that are right already', () => {
  it.each(['a &lt;tool_call&gt; b', '&lt;function&gt;', 'x <escape> y'])('are not rewritten: %s', (content) => {
    expect(args(JSON.stringify({ name: 'write_file', arguments: { path: '/a', content } }))).toEqual([
      { path: '/a', content },
    ]);
  });

  it('keep the digits of large numbers where the schema wants text', () => {
    expect(args('<tool_call>{"name":"pay","arguments":{"to":"x","id":12345678901234567891}}</tool_call>')).toEqual([
      { to: 'x', id: '12345678901234567891' },
    ]);
  });

  it('of a list are split outside quotes and brackets only', () => {
    expect(args(call('tag', { names: 'a, "b, c", d(e, f)' }))).toEqual([{ names: ['a', 'b, c', 'd(e, f)'] }]);
    expect(args(call('tag', { names: 'a, b' }))).toEqual([{ names: ['a', 'b'] }]);
  });

  it('of a choice of numbers keep sign and point', () => {
    expect(args(call('set_level', { level: '-5' }))).toEqual([{ level: -5 }]);
    expect(args(call('set_level', { level: '1.5' }))).toEqual([{ level: 1.5 }]);
    expect(args(call('set_level', { level: '-15' }))).toEqual([]);
  });
});

describe('limits of the schema', () => {
  it.each([
    call('book', { day: 'Marvin 3 2026' }),
    call('book', { day: 'some day' }),
    call('name_it', { code: 'ab' }),
    call('name_it', { code: 'abcdef' }),
    call('name_it', { code: 'AB1' }),
  ])('that a required value breaks hold the call back: %s', (given) => {
    expect(args(given)).toEqual([]);
  });

  it('that another value breaks are told', () => {
    const [found] = read(call('name_it', { code: 'abc', note: 'long' }), 'stop').calls;
    expect(found?.repairs).toContain('note should be of at most 3 characters');
  });

  it.each(['March 3 2026', '3 Sept 2026', '2026年3月3日'])('a date is read in words: %s', (day) => {
    expect(args(call('book', { day }))[0]).toMatchObject({ day: expect.stringMatching(/^2026-0[39]-03$/) });
  });
});

describe('the text of an argument', () => {
  const odd = 'x <|"|> y <｜DSML｜invoke name="z"> </｜DSML｜invoke> ]<]minimax[>[<a> <|open|>q<|sep|> <escape>';
  const dsml = (content: string): string =>
    `<｜DSML｜function_calls><｜DSML｜invoke name="write_file"><｜DSML｜parameter name="path" string="true">/a</｜DSML｜parameter>` +
    `<｜DSML｜parameter name="content" string="true">${content}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`;

  it.each([
    [call('write_file', { path: '/a', content: odd }), odd],
    [`<function=write_file><parameter=path>/a</parameter><parameter=content>${odd}</parameter></function>`, odd],
    [`write_file(path='/a', content='${odd}')`, odd],
    [`Action: write_file\nAction Input: ${JSON.stringify({ path: '/a', content: odd })}`, odd],
    [dsml('see <｜DSML｜x> and <|"|>'), 'see <｜DSML｜x> and <|"|>'],
    ['<|tool_call>call:write_file{path:<|"|>/a<|"|>,content:<|"|>a "b", {c}\\n<|"|>}<tool_call|>', 'a "b", {c}\\n'],
    [
      '<start_function_call>call:write_file{path:<escape>/a<escape>,content:<escape>a "b"<|"|><escape>}<end_function_call>',
      'a "b"<|"|>',
    ],
  ])('is kept to the byte, whatever is rewritten around it: %s', (given, content) => {
    expect(args(given)).toEqual([{ path: '/a', content }]);
  });

  it('that begins inside a rewritten tag is not half rewritten', () => {
    const broken =
      '<|open|>call tool="find" index="1"<|sep|><|open|>argument key="path" type="s\nse|>argument<|sep|>' +
      '<|open|>argument key="days"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|>';
    expect(args(broken)).toEqual([{ path: 'argument><argument key="days">2' }]);
  });

  it('is a number out of range as it was written', () => {
    expect(args('{"name":"delete_file","arguments":{"path":1e999}}')).toEqual([{ path: '1e999' }]);
  });

  it.each([
    { Path: '/a', PATH: '/b' },
    { path: '/a', 'Path ': '/b' },
  ])('is refused when two spellings of one parameter differ: %j', (given) => {
    const reply = read(call('delete_file', given), 'stop');
    expect(reply.calls).toEqual([]);
    expect(reply.rejected).toMatchObject([{ failure: 'invalid_arguments', reason: expect.stringContaining('twice') }]);
    expect(args(call('delete_file', { path: '/a', Path: '/a' }))).toEqual([{ path: '/a' }]);
  });

  it('between two tokens for quotes is cut when the second is missing', () => {
    expect(args('<|tool_call>call:write_file{path:<|"|>/a<|"|>,content:<|"|>half')).toEqual([]);
  });
});

describe('what only looks like a call', () => {
  it.each([
    '{"name":"delete_file","arguments":{"path":"/a"},"status":"success"}',
    '{"name":"delete_file","arguments":{"path":"/a"},"result":"done"}',
    '{"role":"tool","name":"delete_file","arguments":{"path":"/a"}}',
    '<tool_call>delete_file<b>undo</b>{"path":"/a"}</tool_call>',
    ...[`${'{'}path}`, 'YOUR_PATH', '<path>', '…', '在此填写', '{path}', '<文件路径>', 'FILE_HERE'].map((path) =>
      call('delete_file', { path }),
    ),
  ])('does not run: %s', (given) => {
    expect(args(given)).toEqual([]);
  });

  it.each([
    '{"type":"function_call","name":"delete_file","arguments":{"path":"/a"},"status":"completed"}',
    '{"name":"delete_file","arguments":{"path":"/a"},"error":null}',
    '{"role":"assistant","name":"delete_file","arguments":{"path":"/a"}}',
    call('delete_file', { path: `/home/x/${'{'}y}.txt` }),
    call('delete_file', { path: 'TODO.md' }),
  ])('is told from a call: %s', (given) => {
    expect(args(given)).toHaveLength(1);
  });

  it('is a key that would reach a prototype, at any depth', () => {
    expect(args('<tool_call>{"name":"store","arguments":{"value":{"a":{"__proto__":{"x":1}}}}}</tool_call>')).toEqual(
      [],
    );
    expect(args(call('store', { value: { a: { b: 1 } } }))).toHaveLength(1);
  });

  it('is a key that came out of a text with unescaped quotes', () => {
    expect(
      args('<tool_call>{"name":"write_file","arguments":{"path":"/a","content":"say "x", "y": "z" now"}}</tool_call>'),
    ).toEqual([]);
    expect(
      args('<tool_call>{"name":"write_file","arguments":{"path":"/a","content":"say "x" now"}}</tool_call>'),
    ).toEqual([{ path: '/a', content: 'say "x" now' }]);
  });
});

describe('two native calls with equal arguments', () => {
  it('run once, and keep both ids', () => {
    const entry = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'delete_file', arguments: '{"path":"/a"}' },
    });
    const message = { role: 'assistant', content: null, tool_calls: [entry('c1'), entry('c2')] };
    const { calls, meta } = parseReply({ message, tools, finishReason: 'tool_calls' });
    expect(calls).toMatchObject([{ id: 'c1', repeats: ['c2'] }]);
    expect(meta.repeated).toBe(1);
  });
});

describe('a stream of channels', () => {
  it('never shows thoughts as an answer', () => {
    const reply = '<|channel|>analysis<|message|>secret plan<|end|><|start|>assistant<|channel|>final<|message|>Hello';
    const stream = createReplyStream({ tools });
    const events = [...reply].flatMap((piece) => stream.push(piece));
    const shown = events
      .filter(({ type }) => type === 'text')
      .map((event) => event.text)
      .join('');
    expect(shown).not.toContain('secret');
    expect(
      events
        .filter(({ type }) => type === 'reasoning')
        .map((event) => event.text)
        .join(''),
    ).toContain('secret plan');
  });
});

describe('a pattern of a required value', () => {
  const codes = (pattern: string, code: string): unknown[] =>
    parseReply({
      text: call('set_code', { code }),
      tools: [tool('set_code', { code: { type: 'string', pattern } }, ['code'])],
      finishReason: 'stop',
    }).calls;

  it.each([
    '^[a-z]+$',
    '^[a-z]{3,}$',
    '^[*+]?[a-z]+$',
    '^\\+?\\*?[a-z]+$',
    '^(?:one|two|three)$',
    '^[a-z]{2,5}-?[0-9]{1,9}$',
  ])('is kept when it is quick to try: %s', (pattern) => {
    expect(codes(pattern, 'NOT IT')).toEqual([]);
  });

  it.each([
    '^.*.*.*.*.*x$',
    '^[a-z]+@[a-z]+$',
    '^.{0,}.{1,}x$',
    '^.{0,999}.{0,999}.{0,999}x$',
    `^${'.?'.repeat(30)}x$`,
    `^${'(a|.)'.repeat(30)}x$`,
    '^(a+)+$',
    '^(a|a){2,}$',
    '(',
    ')|',
  ])('is not tried when it could take long, or is none: %s', (pattern) => {
    expect(codes(pattern, 'A'.repeat(900))).toHaveLength(1);
  });
});
