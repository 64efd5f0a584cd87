/** Our fetch under the openai SDK, beside the default one: the same outcome for everything that can happen on the wire. */
import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFetch } from '../../src/llm/fetch.js';
import { defaultWireLimits } from '../../src/llm/provider.js';
import { type Answer, chunk, completion, hello, json, serve, sse } from './support.js';

function ours(limits: Partial<typeof defaultWireLimits> = {}) {
  const wire = createFetch({ ...defaultWireLimits, ...limits });
  onTestFinished(() => wire.close());
  return wire.fetch;
}

const clientOf = (url: string, fetch: typeof globalThis.fetch | undefined, timeout = 5_000) =>
  new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: 'sk-x',
    maxRetries: 0,
    timeout,
    logLevel: 'off',
    ...(fetch && { fetch }),
  });

const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };

/** What came of it, in a form that can be compared: the value, or the error's class, status and message. */
async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (error) {
    const { name, message, status, cause } = error as Error & { status?: number };
    const inner = cause instanceof Error ? cause : undefined;
    return {
      name,
      class: (error as Error).constructor.name,
      message,
      status,
      cause: inner?.message,
      code: (inner?.cause as { code?: string })?.code,
    };
  }
}

/** Runs the same with the default fetch and with ours, each against a fresh server. */
async function both(answer: Answer, work: (client: OpenAI) => Promise<unknown>, timeout?: number): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const fetch of [undefined, ours() as typeof globalThis.fetch]) {
    const { url } = await serve(answer);
    const outcome = await outcomeOf(() => work(clientOf(url, fetch, timeout)));
    outcomes.push(JSON.parse(JSON.stringify(outcome).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')));
  }
  return outcomes;
}

const whole = (client: OpenAI) => client.chat.completions.create(ask).then((reply) => reply.choices);

async function streamed(client: OpenAI): Promise<string> {
  let text = '';
  for await (const part of await client.chat.completions.create({ ...ask, stream: true })) {
    text += part.choices[0]?.delta.content ?? '';
  }
  return text;
}

describe('the SDK sees the same through our fetch and through the default one', () => {
  const cases: [string, Answer, (client: OpenAI) => Promise<unknown>, number?][] = [
    ['a whole reply', (r) => json(r, 200, completion({ content: '你好' })), whole],
    ['a streamed reply', hello, streamed],
    ['a streamed reply in pieces of one byte', inBytes, streamed],
    ['an empty stream', (r) => sse(r), streamed],
    ['a compressed reply', (r) => compressed(r, completion({ content: 'packed' }), 200), whole],
    ['a compressed error', (r) => compressed(r, { error: { message: 'no such thing' } }, 404), whole],
    ['400 with a reason', (r) => json(r, 400, { error: { message: 'bad', code: 'c', param: 'p' } }), whole],
    ['401', (r) => json(r, 401, { error: { message: 'no key' } }), streamed],
    ['429', (r) => json(r, 429, { error: { message: 'slow down' } }, { 'retry-after': '3' }), whole],
    ['500 with text', (r) => r.writeHead(500).end('oops'), whole],
    ['503 without a body', (r) => r.writeHead(503).end(), whole],
    ['a web page in place of JSON', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), whole],
    ['JSON that is cut', (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'), whole],
    ['a connection closed before the head', (r) => r.destroy(), whole],
    ['a connection closed in the middle of a reply', cutReply, whole],
    ['a connection closed in the middle of a stream', cutStream, streamed],
    ['no head within the time limit', () => {}, whole, 80],
  ];

  test.each(cases)('%s', async (_, answer, work, timeout) => {
    const [theirs, mine] = await both(answer, work, timeout);
    expect(mine).toEqual(theirs);
  });

  test('nobody listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const run = (fetch?: typeof globalThis.fetch) =>
      outcomeOf(() => whole(clientOf(`http://127.0.0.1:${port}`, fetch)));
    expect(await run(ours() as typeof globalThis.fetch)).toEqual(await run());
  });

  test('a signal aborted beforehand sends nothing', async () => {
    const { url, asked } = await serve(hello);
    for (const fetch of [undefined, ours() as typeof globalThis.fetch]) {
      const outcome = await outcomeOf(() =>
        clientOf(url, fetch).chat.completions.create(ask, { signal: AbortSignal.abort() }),
      );
      expect(outcome).toMatchObject({ class: 'APIUserAbortError' });
    }
    expect(asked).toHaveLength(0);
  });

  test('an abort while waiting for the head closes the connection', async () => {
    const [theirs, mine] = await abortedWaiting();
    expect(mine).toEqual(theirs);
    expect(mine).toMatchObject({ class: 'APIUserAbortError' });
  });

  test('an abort in the middle of a stream ends it and closes the connection', async () => {
    for (const fetch of [undefined, ours() as typeof globalThis.fetch]) {
      let onClose = () => {};
      const gone = new Promise<void>((resolve) => {
        onClose = resolve;
      });
      const { url } = await serve((response) => {
        response.on('close', onClose);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'one' }));
      });
      const abort = new AbortController();
      const stream = await clientOf(url, fetch).chat.completions.create(
        { ...ask, stream: true },
        { signal: abort.signal },
      );
      const texts: unknown[] = [];
      for await (const part of stream) {
        texts.push(part.choices[0]?.delta.content);
        abort.abort();
      }
      expect(texts).toEqual(['one']);
      await gone;
    }
  });

  test('leaving a stream early closes the connection', async () => {
    for (const fetch of [undefined, ours() as typeof globalThis.fetch]) {
      let onClose = () => {};
      const gone = new Promise<void>((resolve) => {
        onClose = resolve;
      });
      const { url } = await serve((response) => {
        response.on('close', onClose);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'one' }));
      });
      for await (const _ of await clientOf(url, fetch).chat.completions.create({ ...ask, stream: true })) break;
      await gone;
    }
  });
});

