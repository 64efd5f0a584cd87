/**
 * Puts a chat message together from OpenAI-style stream deltas, as providers really send them: calls keyed by id
 * first and index second, indexes that are wrong or missing, ids repeated or only in the first delta, arguments that
 * come whole, twice, or as `{}` before the real ones, content as parts.
 */
import type { AssistantMessage } from '../domain/chat.js';

interface DeltaCall {
  index?: unknown;
  id?: unknown;
  type?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

interface Assembled {
  readonly key: number;
  id: string;
  index: number | undefined;
  name: string;
  arguments: string;
}

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
  const calls: Assembled[] = [];
  let legacy: Assembled | undefined;

  const pushCall = (raw: unknown): void => {
    if (raw === null || typeof raw !== 'object') return;
    const delta = raw as DeltaCall;
    const id = typeof delta.id === 'string' ? delta.id : '';
    const index = typeof delta.index === 'number' ? delta.index : undefined;
    const name = typeof delta.function?.name === 'string' ? delta.function.name : '';
    const call = find(calls, id, index, name, argumentsText(delta.function?.arguments)) ?? add(calls, id, index);
    if (id !== '' && call.id === '') call.id = id;
    if (index !== undefined && call.index === undefined) call.index = index;
    if (name !== '' && !call.name.endsWith(name))
      call.name = call.name === '' || name.startsWith(call.name) ? name : call.name + name;
    call.arguments = joinArguments(call.arguments, delta.function?.arguments);
  };

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
      if (Array.isArray(fields.tool_calls)) for (const call of fields.tool_calls as unknown[]) pushCall(call);
      const single = fields.function_call;
      if (single !== null && typeof single === 'object') {
        const part = single as { name?: unknown; arguments?: unknown };
        legacy ??= { key: -1, id: '', index: undefined, name: '', arguments: '' };
        if (typeof part.name === 'string' && legacy.name === '') legacy.name = part.name;
        legacy.arguments = joinArguments(legacy.arguments, part.arguments);
      }
    },
    message() {
      content = contentParts.join('');
      const message: AssistantMessage = { role: 'assistant', content: sawContent && content !== '' ? content : null };
      const all = legacy === undefined ? calls : [...calls, legacy];
      if (all.length > 0) {
        message.tool_calls = distinct(all).map((call, i) => ({
          id: call.id === '' ? `call_${i}` : call.id,
          type: 'function' as const,
          function: { name: call.name, arguments: settled(call.arguments) },
        }));
      }
      for (const [key, parts] of texts) message[key] = parts.join('');
      if (details.length > 0) message.reasoning_details = details;
      return message;
    },
  };
}

/** The text of a piece of thinking: itself, or in its field. */
const textOf = (piece: unknown): unknown =>
  piece !== null && typeof piece === 'object' ? (piece as { text?: unknown }).text : piece;

const argumentsText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function add(calls: Assembled[], id: string, index: number | undefined): Assembled {
  const call: Assembled = { key: calls.length, id, index, name: '', arguments: '' };
  calls.push(call);
  return call;
}

/** The call that a delta continues: by id, else by index, else the last one. Undefined when it begins a new one. */
function find(
  calls: readonly Assembled[],
  id: string,
  index: number | undefined,
  name: string,
  args: string,
): Assembled | undefined {
  const last = calls[calls.length - 1];
  if (id !== '') {
    const same = calls.findLast((call) => call.id === id);
    if (same !== undefined)
      return name !== '' && name !== same.name && same.name !== '' && whole(same.arguments) ? undefined : same;
    const free = calls.findLast((call) => call.index === index && index !== undefined && call.id === '');
    return free;
  }
  if (index !== undefined) {
    const same = calls.findLast((call) => call.index === index);
    if (same === undefined) return last !== undefined && name === '' && last.index === undefined ? last : undefined;
    return name !== '' && same.name !== '' && whole(same.arguments) && args.trimStart().startsWith('{')
      ? undefined
      : same;
  }
  if (last === undefined) return undefined;
  return name !== '' && last.name !== '' && whole(last.arguments) ? undefined : last;
}

function whole(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

/** Appends a piece; a whole object replaces `{}` and is not taken twice. */
function joinArguments(before: string, piece: unknown): string {
  const text = argumentsText(piece);
  if (text === '') return before;
  const old = before.trim();
  if ((old === '{}' || old === 'null') && /^\s*\{/.test(text)) return text;
  if (old !== '' && old.length > 2 && text.trim() === old && whole(old)) return before;
  if (typeof piece !== 'string' && whole(text)) return text;
  return before + text;
}

/** Two objects glued together: the last one that is not empty counts when they differ; equal ones are one. */
function settled(text: string): string {
  const trimmed = text.trim();
  if (whole(trimmed) || !trimmed.startsWith('{')) return text;
  for (let at = trimmed.indexOf('}{'); at >= 0; at = trimmed.indexOf('}{', at + 1)) {
    const left = trimmed.slice(0, at + 1);
    const right = trimmed.slice(at + 1);
    if (whole(left) && whole(right)) {
      if (left === '{}' || left === right) return right;
      if (right === '{}') return left;
    }
  }
  return text;
}

/** Equal doubles under one id are one call. */
function distinct(calls: readonly Assembled[]): Assembled[] {
  const kept: Assembled[] = [];
  for (const call of calls) {
    if (call.name === '' && call.arguments === '') continue;
    if (
      kept.some(
        (old) => old.id !== '' && old.id === call.id && old.name === call.name && old.arguments === call.arguments,
      )
    )
      continue;
    kept.push(call);
  }
  return kept;
}
