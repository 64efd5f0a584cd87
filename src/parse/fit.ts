/** Arguments made to fit a tool's schema. Required values are never invented; unknown ones are dropped and reported. */
import type { Json, JsonObject } from '../domain/json.js';
import { MAX_TRIES } from './coerce.js';
import { fitObject } from './fit-object.js';
import type { FitTrail } from './fit-trail.js';
import { guessObject } from './guess.js';
import { type JsonRead, readJsonText } from './json.js';
import { bracketedWords } from './json-bare.js';
import { rulesOf } from './json-edit.js';
import { EXPRESSION } from './json-walk.js';
import { readPlainText } from './plain-text.js';
import { admittedTypes, isObject, properties, required, resolve, type Schema, typesOf } from './schema.js';

export type Fit =
  | { readonly ok: true; readonly arguments: JsonObject; readonly repairs: readonly string[] }
  | {
      readonly ok: false;
      readonly arguments?: JsonObject;
      /** Before anything was renamed, converted or dropped. */
      readonly given?: JsonObject;
      readonly problem: string;
      readonly cut: boolean;
      readonly repairs: readonly string[];
    };

const WRAPPERS = [
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'kwargs',
  'action_input',
  'tool_input',
  'properties',
  'body',
];

/**
 * `args` may be an object, JSON text of any number of encodings, or nothing for a tool without parameters.
 * @param untyped values stand as raw text, as in tags
 * @param strict required values that break a limit of the schema (bounds, lengths, pattern, date) are refused
 */
export function fitArguments(
  args: Json | undefined,
  parameters: unknown,
  closersMayMiss: boolean,
  strict = false,
  untyped = false,
): Fit {
  const schema: Schema = isObject(parameters) ? parameters : {};
  const trail: FitTrail = {
    root: schema,
    repairs: [],
    problems: [],
    work: { tries: MAX_TRIES },
    strict,
    untyped,
    members: fitObject,
  };
  const opened = openArguments(args, schema, trail, closersMayMiss);
  if (!('object' in opened)) return { ok: false, problem: opened.problem, cut: opened.cut, repairs: trail.repairs };
  const object = unwrap(opened.object, schema, trail);
  const fitted = fitObject(object, schema, trail, '', 0);
  const proto = prototypeIn(fitted);
  if (proto !== undefined) trail.problems.push(`${proto} is not allowed as a name`);
  if (trail.problems.length > 0) {
    return {
      ok: false,
      arguments: fitted,
      given: object,
      problem: trail.problems.slice(0, 6).join('; '),
      cut: false,
      repairs: trail.repairs,
    };
  }
  return { ok: true, arguments: fitted, repairs: trail.repairs };
}

