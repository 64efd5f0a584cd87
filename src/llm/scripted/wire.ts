/** How the scripted model's answers go over the wire: whole or as a stream, or as a fault. */
import type { ServerResponse } from 'node:http';
import type { Answer, Fault, Reply } from './brain.js';

export interface WireContext {
  readonly id: string;
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Text of one delta; small, so that readers see many. */
const deltaChars = 24;

export function sendAnswer(response: ServerResponse, answer: Answer, context: WireContext): void {
  if (answer.kind === 'reply') sendReply(response, answer, context);
  else sendFault(response, answer.fault, context);
}

function sendReply(response: ServerResponse, reply: Reply, context: WireContext): void {
  if (context.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(`${[...events(reply, context), ...usageEvents(context)].join('')}data: [DONE]\n\n`);
  } else {
    sendJson(response, 200, whole(reply, context));
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** An error in the form of the API. */
export const errorBody = (message: string, type: string) => ({ error: { message, type, param: null, code: type } });

const statusNames: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  503: 'overloaded',
};

function sendFault(response: ServerResponse, fault: Fault, context: WireContext): void {
  switch (fault.kind) {
    case 'status': {
      const name = statusNames[fault.status] ?? (fault.status >= 500 ? 'server_error' : 'invalid_request_error');
      const wait = fault.retryAfterSeconds;
      const headers = wait === undefined ? undefined : { 'retry-after': String(wait) };
      sendJson(response, fault.status, errorBody(`scripted fault: ${fault.status}`, name), headers);
      return;
    }
    case 'reset':
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': fault.contentType });
      response.end(fault.body);
      return;
    case 'cut':
      // Written and flushed before the connection goes, so that the reader has seen a part.
      response.write(firstHalf(response, fault.reply, context), () => response.destroy());
      return;
    case 'stall':
      response.write(firstHalf(response, fault.reply, context));
      return;
  }
}

function firstHalf(response: ServerResponse, reply: Reply, context: WireContext): string {
  response.writeHead(200, { 'content-type': context.stream ? 'text/event-stream' : 'application/json' });
  if (!context.stream) {
    const text = JSON.stringify(whole(reply, context));
    return text.slice(0, Math.ceil(text.length / 2));
  }
  const all = events(reply, context);
  return all.slice(0, Math.max(2, Math.ceil(all.length / 2))).join('');
}

const head = ({ id, model }: WireContext, object: string) => ({ id, object, created: 0, model });

const usageOf = ({ usage }: WireContext) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
});

const whole = (reply: Reply, context: WireContext) => ({
  ...head(context, 'chat.completion'),
  choices: [{ index: 0, message: { role: 'assistant', ...reply.message }, finish_reason: reply.finishReason }],
  usage: usageOf(context),
});

function events(reply: Reply, context: WireContext): string[] {
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ ...head(context, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const { content, tool_calls: calls, ...extras } = reply.message;
  const lines = [event({ role: 'assistant', content: content === null ? null : '' })];
  for (const [field, value] of Object.entries(extras)) {
    if (typeof value === 'string') for (const part of parts(value)) lines.push(event({ [field]: part }));
    else lines.push(event({ [field]: value }));
  }
  for (const part of parts(content ?? '')) lines.push(event({ content: part }));
  for (const [index, call] of (calls ?? []).entries()) {
    lines.push(event({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] }));
    for (const part of parts(call.function.arguments)) {
      lines.push(event({ tool_calls: [{ index, function: { arguments: part } }] }));
    }
  }
  lines.push(event({}, reply.finishReason));
  return lines;
}

const usageEvents = (context: WireContext): string[] =>
  context.includeUsage
    ? [
        `data: ${JSON.stringify({ ...head(context, 'chat.completion.chunk'), choices: [], usage: usageOf(context) })}\n\n`,
      ]
    : [];

/** Pieces of a text; a character beyond the first plane is never split. */
function parts(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + deltaChars);
    const code = text.charCodeAt(to);
    if (code >= 0xdc00 && code <= 0xdfff) to += 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
