/** What a day's work gives: the three usual wrappers by regular expression, their content by a JSON parser. */
import { jsonrepair } from 'jsonrepair';

export interface BaselineCall {
  readonly name: string;
  readonly arguments: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'JSON.parse': (text) => JSON.parse(text),
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
};

export const baselines: readonly string[] = Object.keys(parsers);

/** The value, or undefined when the parser throws. */
export function tried(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The calls that the baseline would run. */
export function baselineCalls(baseline: string, text: string): BaselineCall[] {
  const parse = parsers[baseline] as (text: string) => unknown;
  const blocks = [...text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)|```json\s([\s\S]*?)```/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const bare = text.slice(text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
  return (blocks.length > 0 ? blocks : [bare]).flatMap((block) => callsIn(tried(parse, block.trim())));
}

function callsIn(value: unknown): BaselineCall[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (!isFields(value)) return [];
  if (Array.isArray(value.tool_calls)) return value.tool_calls.flatMap(callsIn);
  if (isFields(value.function)) return callsIn(value.function);
  const args = value.arguments ?? value.parameters;
  if (typeof value.name !== 'string' || args === undefined) return [];
  return [{ name: value.name, arguments: typeof args === 'string' ? tried(JSON.parse, args) : args }];
}
