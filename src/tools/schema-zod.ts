/** Arguments of our own tools, by zod. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { JsonObject } from '../domain/json.js';
import { type ArgumentsSchema, wrongArguments, wrongSchema } from './schema.js';
import { plainArguments } from './schema-plain.js';

/** By mark, not by class: the author's zod may be another copy of it. */
export const isZod = (parameters: object): parameters is z.ZodObject => parameters !== null && '_zod' in parameters;

/** Builds the check. Throws a `FailureError` when it is no usable schema. */
export function zodSchema(tool: string, given: z.ZodObject): ArgumentsSchema {
  if (given._zod.def.type !== 'object') {
    throw wrongSchema(tool, `are a zod ${given._zod.def.type}`, 'use z.object({ … })');
  }
  // Unknown arguments are an error unless the author asked for them: a dropped one would be a silent change of meaning.
  const schema = given._zod.def.catchall === undefined ? given.strict() : given;
  const declared = declaredBy(tool, schema);
  const parse = (args: JsonObject): Result<unknown> => {
    try {
      const parsed = schema.safeParse(args);
      return parsed.success ? ok(parsed.data) : wrongArguments(tool, declared, issueWords(parsed.error.issues));
    } catch (error) {
      return fail('invalid_arguments', `the schema of ${tool} could not be evaluated: ${(error as Error).message}`);
    }
  };
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

function declaredBy(tool: string, schema: z.ZodObject): JsonObject {
  try {
    const { $schema: _, ...declared } = z.toJSONSchema(schema, {
      io: 'input',
      override: ({ jsonSchema }) => spare(jsonSchema),
    });
    return declared as JsonObject;
  } catch (error) {
    throw wrongSchema(tool, (error as Error).message, 'use types that JSON has');
  }
}

/** Every word of a schema is paid for in every prompt: leaves out what says nothing. */
function spare(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.propertyNames !== undefined) delete schema.propertyNames;
}

function issueWords(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    const where = path === '' ? '' : `"${path}": `;
    if (issue.code === 'unrecognized_keys') {
      return `${where}${issue.keys.map((key) => JSON.stringify(key)).join(', ')} is not one of its parameters`;
    }
    if (issue.code === 'invalid_type' && issue.input === undefined && / received undefined$/.test(issue.message)) {
      return `"${path}" is missing (${issue.expected})`;
    }
    return `${where}${issue.message.replace(/^Invalid input: /, '')}`;
  });
}
