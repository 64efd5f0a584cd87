/** The scripted model: a small HTTP server that speaks the OpenAI protocol and is answered for by a brain. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { ChatMessage } from '../../domain/chat.js';
import { createTokenizer, type Tokenizer } from '../tokens.js';
import type { Answer, Asked, Brain } from './brain.js';
import { type Counter, callHash, createCounter, hashOf, type Stats } from './stats.js';
import { errorBody, sendAnswer, sendJson, type WireContext } from './wire.js';

export interface ScriptedOptions {
  readonly brain: Brain;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Time that each reply takes, so that there is something to see and to interrupt. */
  readonly latencyMs?: number;
}

export interface ScriptedModel {
  /** For the openai SDK: ends in `/v1`. `/p/NAME/v1` of the same server is the provider NAME. */
  readonly url: string;
  readonly port: number;
  stats(): Stats;
  /** Closes every connection, those under way too. */
  stop(): Promise<void>;
}

const modelName = 'scripted';
const maxBodyBytes = 16 * 1024 * 1024;

/** Only what a brain needs is looked at; the rest of the API is passed over. */
const requestSchema = z.object({
  model: z.string().optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string().nullish() }))
    .min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
});
type ChatRequest = z.infer<typeof requestSchema>;

interface Serving {
  readonly brain: Brain;
  readonly tokenizer: Tokenizer;
  readonly counter: Counter;
  readonly latencyMs: number;
  nextId: number;
}

/** Listens on loopback only. Rejects when the port is taken. */
export async function startScriptedModel(options: ScriptedOptions): Promise<ScriptedModel> {
  const counter = createCounter();
  const tokenizer = remembering(await createTokenizer(modelName));
  const serving: Serving = { brain: options.brain, tokenizer, counter, latencyMs: options.latencyMs ?? 0, nextId: 1 };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    route(serving, request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, errorBody(String(error), 'server_error'));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    stats: counter.read,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const paths = /^(?:\/p\/([\w-]{1,64}))?\/v1\/(chat\/completions|models)\/?(?:\?|$)/;

async function route(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (url === '/stats') return sendJson(response, 200, serving.counter.read());
  const match = paths.exec(url);
  if (match === null) {
    return sendJson(response, 404, errorBody(`nothing is served at ${url.slice(0, 200)}; try /v1/models`, 'not_found'));
  }
  if (match[2] === 'models') {
    return sendJson(response, 200, { object: 'list', data: [{ id: modelName, object: 'model', owned_by: 'hermes' }] });
  }
  const body = await read(request);
  if (body === undefined)
    return sendJson(response, 413, errorBody('the request is too large', 'invalid_request_error'));
  const parsed = requestSchema.safeParse(parsedJson(body));
  if (!parsed.success) {
    const said = z.prettifyError(parsed.error).slice(0, 500);
    return sendJson(response, 400, errorBody(`no chat completion request: ${said}`, 'invalid_request_error'));
  }
  complete(serving, parsed.data, { provider: match[1] ?? 'default', request, response });
}

interface Exchange {
  readonly provider: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function complete(serving: Serving, asked: ChatRequest, { provider, request, response }: Exchange): void {
  const { counter, tokenizer } = serving;
  const messages = asked.messages as unknown as ChatMessage[];
  const header = request.headers['x-hact-agent'];
  const opening = messages.filter(({ role }) => role !== 'assistant' && role !== 'tool').slice(0, 2);
  const agent = typeof header === 'string' && header !== '' ? header : hashOf('', JSON.stringify(opening));
  counter.asked(agent);
  const answer = serving.brain({
    messages,
    tools: (asked.tools ?? []).map((tool) => tool.function.name),
    conversation: agent,
    provider,
    maxOutputTokens: asked.max_completion_tokens ?? asked.max_tokens ?? 4096,
    countText: tokenizer.countText,
  } satisfies Asked);
  // A reply that was cut off at the output limit is rightly asked for again.
  const hash = answer.kind === 'reply' && answer.finishReason !== 'length' ? callHash(agent, messages) : undefined;
  if (answer.kind === 'reply') response.once('finish', () => counter.completed(agent, hash));
  else counter.failed(agent);
  const context: WireContext = {
    id: `chatcmpl-${serving.nextId++}`,
    model: asked.model ?? modelName,
    stream: asked.stream === true,
    includeUsage: asked.stream_options?.include_usage === true,
    usage: usageOf(answer, messages, asked.tools ?? [], tokenizer),
  };
  if (serving.latencyMs === 0) sendAnswer(response, answer, context);
  else {
    const timer = setTimeout(() => sendAnswer(response, answer, context), serving.latencyMs);
    response.once('close', () => clearTimeout(timer));
  }
}

function usageOf(answer: Answer, messages: readonly ChatMessage[], tools: readonly unknown[], tokenizer: Tokenizer) {
  const reply = answer.kind === 'reply' ? answer : 'reply' in answer.fault ? answer.fault.reply : undefined;
  if (reply?.usage !== undefined) return reply.usage;
  const declared = tools.map((tool) => (tool as { function: object }).function);
  const prompt = messages.reduce((sum, message) => sum + tokenizer.countMessage(message), tokenizer.overheadTokens);
  // The cast: counting reads name, description and parameters.
  const inputTokens = prompt + tokenizer.countTools(declared as Parameters<Tokenizer['countTools']>[0]);
  const written =
    reply === undefined ? 0 : tokenizer.countMessage({ role: 'assistant', ...reply.message } as ChatMessage);
  return { inputTokens, outputTokens: written };
}

const mostRemembered = 5_000;

/** Prompts repeat what came before; each text is counted once. */
function remembering(tokenizer: Tokenizer): Tokenizer {
  const counts = new Map<string, number>();
  const remembered = (key: string, count: () => number): number => {
    const known = counts.get(key);
    if (known !== undefined) return known;
    const value = count();
    if (counts.size >= mostRemembered) counts.clear();
    counts.set(key, value);
    return value;
  };
  return {
    ...tokenizer,
    countMessage: (message) => remembered(JSON.stringify(message), () => tokenizer.countMessage(message)),
    countTools: (tools) => remembered(JSON.stringify(tools), () => tokenizer.countTools(tools)),
  };
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
