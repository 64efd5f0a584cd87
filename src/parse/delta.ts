/** Puts a chat message together from OpenAI-style stream deltas, as providers really send them. */
import type { AssistantMessage } from '../domain/chat.js';
import { type StreamedCall, settledCalls, takeCalls } from '../domain/streamed-calls.js';

export interface DeltaAssembler {
  /** @param delta the `delta` of a chunk's first choice */
  push(delta: unknown): void;
  message(): AssistantMessage;
}

const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'thinking', 'refusal'];

export function createDeltaAssembler(): DeltaAssembler {
  let content = '';
  let sawContent = false;
  const texts = new Map<string, string[]>();
  const details: unknown[] = [];
  const contentParts: string[] = [];
  const calls: StreamedCall[] = [];

  const pushText = (key: string, value: unknown): void => {
    if (typeof value !== 'string' || value === '') return;
    const known = texts.get(key);
    if (known === undefined) texts.set(key, [value]);
    else known.push(value);
  };

  const pushPart = (raw: unknown): void => {
    if (raw === null || typeof raw !== 'object') return;
    const part = raw as { type?: unknown; text?: unknown; thinking?: unknown };
    if (part.type === 'thinking')
      for (const piece of [part.thinking].flat()) pushText('reasoning_content', textOf(piece));
    else if (part.type === 'text' && typeof part.text === 'string') {
      sawContent = true;
      contentParts.push(part.text);
    }
  };

  return {
    push(delta) {
      if (delta === null || typeof delta !== 'object') return;
      const fields = delta as Record<string, unknown>;
      if (typeof fields.content === 'string') {
        sawContent = true;
        contentParts.push(fields.content);
      }
      if (Array.isArray(fields.content)) for (const part of fields.content as unknown[]) pushPart(part);
      for (const key of TEXT_FIELDS) pushText(key, fields[key]);
      if (Array.isArray(fields.reasoning_details)) details.push(...(fields.reasoning_details as unknown[]));
      takeCalls(calls, fields);
    },
    message() {
      content = contentParts.join('');
      const message: AssistantMessage = { role: 'assistant', content: sawContent && content !== '' ? content : null };
      const settled = settledCalls(calls);
      if (settled.length > 0) message.tool_calls = settled;
      for (const [key, parts] of texts) message[key] = parts.join('');
      if (details.length > 0) message.reasoning_details = details;
      return message;
    },
  };
}

/** The text of a piece of thinking: itself, or in its field. */
const textOf = (piece: unknown): unknown =>
  piece !== null && typeof piece === 'object' ? (piece as { text?: unknown }).text : piece;
