/** Schemas that are asked of results, which may be of any type, while the schema checker knows objects: a result is checked as a property. */
import { FailureError } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { ArgumentsSchema } from './schema.js';
import { foreignSchema } from './schema-foreign.js';

/** Why this is no JSON Schema, in words; undefined when it is one. */
export function schemaProblem(schema: JsonObject): string | undefined {
  const wrapped = wrap(schema);
  return typeof wrapped === 'string' ? wrapped : undefined;
}

/** How a value fails a JSON Schema, in words; undefined when it fits. */
export function resultProblem(schema: JsonObject, value: Json): string | undefined {
  const wrapped = wrap(schema);
  if (typeof wrapped === 'string') return `the requested schema cannot be used: ${wrapped}`;
  const checked = wrapped.check({ result: value });
  return checked.ok ? undefined : checked.failure.message;
}

function wrap(schema: JsonObject): ArgumentsSchema | string {
  try {
    return foreignSchema('finish', { type: 'object', properties: { result: schema }, required: ['result'] });
  } catch (error) {
    const words = error instanceof FailureError ? error.failure.message : String(error);
    return words.replace(/^the parameters of tool finish: are no valid schema: (?:schema is invalid: )?/, '');
  }
}
