/** Foreign JSON Schema (MCP servers, OpenAI tool objects): draft 2020-12, or draft 7 when `$schema` says so. */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { type FailureError, ok, type Result } from '../domain/failure.js';
import type { Json, JsonObject } from '../domain/json.js';
import { type ArgumentsSchema, wrongArguments, wrongSchema } from './schema.js';
import { plainArguments } from './schema-plain.js';

const schemaChars = 200_000;

export function foreignSchema(tool: string, given: JsonObject): ArgumentsSchema {
  const declared = plainCopy(tool, given);
  const validate = compiled(tool, declared);
  const parse = (args: JsonObject): Result<unknown> =>
    validate(args) ? ok(args) : wrongArguments(tool, declared, errorWords(validate.errors ?? [], args));
  return {
    declared,
    check: (args) => {
      const plain = plainArguments(tool, args);
      if (!plain.ok) return plain;
      const parsed = parse(plain.value);
      return parsed.ok ? plain : parsed;
    },
    parse,
  };
}

const refuse = (tool: string, what: string): FailureError =>
  wrongSchema(
    tool,
    what,
    'expected a JSON Schema object such as {"type": "object", "properties": {…}, "required": […]}',
  );

/** A schema may come over the wire or out of somebody's program: cyclic, gigantic, not JSON. */
function plainCopy(tool: string, given: unknown): JsonObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse(tool, 'are no object');
  let text: string | undefined;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    throw refuse(tool, `are not JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  if (text === undefined || text.length > schemaChars) throw refuse(tool, `are over ${schemaChars} characters`);
  const copy = JSON.parse(text) as JsonObject;
  const type = copy.type ?? 'object';
  if (type !== 'object') throw refuse(tool, `have type ${JSON.stringify(type)} instead of "object"`);
  return 'type' in copy ? copy : { type: 'object', ...copy };
}

const options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;

/**
 * The compilers, loaded and made when the first foreign schema comes, and then kept: loading takes 80 ms, reading the
 * meta-schema 40 ms, a schema 1 ms. They hold no schema (see `removeSchema`), so tools can't see each other through them.
 */
const compilers: { draft7?: Ajv; draft2020?: Ajv2020 } = {};
const load = createRequire(import.meta.url);

function compilerFor(draft7: boolean): Ajv | Ajv2020 {
  if (draft7) {
    compilers.draft7 ??= new (load('ajv') as typeof import('ajv')).Ajv(options);
    return compilers.draft7;
  }
  compilers.draft2020 ??= new (load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020(options);
  return compilers.draft2020;
}

function compiled(tool: string, declared: JsonObject): ValidateFunction {
  const { $schema: draft, ...schema } = declared;
  const compiler = compilerFor(typeof draft === 'string' && /draft-0[467]/.test(draft));
  try {
    return compiler.compile(schema);
  } catch (error) {
    throw refuse(tool, `are no valid schema: ${(error as Error).message}`);
  } finally {
    compiler.removeSchema(schema);
  }
}

function errorWords(errors: readonly ErrorObject[], args: JsonObject): string[] {
  // Branches of anyOf/oneOf each complain; the line about the whole says enough when others exist.
  const plain = errors.filter((error) => !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath));
  return (plain.length > 0 ? plain : errors).map((error) => {
    const path = error.instancePath.slice(1).replaceAll('/', '.');
    const where = path === '' ? '' : `"${path}": `;
    switch (error.keyword) {
      case 'required':
        return `"${path === '' ? '' : `${path}.`}${String(error.params.missingProperty)}" is missing`;
      case 'additionalProperties':
      case 'unevaluatedProperties':
        return `${where}"${String(error.params.additionalProperty ?? error.params.unevaluatedProperty)}" is not one of its parameters`;
      case 'type':
        return `${where}expected ${String(error.params.type)}, received ${kindAt(args, error.instancePath)}`;
      case 'enum':
        return `${where}expected one of ${JSON.stringify(error.params.allowedValues)}`;
      default:
        return `${where}${error.message ?? error.keyword}`;
    }
  });
}

function kindAt(args: JsonObject, pointer: string): string {
  let value: Json | undefined = args;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, Json> | undefined)?.[key];
  }
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
