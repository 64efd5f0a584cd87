import { describe, expect, it } from 'vitest';
import { parseReply } from '../../src/parse/reply.js';
import { toolSets } from '../corpus/load.js';

const tools = toolSets.harbour ?? [];
const read = (text: string, finishReason = 'stop') => parseReply({ text, tools, finishReason });
const calls = (text: string, finishReason = 'stop') =>
  read(text, finishReason).calls.map(({ name, arguments: args }) => [name, args]);
const tide = [['tide_table', { port: 'Bergen' }]];

describe('what is refused rather than run cut or by mistake', () => {
  const page = '<tool_call>\nname: save_page\narguments:\n  slug: a.html\n  markup: ';

  it('keeps whatever stands further in than its key as the text of it, to the byte', () => {
    const rows = ['<html>', '```bash', '[TODO] two', 'x <callback> y', 'ends in blanks  '];
    const text = `${page}|\n${rows.map((row) => `    ${row}\n`).join('')}</tool_call>`;
    expect(calls(text)).toEqual([['save_page', { slug: 'a.html', markup: `${rows.join('\n')}\n` }]]);
    expect(calls(text.replaceAll('\n', '\r\n'))).toHaveLength(1);
  });

  it.each([
    ['markup outside of it', `${page}|\n    one\n<b>two</b>\n</tool_call>`],
    ['an end that never comes', `${page}|\n${'    line\n'.repeat(20_000)}</tool_call>`],
    ['a way of ending that is not known', `${page}|+\n    one\n</tool_call>`],
  ])('does not run part of a text for all of it: %s', (_, text) => {
    expect(calls(text)).toEqual([]);
  });

  it('does not end a value at a tag in the middle of it', () => {
    const text = `${page}click <callback> and pay\n</tool_call>`;
    expect(calls(text)).toEqual([['save_page', { slug: 'a.html', markup: 'click <callback> and pay' }]]);
  });

  it.each([
    ['The config now reads:\n\n```text\ntide_table\nport: Bergen\n```\n\nLet me know.'],
    ['```\nname: tide_table\nport: Bergen\n```'],
    ['These are my tools:\n<tools>\n{"name":"tide_table","parameters":{"port":"the port"}}\n</tools>'],
    ['Session log\n[Calling tool: tide_table(port="Bergen")]\nfinished at 10:05'],
  ])('takes no configuration, declaration or record for a call: %s', (text) => {
    expect(calls(text)).toEqual([]);
  });
});

describe('a call in YAML behind a marker', () => {
  const yaml = '<tool_call>\nname: tide_table\narguments:\n  port: Bergen\n';

  it('is a call', () => {
    expect(calls(`${yaml}</tool_call>`)).toEqual(tide);
    expect(calls('<tool_call>\ntide_table:\n  port: Bergen\n</tool_call>')).toEqual(tide);
    expect(calls('```tool_call\ntide_table\nport: Bergen\n```')).toEqual(tide);
  });

  it('is cut when the reply was, and its marker does not end', () => {
    expect(calls(yaml, 'length')).toEqual([]);
    expect(read(yaml, 'length').incomplete).not.toEqual([]);
    expect(calls(yaml, 'stop')).toEqual(tide);
  });

  it('keeps texts of several lines, and texts that look like numbers', () => {
    const page =
      '<tool_call>\nname: save_page\narguments:\n  slug: "007"\n  markup: |\n    # one\n\n      two\n</tool_call>';
    expect(calls(page)).toEqual([['save_page', { slug: '007', markup: '# one\n\n  two\n' }]]);
    expect(calls('<tool_call>\nname: tide_table\narguments:\n  port: 1.10\n</tool_call>')).toEqual([
      ['tide_table', { port: '1.10' }],
    ]);
    const items = '<tool_call>\nname: set_form\narguments:\n  arr:\n  - a: 1\n    b: x\n  - a: 2\n</tool_call>';
    expect(calls(items)).toEqual([['set_form', { arr: [{ a: 1, b: 'x' }, { a: 2 }] }]]);
  });

  it.each([
    'port: Bergen # the port in the north',
    'port: &home Bergen',
    'port: !!str Bergen',
    'port: Bergen\n    and more',
    'port: Bergen\n  port: Oslo',
  ])('is not read where it has two meanings: %s', (line) => {
    expect(calls(`<tool_call>\nname: tide_table\narguments:\n  ${line}\n</tool_call>`)).toEqual([]);
  });

  it('is no call without a marker, and none in words', () => {
    expect(calls('name: tide_table\narguments:\n  port: Bergen')).toEqual([]);
    expect(calls('<tool_call> is a marker: it opens a call.')).toEqual([]);
  });
});

