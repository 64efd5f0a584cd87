/** Scripts: which reply comes when, and that a call made again gets the same one. */
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/domain/chat.js';
import type { Asked } from '../../../src/llm/scripted/brain.js';
import { type Script, scriptBrain } from '../../../src/llm/scripted/script-brain.js';

const asked = (turns: number, more: Partial<Asked> & { goal?: string } = {}): Asked => ({
  messages: [
    { role: 'user', content: more.goal ?? 'Do it' },
    ...Array.from({ length: turns }, (): ChatMessage => ({ role: 'assistant', content: 'x' })),
  ],
  tools: [],
  conversation: 'c',
  provider: 'primary',
  maxOutputTokens: 100,
  countText: () => 1,
  ...more,
});

/** The text, or the fault. */
function told(script: Script) {
  const brain = scriptBrain(script);
  return (...args: Parameters<typeof asked>): string | number | null => {
    const answer = brain(asked(...args));
    if (answer.kind === 'reply') return answer.message.content;
    return answer.fault.kind === 'status' ? answer.fault.status : answer.fault.kind;
  };
}

describe('a script', () => {
  test('goes on with each reply that the prompt holds, and says the same when asked again', () => {
    const ask = told({ main: [{ text: 'one' }, { text: 'two' }] });
    expect([ask(0), ask(0), ask(1), ask(1), ask(0)]).toEqual(['one', 'one', 'two', 'two', 'one']);
  });

  test('finds its place even if it was started anew in the middle', () => {
    const ask = told({ main: [{ text: 'one' }, { text: 'two' }, { text: 'three' }] });
    expect(ask(2)).toBe('three');
  });

  test('a cut reply comes once, right before the next', () => {
    const ask = told({ main: [{ text: 'cu', finish_reason: 'length' }, { text: 'whole' }, { text: 'end' }] });
    expect([ask(0), ask(0), ask(0), ask(1)]).toEqual(['cu', 'whole', 'whole', 'end']);
  });

  test('an unusable reply is marked', () => {
    const ask = told({ main: [{ text: 'a' }, { text: '???', once: true }, { text: 'b' }] });
    expect([ask(0), ask(1), ask(1), ask(1)]).toEqual(['a', '???', 'b', 'b']);
  });

  test('a fault happens its number of times, for its provider only', () => {
    const ask = told({
      main: [{ text: 'a' }, { fault: { kind: 'http_500', provider: 'primary', times: 2 } }, { text: 'b' }],
    });
    expect([ask(0), ask(1), ask(1, { provider: 'backup' }), ask(1), ask(1)]).toEqual(['a', 500, 'b', 500, 'b']);
  });

  test.each(['reset', 'cut', 'stall', 'garbage'])('the fault %s', (kind) => {
    const ask = told({ main: [{ fault: { kind } }, { text: 'b' }] });
    expect([ask(0), ask(0)]).toEqual([kind, 'b']);
  });

  test('executors find their queue by the words of their task, each conversation for itself', () => {
    const ask = told({
      planner: [{ text: 'plan' }],
      executors: [
        { when: { task_includes: 'Porto' }, steps: [{ text: 'porto' }] },
        { when: { task_includes: 'Faro' }, steps: [{ text: 'faro' }] },
      ],
    });
    expect(ask(0, { conversation: 'x', goal: 'Rent in Faro' })).toBe('faro');
    expect(ask(0, { conversation: 'y', goal: 'Rent in Porto' })).toBe('porto');
    expect(ask(0, { conversation: 'z', goal: 'Compare' })).toBe('plan');
  });

  test('at its end it says so', () => {
    expect(told({ main: [{ text: 'a' }] })(1)).toBe(410);
  });

  test('calls, reason and usage come as written', () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{' } }];
    const brain = scriptBrain({
      main: [
        {
          message: { content: null, tool_calls },
          finish_reason: 'tool_calls',
          usage: { prompt_tokens: 7, completion_tokens: 3 },
        },
      ],
    });
    expect(brain(asked(0))).toEqual({
      kind: 'reply',
      message: { content: null, tool_calls },
      finishReason: 'tool_calls',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
  });

  test('a script of another form is refused', () => {
    expect(() => scriptBrain({ main: [{ fault: { times: 2 } }] } as never)).toThrow();
  });
});
