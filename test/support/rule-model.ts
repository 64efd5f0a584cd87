/** A model over HTTP whose replies follow from the goal, for driving whole programs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly role: string;
  readonly content?: string | null;
}

export interface Asked {
  /** All messages in one text. */
  readonly text: string;
  /** Rounds before this one: assistant messages in the prompt. */
  readonly round: number;
  readonly agentId: string;
}

export type Call = readonly [name: string, args: Record<string, unknown>];
/** `refuse`: an HTTP status instead of a reply. `cut`: the reply stops in the middle and the connection is reset. */
export type Reply =
  | { readonly say: string }
  | { readonly calls: readonly Call[]; readonly cut?: boolean }
  | { readonly refuse: number };
export type Rule = (asked: Asked) => Reply | Promise<Reply>;

export interface TestModel {
  readonly url: string;
  /** Requests that came, by agent. */
  readonly asked: Asked[];
  close(): Promise<void>;
}

export async function startTestModel(rule: Rule): Promise<TestModel> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    answer(request, response, rule, asked).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, rule: Rule, asked: Asked[]): Promise<void> {
  const body = JSON.parse(await textOf(request)) as { messages: Message[]; stream?: boolean };
  const one: Asked = {
    text: body.messages.map(({ content }) => content ?? '').join('\n'),
    round: body.messages.filter(({ role }) => role === 'assistant').length,
    agentId: String(request.headers['x-hact-agent'] ?? ''),
  };
  asked.push(one);
  const reply = await rule(one);
  if ('refuse' in reply) {
    response.writeHead(reply.refuse, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `refused with ${reply.refuse}`, type: 'test' } }));
    return;
  }
  const calls =
    'calls' in reply
      ? reply.calls.map(([name, args], index) => ({
          id: `call_${asked.length}_${index}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        }))
      : undefined;
  const message = {
    role: 'assistant',
    content: 'say' in reply ? reply.say : null,
    ...(calls ? { tool_calls: calls } : {}),
  };
  const finish = calls ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: Math.ceil(one.text.length / 4), completion_tokens: 20, total_tokens: 0 };
  const base = { id: `chatcmpl-${asked.length}`, created: 1_700_000_000, model: 'test' };
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choices: unknown[], more: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  if (message.content !== null)
    send([{ index: 0, delta: { role: 'assistant', content: message.content }, finish_reason: null }]);
  if ('cut' in reply && reply.cut === true && calls !== undefined) {
    const [{ function: first, ...call }] = calls as [(typeof calls)[number]];
    const half = first.arguments.slice(0, Math.floor(first.arguments.length / 2));
    send([{ index: 0, delta: { tool_calls: [{ index: 0, ...call, function: { ...first, arguments: half } }] } }]);
    setImmediate(() => response.destroy());
    return;
  }
  for (const [index, call] of calls?.entries() ?? []) {
    send([{ index: 0, delta: { tool_calls: [{ index, ...call }] }, finish_reason: null }]);
  }
  send([{ index: 0, delta: {}, finish_reason: finish }]);
  send([], { usage });
  response.end('data: [DONE]\n\n');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