describe('a call in a sentence', () => {
  it('counts when the sentence says that it is made, and it ends the reply', () => {
    expect(calls('我现在调用tide_table{"port": "Bergen"}')).toEqual(tide);
    expect(calls('Now I\'ll call tide_table({"port": "Bergen"}).')).toEqual(tide);
  });

  it.each([
    '你可以调用tide_table{"port": "Bergen"}',
    '例如，调用tide_table{"port": "Bergen"}',
    '昨天我调用了tide_table{"port": "Bergen"}',
    '如果需要，我会调用tide_table{"port": "Bergen"}',
    '我现在调用tide_table{"port": "Bergen"}来查询潮汐。',
    '先调用list_boats{}，\n然后我来调用tide_table{"port": "Bergen"}',
    'You can call tide_table({"port": "Bergen"})',
    'I would call tide_table({"port": "Bergen"})',
    'Should I call tide_table({"port": "Bergen"})',
    'I will call tide_table({"port": "Bergen"}) and then sleep.',
    '1. I\'ll call find_book(title="x")\n2. Then I\'ll call tide_table(port="Bergen")',
  ])('is told of, and its text stays: %s', (text) => {
    const reply = read(text);
    expect(reply.calls).toEqual([]);
    expect(reply.content).toBe(text);
  });
});

describe('a name apart from its bracket', () => {
  it('is called with named arguments', () => {
    expect(calls('tide_table (port="Bergen")')).toEqual(tide);
    expect(calls('<tool_call>\ntide_table  (port="Bergen")\n</tool_call>')).toEqual(tide);
  });

  it.each([
    'tide_table (for ports)',
    'tide_table ()',
    'tide_table (port == "Bergen")',
    'Use tide_table (port="Bergen") for that.',
    '@tide_table(port="Bergen")\ndef handler():\n    pass',
    '@tide_table(port="Bergen")\n@other\nclass Handler:\n    pass',
  ])('is text otherwise: %s', (text) => {
    expect(calls(text)).toEqual([]);
  });
});

describe('a list of tools', () => {
  it('holds a call when it has arguments and nothing follows', () => {
    expect(calls('<tools>\n{"name": "tide_table", "arguments": {"port": "Bergen"}}\n</tools>')).toEqual(tide);
  });

  it.each([
    '<tools>\n{"name": "tide_table", "arguments": {"port": "Bergen"}}\n</tools>\nThese I have.',
    '<tools>\n{"name": "list_boats", "description": "boats", "parameters": {}}\n</tools>',
    '<tools>\n{"type": "function", "function": {"name": "list_boats", "parameters": {}}}\n</tools>',
    '<tools>list_boats</tools>',
  ])('declares them otherwise: %s', (text) => {
    expect(calls(text)).toEqual([]);
  });
});

describe('brackets that close nothing', () => {
  it('may have been part of a value without quotes', () => {
    expect(calls('<tool_call>\nsum_up(a=1], b=2)\n</tool_call>')).toEqual([]);
    expect(calls('evaluate(formula=x=1])')).toEqual([]);
  });
});

