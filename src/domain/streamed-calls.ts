/**
 * Tool calls out of the deltas of a stream, as providers really send them: an index that is wrong or missing, ids that
 * come late, in every piece or twice, arguments that come whole, doubled, or as `{}` before the real ones. Pieces are put
 * together by id first, index second, last call third. What a provider puts into a call beside it stays with the call.
 */

import type { AssistantMessage } from './chat.js';
import { type Fields, isFields } from './fields.js';
import { canonicalJson, type Json } from './json.js';

/** A tool call under construction. `id` and `name` are empty until they are known. */
export interface StreamedCall {
  id: string;
  index: number | undefined;
  name: string;
  arguments: string;
  /** What else the provider put there: signatures of reasoning that must go back with the call. */
  extras?: Fields;
}

type ToolCall = NonNullable<AssistantMessage['tool_calls']>[number];

/** Takes the calls of one delta, or of a whole message; the older single `function_call` counts as one. */
export function takeCalls(calls: StreamedCall[], message: Readonly<Fields>): void {
  if (Array.isArray(message.tool_calls)) for (const entry of message.tool_calls) takeCall(calls, entry);
  else if (isFields(message.function_call)) takeCall(calls, { index: 0, function: message.function_call });
}

const knownOfCall = new Set(['index', 'id', 'type', 'function', '__proto__']);

function takeCall(calls: StreamedCall[], entry: unknown): void {
  if (!isFields(entry)) return;
  const made = isFields(entry.function) ? entry.function : {};
  const id = typeof entry.id === 'string' ? entry.id : '';
  const index = typeof entry.index === 'number' ? entry.index : undefined;
  const name = typeof made.name === 'string' ? made.name : '';
  const piece = isFields(made.arguments) ? JSON.stringify(made.arguments) : made.arguments;
  const text = typeof piece === 'string' ? piece : '';

  let call = findCall(calls, { id, index, name, arguments: text });
  if (call === undefined) {
    call = { id, index, name: '', arguments: '' };
    calls.push(call);
  }
  if (call.id === '') call.id = id;
  call.index ??= index;
  call.name = joinedName(call.name, name);
  call.arguments = joinedArguments(call.arguments, text);
  for (const key of Object.keys(entry)) {
    if (knownOfCall.has(key) || entry[key] === null) continue;
    call.extras ??= {};
    call.extras[key] = entry[key];
  }
}

/** The call that a piece continues; undefined when it begins a new one. */
function findCall(calls: readonly StreamedCall[], piece: StreamedCall): StreamedCall | undefined {
  const { id, index, name } = piece;
  const other = (call: StreamedCall) =>
    name !== '' && call.name !== '' && joinedName(call.name, name) !== call.name && call.arguments !== '';
  if (id !== '') {
    // The same id with another index and a name of its own is a second call of a provider that repeats ids.
    const same = calls.findLast(
      (call) => call.id === id && (index === undefined || name === '' || call.index === index),
    );
    if (same !== undefined) return other(same) ? undefined : same;
    // An id that comes after its index.
    return calls.findLast((call) => call.id === '' && call.index !== undefined && call.index === index && !other(call));
  }
  const last = calls.at(-1);
  const found = index === undefined ? last : calls.findLast((call) => call.index === index);
  if (found === undefined) return last !== undefined && last.index === undefined && name === '' ? last : undefined;
  return other(found) || begins(piece, found) ? undefined : found;
}

/** Without an id, a name after whole arguments begins the next call, unless what it has is the same once more. */
function begins(piece: StreamedCall, call: StreamedCall): boolean {
  if (piece.name === '' || call.name === '' || !call.arguments.endsWith('}')) return false;
  if (piece.index !== undefined && !piece.arguments.trimStart().startsWith('{')) return false;
  return objectOf(call.arguments) !== undefined && !/^\s*\{\s*\}\s*$/.test(call.arguments);
}

/** Names come whole, in pieces, repeated, or longer each time. */
function joinedName(have: string, piece: string): string {
  if (piece === '' || piece === have) return have;
  return piece.startsWith(have) ? piece : have + piece;
}

const EMPTY = /^\s*(?:\{\s*\}|null)\s*$/;

/** Appends a piece. An object takes the place of `{}`. */
const joinedArguments = (have: string, piece: string): string =>
  have.length < 16 && EMPTY.test(have) && /^\s*\{/.test(piece) ? piece : have + piece;

/**
 * The calls of a reply that has ended. Only what a stream itself does wrong is undone: equal objects in a row, `{}` beside
 * the real object, equal calls under one id. Two different objects stay one text, which the pipeline refuses: whether
 * both are meant or the second corrects the first, nothing tells. A call without an id gets one from its place.
 */
export function settledCalls(open: readonly StreamedCall[]): ToolCall[] {
  const settled: ToolCall[] = [];
  const kept = new Map<string, ToolCall>();
  const used = new Set<string>();
  for (const call of open) {
    if (call.name === '' && call.arguments.trim() === '') continue;
    const made = { name: call.name, arguments: settledArguments(call.arguments) };
    const double = call.id === '' ? undefined : kept.get(call.id);
    if (double?.function.name === made.name && double.function.arguments === made.arguments) continue;
    const id = freeId(call.id === '' ? `call_${settled.length}` : call.id, used);
    const whole: ToolCall = { ...call.extras, id, type: 'function', function: made };
    settled.push(whole);
    kept.set(call.id, whole);
  }
  return settled;
}

function freeId(wanted: string, used: Set<string>): string {
  let id = wanted;
  for (let n = 2; used.has(id); n++) id = `${wanted}_${n}`;
  used.add(id);
  return id;
}

function settledArguments(text: string): string {
  const objects = /\}\s*\{/.test(text) ? topLevelObjects(text) : undefined;
  if (objects === undefined) return text;
  const distinct = new Map<string, string>();
  for (const object of objects) {
    const value = objectOf(object);
    if (value === undefined) return text;
    const key = canonicalJson(value);
    if (key !== '{}' && !distinct.has(key)) distinct.set(key, object);
  }
  const [first = '{}'] = distinct.values();
  return distinct.size > 1 ? text : first;
}

/** The objects of a text that is nothing but objects in a row, else undefined. One pass. */
function topLevelObjects(text: string): string[] | undefined {
  const objects: string[] = [];
  let depth = 0;
  let from = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') {
      if (depth++ === 0) from = i;
    } else if (char === '}') {
      if (--depth === 0) objects.push(text.slice(from, i + 1));
    } else if (depth === 0 && char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return undefined;
    if (depth < 0) return undefined;
  }
  return depth === 0 && !inString ? objects : undefined;
}

function objectOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
