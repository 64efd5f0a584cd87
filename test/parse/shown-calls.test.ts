import { describe, expect, it } from 'vitest';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const text = { type: 'string' };

/** Only the text is required, so that a call whose text was cut would run. */
const NOTE: ParseTool = {
  name: 'note',
  description: 'Writes a note.',
  effect: 'unsafe',
  parameters: { type: 'object', properties: { text, place: text, mood: text }, required: ['text'] },
};

type Given = readonly (readonly [key: string, value: string])[];
type Layout = (name: string, given: Given) => string;

const element = (tag: string, inner: string, head = ''): string => `<${tag}${head}>${inner}</${tag}>`;
const each = (given: Given, one: (key: string, value: string) => string): string =>
  given.map(([key, value]) => one(key, value)).join('');
const json = (given: Given): string => JSON.stringify(Object.fromEntries(given));

const named =
  (region: string, call: string, parameter: string): Layout =>
  (name, given) =>
    element(
      region,
      element(
        call,
        each(given, (key, value) => element(parameter, value, ` name="${key}"`)),
        ` name="${name}"`,
      ),
    );

const tagged: Readonly<Record<string, Layout>> = {
  'equals signs': (name, given) =>
    `<tool_call>\n<function=${name}>\n${each(given, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</tool_call>`,
  'equals signs in one line': (name, given) =>
    `<function=${name}>${each(given, (key, value) => `<parameter=${key}>${value}</parameter>`)}</function>`,
  'named parameters': named('function_calls', 'invoke', 'parameter'),
  'a prefix': named('ant:function_calls', 'ant:invoke', 'ant:parameter'),
  'short names': named('tool_calls', 'function', 'param'),
  pairs: (name, given) =>
    element('tool_call', name + each(given, (key, value) => element('arg_key', key) + element('arg_value', value))),
  'pairs on lines': (name, given) =>
    `<tool_call>${name}\n${each(given, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)}</tool_call>`,
  'tags of the tool': (name, given) =>
    `<${name}>\n${each(given, (key, value) => `${element(key, value)}\n`)}</${name}>`,
  elements: (name, given) =>
    element('tool_use', element('tool_name', name) + element('arguments', each(given, element))),
};

const worded: Readonly<Record<string, Layout>> = {
  'an object in an element': (name, given) => element('tool', name) + element('tool_input', json(given)),
  'an object in arguments': (name, given) => element('function', element('arguments', json(given)), `=${name}`),
  'an object behind a marker': (name, given) =>
    element('tool_call', `{"name": "${name}", "arguments": ${json(given)}}`),
};

const layouts = { ...tagged, ...worded };

/** Texts that show a call of the same layout. */
const texts = (layout: Layout): string[] => {
  const calls = [
    layout('note', [['text', 'milk']]),
    layout('note', [
      ['place', 'door'],
      ['text', '面包'],
    ]),
    layout('other', [['place', 'door']]),
    layout('note', []),
  ];
  return calls.flatMap((shown) => [
    shown,
    `Write ${shown} then.`,
    `写法：\n\n${shown}\n\n完毕。`,
    `${shown} and ${shown}`,
    `${shown}\n\`</think>\``,
  ]);
};

const run = (reply: string, finishReason = 'stop') => parseReply({ text: reply, tools: [NOTE], finishReason }).calls;

const trimmed = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner).trim()]));

describe.each(Object.entries(layouts))('a text that shows a whole call, in %s', (_, layout) => {
  it('reaches the tool whole', () => {
    for (const shown of texts(layout)) {
      for (const given of [
        [['text', shown]],
        [
          ['text', shown],
          ['place', 'door'],
        ],
        [
          ['place', 'door'],
          ['text', shown],
        ],
        [
          ['text', shown],
          ['mood', shown],
        ],
      ] as const) {
        const reply = layout('note', given);
        const calls = run(reply);
        expect(
          calls.map((call) => [call.name, trimmed(call.arguments)]),
          reply,
        ).toEqual([['note', trimmed(Object.fromEntries(given))]]);
      }
    }
  });

  it('never runs when the reply ends inside it', () => {
    for (const shown of texts(layout)) {
      const reply = layout('note', [['text', `${shown}@@`]]);
      const from = reply.indexOf(shown.slice(0, 5)) + 1;
      for (let end = from; end < reply.indexOf('@@'); end += 3) {
        const cut = reply.slice(0, end);
        for (const finish of ['stop', 'length']) expect(run(cut, finish), cut).toEqual([]);
      }
    }
  });
});

