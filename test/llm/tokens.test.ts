import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTokenizer, type Tokenizer } from '../../src/llm/tokens.js';
import { addTool } from './support.js';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await createTokenizer('gpt-4o-mini');
});

const prose =
  'The planner splits the goal; "executors" do the work, don’t they? It costs $0.50 (or 3,5 €).\n  Next line.\t';
const chinese = '规划者把目标拆开，执行者完成工作。每个执行者都有自己的预算：轮数、令牌、费用。\n';

describe('token counts', () => {
  test.each([
    ['prose', prose.repeat(300)],
    ['Chinese', chinese.repeat(300)],
    [
      'JSON',
      JSON.stringify(
        Array.from({ length: 800 }, (_, i) => ({ id: i, name: `item ${i}`, price: i * 1.25, 城市: '北京' })),
      ),
    ],
    ['code', 'export const f = (x: number): number => {\n  return x * 2; // doubled\n};\n'.repeat(200)],
  ])('long %s in slices counts as exactly as in one piece', (_, text) => {
    expect(text.length).toBeGreaterThan(8_000);
    expect(tokenizer.countText(text)).toBe(countTokens(text));
  });

  test('slices of words of any kind add up', () => {
    const word = fc.constantFrom('word', ' a', "don't", '，', '。', '工作', ' 42', '\n\n', '  ', '😀', 'é', '"', '_x');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1500, maxLength: 2500 }), (words) => {
        const text = words.join('');
        const exact = countTokens(text);
        expect(Math.abs(tokenizer.countText(text) - exact)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 15 },
    );
  });

  test('hostile text takes little time: a run of one letter, and of Chinese without a break', () => {
    const started = performance.now();
    expect(tokenizer.countText('a'.repeat(100_000))).toBeGreaterThan(5_000);
    expect(tokenizer.countText('的'.repeat(20_000))).toBeGreaterThan(2_000);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  test('special tokens in text are counted, not refused', () => {
    expect(tokenizer.countText('<|endoftext|> <|im_start|>')).toBeGreaterThan(0);
  });

  test('a message costs its text, its role and its frame; calls and reasoning count', () => {
    const count = tokenizer.countMessage;
    expect(count({ role: 'user', content: 'hello' })).toBe(3 + 1 + 1);
    const bare = count({ role: 'assistant', content: null });
    const tool_calls = [{ id: 'x', type: 'function' as const, function: { name: 'add', arguments: '{"a":1}' } }];
    expect(count({ role: 'assistant', content: null, tool_calls })).toBe(
      bare + 3 + countTokens('add') + countTokens('{"a":1}'),
    );
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const signed = { ...call, extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } } };
    expect(count({ role: 'assistant', content: null, tool_calls: [signed] })).toBe(
      count({ role: 'assistant', content: null, tool_calls: [call] }) +
        tokenizer.countText(JSON.stringify(signed.extra_content)),
    );
    expect(count({ role: 'assistant', content: null, reasoning_content: 'long thought' })).toBe(
      bare + countTokens('long thought'),
    );
  });

  test('tools are counted as the model sees them', () => {
    const shown =
      'namespace functions {\n\n// Adds two numbers.\ntype add = (_: {\na: number,\nb: number,\n}) => any;\n\n} // namespace functions';
    expect(tokenizer.countTools([addTool])).toBe(countTokens(shown) + 9);
    expect(tokenizer.countTools([])).toBe(0);
  });

  test('one array of tools is counted once', () => {
    const tools = Array.from({ length: 50 }, (_, i) => ({
      ...addTool,
      name: `tool_${i}`,
      description: prose.repeat(20),
    }));
    const first = tokenizer.countTools(tools);
    const started = performance.now();
    for (let i = 0; i < 1000; i++) expect(tokenizer.countTools(tools)).toBe(first);
    expect(performance.now() - started).toBeLessThan(500);
  });

  test('models with a secret tokenizer are counted as an upper bound and say so', async () => {
    expect(tokenizer.exact).toBe(true);
    const other = await createTokenizer('qwen3:8b');
    expect(other.exact).toBe(false);
    expect(other.countTools([addTool])).toBeGreaterThan(tokenizer.countTools([addTool]));
    expect((await createTokenizer('openai/gpt-4-0613')).exact).toBe(true);
  });
});