describe('quotes around all texts of a layout without types', () => {
  const pairs = (...args: readonly (readonly [string, string])[]): string =>
    `<tool_call>save_page\n${args.map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`).join('')}</tool_call>`;

  it('are those of JSON', () => {
    expect(calls(pairs(['slug', '"a"'], ['markup', '"one\\ntwo"']))).toEqual([
      ['save_page', { slug: 'a', markup: 'one\ntwo' }],
    ]);
  });

  it('are data when one text has none, and when there is only one', () => {
    expect(calls(pairs(['slug', 'a'], ['markup', '"one"']))).toEqual([['save_page', { slug: 'a', markup: '"one"' }]]);
    const one = '<tool_call>find_book<arg_key>title</arg_key><arg_value>"Emma"</arg_value></tool_call>';
    expect(calls(one)).toEqual([['find_book', { title: '"Emma"' }]]);
  });
});

describe('tags and tokens of thoughts that no table lists', () => {
  it.each([
    ['<deep_thinking>hm</deep_thinking>Hello', 'hm'],
    ['<思考>嗯</思考>Hello', '嗯'],
    ['<|thinking about it|>hm<|done thinking|>Hello', 'hm'],
    ['<unused94>thought\nhm<unused95>Hello', 'hm'],
  ])('hold reasoning: %s', (text, reasoning) => {
    expect(read(text)).toMatchObject({ content: 'Hello', reasoning });
  });

  it.each(['<deep_thinking>hm Hello', '<reasoning_effort>high</reasoning_effort> Hello', '<food>thought</food> Hello'])(
    'are text without an end, and when they name something else: %s',
    (text) => {
      expect(read(text)).toMatchObject({ content: text, reasoning: '' });
    },
  );
});

describe('arguments that say their type themselves', () => {
  it('keep a text that looks like another value', () => {
    const note = (string: boolean): string =>
      `<｜DSML｜function_calls><｜DSML｜invoke name="set_form"><｜DSML｜parameter name="note" string="${string}">null</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`;
    expect(calls(note(true))).toEqual([['set_form', { note: 'null' }]]);
    expect(calls(note(false))).toEqual([['set_form', { note: null }]]);
  });
});

describe('a list that tells how many items come', () => {
  const toon = (line: string): string =>
    `<tool_call>\nname: plan_meeting\narguments:\n  title: Standup\n  ${line}\n</tool_call>`;

  it('is read when they do', () => {
    expect(calls(toon('guests[2]: Ann,Bo'))).toEqual([['plan_meeting', { title: 'Standup', guests: ['Ann', 'Bo'] }]]);
    const rows = '<tool_call>\nname: set_form\narguments:\n  arr[2]{id,who}:\n    1,Ann\n    2,Bo\n</tool_call>';
    expect(calls(rows)).toEqual([
      [
        'set_form',
        {
          arr: [
            { id: 1, who: 'Ann' },
            { id: 2, who: 'Bo' },
          ],
        },
      ],
    ]);
  });

  it('is not read when they do not', () => {
    expect(calls(toon('guests[3]: Ann,Bo'))).toEqual([]);
    expect(calls(toon('guests[2]: "Ann, the boss",Bo'))).toEqual([]);
  });
});

describe('a reply that imitates the record of a call', () => {
  it('calls in the present, not in the past', () => {
    expect(calls('[Calling tool: tide_table({"port": "Bergen"})]')).toEqual(tide);
    expect(read('[Calling tool: tide_table({"port": "Bergen"})]').content).toBe('');
    expect(calls('[调用工具：tide_table(port="Bergen")]')).toEqual(tide);
    expect(calls('[Called tool: tide_table({"port": "Bergen"})]')).toEqual([]);
  });
});

describe('channels without their tokens', () => {
  it('are told apart when both stand there', () => {
    const reply = read('analysisTwo and two.assistantfinalFour.');
    expect(reply).toMatchObject({ content: 'Four.', reasoning: 'Two and two.' });
    expect(read('analysis of the tides').content).toBe('analysis of the tides');
  });
});

describe('a name that its first key is glued to', () => {
  it('is told by the tools when only one pair fits', () => {
    const glued = (word: string): string => `<tool_call>${word}</arg_key><arg_value>Bergen</arg_value></tool_call>`;
    expect(calls(glued('tide_tableport'))).toEqual(tide);
    expect(calls(glued('tide_tableports'))).toEqual([]);
  });
});

describe('a label and its input on one line', () => {
  it('are a call', () => {
    expect(calls('Action: tide_table, Action Input: {"port": "Bergen"}')).toEqual(tide);
    expect(calls('调用工具：tide_table，参数：{"port": "Bergen"}')).toEqual(tide);
  });
});