/** Where a value holds a key that would reach an object's prototype. */
function prototypeIn(value: Json, path = '', depth = 0): string | undefined {
  if (value === null || typeof value !== 'object' || depth > 200) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const found = key === '__proto__' ? at : prototypeIn(item as Json, at, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Opened = { readonly object: JsonObject } | { readonly problem: string; readonly cut: boolean };

const BEGINS_AS_JSON = /^["'“`{｛[\\]|\{\s*["'“]/;

function openArguments(args: Json | undefined, schema: Schema, trail: FitTrail, closersMayMiss: boolean): Opened {
  let value = args;
  for (let i = 0; i < 6 && typeof value === 'string'; i++) {
    const text: string = value.trim();
    if (text === '') {
      value = undefined;
      break;
    }
    const lone = loneParameter(schema);
    const plain =
      i === 0 && closersMayMiss && !BEGINS_AS_JSON.test(text) ? readPlainText(text, schema, lone) : undefined;
    if (typeof plain === 'string') return { problem: plain, cut: false };
    if (plain !== undefined) {
      trail.repairs.push(plain.repair);
      return { object: plain.object };
    }
    if (lone !== undefined && closersMayMiss && bracketedWords(text) && isText(schema, lone)) {
      trail.repairs.push(`plain text read as "${lone}"`);
      return { object: { [lone]: text } };
    }
    const read = readJsonText(text);
    if (!read.ok) {
      const guess = closersMayMiss && read.problem !== EXPRESSION ? guessObject(text) : undefined;
      if (guess === undefined)
        return { problem: `the arguments are not readable as JSON (${read.problem})`, cut: false };
      trail.repairs.push('a guess by jsonrepair');
      return { object: guess };
    }
    if (otherObject(text, read, schema)) return { problem: 'the arguments are two different objects', cut: false };
    if (read.cut === 'value' || (read.cut === 'closers' && !closersMayMiss))
      return { problem: 'the arguments are cut off', cut: true };
    if (read.duplicates.length > 0) return { problem: `the arguments give "${read.duplicates[0]}" twice`, cut: false };
    if (i > 0 || typeof read.value === 'string') trail.repairs.push('arguments were encoded as text');
    trail.repairs.push(...rulesOf(read.edits));
    value = read.value;
  }
  if (value === undefined || value === null) {
    if (value === null) trail.repairs.push('null read as no arguments');
    return { object: {} };
  }
  if (Array.isArray(value)) {
    const listed = loneList(schema);
    const first = (value as readonly Json[])[0];
    if (listed !== undefined && !(isObject(first) && Object.hasOwn(first, listed))) {
      trail.repairs.push(`list read as "${listed}"`);
      return { object: { [listed]: value } };
    }
  }
  if (Array.isArray(value) && value.length === 1 && isObject(value[0])) {
    trail.repairs.push('arguments stood in a list');
    return { object: value[0] };
  }
  if (Array.isArray(value) && value.length === 0 && required(schema).length === 0) return { object: {} };
  if (!isObject(value)) {
    const lone = loneParameter(schema);
    if (lone !== undefined && typeof value === 'string' && !closersMayMiss)
      return { problem: 'the arguments may be cut off', cut: true };
    if (lone !== undefined && !Array.isArray(value)) return { object: { [lone]: value } };
    return {
      problem: `the arguments should be an object, but are ${Array.isArray(value) ? 'a list' : typeof value}`,
      cut: false,
    };
  }
  return { object: value };
}

/** Another object follows right behind the first: which one is meant cannot be told. */
function otherObject(text: string, first: JsonRead, schema: Schema): boolean {
  const gap = /^(?:\s*|\s*```\s*```\w*\s*)(?=\{\s*")/.exec(text.slice(first.end, first.end + 200));
  if (gap === null || !isObject(first.value)) return false;
  const next = readJsonText(text.slice(first.end + gap[0].length));
  if (next.ok && gap[0].includes('```') && !(isObject(next.value) && sharesKey(next.value, schema))) return false;
  return !next.ok || JSON.stringify(next.value) !== JSON.stringify(first.value);
}

const sharesKey = (value: JsonObject, schema: Schema): boolean =>
  Object.keys(value).some((key) => Object.hasOwn(properties(schema), key));

const isText = (schema: Schema, name: string): boolean => {
  const shape = properties(schema)[name];
  return isObject(shape) && typesOf(shape).includes('string');
};

/** The one parameter that a bare value can mean. */
function loneParameter(schema: Schema): string | undefined {
  const names = Object.keys(properties(schema));
  const needed = required(schema);
  const name = needed.length === 1 ? needed[0] : needed.length === 0 && names.length === 1 ? names[0] : undefined;
  const shape = name === undefined ? undefined : properties(schema)[name];
  return name !== undefined && isObject(shape) && !typesOf(shape).includes('object') ? name : undefined;
}

/** The one parameter, when it takes a list. */
function loneList(schema: Schema): string | undefined {
  const name = loneParameter(schema);
  const types = name === undefined ? [] : typesOf(resolve(properties(schema)[name], schema));
  return types.length === 1 && types[0] === 'array' && Object.keys(properties(schema)).length === 1 ? name : undefined;
}

/** An object as the only argument, without a name: the arguments themselves, unless the first parameter takes objects. */
function withoutPosition(object: JsonObject, schema: Schema, trail: FitTrail): JsonObject {
  const inner = object.$0;
  if (!isObject(inner) || Object.keys(object).length > 1) return object;
  const first = Object.values(properties(schema))[0];
  const types = admittedTypes(first, schema);
  if (types.includes('object') || (types.length === 0 && !sharesKey(inner, schema))) return object;
  trail.repairs.push('the only argument read as all of them');
  return inner;
}

/** `{"arguments": {…}}` once more around the arguments. */
function unwrap(object: JsonObject, schema: Schema, trail: FitTrail): JsonObject {
  const names = properties(schema);
  let at = withoutPosition(object, schema, trail);
  for (let i = 0; i < 3; i++) {
    const keys = Object.keys(at);
    const key = keys.find(
      (candidate) => WRAPPERS.includes(candidate.toLowerCase()) && !Object.hasOwn(names, candidate),
    );
    const others = keys.filter((candidate) => candidate !== key && Object.hasOwn(names, candidate));
    if (key === undefined || others.length > 0) break;
    let inner = at[key];
    if (typeof inner === 'string') {
      const read = readJsonText(inner);
      inner = read.ok && read.cut === 'none' ? read.value : inner;
    }
    if (!isObject(inner)) break;
    trail.repairs.push(`wrapper "${key}" taken off`);
    at = inner;
  }
  return at;
}
