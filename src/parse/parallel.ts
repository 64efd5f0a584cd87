/** Calls inside a call: models make up a tool that holds the real ones, as `multi_tool_use.parallel` with `tool_uses`. */
import type { Json } from '../domain/json.js';
import { readJsonText } from './json.js';
import { type NameIndex, spelt } from './name.js';
import type { NativeCall } from './native.js';
import { isObject } from './schema.js';
import { callsIn } from './shape.js';

const HOLDER = /^(?:multi_tool_use[._])?parallel$/i;

/**
 * The calls that such a call holds; itself when it is any other, or when one of them cannot be read. The first has its id:
 * one result answers it.
 */
export function unfolded(call: NativeCall, index: NameIndex): readonly NativeCall[] {
  if (!HOLDER.test(call.name) || spelt(call.name, index) !== undefined) return [call];
  const given = typeof call.arguments === 'string' ? wholeJson(call.arguments) : call.arguments;
  const uses = isObject(given) && Array.isArray(given.tool_uses) ? (given.tool_uses as Json[]) : [];
  const held = uses.map((use) => callsIn(use, index, true));
  if (held.length === 0 || held.some((calls) => calls.length !== 1)) return [call];
  return held.flat().map(({ name, arguments: args }, i) => ({
    name,
    arguments: args ?? {},
    ...(i === 0 && call.id !== undefined ? { id: call.id } : {}),
  }));
}

function wholeJson(text: string): Json | undefined {
  const read = readJsonText(text);
  return read.ok && read.cut === 'none' ? read.value : undefined;
}
