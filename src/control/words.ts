/** Says in words what is wrong with a request: which field, what was expected, what came. */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';

/** The most bytes of a request, whatever the server would take. */
const bodyLimit = 1_048_576;
const depthLimit = 100;
const shownMistakes = 5;
const shownCharacters = 60;

/** Reads the body of a request. Never throws. `where` names the request in hints. */
export function readRequest<T>(schema: z.ZodType<T>, body: string, where: string): Result<T> {
  const size = Buffer.byteLength(body);
  if (size > bodyLimit) {
    return fail(
      'too_large',
      `expected a request of at most ${bodyLimit} bytes, got ${size}`,
      'put large data in a file and name it in "files"',
    );
  }
  const hint = `docs/protocol/${where}.request.json describes it; hact protocol ${where} prints that`;
  if (body.trim() === '') return fail('invalid_request', 'expected a JSON object, got an empty message', hint);
  try {
    return readValue(schema, JSON.parse(body), hint);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail('invalid_request', `expected a JSON object, got text that is not JSON: ${clip(why, 200)}`, hint);
  }
}

/** Checks a value that is JSON already. */
export function readValue<T>(schema: z.ZodType<T>, value: unknown, hint?: string): Result<T> {
  if (isDeeperThan(value, depthLimit)) {
    return fail('invalid_request', `expected at most ${depthLimit} levels of nesting, got more`, hint);
  }
  const read = schema.safeParse(value);
  if (read.success) return ok(read.data);
  const mistakes = oneForEachField(read.error.issues).map((issue) => inWords(issue, value, schema));
  const shown = mistakes.slice(0, shownMistakes).join('; ');
  const more = mistakes.length - shownMistakes;
  return fail('invalid_request', more > 0 ? `${shown}; and ${more} more` : shown, hint);
}

/** A number that is below two limits breaks both; the last check is the stricter one. */
const oneForEachField = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => [
  ...new Map(issues.map((issue) => [`${issue.path.join('.')} ${issue.code}`, issue])).values(),
];

function inWords(issue: z.core.$ZodIssue, root: unknown, schema: z.ZodType): string {
  const path = issue.path.map(String).join('.');
  const field = path === '' ? 'the request' : `"${path}"`;
  const met = valueAt(root, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path);
    const names = issue.keys.map((key) => JSON.stringify(clip(key, shownCharacters))).join(', ');
    const within = path === '' ? '' : ` in ${field}`;
    return `unknown field ${names}${within}${known.length === 0 ? '' : `; known are ${known.join(', ')}`}`;
  }
  if (met === undefined) return `${field} is missing: expected ${expected(issue)}`;
  return `${field}: expected ${expected(issue)}, got ${shown(met)}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_union':
      return 'JSON of another form';
    default:
      return issue.message;
  }
}

function bound(origin: string, limit: number | bigint, words: string): string {
  if (origin === 'string') return limit === 1 ? 'a text that is not empty' : `${words} ${limit} characters`;
  if (origin === 'array') return `${words} ${limit} entries`;
  return `a number that is ${words} ${limit}`;
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );

function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let now: unknown = schema;
  for (const key of path) now = now instanceof z.ZodObject ? unwrapped(now.shape[String(key)]) : undefined;
  return now instanceof z.ZodObject ? Object.keys(now.shape) : [];
}

const unwrapped = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string' && value.length > shownCharacters) {
    return `${JSON.stringify(clip(value, shownCharacters))} (${value.length} characters)`;
  }
  return JSON.stringify(value) ?? String(value);
}

/** Without recursion: what is checked here may be a million brackets. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
