/** The model port against a server that does not answer as it should, and callers who change their mind. */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  type Answer,
  chunk,
  hello,
  json,
  modelOf,
  never,
  providerAt,
  question,
  serve,
  sse,
  testWorld,
} from './support.js';

const canary = 'sk-secret-canary-123456';

describe('replies that are none', () => {
  test.each<[string, Answer, RegExp]>([
    [
      'a web page',
      (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>'),
      /a web page/,
    ],
    ['nothing', (r) => r.end(), /nothing/],
    ['plain text', (r) => r.end('service is up'), /not JSON/],
    [
      'cut JSON',
      (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[{"message":'),
      /not JSON/,
    ],
    ['JSON of another kind', (r) => json(r, 200, { status: 'ok' }), /without a message/],
    ['a list', (r) => json(r, 200, [1, 2]), /without a message/],
    ['an empty stream that says it is done', (r) => sse(r, 'data: [DONE]\n\n'), /without a message/],
    ['a stream of garbage', (r) => sse(r, 'data: <oops>\n\n'), /not JSON/],
  ])('%s', async (_, answer, words) => {
    const { url, asked } = await serve(answer);
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      failure: {
        kind: 'reply_unreadable',
        message: expect.stringMatching(words),
        hint: expect.stringContaining('OPENAI_BASE_URL'),
      },
    });
    expect(asked).toHaveLength(1);
  });

  test('fifty megabytes are cut off, with little memory', async () => {
    const piece = Buffer.from(chunk({ content: 'x'.repeat(60_000) }));
    const { url } = await serve((r) => {
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      let sent = 0;
      const more = () => {
        while (sent < 50e6 && !r.destroyed) {
          sent += piece.length;
          if (!r.write(piece)) return r.once('drain', more);
        }
        return r.end();
      };
      more();
    });
    const before = process.memoryUsage().rss;
    const outcome = await (await modelOf([providerAt(url)], testWorld(), { limits: { maxReplyBytes: 1e6 } })).call(
      question(),
      { signal: never },
    );
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: 'reply_unreadable', message: expect.stringContaining('1000000 bytes') },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });
});

describe('failures in words', () => {
  test('nobody listens: what to check, and no stack', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const outcome = await (await modelOf([providerAt(`http://127.0.0.1:${port}`)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 5,
      failure: {
        kind: 'model_unreachable',
        message: `testing (http://127.0.0.1:${port}/v1) is not reachable: no connection (ECONNREFUSED)`,
        hint: 'Is it running, and is OPENAI_BASE_URL right? Start it with `testing serve`.',
      },
    });
  });

  test('https where http is spoken', async () => {
    const { url } = await serve(hello);
    const outcome = await (await modelOf([providerAt(url.replace('http:', 'https:'))])).call(question(), {
      signal: never,
    });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'model_unreachable', message: expect.stringContaining('no secure connection') },
    });
  });

  test.each([
    [
      401,
      { error: { message: `Incorrect key: Bearer ${canary} (${canary})` } },
      'model_unauthorised',
      'Check the key in TESTING_API_KEY.',
    ],
    [403, { error: { message: 'no' } }, 'model_unauthorised', 'TESTING_API_KEY'],
    [402, { error: { message: 'Insufficient Balance' } }, 'model_unauthorised', 'credit'],
    [
      429,
      { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } },
      'model_unauthorised',
      'credit',
    ],
    [400, { error: { message: 'context too long' } }, 'model_rejected', 'refused'],
    [404, { error: { message: 'no such model' } }, 'model_rejected', '"gpt-4o-mini"'],
  ])('%i is told at once, without the key', async (status, body, kind, hint) => {
    const { url, asked } = await serve((r) => json(r, status, body));
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind, hint: expect.stringContaining(hint) },
      usage: { inputTokens: 0 },
    });
    expect(JSON.stringify(outcome)).not.toContain('canary');
    expect(asked).toHaveLength(1);
  });

  test('a key of any shape is kept out of what the provider echoes', async () => {
    const { url } = await serve((r) => json(r, 401, { error: { message: 'wrong key azure0canary0f00d in header' } }));
    const model = await modelOf([providerAt(url, { apiKey: 'azure0canary0f00d' })]);
    const outcome = await model.call(question(), { signal: never });
    expect(outcome).toMatchObject({ ok: false, failure: { message: expect.stringContaining('[key]') } });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  test('no key at all: which variable to set', async () => {
    const { url } = await serve((r) => json(r, 401, { error: { message: 'who are you?' } }));
    const outcome = await (await modelOf([providerAt(url, { apiKey: undefined })])).call(question(), { signal: never });
    expect(outcome).toMatchObject({ ok: false, failure: { hint: 'Set TESTING_API_KEY.' } });
  });

  test('a redirect says where to', async () => {
    const { url } = await serve((r) => r.writeHead(308, { location: 'https://new.example/v1/chat/completions' }).end());
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: 'model_rejected', message: expect.stringContaining('https://new.example') },
    });
  });

  test('an error that never ends is read up to its limit, then the connection closes', async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url } = await serve((r) => {
      r.on('close', closed);
      r.writeHead(400, { 'content-type': 'text/plain' });
      const more = () => {
        while (!r.destroyed) if (!r.write('why not '.repeat(1000))) return r.once('drain', more);
        return r;
      };
      more();
    });
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'model_rejected' } });
    await gone;
  });

  test('an error of a megabyte with control characters becomes a short clean line', async () => {
    const { url } = await serve((r) => json(r, 400, { error: { message: `\u001b[31m\r\nbad${'x'.repeat(1e6)}` } }));
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: never });
    if (outcome.ok) throw new Error('must fail');
    expect(outcome.failure.message.length).toBeLessThan(450);
    expect(outcome.failure.message).toMatch(/^[\x20-\x7e…]+$/);
  });
});

describe('cancelling', () => {
  test('closes the connection at once; the outcome says so', async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url } = await serve((r) => {
      r.on('close', closed);
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      r.write(chunk({ content: 'one' }));
    });
    const abort = new AbortController();
    const outcome = await (await modelOf([providerAt(url)])).call(question(), {
      signal: abort.signal,
      onDelta: () => abort.abort(),
    });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'cancelled' },
      usage: { estimated: true },
    });
    expect(outcome.usage.inputTokens).toBeGreaterThan(0);
    await gone;
  });

  test('before the call: nothing is sent and nothing is counted', async () => {
    const { url, asked } = await serve(hello);
    const outcome = await (await modelOf([providerAt(url)])).call(question(), { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { kind: 'cancelled' },
      usage: { inputTokens: 0 },
    });
    expect(asked).toHaveLength(0);
  });

  test('during a wait between attempts', async () => {
    const { url, asked } = await serve((r) => json(r, 500, {}));
    const abort = new AbortController();
    const world = { ...testWorld(), sleep: async () => abort.abort() };
    const outcome = await (await modelOf([providerAt(url)], world)).call(question(), { signal: abort.signal });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      failure: { kind: 'cancelled' },
      usage: { inputTokens: 0 },
    });
    expect(asked).toHaveLength(1);
  });
});
