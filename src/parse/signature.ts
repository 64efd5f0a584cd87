/** Tells the declaration of a function from a call of it: types, or its own parameters, stand in place of values. */
import type { Json } from '../domain/json.js';
import { BARE_VALUE } from './json-bare.js';
import type { Edit } from './json-edit.js';
import type { ParseTool } from './name.js';
import { isObject, properties } from './schema.js';
import { isType, isTypedName } from './wording/placeholder.js';

/** @param args what stood between the parentheses; `edits` tell which values had no quotes */
export function isSignature(args: Json, edits: readonly Edit[], tool: ParseTool | undefined): boolean {
  if (!isObject(args)) return false;
  const bare = new Set(edits.flatMap(({ rule, insert }) => (rule === BARE_VALUE ? [insert] : [])));
  if (bare.size === 0) return false;
  const parameters = Object.keys(properties(isObject(tool?.parameters) ? tool.parameters : {}));
  return Object.entries(args).some(
    ([key, value]) => typeof value === 'string' && bare.has(JSON.stringify(value)) && declares(key, value, parameters),
  );
}

function declares(key: string, value: string, parameters: readonly string[]): boolean {
  const type = value.replace(/\s*=.*$/s, '');
  if (isType(type) || /^[$&*]\w/.test(type)) return true;
  const word = type.toLowerCase();
  if (!key.startsWith('$')) return word === key.toLowerCase();
  return isTypedName(type) || parameters.some((name) => name.toLowerCase() === word);
}

/** What follows the parentheses of a declaration. */
export const opensBody = (after: string): boolean =>
  /^[ \t]*(?:->|=>|:[ \t]*(?:\n|$|[\p{L}])|\{|throws\b)/u.test(after);
