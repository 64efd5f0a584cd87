/** Reads one reply of a chat completions endpoint, streamed or not, into an assistant message. */

import { isFields } from '../domain/fields.js';
import { type Assembled, type Assembler, createAssembler } from './assemble.js';
import { interrupted, type Miss, refused, unreadable } from './explain.js';
import type { ProviderOptions, WireLimits } from './provider.js';
import { WireResponse } from './response.js';
import { createEventReader, UnreadableEvent } from './sse.js';
import type { World } from './world.js';

export type ReplyRead =
  | { readonly ok: true; readonly assembled: Assembled }
  /** `seen` is the text that had been generated, undefined when that is not known. */
  | { readonly ok: false; readonly miss: Miss; readonly seen: string | undefined };

export interface ReplyContext {
  readonly provider: ProviderOptions;
  readonly limits: WireLimits;
  readonly world: Pick<World, 'now' | 'elapsed'>;
  readonly onDelta: ((text: string) => void) | undefined;
}

/** Ends a reply from within, with the reason. */
class Stop extends Error {
  readonly reason: 'too large' | 'too long';
  constructor(reason: Stop['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** An error that came in place of a piece of the reply. */
class ErrorEvent extends Error {
  readonly error: Record<string, unknown>;
  constructor(error: Record<string, unknown>) {
    super('an error in the stream');
    this.error = error;
  }
}

/** Never throws; an abort shows as `interrupted`, which the caller turns into `cancelled`. */
export async function readReply(response: Response, context: ReplyContext): Promise<ReplyRead> {
  const assembler = createAssembler();
  try {
    const streamed = (response.headers.get('content-type') ?? '').includes('text/event-stream');
    return streamed ? await readStream(response, assembler, context) : await readWhole(response, assembler, context);
  } catch (error) {
    return { ok: false, ...broken(error, assembler, context, response) };
  }
}

async function readStream(response: Response, assembler: Assembler, context: ReplyContext): Promise<ReplyRead> {
  let done = false;
  const events = createEventReader((item) => {
    if (item.done) done = true;
    else if (!done) take(item.value, assembler, context);
  });
  await readBody(response, context, events.push);
  events.end();
  return settle(assembler, done, context);
}

async function readWhole(response: Response, assembler: Assembler, context: ReplyContext): Promise<ReplyRead> {
  const chunks: Uint8Array[] = [];
  await readBody(response, context, (chunk) => chunks.push(chunk));
  const text = (chunks.length === 1 ? Buffer.from(chunks[0] ?? []) : Buffer.concat(chunks)).toString('utf8');
  const start = text.trimStart();
  // A stream that is not declared as one.
  if (/^(data|event|id|retry)?:/.test(start)) {
    let done = false;
    const events = createEventReader((item) => {
      if (item.done) done = true;
      else take(item.value, assembler, context);
    });
    events.push(Buffer.from(text));
    events.end();
    return settle(assembler, done, context);
  }
  const value = parsed(start);
  if (value === undefined) {
    const what = start === '' ? 'nothing' : start.startsWith('<') ? 'a web page' : 'text that is not JSON';
    return { ok: false, miss: unreadable(context.provider, what, start.slice(0, 400)), seen: text };
  }
  take(value, assembler, context);
  if (assembler.started) return { ok: true, assembled: assembler.finish() };
  return {
    ok: false,
    miss: unreadable(context.provider, 'JSON without a message in `choices`', start.slice(0, 400)),
    seen: text,
  };
}

function take(value: unknown, assembler: Assembler, context: ReplyContext): void {
  if (isFields(value) && isFields(value.error) && !Array.isArray(value.choices)) throw new ErrorEvent(value.error);
  const added = assembler.push(value);
  if (added !== '') context.onDelta?.(added);
}

/** A stream ends well when it said so: with a finish reason or with `[DONE]`. */
function settle(assembler: Assembler, done: boolean, context: ReplyContext): ReplyRead {
  const assembled = assembler.finish();
  if (assembler.started && (done || assembled.finishReason !== undefined)) return { ok: true, assembled };
  if (done || assembled.usage !== undefined) {
    return { ok: false, miss: unreadable(context.provider, 'a stream without a message', ''), seen: '' };
  }
  const how = 'the stream ended without a finish reason';
  return { ok: false, miss: interrupted(context.provider, how), seen: assembler.seenText() };
}

function readBody(response: Response, context: ReplyContext, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  const { limits, world } = context;
  const started = world.elapsed();
  let bytes = 0;
  const guarded = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > limits.maxReplyBytes) throw new Stop('too large');
    if (world.elapsed() - started > limits.totalMs) throw new Stop('too long');
    onChunk(chunk);
  };
  const wire: unknown = response;
  if (wire instanceof WireResponse) return wire.pump(guarded);
  return Promise.reject(new TypeError('the reply did not come through our fetch'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function broken(
  error: unknown,
  assembler: Assembler,
  { provider, limits, world }: ReplyContext,
  response: Response,
): { miss: Miss; seen: string | undefined } {
  const seen = assembler.started ? assembler.seenText() : provider.stream ? '' : undefined;
  if (error instanceof Stop && error.reason === 'too large') {
    return { miss: unreadable(provider, `more than ${limits.maxReplyBytes} bytes`, ''), seen: undefined };
  }
  if (error instanceof Stop) return { miss: interrupted(provider, `longer than ${limits.totalMs} ms`), seen };
  if (error instanceof UnreadableEvent)
    return { miss: unreadable(provider, error.message, error.data.slice(0, 400)), seen };
  if (error instanceof ErrorEvent) {
    const { code, message } = error.error;
    const said = typeof message === 'string' ? message : JSON.stringify(error.error);
    const status = typeof code === 'number' ? code : Number(code) >= 400 ? Number(code) : 500;
    // After the first words it is an interrupted reply, whatever the reason.
    if (assembler.seenText().trim() !== '')
      return { miss: interrupted(provider, `${status} ${said.slice(0, 300)}`), seen };
    const named = typeof code === 'string' ? code : undefined;
    return {
      miss: refused(provider, { status, code: named, message: said, headers: response.headers }, world.now()),
      seen,
    };
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { miss: interrupted(provider, cause instanceof Error ? cause.message : String(cause)), seen };
}
