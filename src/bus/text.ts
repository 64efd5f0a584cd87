/** JSON to bytes and back, at the edge of the bus. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';

export const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Views the bytes as a Buffer, whose native decoding is faster than TextDecoder on short texts. */
const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const decodeText = (bytes: Uint8Array): string => view(bytes).toString('utf8');

/** Undefined when the bytes are not JSON. */
export function decodeJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(decodeText(bytes)) as Json;
  } catch {
    return undefined;
  }
}

/** What says that it is of a later form than this version writes: not damage, and to be left to those that know it. */
const newerSchema = z.looseObject({ v: z.number().int().gt(1) });

/** Parses and validates what came from outside. `where` names it in the failure, e.g. subject and sequence. */
export function decodeAs<T>(schema: z.ZodType<T>, bytes: Uint8Array, where: string): Result<T> {
  const json = decodeJson(bytes);
  if (json === undefined)
    return fail('damaged', `${where} is not JSON: ${JSON.stringify(decodeText(bytes.subarray(0, 80)))}`);
  const parsed = schema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const newer = newerSchema.safeParse(json);
  if (newer.success)
    return fail(
      'unsupported_version',
      `${where} is of form ${newer.data.v}, and this version reads form 1`,
      'update this worker',
    );
  const [issue] = parsed.error.issues;
  return fail(
    'damaged',
    `${where} is corrupt: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'does not fit its schema'}`,
  );
}
