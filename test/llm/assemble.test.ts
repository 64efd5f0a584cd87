/** Deltas as providers really send them. */
import { describe, expect, test } from 'vitest';
import { createAssembler } from '../../src/llm/assemble.js';

const delta = (d: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: d, finish_reason: finish }],
});
const calls = (...entries: object[]) => delta({ tool_calls: entries });
const fn = (name?: string, args?: unknown) => ({
  ...(name !== undefined && { name }),
  ...(args !== undefined && { arguments: args }),
});

function assembled(...chunks: unknown[]) {
  const assembler = createAssembler();
  for (const chunk of chunks) assembler.push(chunk);
  return assembler.finish();
}

/** Name and arguments of each call, in order. */
const callsOf = (...chunks: unknown[]) =>
  (assembled(...chunks).message.tool_calls ?? []).map((call) => [call.id, call.function.name, call.function.arguments]);

describe('tool calls', () => {
  test('the common form: id and name first, then arguments in pieces, two calls interleaved', () => {
    expect(
      callsOf(
        calls({ index: 0, id: 'a', function: fn('f', '') }),
        calls({ index: 1, id: 'b', function: fn('g', '') }),
        calls({ index: 0, function: fn(undefined, '{"x"') }, { index: 1, function: fn(undefined, '{"y":') }),
        calls({ index: 1, function: fn(undefined, '2}') }),
        calls({ index: 0, function: fn(undefined, ':1}') }),
      ),
    ).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{"y":2}'],
    ]);
  });

  test('the wrong index: every call says 0, ids tell them apart', () => {
    expect(
      callsOf(
        calls({ index: 0, id: 'a', function: fn('f', '{"x":1}') }),
        calls({ index: 0, id: 'b', function: fn('f', '{"x":2}') }),
      ),
    ).toEqual([
      ['a', 'f', '{"x":1}'],
      ['b', 'f', '{"x":2}'],
    ]);
  });

  test('no index: pieces belong to the last call, a name after whole arguments begins the next', () => {
    expect(
      callsOf(
        calls({ function: fn('f', '{"x":') }),
        calls({ function: fn(undefined, '1}') }),
        calls({ function: fn('g', '{}') }),
      ),
    ).toEqual([
      ['call_0', 'f', '{"x":1}'],
      ['call_1', 'g', '{}'],
    ]);
  });

  test('the id comes after the first piece', () => {
    expect(
      callsOf(
        calls({ index: 0, function: fn('f', '{"x"') }),
        calls({ index: 0, id: 'late', function: fn(undefined, ':1}') }),
      ),
    ).toEqual([['late', 'f', '{"x":1}']]);
  });

  test('the id in every piece', () => {
    expect(
      callsOf(
        calls({ index: 0, id: 'a', function: fn('f', '{"x"') }),
        calls({ index: 0, id: 'a', function: fn('f', ':1}') }),
      ),
    ).toEqual([['a', 'f', '{"x":1}']]);
  });

  test('one id for two calls with an index each', () => {
    expect(
      callsOf(
        calls({ index: 0, id: 'same', function: fn('f', '{"x":1}') }),
        calls({ index: 1, id: 'same', function: fn('g', '{"y":2}') }),
      ),
    ).toEqual([
      ['same', 'f', '{"x":1}'],
      ['same_2', 'g', '{"y":2}'],
    ]);
  });

  test('another name with the same index and no id, after arguments, is another call', () => {
    expect(
      callsOf(calls({ index: 0, function: fn('f', '{"x":1}') }), calls({ index: 0, function: fn('g', '{"y":2}') })),
    ).toHaveLength(2);
  });

  test('a name in pieces, and a name that grows', () => {
    expect(
      callsOf(
        calls({ index: 0, id: 'a', function: fn('get_') }),
        calls({ index: 0, function: fn('rent', '{}') }),
      )[0]?.[1],
    ).toBe('get_rent');
    expect(
      callsOf(
        calls({ index: 0, id: 'a', function: fn('get') }),
        calls({ index: 0, function: fn('get_rent', '{}') }),
      )[0]?.[1],
    ).toBe('get_rent');
  });

  test.each([
    ['equal arguments twice', '{"x":1}{"x":1}', ['{"x":1}']],
    ['an empty object before the real one', '{}{"x":1}', ['{"x":1}']],
    ['an empty object behind the real one', '{"x":1}{}', ['{"x":1}']],
    ['one object in two spellings', '{"x":1,"y":2}{"y": 2, "x": 1}', ['{"x":1,"y":2}']],
    ['two different objects stay one text: nothing tells what is meant', '{"x":1}\n{"x":2}', ['{"x":1}\n{"x":2}']],
    ['braces within strings are text', '{"x":"}{"}', ['{"x":"}{"}']],
    ['what is not JSON stays as it came', "{'x':1}{'x':2}", ["{'x':1}{'x':2}"]],
    ['cut arguments stay cut', '{"x":1}{"x":', ['{"x":1}{"x":']],
    ['nothing stays nothing', '', ['']],
  ])('%s', (_, text, expected) => {
    expect(callsOf(calls({ index: 0, id: 'a', function: fn('f', text) })).map((call) => call[2])).toEqual(expected);
  });

  test('arguments that come as an object become text', () => {
    expect(callsOf(calls({ index: 0, id: 'a', function: fn('f', { x: 1 }) }))[0]?.[2]).toBe('{"x":1}');
  });

  test('empty entries leave no call behind', () => {
    expect(
      assembled(calls({ index: 0, id: '', function: fn('', '') }), calls({ index: 1 }), delta({ content: 'hi' }))
        .message,
    ).toEqual({
      role: 'assistant',
      content: 'hi',
    });
  });

  test('the older function_call is a call', () => {
    expect(callsOf(delta({ function_call: fn('f', '{"x"') }), delta({ function_call: fn(undefined, ':1}') }))).toEqual([
      ['call_0', 'f', '{"x":1}'],
    ]);
  });
});

