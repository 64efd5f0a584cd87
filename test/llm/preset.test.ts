import { describe, expect, test } from 'vitest';
import { presets, providerFrom } from '../../src/llm/preset.js';
import { costOf, listPrice } from '../../src/llm/price.js';

const of = (model: string, environment: Record<string, string> = {}, more: object = {}) =>
  providerFrom({ model, ...more }, environment);

describe('one setting picks provider and model', () => {
  test.each([
    [
      'openai/gpt-4o',
      { OPENAI_API_KEY: 'k' },
      { name: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o', apiKey: 'k' },
    ],
    [
      'openai',
      { OPENAI_API_KEY: 'k' },
      { model: 'gpt-5-mini', quirks: { sendsTemperature: false, outputLimitField: 'max_completion_tokens' } },
    ],
    ['gpt-4o-mini', { OPENAI_API_KEY: 'k' }, { name: 'openai', model: 'gpt-4o-mini', price: { input: 0.15 } }],
    [
      'deepseek',
      { DEEPSEEK_API_KEY: 'k' },
      { baseUrl: 'https://api.deepseek.com/v1', model: 'deepseek-chat', apiKey: 'k' },
    ],
    [
      'openrouter/anthropic/claude-sonnet-4',
      { OPENROUTER_API_KEY: 'k' },
      { model: 'anthropic/claude-sonnet-4', price: { input: 3 } },
    ],
    [
      'ollama/qwen3:8b',
      {},
      { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3:8b', apiKey: undefined, price: { input: 0, output: 0 } },
    ],
    [
      'http://10.0.0.5:8000/v1#my/model',
      {},
      { name: '10.0.0.5:8000', baseUrl: 'http://10.0.0.5:8000/v1', model: 'my/model', price: undefined },
    ],
    [
      'meta-llama/Llama-3',
      { OPENAI_BASE_URL: 'http://gpu:8000/v1' },
      { name: 'gpu:8000', model: 'meta-llama/Llama-3', keyVariable: 'OPENAI_API_KEY' },
    ],
    [
      'azure/my-deployment',
      { AZURE_OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://r.openai.azure.com/openai/v1' },
      { keyHeader: 'api-key', model: 'my-deployment' },
    ],
  ])('%s', (model, environment, expected) => {
    expect(of(model, environment as Record<string, string>)).toMatchObject({ ok: true, value: expected });
  });

  test.each([
    ['nonsense/x', {}, 'invalid_config', /Known are openai, azure/],
    ['', {}, 'invalid_config', /Known are/],
    ['openai/gpt-4o', {}, 'model_unauthorised', /Set OPENAI_API_KEY/],
    ['azure/x', { AZURE_OPENAI_API_KEY: 'k' }, 'invalid_config', /RESOURCE\.openai\.azure\.com/],
    ['moonshot', { MOONSHOT_API_KEY: 'k' }, 'invalid_config', /HACT_MODEL=moonshot\/MODEL/],
    ['http://127.0.0.1:9/v1', {}, 'invalid_config', /URL#MODEL/],
    ['x', { OPENAI_BASE_URL: 'ftp://files' }, 'invalid_config', /looks like http/],
  ])('"%s" is refused with advice', (model, environment, kind, hint) => {
    expect(of(model, environment as Record<string, string>)).toMatchObject({
      ok: false,
      failure: { kind, hint: expect.stringMatching(hint) },
    });
  });

  test('settings win over the preset', () => {
    const result = of(
      'ollama/x',
      {},
      {
        windowTokens: 1000,
        maxOutputTokens: 10,
        price: { input: 1, output: 1 },
        stream: false,
        baseUrl: 'http://other:1/v1',
        apiKey: 'k',
      },
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        windowTokens: 1000,
        maxOutputTokens: 10,
        price: { input: 1 },
        stream: false,
        baseUrl: 'http://other:1/v1',
        apiKey: 'k',
      },
    });
  });

  test('a key of OpenAI is not sent to a server that was set as one’s own address without asking for it', () => {
    expect(of('ollama/x', { OPENAI_API_KEY: 'k' })).toMatchObject({ ok: true, value: { apiKey: undefined } });
  });

  test('all providers of the requirements are there', () => {
    expect(Object.keys(presets)).toEqual(
      expect.arrayContaining([
        'openai',
        'azure',
        'anthropic',
        'openrouter',
        'deepseek',
        'qwen',
        'moonshot',
        'ollama',
        'vllm',
        'llamacpp',
        'lmstudio',
      ]),
    );
  });
});

describe('prices', () => {
  test.each([
    ['gpt-4o', 2.5],
    ['gpt-4o-2024-08-06', 2.5],
    ['gpt-4o-mini-2024-07-18', 0.15],
    ['openai/gpt-4.1-nano', 0.1],
    ['claude-sonnet-4-20250514', 3],
  ])('%s is found with its version', (model, input) => {
    expect(listPrice(model)?.input).toBe(input);
  });

  test.each(['gpt-4o-audio-preview-x', 'gpt-5-pro', 'gpt-5.2', 'llama3', 'o3-pro', 'constructor', ''])(
    '"%s" has no known price rather than a wrong one',
    (model) => {
      expect(listPrice(model)).toBeUndefined();
    },
  );

  test('cached prompt tokens cost less; without a price nothing is charged', () => {
    const price = { input: 2, output: 8, cachedInput: 0.5 };
    expect(costOf(price, 1_000_000, 1_000_000)).toBe(10);
    expect(costOf(price, 1_000_000, 0, 500_000)).toBe(1.25);
    expect(costOf(price, 100, 0, 1e9)).toBeCloseTo(0.00005);
    expect(costOf(undefined, 1_000_000, 1)).toBe(0);
  });
});
