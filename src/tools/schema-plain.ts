/** The first check of any arguments: a plain JSON object of bounded size, with no key that could reach a prototype. */
import { fail, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';

const limits = { depth: 64, values: 200_000, chars: 4_000_000 };
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : typeof value;

export function plainArguments(tool: string, args: unknown): Result<JsonObject> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return fail('invalid_arguments', `arguments of ${tool} must be a JSON object, not ${kindOf(args)}`);
  }
  const problem = problemIn(args);
  return problem === undefined
    ? ok(args as JsonObject)
    : fail('invalid_arguments', `arguments of ${tool} are refused: ${problem}`);
}

/** Walks without recursion, so that no depth can overflow the stack. */
function problemIn(root: object): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let values = 0;
  let chars = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, depth } = item;
    values += 1;
    if (values > limits.values) return `they hold more than ${limits.values} values`;
    if (typeof value === 'string') {
      chars += value.length;
      if (chars > limits.chars) return `they hold more than ${limits.chars} characters`;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return `${value} is not a number in JSON`;
    } else if (typeof value === 'object' && value !== null) {
      if (depth > limits.depth) return `they are nested more than ${limits.depth} deep`;
      for (const key of Object.keys(value)) {
        if (!Array.isArray(value) && forbiddenKeys.has(key)) return `the key ${JSON.stringify(key)} is not allowed`;
        chars += key.length;
        open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
      }
    } else if (typeof value !== 'boolean' && value !== null) {
      return `${typeof value} is not a JSON value`;
    }
  }
  return undefined;
}