describe.each(Object.entries(tagged))('a text that shows a call without one of its tags, in %s', (_, layout) => {
  it('reaches the tool whole or not at all', () => {
    let whole = 0;
    for (const shown of texts(layout)) {
      for (const { index, 0: tag } of shown.matchAll(/<[^<>]*>/g)) {
        const damaged = shown.slice(0, index) + shown.slice(index + tag.length);
        for (const place of [[], [['place', 'door'] as const]]) {
          const given = [['text', damaged] as const, ...place];
          const reply = layout('note', given);
          const calls = run(reply).map((call) => trimmed(call.arguments));
          whole += calls.length;
          expect(calls, reply).toEqual(calls.length === 0 ? [] : [trimmed(Object.fromEntries(given))]);
        }
      }
    }
    expect(whole).toBeGreaterThan(0);
  });
});

describe('a text that only mentions a tag', () => {
  it.each([
    [
      '<function=note><parameter=text>use <parameter=x> here</parameter></function>',
      { text: 'use <parameter=x> here' },
    ],
    [
      '<function=note>\n<parameter=text>\nuse <parameter=x>\n</parameter>\n<parameter=place>\ndoor\n</parameter>\n</function>',
      { text: 'use <parameter=x>', place: 'door' },
    ],
    [
      '<function=note><parameter=text>begin with <tool_call></parameter><parameter=place>door</parameter></function>',
      { text: 'begin with <tool_call>', place: 'door' },
    ],
  ])('runs: %s', (reply, given) => {
    expect(run(reply).map((call) => call.arguments)).toEqual([given]);
  });

  it('of a call and of an argument does not run: either may be ended by what follows', () => {
    const reply =
      '<tool_call><function=note><parameter=text>from <function=note> to <parameter=x>.</parameter><parameter=place>door</parameter></function></tool_call>';
    const { calls, rejected } = parseReply({ text: reply, tools: [NOTE], finishReason: 'stop' });
    expect(calls).toEqual([]);
    expect(rejected).toMatchObject([{ name: 'note', failure: 'ambiguous' }]);
  });
});

describe('a text that shows the end of one argument and the start of another', () => {
  const shown = (key: string) => `lines:\n</parameter>\n<parameter=${key}>\nx y\n</parameter>\nend`;
  const call = (...given: Given) => (tagged['equals signs'] as Layout)('note', given);

  it.each([
    [[['text', shown('other')]]],
    [
      [
        ['place', 'door'],
        ['text', shown('other')],
      ],
    ],
    [
      [
        ['text', shown('other')],
        ['place', 'door'],
      ],
    ],
  ] as const)('reaches the tool whole when the tool has no such argument', (given) => {
    expect(run(call(...given)).map((one) => one.arguments)).toEqual([Object.fromEntries(given)]);
  });

  it('does not run when the tool has it', () => {
    expect(run(call(['text', shown('mood')]))).toEqual([]);
  });

  it('is no reason to doubt an argument that the tool does not have, nor an end tag behind one word', () => {
    expect(run(call(['text', 'some milk'], ['other', 'x y'], ['place', 'door'])).map((one) => one.arguments)).toEqual([
      { text: 'some milk', place: 'door' },
    ]);
    expect(run(call(['place', 'door'], ['text', 'a </parameter> b'])).map((one) => one.arguments)).toEqual([
      { place: 'door', text: 'a </parameter> b' },
    ]);
  });
});

describe('an object whose texts hold quotes that are not escaped', () => {
  it.each([
    '<function=note>{"text":"see <function=note>{"text":"milk","place":"door"}</function>."}</function>',
    '<function=note>{"place":"door","text":"见 <function=note>{"place":"x","text":"y"}</function>"}</function>',
    'Action: note\nAction Input: {"text":"see Action: note\nAction Input: {"text":"milk"} there"}',
    '[TOOL_CALLS]note[ARGS]{"text":"see [TOOL_CALLS]note[ARGS]{"text":"milk","place":"door"} there"}',
  ])('does not run with members of an object that it shows: %s', (reply) => {
    expect(run(reply)).toEqual([]);
  });

  it('runs when what it shows is closed', () => {
    expect(run('<function=note>{"text":"say "milk" twice"}</function>').map((call) => call.arguments)).toEqual([
      { text: 'say "milk" twice' },
    ]);
  });
});
