/** A parameter's schema where its value should stand, as small models copy it out of the tool's description. */
import type { Json, JsonObject } from '../domain/json.js';
import { type Schema, typesOf } from './schema.js';

const SCHEMA_WORDS = new Set(['type', 'description', 'title', 'default', 'enum', 'items', 'format', 'value']);

/** The value inside the copy, or nothing inside it; undefined when the object is no copy of the schema. */
export function insideEcho(given: JsonObject, schema: Schema): { readonly value: Json | undefined } | undefined {
  if (!Object.keys(given).every((key) => SCHEMA_WORDS.has(key))) return undefined;
  const types = typesOf(schema);
  const copied =
    (typeof given.type === 'string' && types.includes(given.type)) ||
    (typeof given.description === 'string' && given.description === schema.description);
  return copied && !types.includes('object') ? { value: given.value } : undefined;
}
