/**
 * Puts the deltas of a streamed reply together, and brings whole replies into the same form.
 *
 * Text, reasoning fields and whatever else a provider sends are kept as they are, because signed reasoning has to go back
 * to the model unchanged.
 */
import type { AssistantMessage } from '../domain/chat.js';
import { type Fields, isFields } from '../domain/fields.js';
import { type StreamedCall, settledCalls, takeCalls } from '../domain/streamed-calls.js';

export interface Assembled {
  readonly message: AssistantMessage;
  readonly finishReason: string | undefined;
  /** As the provider reported it; not yet believed. */
  readonly usage: unknown;
  readonly model: string | undefined;
}

const known = new Set(['role', 'content', 'tool_calls', 'function_call', '__proto__']);

export interface Assembler {
  /** Takes one chunk (or one whole completion) and returns the visible text that it added. */
  push(chunk: unknown): string;
  /** Anything of a message seen so far, an empty one included. */
  readonly started: boolean;
  /** All text seen so far, reasoning and arguments too: what has certainly been generated. */
  seenText(): string;
  finish(): Assembled;
}

export function createAssembler(): Assembler {
  let text = '';
  let hasText = false;
  const calls: StreamedCall[] = [];
  const extras: Fields = {};
  let finishReason: string | undefined;
  let usage: unknown;
  let model: string | undefined;
  let started = false;

  const takeMessage = (message: Fields): string => {
    started = true;
    const added = visibleText(message.content, extras);
    if (added !== undefined) {
      text += added;
      hasText = true;
    }
    takeCalls(calls, message);
    for (const key of Object.keys(message)) if (!known.has(key)) extras[key] = merged(extras[key], message[key]);
    return added ?? '';
  };

  return {
    get started() {
      return started;
    },
    push(chunk) {
      if (!isFields(chunk)) return '';
      if (isFields(chunk.usage)) usage = chunk.usage;
      if (typeof chunk.model === 'string') model = chunk.model;
      const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isFirstChoice) : undefined;
      if (choice === undefined) return '';
      if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') finishReason = choice.finish_reason;
      const whole = isFields(choice.message) && !started ? choice.message : undefined;
      const part = isFields(choice.delta) ? choice.delta : whole;
      return part === undefined ? '' : takeMessage(part);
    },
    seenText: () =>
      [text, ...calls.map((call) => call.name + call.arguments), ...Object.values(extras).map(asText)].join('\n'),
    finish() {
      const settled = settledCalls(calls);
      const message: AssistantMessage = { ...extras, role: 'assistant', content: hasText ? text : null };
      if (settled.length > 0) message.tool_calls = settled;
      return { message, finishReason, usage, model };
    },
  };
}

const isFirstChoice = (choice: unknown): choice is Fields =>
  isFields(choice) && (choice.index === undefined || choice.index === null || choice.index === 0);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Content is text, nothing, or a list of parts; thinking parts (Mistral) become `reasoning`. */
function visibleText(content: unknown, extras: Fields): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  let text = '';
  for (const part of content.filter(isFields)) {
    // Signed and redacted thinking goes back as it came, under the name by which gateways take it.
    if (part.signature !== undefined || part.type === 'redacted_thinking')
      extras.thinking_blocks = merged(extras.thinking_blocks, [part]);
    if (typeof part.text === 'string') text += part.text;
    else if (Array.isArray(part.thinking)) {
      const thought = part.thinking.filter(isFields).map((item) => (typeof item.text === 'string' ? item.text : ''));
      extras.reasoning = merged(extras.reasoning, thought.join(''));
    } else if (typeof part.thinking === 'string') extras.reasoning = merged(extras.reasoning, part.thinking);
  }
  return text;
}

/** Extra fields: text grows, lists grow (parts with one index and type are one part), objects merge, the rest is replaced. */
function merged(have: unknown, piece: unknown): unknown {
  if (have === undefined || have === null) return piece;
  if (piece === undefined || piece === null) return have;
  if (typeof have === 'string' && typeof piece === 'string') return have + piece;
  if (Array.isArray(have) && Array.isArray(piece)) return piece.reduce(withPart, have);
  return piece;
}

const growing = new Set(['text', 'summary', 'data', 'thinking']);

function withPart(parts: readonly unknown[], part: unknown): readonly unknown[] {
  const last = parts.at(-1);
  const continues =
    isFields(last) &&
    isFields(part) &&
    part.index === last.index &&
    part.type === last.type &&
    // Without an index, a signature ends a block of thinking.
    (part.index !== undefined || (part.type === 'thinking' && !last.signature));
  if (!continues) return [...parts, part];
  const joined: Fields = { ...last };
  for (const key of Object.keys(part)) {
    if (key === '__proto__') continue;
    joined[key] = growing.has(key) ? merged(last[key], part[key]) : (part[key] ?? last[key]);
  }
  return [...parts.slice(0, -1), joined];
}
