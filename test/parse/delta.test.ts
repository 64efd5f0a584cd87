import { describe, expect, it } from 'vitest';
import { createAssembler } from '../../src/llm/assemble.js';
import { createDeltaAssembler } from '../../src/parse/delta.js';
import { type ParseTool, parseReply } from '../../src/parse/reply.js';

const tools: ParseTool[] = [
  {
    name: 'ring',
    description: 'Rings a bell.',
    effect: 'unsafe',
    parameters: { type: 'object', properties: { bell: { type: 'string' } }, required: ['bell'] },
  },
];

type Entry = { index?: number; id?: string; function?: { name?: string; arguments?: string }; extra_content?: unknown };

const entry = (fields: Omit<Entry, 'function'>, name?: string, args?: string): Entry => ({
  ...fields,
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});

const message = (entries: readonly Entry[]) => {
  const assembler = createDeltaAssembler();
  for (const call of entries) assembler.push({ tool_calls: [call] });
  return assembler.message();
};

const rung = (entries: readonly Entry[]) =>
  parseReply({ message: message(entries), tools, finishReason: 'tool_calls' });

const signed = { google: { thought_signature: 'SIG==' } };

describe('stream deltas of calls', () => {
  it('keep what a provider puts into a call beside it', () => {
    const { tool_calls } = message([
      { ...entry({ index: 0, id: 'a' }, 'ring', '{"bell":'), extra_content: signed },
      { ...entry({ index: 0 }, undefined, '"east"}'), extra_content: null },
    ]);
    expect(tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'ring', arguments: '{"bell":"east"}' }, extra_content: signed },
    ]);
  });

  it('leave two different objects one text, of which nothing runs', () => {
    const { calls, rejected } = rung([entry({ index: 0, id: 'a' }, 'ring', '{"bell":"east"}{"bell":"west"}')]);
    expect(calls).toEqual([]);
    expect(rejected).toMatchObject([{ name: 'ring', id: 'a' }]);
  });

  it('run the calls that names tell apart, though neither id nor index does', () => {
    const { calls } = rung([
      entry({ index: 0 }, 'ring', '{"bell":"east"}'),
      entry({ index: 0 }, 'ring', '{"bell":"west"}'),
    ]);
    expect(calls.map((call) => call.arguments)).toEqual([{ bell: 'east' }, { bell: 'west' }]);
  });

  it.each<readonly [what: string, entries: readonly Entry[]]>([
    ['pieces', [entry({ index: 0, id: 'a' }, 'ring', '{"bell":'), entry({ index: 0 }, undefined, '"东"}')]],
    ['an id for two calls', [entry({ index: 0, id: 'a' }, 'ring', '{}'), entry({ index: 1, id: 'a' }, 'peal', '{}')]],
    ['an empty object first', [entry({ index: 0 }, 'ring', '{}'), entry({ index: 0 }, undefined, '{"bell":"east"}')]],
    [
      'an object twice',
      [entry({ index: 0, id: 'a' }, 'ring', '{"bell":"e"}'), entry({ id: 'a' }, 'ring', '{"bell":"e"}')],
    ],
    ['glued objects', [entry({ index: 0, id: 'a' }, 'ring', '{"bell":"e"}{"bell":"w"}')]],
    ['no index', [entry({}, 'ring', '{"bell":"e"}'), entry({}, 'peal', '{"bell":"w"}'), entry({}, undefined, '')]],
    ['a late id', [entry({ index: 0 }, 'ring', '{"bell"'), entry({ index: 0, id: 'late' }, undefined, ':"e"}')]],
  ])('are put together alike for the model and for the pipeline: %s', (_, entries) => {
    const assembler = createAssembler();
    for (const call of entries) assembler.push({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
    expect(message(entries).tool_calls).toEqual(assembler.finish().message.tool_calls);
  });

  it('cost time in proportion to their number', () => {
    const assembler = createDeltaAssembler();
    assembler.push({ tool_calls: [entry({ index: 0, id: 'a' }, 'ring', '{"bell":"')] });
    for (let i = 0; i < 200_000; i++) assembler.push({ tool_calls: [entry({ index: 0, id: 'a' }, 'ring', 'x}')] });
    assembler.push({ tool_calls: [entry({ index: 0 }, undefined, '"}')] });
    expect(assembler.message().tool_calls?.[0]?.function.arguments).toHaveLength(400_011);
  });
});
