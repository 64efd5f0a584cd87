/** The model port against a real HTTP server: one call, whatever the server does. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { realWorld } from '../../src/llm/world.js';
import {
  type Answer,
  addTool,
  chunk,
  completion,
  hello,
  json,
  modelOf,
  never,
  providerAt,
  question,
  serve,
  sse,
  testWorld,
  usageChunk,
} from './support.js';

const canary = 'sk-secret-canary-123456';
const call = (function_: object) => ({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: function_ }] });

describe('a call that succeeds', () => {
  test('streams text as it arrives and brings message, reason, usage and cost', async () => {
    const { url, asked } = await serve(hello);
    const model = await modelOf([providerAt(url)]);
    const deltas: string[] = [];
    const outcome = await model.call(question({ agentId: 'tsk_1-2' }), {
      signal: never,
      onDelta: (text) => deltas.push(text),
    });
    expect(outcome).toMatchObject({
      ok: true,
      message: { role: 'assistant', content: 'Hello' },
      finishReason: 'stop',
      usage: { inputTokens: 30, outputTokens: 2, costUsd: (30 + 2 * 2) / 1e6, estimated: false },
      model: 'served',
      provider: 'testing',
      attempts: 1,
      fallbacks: 0,
    });
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(asked[0]?.headers).toMatchObject({ 'x-hact-agent': 'tsk_1-2', authorization: `Bearer ${canary}` });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      model: 'gpt-4o-mini',
      messages: question().messages,
      max_tokens: 256,
      temperature: 0.3,
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: { name: 'add', description: 'Adds two numbers.', parameters: addTool.parameters },
        },
      ],
    });
  });

  test('without streaming the outcome is the same', async () => {
    const { url, asked } = await serve((r) =>
      json(r, 200, completion({ content: null, ...call({ name: 'add', arguments: '{"a":1,"b":2}' }) }, 'tool_calls')),
    );
    const model = await modelOf([providerAt(url, { stream: false })]);
    const outcome = await model.call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: true,
      finishReason: 'tool_calls',
      message: { content: null, tool_calls: [{ id: 'c1', function: { name: 'add' } }] },
    });
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ stream: false });
    expect(asked[0]?.body).not.toContain('stream_options');
  });

  test.each<[string, Answer, boolean]>([
    ['a whole reply although a stream was asked for', (r) => json(r, 200, completion({ content: 'Hello' })), true],
    ['a stream although none was asked for', hello, false],
    ['a stream that is not declared as one', (r) => r.end(chunk({ content: 'Hello' }) + chunk({}, 'stop')), true],
    ['JSON that is not declared as such', (r) => r.end(JSON.stringify(completion({ content: 'Hello' }))), false],
    [
      'a stream without a finish reason that says [DONE]',
      (r) => sse(r, chunk({ content: 'Hello' }), 'data: [DONE]\n\n'),
      true,
    ],
  ])('%s is read all the same', async (_, answer, stream) => {
    const { url } = await serve(answer);
    const model = await modelOf([providerAt(url, { stream })]);
    expect(await model.call(question(), { signal: never })).toMatchObject({ ok: true, message: { content: 'Hello' } });
  });

  test('each call sends its own body and agent over kept connections', async () => {
    const { url, asked } = await serve(hello);
    const model = await modelOf([providerAt(url)]);
    for (const n of [1, 2, 3]) await model.call(question({ agentId: `a${n}`, maxOutputTokens: n }), { signal: never });
    expect(asked.map((one) => [one.headers['x-hact-agent'], JSON.parse(one.body).max_tokens])).toEqual([
      ['a1', 1],
      ['a2', 2],
      ['a3', 3],
    ]);
  });

  test('a signal that outlives many calls gathers no listeners', async () => {
    const { url } = await serve(hello);
    const model = await modelOf([providerAt(url)]);
    const { signal } = new AbortController();
    for (let i = 0; i < 12; i++) await model.call(question(), { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test.each([
    [
      'temperature',
      { error: { message: "Unsupported value: 'temperature' does not support 0.3", param: 'temperature' } },
    ],
    [
      'max_tokens',
      {
        error: {
          message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
          param: 'max_tokens',
        },
      },
    ],
    ['stream_options', { error: { message: 'Unknown field: stream_options' } }],
  ])('a provider that refuses %s is asked again without it, and never with it after that', async (field, refusal) => {
    const { url, asked } = await serve((r, one, n) =>
      field in JSON.parse(one.body) ? json(r, 400, refusal) : hello(r, one, n),
    );
    const model = await modelOf([providerAt(url)]);
    for (const _ of [1, 2]) expect(await model.call(question(), { signal: never })).toMatchObject({ ok: true });
    expect(asked.map((one) => field in JSON.parse(one.body))).toEqual([true, false, false]);
  });
});

describe('usage', () => {
  test.each([
    ['nothing', []],
    ['zero', [usageChunk(0, 0)]],
    ['negative figures', [usageChunk(-5, 3)]],
    ['absurd figures', [usageChunk(1e12, 1e12)]],
    ['text', [usageChunk('30', '2')]],
    ['fractions', [usageChunk(1.5, 2)]],
  ])('a provider that reports %s is not believed: our own count stands, marked', async (_, events) => {
    const { url } = await serve((r) => sse(r, chunk({ content: 'Hello' }), chunk({}, 'stop'), ...events));
    const model = await modelOf([providerAt(url)]);
    const outcome = await model.call(question(), { signal: never });
    const counted = question().messages.reduce(
      (sum, m) => sum + model.countMessage(m),
      model.overheadTokens + model.countTools([addTool]),
    );
    expect(outcome.usage).toMatchObject({ estimated: true, inputTokens: counted, countedInputTokens: counted });
    expect(outcome.usage.outputTokens).toBe(model.countMessage({ role: 'assistant', content: 'Hello' }));
    expect(outcome.usage.costUsd).toBeGreaterThan(0);
  });

  test("the caller's own sum is taken when it is given", async () => {
    const { url } = await serve(hello);
    const outcome = await (await modelOf([providerAt(url)])).call(question({ promptTokens: 77 }), { signal: never });
    expect(outcome.usage.countedInputTokens).toBe(77);
  });
});

describe('trouble before the first byte is retried', () => {
  test('with growing waits and jitter, until it works', async () => {
    const { url } = await serve((r, one, n) =>
      n <= 2 ? json(r, 500, { error: { message: 'oops' } }) : hello(r, one, n),
    );
    const world = testWorld(0.5);
    const outcome = await (await modelOf([providerAt(url)], world)).call(question(), { signal: never });
    expect(outcome).toMatchObject({ ok: true, attempts: 3, fallbacks: 0 });
    expect(world.slept).toEqual([375, 750]);
  });

  test.each([
    ['seconds', { 'retry-after': '3' }, 3_150],
    ['a date', { 'retry-after': new Date(Date.parse('2026-01-01T00:00:07Z')).toUTCString() }, 7_350],
    ['milliseconds', { 'retry-after-ms': '200' }, 210],
  ])('a 429 with Retry-After in %s is waited for', async (_, headers, expected) => {
    const { url } = await serve((r, one, n) =>
      n === 1 ? json(r, 429, { error: { message: 'slow' } }, headers as Record<string, string>) : hello(r, one, n),
    );
    const world = testWorld(0.5);
    expect(await (await modelOf([providerAt(url)], world)).call(question(), { signal: never })).toMatchObject({
      ok: true,
      attempts: 2,
    });
    expect(world.slept[0]).toBeCloseTo(expected, 0);
  });

  test('a Retry-After beyond all patience ends the call, and says how long', async () => {
    const { url } = await serve((r) => json(r, 429, { error: { message: 'slow' } }, { 'retry-after': '3600' }));
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'model_rate_limited', retryAfterSeconds: 3600 },
      usage: { inputTokens: 0, costUsd: 0 },
    });
  });

  test('a connection that closes before the head', async () => {
    const { url } = await serve((r, one, n) => (n === 1 ? r.destroy() : hello(r, one, n)));
    expect(await (await modelOf([providerAt(url)])).call(question(), { signal: never })).toMatchObject({
      ok: true,
      attempts: 2,
    });
  });

  test('trouble that lasts is a failure that cost nothing', async () => {
    const { url, asked } = await serve((r) => json(r, 503, { error: { message: 'overloaded' } }));
    const outcome = await (await modelOf([providerAt(url)], testWorld(), { retry: { lastAttempts: 4 } })).call(
      question(),
      { signal: never },
    );
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 4,
      failure: { kind: 'model_failed' },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect(asked).toHaveLength(4);
  });

  test('an error in place of the first event is retried like its status', async () => {
    const { url } = await serve((r, one, n) =>
      n === 1 ? sse(r, 'data: {"error":{"code":429,"message":"busy"}}\n\n') : hello(r, one, n),
    );
    expect(await (await modelOf([providerAt(url)])).call(question(), { signal: never })).toMatchObject({
      ok: true,
      attempts: 2,
    });
  });
});

describe('trouble after the first byte is the caller’s to weigh', () => {
  const cut: Answer = (r) => {
    r.writeHead(200, { 'content-type': 'text/event-stream' });
    r.write(chunk({ content: 'A long beginning of an answer' }) + chunk(call({ name: 'add', arguments: '{"a":1' })));
    setImmediate(() => r.destroy());
  };

  test.each<[string, Answer]>([
    ['a connection cut in the stream', cut],
    [
      'a stream that just ends',
      (r) =>
        sse(r, chunk({ content: 'A long beginning of an answer' }), chunk(call({ name: 'add', arguments: '{"a":1' }))),
    ],
    [
      'an error after some text',
      (r) =>
        sse(
          r,
          chunk({ content: 'A long beginning of an answer' }),
          'data: {"error":{"code":502,"message":"upstream"}}\n\n',
        ),
    ],
  ])('%s: interrupted, not repeated, its tokens counted', async (_, answer) => {
    const { url, asked } = await serve(answer);
    const model = await modelOf([providerAt(url)]);
    const outcome = await model.call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'model_interrupted' },
      usage: { estimated: true },
    });
    expect(outcome.usage.inputTokens).toBeGreaterThan(20);
    expect(outcome.usage.outputTokens).toBeGreaterThanOrEqual(model.countText('A long beginning of an answer'));
    expect(outcome.usage.outputTokens).toBeLessThan(40);
    expect(asked).toHaveLength(1);
  });

  test('a stall in the stream', async () => {
    const { url } = await serve((r) => {
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      r.write(chunk({ content: 'one' }));
    });
    const outcome = await (await modelOf([providerAt(url)], realWorld, { limits: { idleMs: 60 } })).call(question(), {
      signal: never,
    });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, failure: { kind: 'model_interrupted' } });
  });

  test('no head in time: what may have been written counts in full', async () => {
    const { url } = await serve(() => {});
    const outcome = await (await modelOf([providerAt(url)], realWorld, { limits: { firstByteMs: 60 } })).call(
      question(),
      { signal: never },
    );
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'model_interrupted' },
      usage: { outputTokens: 256 },
    });
  });

  test('a reply that never ends is ended when its time is up', async () => {
    const world = testWorld();
    const { url } = await serve((r) => {
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      const drip = () => {
        void world.sleep(1_000);
        if (!r.destroyed) r.write(chunk({ content: 'x' }), () => setImmediate(drip));
      };
      drip();
    });
    const outcome = await (await modelOf([providerAt(url)], world, { limits: { totalMs: 20_000 } })).call(question(), {
      signal: never,
    });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'model_interrupted' } });
  });
});
