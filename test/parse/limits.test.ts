import { describe, expect, it } from 'vitest';
import { createDeltaAssembler } from '../../src/parse/delta.js';
import { readElements } from '../../src/parse/elements.js';
import { extendMarkers } from '../../src/parse/extend.js';
import { readJsonText } from '../../src/parse/json.js';
import { applyEdits } from '../../src/parse/json-edit.js';
import { MARKERS } from '../../src/parse/markers.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';
import { hostileShapes, hostileText } from '../corpus/hostile.js';

const tools: ParseTool[] = [
  {
    name: 'find',
    description: 'finds',
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  },
];
const parse = (text: string) => parseReply({ text, tools, finishReason: 'stop' });

/** Processor time, so that other processes do not count. */
function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1000;
}

it('equal elements of one value take time in proportion to their number', () => {
  const value = (count: number): string => `<a>${'<b>1</b>'.repeat(count)}<c>2</c></a>`;
  const base = Math.max(
    5,
    cpuMs(() => readElements(value(10_000))),
  );
  expect(cpuMs(() => readElements(value(80_000)))).toBeLessThan(base * 40);
  expect(readElements(value(20_000))).toMatchObject({ a: { c: '2' } });
});

describe('hostile text', () => {
  const openers = [
    '[',
    '{',
    '{"a":',
    '<think>',
    '<tool_call>',
    '<tool_call>{',
    '<',
    '`',
    '```\n',
    '<!--',
    '"x" ',
    'Action: find\n',
    ':',
    ' ',
    '你',
    '\ud800',
  ];

  it.each(openers)('takes time in proportion to its length: %j', (opener) => {
    const small = opener.repeat(Math.ceil(20_000 / opener.length));
    const large = opener.repeat(Math.ceil(160_000 / opener.length));
    parse(small);
    const base = Math.max(
      5,
      cpuMs(() => parse(small)),
    );
    expect(cpuMs(() => parse(large))).toBeLessThan(base * 40);
  });

  it.each(hostileShapes)('gets an outcome: %s', (shape) => {
    const reply = parse(hostileText(shape, 50_000));
    expect(reply.meta.segments.at(-1)?.end ?? 0).toBeGreaterThan(0);
    expect(reply).toMatchObject({ state: expect.any(Object), reasoningTree: { nodes: expect.any(Array) } });
  });

  it('runs nothing out of more calls than any model means', () => {
    const call = (i: number) => `<tool_call>{"name": "find", "arguments": {"q": "${i}"}}</tool_call>\n`;
    const some = parse(Array.from({ length: 1000 }, (_, i) => call(i)).join(''));
    expect(some.calls).toHaveLength(1000);
    const many = parse(Array.from({ length: 5000 }, (_, i) => call(i)).join(''));
    expect(many.calls).toEqual([]);
    expect(many.incomplete.at(-1)?.reason).toContain('not read');
  });

  it.each(['{"a" ', '{a:[{ ', '[find(x '])('that leaves a call unread says so, and runs nothing: %s', (opener) => {
    const call = '{"name": "find", "arguments": {"q": "x"}}';
    const read = parse(`${call}\n${opener.repeat(20_000)}\n${call}`);
    expect(read.calls).toEqual([]);
    expect(read.incomplete.at(-1)?.reason).toContain('not read');
  });

  it('is not held back by what comes after it and names no tool', () => {
    const call = '{"name": "find", "arguments": {"q": "x"}}';
    expect(parse(`${call}\n${'{a:[{ '.repeat(20_000)}`)).toMatchObject({ calls: [{ name: 'find' }], incomplete: [] });
  });

  it.each(['{"a":1}\n', '{"a":{"b":[1]}}, ', 'if (a) { b(); }\n', 'f({ a: 1 });\n'])(
    'is not what only has many values in it: %s',
    (line) => {
      const read = parse(`${line.repeat(20_000)}\n{"name": "find", "arguments": {"q": "x"}}`);
      expect(read.calls).toHaveLength(1);
      expect(read.incomplete).toEqual([]);
    },
  );

  it('never reaches a prototype', () => {
    parse(
      '<tool_call>{"name": "find", "arguments": {"q": "x", "__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}</tool_call>',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('gives an outcome for what is no text and for odd tools', () => {
    const odd = [
      { name: 'toString' },
      { name: 'a', parameters: { $ref: '#' } },
      { name: 'a', parameters: [] },
      null,
    ] as never;
    expect(parseReply({ text: 7 as never, tools: odd }).calls).toEqual([]);
    expect(
      parseReply({ text: '{"name": "a", "arguments": {"x": 1}}', tools: odd, finishReason: 'stop' }).rejected,
    ).toBeDefined();
    expect(parse('<tool_call>{"name": "hasOwnProperty", "arguments": {}}</tool_call>').rejected[0]?.failure).toBe(
      'unknown_tool',
    );
  });
});

describe('a value that would have to be computed', () => {
  it.each([
    'find(q=home())',
    'find(q=user.home)',
    'find(q=db.first("x"))',
    '<tool_call>{"name": "find", "arguments": {"q": home("x")}}</tool_call>',
  ])('is not run: %s', (text) => {
    const reply = parse(text);
    expect(reply.calls).toEqual([]);
    expect(reply.incomplete).toHaveLength(1);
  });

  it('is known when it only gives a literal its type', () => {
    expect(parse('find(q=date("2026-01-31"))').calls[0]?.arguments).toEqual({ q: '2026-01-31' });
  });
});

describe('the tolerant JSON reader', () => {
  it.each(["{'a': 1,}", '{a: True // yes\n}', '{“a”：“b”}', '{"a": "he said "hi" there"}', '{"a": [1, 2'])(
    'logs what it changes: %s',
    (text) => {
      const read = readJsonText(text);
      expect(read.ok).toBe(true);
      if (read.ok) expect(JSON.parse(applyEdits(text, 0, read.end, read.edits))).toEqual(read.value);
    },
  );

  it('marks a value that was cut', () => {
    const read = readJsonText('{"a": "unfini');
    expect(read.ok && read.cut).toBe('value');
  });
});

describe('stream deltas', () => {
  const put = (...deltas: unknown[]) => {
    const assembler = createDeltaAssembler();
    for (const delta of deltas) assembler.push(delta);
    return assembler.message().tool_calls?.map((call) => [call.id, call.function.name, call.function.arguments]);
  };
  const part = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
    tool_calls: [{ index, id, function: { name, arguments: args } }],
  });

  it('joins by id first and by index second', () => {
    expect(
      put(part(0, 'a', 'find', '{"q":'), part(0, undefined, undefined, '"x"}'), part(0, 'b', 'find', '{"q":"y"}')),
    ).toEqual([
      ['a', 'find', '{"q":"x"}'],
      ['b', 'find', '{"q":"y"}'],
    ]);
  });

  it('takes the real object instead of an empty one, and an equal double once', () => {
    expect(
      put(part(0, 'a', 'find', '{}'), part(0, undefined, undefined, '{"q":"x"}'), part(0, 'a', undefined, '{"q":"x"}')),
    ).toEqual([['a', 'find', '{"q":"x"}']]);
  });
});

describe('what is told of calls that do not run', () => {
  const wrong = '<tool_call>{"name": "seek", "arguments": {"q": "x"}}</tool_call>\n';

  it('tells of the same call for the same reason once', () => {
    const { rejected } = parse(wrong.repeat(40));
    expect(rejected.map(({ name, failure }) => [name, failure])).toEqual([['seek', 'unknown_tool']]);
  });

  it('tells of each that has an id, since each must be answered', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'seek', arguments: '{"q": "x"}' } });
    const message = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] };
    expect(parseReply({ message, tools }).rejected.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('strings with JSON in them whose quotes nobody escaped', () => {
  const nested = (quotes: number) =>
    `<tool_call>{"name": "find", "arguments": "{"q": "${'say "x" '.repeat(quotes)}"}"}</tool_call>`;

  it.each([5, 400])('reads them, whether they hold few quotes or many: %i', (quotes) => {
    expect(parse(nested(quotes)).calls.map((call) => call.arguments)).toEqual([{ q: 'say "x" '.repeat(quotes) }]);
  });
});

describe('more markers', () => {
  it('reads a new format of a known shape from data alone', () => {
    const more = extendMarkers(MARKERS, { tokens: { '<<run>>': 'call', '<</run>>': 'call-end' }, rewrites: [] });
    expect(more.ok).toBe(true);
    if (!more.ok) return;
    const reply = parseReply({
      text: '<<run>>find {"q": "x"}<</run>>',
      tools,
      finishReason: 'stop',
      markers: more.table,
    });
    expect(reply.calls.map((call) => call.arguments)).toEqual([{ q: 'x' }]);
    expect(reply.content).toBe('');
  });

  it('refuses data that is wrong, in words', () => {
    expect(extendMarkers(MARKERS, { tokens: { run: 'call' } })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('tokens'),
    });
  });
});
