/** Reading a JSON Schema defensively: whatever a tool brings, these functions give an answer and end. */
import type { Json, JsonObject } from '../domain/json.js';

export type Schema = JsonObject;

export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Follows local `$ref`s, at most eight, and merges `allOf`, at most two deep. */
export function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  let at: unknown = schema;
  for (let i = 0; i < 8 && isObject(at) && typeof at.$ref === 'string'; i++) at = pointer(at.$ref, root);
  if (!isObject(at)) return {};
  const parts = at.allOf;
  if (!Array.isArray(parts) || depth >= 2) return at;
  let merged: Schema = { ...at, allOf: [] };
  for (const part of parts.slice(0, 16)) {
    const more = isObject(part) && part.allOf === undefined ? resolve(part, root, depth + 1) : {};
    merged = {
      ...more,
      ...merged,
      properties: {
        ...(isObject(more.properties) ? more.properties : {}),
        ...(isObject(merged.properties) ? merged.properties : {}),
      },
      required: [...list(more.required), ...list(merged.required)],
    };
  }
  return merged;
}

function pointer(ref: string, root: Schema): unknown {
  if (!ref.startsWith('#')) return {};
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : Array.isArray(at) ? (at as Json[])[Number(key)] : undefined;
  }
  return at;
}

export const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

export function properties(schema: Schema): JsonObject {
  return isObject(schema.properties) ? schema.properties : {};
}

export const required = (schema: Schema): string[] =>
  list(schema.required).filter((key): key is string => typeof key === 'string');

/** The types that a schema admits, by its `type`, `enum`, `const` or shape. Empty: anything. */
export function typesOf(schema: Schema): string[] {
  if (typeof schema.type === 'string') return [standardType(schema.type)];
  if (Array.isArray(schema.type))
    return (schema.type as Json[]).filter((type): type is string => typeof type === 'string').map(standardType);
  if (isObject(schema.properties)) return ['object'];
  if (schema.items !== undefined) return ['array'];
  return [];
}

/** Spellings of types outside the standard, as tool authors write them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  uint: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
  tuple: 'array',
};

/** `uint32`, `int64`, `float32`, `list[str]`: what stands behind the kind changes nothing here. */
const SIZED = /^(?:u(?=int))?(int|long|float|double|str|bool|dict|list|tuple)(?:\d{1,3}(?:_t)?|\[.*\])$/;

function standardType(type: string): string {
  const name = type.toLowerCase();
  return TYPE_NAMES[SIZED.exec(name)?.[1] ?? name] ?? type;
}

export const branches = (schema: Schema): Json[] => [...list(schema.anyOf), ...list(schema.oneOf)];

/** The types that a schema or any of its branches admits. */
export function admittedTypes(raw: unknown, root: Schema): string[] {
  const schema = resolve(raw, root);
  return [schema, ...branches(schema).map((branch) => resolve(branch, root))].flatMap(typesOf);
}

export function typeName(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