describe('our fetch alone', () => {
  test('a redirect is not followed, so that the key stays here', async () => {
    const elsewhere = await serve(hello);
    const { url } = await serve((r) => r.writeHead(307, { location: `${elsewhere.url}/v1/x` }).end());
    const response = await ours()(`${url}/v1/x`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer k' },
    });
    expect(response.status).toBe(307);
    expect(elsewhere.asked).toHaveLength(0);
  });

  test('silence within a reply ends it', async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
    });
    const response = await ours({ idleMs: 50 })(url);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('a reply that nobody reads is held back, and comes whole when it is read', async () => {
    const size = 8 * 1024 * 1024;
    const { url } = await serve((response) => response.end(Buffer.alloc(size, 97)));
    const response = await ours()(url);
    await new Promise((resolve) => setImmediate(resolve));
    let bytes = 0;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) bytes += part.length;
    expect(bytes).toBe(size);
  });

  test('a body is read once', async () => {
    const { url } = await serve((response) => response.end('text'));
    const response = await ours()(url);
    expect(await response.text()).toBe('text');
    await expect(response.text()).rejects.toThrow('read already');
  });

  test('leaves no listener on the signal of the caller', async () => {
    const { url } = await serve((response) => response.end('text'));
    const signal = new AbortController().signal;
    const response = ours()(url, { cancel: signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await (await response).text();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

function inBytes(response: Parameters<Answer>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const bytes = Buffer.from(`${chunk({ content: '早上好' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
  for (const byte of bytes) response.write(Buffer.from([byte]));
  response.end();
}

function compressed(response: Parameters<Answer>[0], body: unknown, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(JSON.stringify(body)));
}

function cutReply(response: Parameters<Answer>[0]): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":');
  setImmediate(() => response.destroy());
}

function cutStream(response: Parameters<Answer>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ content: 'one' }));
  setImmediate(() => response.destroy());
}

async function abortedWaiting(): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const fetch of [undefined, ours() as typeof globalThis.fetch]) {
    const abort = new AbortController();
    let onClose = () => {};
    const gone = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const { url } = await serve((response) => {
      response.on('close', onClose);
      abort.abort();
    });
    outcomes.push(await outcomeOf(() => clientOf(url, fetch).chat.completions.create(ask, { signal: abort.signal })));
    await gone;
  }
  return outcomes;
}
