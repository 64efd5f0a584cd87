/** What an API puts beside or instead of text: tool calls, reasoning and content parts, in the layouts of all common APIs. */
import { type Fields, isFields } from '../domain/fields.js';
import type { Json } from '../domain/json.js';

export interface NativeCall {
  readonly name: string;
  readonly arguments: Json | undefined;
  readonly id?: string;
  /** The API says that it was not written to its end. */
  readonly cut?: true;
}

export interface NativeMessage {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly NativeCall[];
  /** Parts that must go back to the model unchanged: signed or encrypted reasoning. */
  readonly sealed: readonly Json[];
  readonly formats: readonly string[];
}

interface Collecting {
  readonly text: string[];
  readonly reasoning: string[];
  readonly calls: NativeCall[];
  readonly sealed: Json[];
  readonly formats: Set<string>;
}

const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export function readNative(message: unknown): NativeMessage {
  const c: Collecting = { text: [], reasoning: [], calls: [], sealed: [], formats: new Set() };
  if (isFields(message) && !isCall(message)) readMessage(message, c, 0);
  else part(message, c, 0);
  return {
    text: c.text.filter(Boolean).join('\n'),
    reasoning: distinctTexts(c.reasoning),
    calls: c.calls,
    sealed: c.sealed,
    formats: [...c.formats],
  };
}

/** Providers repeat one reasoning text under several names. */
function distinctTexts(texts: readonly string[]): string {
  const kept: string[] = [];
  for (const text of texts.map((t) => t.trim()).filter(Boolean)) {
    if (!kept.some((old) => old === text || old.includes(text))) kept.push(text);
  }
  return kept.join('\n\n');
}

function readMessage(message: Fields, c: Collecting, depth: number): void {
  if (depth > 6) return;
  for (const key of ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text', 'tool_plan']) {
    const value = message[key];
    if (typeof value === 'string') c.reasoning.push(value);
    else if (isFields(value) || Array.isArray(value)) for (const entry of asList(value)) reasoningPart(entry, c);
  }
  for (const key of ['reasoning_details', 'thinking_blocks'])
    for (const detail of asList(message[key])) reasoningPart(detail, c);
  for (const inner of ['message', 'delta', 'response', 'completion_message'])
    if (isFields(message[inner])) readMessage(message[inner] as Fields, c, depth + 1);
  if (isFields(message.item)) part(message.item, c, depth + 1);
  for (const choice of asList(message.choices).slice(0, 1)) if (isFields(choice)) readMessage(choice, c, depth + 1);
  for (const candidate of asList(message.candidates).slice(0, 1))
    if (isFields(candidate)) readMessage(candidate, c, depth + 1);
  for (const key of ['content', 'parts', 'output', 'text', 'generated_text']) {
    const value = message[key];
    if (typeof value === 'string') c.text.push(value);
    else if (Array.isArray(value)) for (const entry of value) part(entry, c, depth + 1);
    else if (isFields(value))
      (Array.isArray(value.parts) || Array.isArray(value.content) || value.role !== undefined ? readMessage : part)(
        value,
        c,
        depth + 1,
      );
  }
  for (const key of ['tool_calls', 'toolCalls', 'function_calls'])
    for (const call of asList(message[key])) toolCall(call, c);
  if (isFields(message.function_call)) toolCall(message.function_call, c);
  if (isFields(message.functionCall)) toolCall(message.functionCall, c);
}

function reasoningPart(entry: unknown, c: Collecting): void {
  if (typeof entry === 'string') {
    c.reasoning.push(entry);
    return;
  }
  if (!isFields(entry)) return;
  if (
    entry.signature !== undefined ||
    entry.encrypted_content !== undefined ||
    entry.data !== undefined ||
    /encrypt|redact/.test(String(entry.type))
  )
    c.sealed.push(entry as Json);
  for (const key of ['text', 'summary', 'thinking', 'content', 'reasoning']) {
    const value = entry[key];
    if (typeof value === 'string') c.reasoning.push(value);
    else
      for (const inner of asList(value))
        if (isFields(inner) && typeof inner.text === 'string') c.reasoning.push(inner.text);
  }
}

/** One content part of any API. */
function part(entry: unknown, c: Collecting, depth: number): void {
  if (typeof entry === 'string') {
    c.text.push(entry);
    return;
  }
  if (!isFields(entry) || depth > 6) return;
  const type = typeof entry.type === 'string' ? entry.type : '';
  if (/thinking|reasoning|redacted/.test(type) || entry.thought === true) {
    if (
      entry.signature !== undefined ||
      entry.encrypted_content ||
      /redacted/.test(type) ||
      entry.thoughtSignature !== undefined
    )
      c.sealed.push(entry as Json);
    reasoningPart(entry, c);
  } else if (isFields(entry.reasoningContent)) {
    const inner = entry.reasoningContent;
    c.sealed.push(entry as Json);
    reasoningPart(isFields(inner.reasoningText) ? inner.reasoningText : inner, c);
  } else if (
    isFields(entry.functionCall) ||
    isFields(entry.toolUse) ||
    isFields(entry.function_call) ||
    isFields(entry.tool_use)
  ) {
    toolCall(entry.functionCall ?? entry.toolUse ?? entry.function_call ?? entry.tool_use, c);
  } else if (isCall(entry)) {
    toolCall(entry, c);
  } else if (type === 'message' || Array.isArray(entry.content) || Array.isArray(entry.parts)) {
    readMessage(entry, c, depth + 1);
  } else if (/result|response|refusal/.test(type) && type !== 'refusal') {
    return;
  } else if (typeof entry.text === 'string') c.text.push(entry.text);
  else if (typeof entry.refusal === 'string') c.text.push(entry.refusal);
}

/** A part that is a call by its type, or has name, id and arguments and no type. */
function isCall(entry: Fields): boolean {
  const { type } = entry;
  if (typeof type === 'string')
    return /tool_?use|tool[_-]?call|function_call|mcp_call/i.test(type) && !/result|output|response/.test(type);
  return type === undefined && typeof entry.name === 'string' && typeof entry.id === 'string' && 'arguments' in entry;
}

/** The provider itself carries such calls out, or has done so. */
const isServed = (entry: Fields): boolean =>
  /^(?:server_tool_use|mcp_tool_use|mcp_call)$/.test(String(entry.type)) ||
  entry.providerExecuted === true ||
  entry.provider_executed === true;

/** A call under any of the names that APIs use. */
function toolCall(entry: unknown, c: Collecting): void {
  if (!isFields(entry) || isServed(entry)) return;
  const inner = [entry.function, entry.custom, entry.function_call, entry.toolUse].find(isFields) ?? entry;
  const name = [inner.name, inner.tool_name, inner.toolName, inner.tool, entry.name].find(
    (value) => typeof value === 'string',
  );
  if (typeof name !== 'string') return;
  const given = [
    inner.arguments,
    inner.args,
    inner.input,
    inner.parameters,
    inner.params,
    entry.arguments,
    entry.input,
  ].find((value) => value !== undefined);
  const id = [entry.id, entry.call_id, entry.tool_call_id, entry.toolUseId, entry.toolCallId].find(
    (value) => typeof value === 'string' && value !== '',
  );
  const preferred = typeof entry.call_id === 'string' && entry.call_id !== '' ? entry.call_id : id;
  c.formats.add('native');
  c.calls.push({
    name,
    arguments: given as Json | undefined,
    ...(typeof preferred === 'string' ? { id: preferred } : {}),
    ...(entry.status === 'in_progress' || entry.status === 'incomplete' ? { cut: true } : {}),
  });
}