describe('what a provider puts into a call beside it', () => {
  const signed = { google: { thought_signature: 'SIG==' } };

  test('stays with the call, whole or streamed', () => {
    const first = { index: 0, id: 'a', function: fn('f', '{"x":1}'), extra_content: signed };
    const again = { index: 0, type: 'function', function: fn(undefined, ''), extra_content: null };
    const second = { index: 1, id: 'b', function: fn('g', '{"y":1}'), extra_content: signed };
    const { message } = assembled(calls(first), calls(again), calls(second));
    expect(message.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' }, extra_content: signed },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":1}' }, extra_content: signed },
    ]);
    const whole = assembled({ choices: [{ message: { role: 'assistant', content: null, tool_calls: [first] } }] });
    expect(whole.message.tool_calls).toEqual([message.tool_calls?.[0]]);
  });

  test('never takes the place of what it is', () => {
    const forged = JSON.parse('{"index":0,"id":"a","__proto__":{"type":"x"},"function":{"name":"f","arguments":"{}"}}');
    const [call] = assembled(calls(forged)).message.tool_calls ?? [];
    expect(call).toEqual({ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } });
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype);
  });
});

describe('text and other fields', () => {
  test('content and reasoning grow; a null content stays null', () => {
    const { message } = assembled(
      delta({ role: 'assistant', content: null, reasoning_content: '想' }),
      delta({ reasoning_content: '一下' }),
    );
    expect(message).toEqual({ role: 'assistant', content: null, reasoning_content: '想一下' });
    expect(assembled(delta({ content: 'a' }), delta({ content: '' }), delta({ content: 'b' })).message.content).toBe(
      'ab',
    );
  });

  test('signed reasoning is put together part by part and kept', () => {
    const { message } = assembled(
      delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'let ' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'me see', signature: 'SIG' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'xyz' }] }),
    );
    expect(message.reasoning_details).toEqual([
      { type: 'reasoning.text', index: 0, text: 'let me see', signature: 'SIG' },
      { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
    ]);
  });

  test('content in parts: text is content, thinking is reasoning', () => {
    const { message } = assembled(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm ' }] }] }),
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'yes' }] }] }),
      delta({ content: [{ type: 'text', text: 'Done.' }] }),
    );
    expect(message).toMatchObject({ content: 'Done.', reasoning: 'hm yes' });
  });

  test('a whole completion gives the same message as its deltas', () => {
    const whole = assembled({
      model: 'm',
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'hi',
            tool_calls: [{ id: 'a', type: 'function', function: fn('f', '{}') }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1 },
    });
    const parts = assembled(
      { model: 'm', ...delta({ content: 'hi' }) },
      calls({ index: 0, id: 'a', function: fn('f', '{}') }),
      delta({}, 'tool_calls'),
      {
        choices: [],
        usage: { prompt_tokens: 1 },
      },
    );
    expect(parts).toEqual(whole);
  });

  test('other choices, empty chunks and garbage are passed over', () => {
    const { message, finishReason } = assembled(
      null,
      'x',
      [],
      { choices: 'none' },
      { choices: [{ index: 1, delta: { content: 'other' } }] },
      { choices: [{ delta: null }] },
      delta({ content: 'mine' }, 'stop'),
    );
    expect(message.content).toBe('mine');
    expect(finishReason).toBe('stop');
  });

  test('a field named __proto__ reaches no prototype', () => {
    const { message } = assembled(JSON.parse('{"choices":[{"delta":{"content":"x","__proto__":{"polluted":true}}}]}'));
    expect((message as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('a hundred thousand pieces take linear time', () => {
    const assembler = createAssembler();
    const started = performance.now();
    for (let i = 0; i < 100_000; i++)
      assembler.push(
        i % 2 === 0 ? delta({ content: 'a' }) : calls({ index: 0, id: 'a', function: fn(i === 1 ? 'f' : '', 'b') }),
      );
    expect(assembler.finish().message.content).toHaveLength(50_000);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
