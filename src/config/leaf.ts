/** Building blocks of the settings schema: leaves that accept text, since environment and flags know nothing else. */
import { z } from 'zod';

/** A leaf that has one sentence for everything that can be wrong with it: what was expected. */
function leaf<T>(expected: string, read: (value: unknown) => T | undefined) {
  return z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}

/** `1_000` is read as in source code. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value.replaceAll('_', '')) : value;

export const numberFrom = (min: number, max: number) =>
  leaf(`expected a number from ${min} to ${max}`, (value) => {
    const number = toNumber(value);
    return typeof number === 'number' && number >= min && number <= max ? number : undefined;
  });

export const wholeFrom = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  leaf(
    max === Number.MAX_SAFE_INTEGER
      ? `expected a whole number of at least ${min}`
      : `expected a whole number from ${min} to ${max}`,
    (value) => {
      const number = toNumber(value);
      return Number.isInteger(number) && (number as number) >= min && (number as number) <= max
        ? (number as number)
        : undefined;
    },
  );

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

export const yesOrNo = () =>
  leaf('expected true or false', (value) => {
    const word = String(value).toLowerCase();
    return Object.hasOwn(truths, word) ? truths[word] : undefined;
  });

export const oneOf = <const T extends string>(words: readonly T[]) =>
  leaf(`expected one of ${words.join(', ')}`, (value) => words.find((word) => word === value));

export const text = (expected = 'expected a text that is not empty', pattern = /\S/) =>
  leaf(expected, (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined));

export const httpUrl = () =>
  leaf('expected an address that begins with http:// or https://', (value) => {
    const fine = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    return fine ? value : undefined;
  });

/** A list of texts; as one text, its parts are separated by commas. */
export const listOf = (expected: string, pattern = /\S/) =>
  leaf(expected, (value) => {
    const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
    const fine = Array.isArray(items) && items.every((item) => typeof item === 'string' && pattern.test(item));
    return fine ? (items as readonly string[]) : undefined;
  });

/** A structure with a schema of its own; as text it is JSON. */
export const jsonOf = <T>(expected: string, schema: z.ZodType<T>) =>
  leaf(expected, (value) => {
    try {
      const result = schema.safeParse(typeof value === 'string' ? JSON.parse(value) : value);
      return result.success ? result.data : undefined;
    } catch {
      return undefined;
    }
  });
