/** A real HTTP server that answers as told, and models against it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ToolDeclaration } from '../../src/domain/tool.js';
import { createModel, type ModelClient, type ModelOptions } from '../../src/llm/create.js';
import type { ModelRequest } from '../../src/llm/model.js';
import { commonQuirks, type ProviderOptions } from '../../src/llm/provider.js';
import type { World } from '../../src/llm/world.js';

export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, asked: Asked, count: number) => void;

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
  readonly server: Server;
}

/** Answers every request with `answer`; ends with the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      answer(response, one, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

export const providerAt = (url: string, more: Partial<ProviderOptions> = {}): ProviderOptions => ({
  name: 'testing',
  baseUrl: `${url}/v1`,
  model: 'gpt-4o-mini',
  apiKey: 'sk-secret-canary-123456',
  keyVariable: 'TESTING_API_KEY',
  urlSetting: 'OPENAI_BASE_URL',
  startHint: 'Start it with `testing serve`.',
  keyHeader: undefined,
  windowTokens: 128_000,
  maxOutputTokens: 4096,
  price: { input: 1, output: 2 },
  stream: true,
  reasoningEffort: undefined,
  quirks: commonQuirks,
  ...more,
});

/** A clock that jumps: sleeping takes no time and is recorded. */
export interface TestWorld extends World {
  readonly slept: number[];
}

export function testWorld(random = 0.5): TestWorld {
  const slept: number[] = [];
  let elapsed = 0;
  return {
    slept,
    now: () => Date.parse('2026-01-01T00:00:00Z') + elapsed,
    elapsed: () => elapsed,
    random: () => random,
    sleep: async (ms) => {
      slept.push(ms);
      elapsed += ms;
    },
  };
}

export async function modelOf(
  providers: ModelOptions['providers'],
  world: World = testWorld(),
  more: Omit<ModelOptions, 'providers'> = {},
): Promise<ModelClient> {
  const model = await createModel({ providers, ...more }, world);
  onTestFinished(() => model.close());
  return model;
}

export const addTool: ToolDeclaration = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  effect: 'pure',
  destructive: false,
  network: false,
  confirm: false,
  route: 'tool',
};

export const question = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'You add.' },
    { role: 'user', content: 'What is 1 + 2?' },
  ],
  tools: [addTool],
  maxOutputTokens: 256,
  temperature: 0.3,
  ...more,
});

export const never = new AbortController().signal;

export const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'served', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

export const usageChunk = (prompt: unknown, completion: unknown): string =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })}\n\n`;

export const sse = (response: ServerResponse, ...events: string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.join(''));
};

/** A short streamed answer that says hello. */
export const hello: Answer = (response) =>
  sse(
    response,
    chunk({ role: 'assistant', content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, 'stop'),
    usageChunk(30, 2),
    'data: [DONE]\n\n',
  );

export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

export const completion = (
  message: object,
  finish = 'stop',
  usage: unknown = { prompt_tokens: 30, completion_tokens: 5 },
): object => ({
  object: 'chat.completion',
  model: 'served',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage,
});
