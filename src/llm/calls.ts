/** The last touch on assembled tool calls: empty ones go, doubled arguments become one, glued ones become two calls. */
import type { AssistantMessage } from '../domain/chat.js';
import type { Fields } from './fields.js';

/** A tool call under construction. `id` and `name` are empty until they are known. */
export interface OpenCall {
  id: string;
  index: number | undefined;
  name: string;
  arguments: string;
  /** What else the provider put there: signatures of reasoning that must go back with the call. */
  extras?: Fields;
}

type ToolCall = NonNullable<AssistantMessage['tool_calls']>[number];

/**
 * Arguments that are not one JSON value are kept as they came: reading them is the pipeline's business. Only what a
 * stream itself does wrong is undone: equal objects in a row, `{}` before the real object, two objects glued.
 * A call without an id gets one from its place.
 */
export function settleCalls(open: readonly OpenCall[]): ToolCall[] {
  const settled: ToolCall[] = [];
  const used = new Set<string>();
  for (const call of open) {
    if (call.name === '' && call.arguments.trim() === '') continue;
    for (const [place, text] of argumentsOf(call.arguments).entries()) {
      const id = freeId(call.id === '' ? `call_${settled.length}` : call.id, used);
      const extras = place === 0 ? call.extras : undefined;
      settled.push({ ...extras, id, type: 'function', function: { name: call.name, arguments: text } });
    }
  }
  return settled;
}

function freeId(wanted: string, used: Set<string>): string {
  let id = wanted;
  for (let n = 2; used.has(id); n++) id = `${wanted}_${n}`;
  used.add(id);
  return id;
}

function argumentsOf(text: string): readonly string[] {
  if (!/\}\s*\{/.test(text)) return [text];
  const objects = topLevelObjects(text);
  if (objects === undefined || objects.length < 2) return [text];
  const distinct = objects.filter((object, i) => object !== objects[i - 1]);
  const real = distinct.filter((object) => !/^\{\s*\}$/.test(object));
  return real.length === 0 ? ['{}'] : real;
}

/** The objects of a text that is nothing but whole JSON objects in a row, else undefined. One pass. */
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
  return depth === 0 && !inString && objects.every(isJson) ? objects : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
