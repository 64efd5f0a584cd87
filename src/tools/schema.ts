/** Arguments against a tool's schema: what any kind of schema can do, and what is wrong in words a model can act on. */
import { FailureError, fail, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';

export interface ArgumentsSchema {
  /** JSON Schema as the model gets it. */
  readonly declared: JsonObject;
  /** Says whether the arguments are right, and returns them unchanged. Never throws. */
  check(args: unknown): Result<JsonObject>;
  /** The arguments as the tool's code wants them: defaults and transforms applied. Never throws. */
  parse(args: JsonObject): Result<unknown>;
}

export const wrongSchema = (tool: string, what: string, hint: string): FailureError =>
  new FailureError({ kind: 'invalid_config', message: `the parameters of tool ${tool}: ${what}`, hint });

const mostProblems = 5;

export function wrongArguments(
  tool: string,
  declared: JsonObject,
  problems: readonly string[],
): ReturnType<typeof fail> {
  const shown = [...new Set(problems)];
  const more = shown.length > mostProblems ? `; and ${shown.length - mostProblems} more` : '';
  return fail(
    'invalid_arguments',
    `arguments of ${tool} are wrong: ${shown.slice(0, mostProblems).join('; ')}${more}`,
    `${tool} takes ${signature(declared)}`,
  );
}

/** `path: string, limit?: integer`, from the schema as declared. */
export function signature(declared: JsonObject): string {
  const properties = (declared.properties ?? {}) as Record<string, JsonObject | boolean>;
  const required: readonly unknown[] = Array.isArray(declared.required) ? declared.required : [];
  const parts = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeWords(schema)}`,
  );
  return parts.length === 0 ? 'no arguments' : `{ ${parts.join(', ')} }`;
}

function typeWords(schema: JsonObject | boolean | undefined): string {
  if (schema === undefined || typeof schema === 'boolean') return 'anything';
  if (Array.isArray(schema.enum)) return schema.enum.slice(0, 12).map(String).join(' | ');
  if (schema.type === 'array') return `array of ${typeWords(schema.items as JsonObject | undefined)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'anything';
}
