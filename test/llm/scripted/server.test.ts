/** The scripted model as any client sees it. */
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer, Asked, Brain, Fault } from '../../../src/llm/scripted/brain.js';
import { type ScriptedOptions, startScriptedModel } from '../../../src/llm/scripted/server.js';
import { modelOf, never, providerAt, question, testWorld } from '../support.js';

async function start(brain: Brain, more: Omit<ScriptedOptions, 'brain'> = {}) {
  const server = await startScriptedModel({ brain, ...more });
  onTestFinished(() => server.stop());
  return server;
}

const at = (url: string) => url.replace(/\/v1$/, '');
const words = '早上好 🌞, and a long enough text to need several pieces of a stream.';
const reply: Answer = {
  kind: 'reply',
  message: {
    content: words,
    reasoning_content: 'hm',
    tool_calls: [
      {
        id: 'c',
        type: 'function',
        function: { name: 'add', arguments: '{"a": 1, "b": "a longer text than one piece"}' },
      },
    ],
  },
  finishReason: 'tool_calls',
};

/** Fails the first request, then answers. */
const failsFirst = (fault: Fault): Brain => {
  let asked = 0;
  return () => (asked++ === 0 ? { kind: 'fault', fault } : reply);
};

describe('the protocol', () => {
  test('the official SDK reads whole and streamed replies alike', async () => {
    const server = await start(() => reply);
    const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
    const ask = { model: 'scripted', messages: [{ role: 'user' as const, content: 'hi' }] };
    const whole = await client.chat.completions.create(ask);
    const streamed = await client.chat.completions
      .stream({ ...ask, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(whole.choices[0]?.message).toMatchObject({ role: 'assistant', content: words, reasoning_content: 'hm' });
    expect(streamed.choices[0]?.message).toMatchObject({
      content: words,
      tool_calls: [{ id: 'c', function: { name: 'add' } }],
    });
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls');
    expect(whole.usage?.prompt_tokens).toBeGreaterThan(0);
    expect(streamed.usage).toMatchObject({
      prompt_tokens: whole.usage?.prompt_tokens,
      completion_tokens: whole.usage?.completion_tokens,
    });
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['scripted']);
  });

  test('the brain is told what it needs, and no more', async () => {
    const seen: Asked[] = [];
    const server = await start((asked) => {
      seen.push(asked);
      return reply;
    });
    const model = await modelOf([providerAt(`${at(server.url)}/p/backup`)]);
    const outcome = await model.call(question({ agentId: 'a-1' }), { signal: never });
    expect(seen[0]).toMatchObject({ tools: ['add'], conversation: 'a-1', provider: 'backup', maxOutputTokens: 256 });
    // Its count of the prompt is ours.
    expect(outcome.usage).toMatchObject({ estimated: false, inputTokens: outcome.usage.countedInputTokens });
  });

  test.each<[string, string, unknown, number]>([
    ['no JSON', '/v1/chat/completions', '{oops', 400],
    ['no messages', '/v1/chat/completions', '{"model":"x"}', 400],
    ['an unknown role', '/v1/chat/completions', '{"messages":[{"role":"wizard"}]}', 400],
    ['another address', '/v2/things', '{}', 404],
  ])('%s is refused in the form of the API', async (_, path, body, status) => {
    const server = await start(() => reply);
    const response = await fetch(at(server.url) + path, { method: 'POST', body: body as string });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
  });

  test('a port that is taken is an error', async () => {
    const { port } = await start(() => reply);
    await expect(startScriptedModel({ brain: () => reply, port })).rejects.toThrow('EADDRINUSE');
  });

  test('listens on loopback only, and stopping leaves no connection', async () => {
    const server = await startScriptedModel({ brain: () => reply, latencyMs: 60_000 });
    const pending = fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: '{"messages":[{"role":"user","content":"x"}]}',
    });
    pending.catch(() => {});
    while (server.stats().requests === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
    await expect(pending).rejects.toThrow();
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });
});

describe('faults', () => {
  const cases: [string, Fault, object][] = [
    ['429 with a wait', { kind: 'status', status: 429, retryAfterSeconds: 2 }, { ok: true, attempts: 2 }],
    ['500', { kind: 'status', status: 500 }, { ok: true, attempts: 2 }],
    ['a closed connection', { kind: 'reset' }, { ok: true, attempts: 2 }],
    ['a reply cut in the middle', { kind: 'cut', reply }, { ok: false, failure: { kind: 'model_interrupted' } }],
    ['a reply that stalls', { kind: 'stall', reply }, { ok: false, failure: { kind: 'model_interrupted' } }],
    [
      'garbage',
      { kind: 'garbage', contentType: 'application/json', body: '{"no' },
      { ok: false, failure: { kind: 'reply_unreadable' } },
    ],
  ];
  test.each([true, false].flatMap((stream) => cases.map((one) => [...one, stream] as const)))(
    '%s',
    async (_, fault, expected, stream) => {
      const server = await start(failsFirst(fault));
      const model = await modelOf([providerAt(at(server.url), { stream })], testWorld(), { limits: { idleMs: 80 } });
      expect(await model.call(question(), { signal: never })).toMatchObject(expected);
      expect(await model.call(question(), { signal: never })).toMatchObject({ ok: true });
    },
  );
});

describe('counting for checkers outside', () => {
  test('requests, completed calls and faults, by agent and by request', async () => {
    const server = await start(failsFirst({ kind: 'status', status: 500 }));
    const model = await modelOf([providerAt(at(server.url))]);
    await model.call(question({ agentId: 'a' }), { signal: never });
    await model.call(question({ agentId: 'b' }), { signal: never });
    await model.call(question({ agentId: 'b' }), { signal: never });
    const stats = await (await fetch(`${at(server.url)}/stats`)).json();
    expect(stats).toMatchObject({
      requests: 4,
      completed: 3,
      faults: 1,
      agents: { a: { requests: 2, completed: 1, faults: 1 }, b: { requests: 2, completed: 2, faults: 0 } },
      repeated: 1,
    });
    expect(Object.values((stats as { byRequest: Record<string, number> }).byRequest).sort()).toEqual([1, 2]);
  });

  test('a reply that was not written to its end is not completed', async () => {
    const server = await start(() => ({ kind: 'fault', fault: { kind: 'cut', reply } }));
    const model = await modelOf([providerAt(at(server.url))]);
    await model.call(question(), { signal: never });
    expect(server.stats()).toMatchObject({ requests: 1, completed: 0, faults: 1 });
  });

  test('a reply that nobody waited for is not completed', async () => {
    const server = await start(() => reply, { latencyMs: 60_000 });
    const abort = new AbortController();
    const model = await modelOf([providerAt(at(server.url))]);
    const outcome = model.call(question(), { signal: abort.signal });
    while (server.stats().requests === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await outcome).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    // By the time of a later answer the server has seen the connection close.
    for (const _ of [1, 2, 3]) await fetch(`${server.url}/models`).then((response) => response.text());
    expect(server.stats()).toMatchObject({ requests: 1, completed: 0 });
  });
});
