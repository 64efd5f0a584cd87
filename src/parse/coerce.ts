/** One value made to fit one schema, by conversions that lose nothing. Says what it changed, or what is wrong. */
import type { Json } from '../domain/json.js';
import { chosen, NUMERIC } from './choice.js';
import { isoDate } from './dates.js';
import { readElements, readMembers } from './elements.js';
import { changed, type FitTrail, wrong } from './fit-trail.js';
import { readJsonText } from './json.js';
import { limit, limits } from './limits.js';
import { admittedTypes, branches, isObject, list, resolve, type Schema, typeName, typesOf } from './schema.js';
import { insideEcho } from './schema-echo.js';

/** A trail for trying something out. */
const attemptOf = (trail: FitTrail): FitTrail => ({ ...trail, repairs: [], problems: [] });

const MAX_DEPTH = 64;
/** Forms that are tried for one set of arguments. */
export const MAX_TRIES = 100_000;

/** The converted value. When it cannot fit, a problem is noted and the value comes back as it is. */
export function coerce(value: Json, raw: unknown, trail: FitTrail, path: string, depth = 0): Json {
  if (depth > MAX_DEPTH) {
    trail.problems.push(`${path} is nested deeper than ${MAX_DEPTH} levels`);
    return value;
  }
  if (trail.work.tries <= 0) {
    trail.problems.push(`${path} has a schema with more choices than are tried`);
    return value;
  }
  const schema = resolve(raw, trail.root);
  const options = branches(schema);
  const echo = isObject(value) ? insideEcho(value, schema) : undefined;
  if (echo?.value !== undefined)
    return coerce(
      changed(trail, path, 'value taken out of a copy of its schema', echo.value),
      raw,
      trail,
      path,
      depth + 1,
    );
  if (echo !== undefined) return wrong(trail, path, 'a value', value);
  if (trail.untyped && depth === 0 && typeof value === 'string') {
    const typed = typedText(value, admittedTypes(raw, trail.root));
    if (typed !== undefined) return coerce(typed, raw, { ...trail, untyped: false }, path, depth);
  }
  if (options.length > 0) return coerceAny(value, schema, options, trail, path, depth);
  const types = typesOf(schema);
  const fitting =
    types.length > 1
      ? coerceTypes(value, schema, types, trail, path, depth)
      : coerceType(value, schema, types[0], trail, path, depth);
  return checked(fitting, schema, trail, path);
}

/** Raw text under a choice of text and other types: the JSON value of another type that it is throughout. */
function typedText(text: string, types: readonly string[]): Json | undefined {
  if (!types.includes('string') || types.length < 2 || !/^\s*(?:[[{\d-]|true|false|null)/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    const own = typeName(value);
    return types.some((type) => type === own || (type === 'number' && own === 'integer')) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The first branch that takes the value as it is, else the first that takes it converted. */
function coerceAny(
  value: Json,
  schema: Schema,
  options: readonly Json[],
  trail: FitTrail,
  path: string,
  depth: number,
): Json {
  let converted: { value: Json; repairs: string[] } | undefined;
  for (const option of likeliestFirst(value, options.slice(0, 32), trail)) {
    if (trail.work.tries-- <= 0) break;
    const attempt = attemptOf(trail);
    const base =
      isObject(option) && schema.type !== undefined && option.type === undefined
        ? { ...schema, ...option, anyOf: [], oneOf: [] }
        : option;
    const result = coerce(value, base, attempt, path, depth + 1);
    if (attempt.problems.length > 0) continue;
    if (attempt.repairs.length === 0) return result;
    converted ??= { value: result, repairs: attempt.repairs };
  }
  if (converted === undefined) {
    trail.problems.push(`${path} fits none of its ${options.length} allowed forms`);
    return value;
  }
  trail.repairs.push(...converted.repairs);
  return converted.value;
}

/**
 * Branches of the value's own type before the others. Schemas that contain themselves, as one of any JSON does, would
 * otherwise wrap an object in lists of lists before they come to the branch that takes it as it is.
 */
function likeliestFirst(value: Json, options: readonly Json[], trail: FitTrail): readonly Json[] {
  const own = typeName(value);
  const takes = (option: Json): boolean =>
    typesOf(resolve(option, trail.root)).some((type) => type === own || (type === 'number' && own === 'integer'));
  return [...options.filter(takes), ...options.filter((option) => !takes(option))];
}

function coerceTypes(
  value: Json,
  schema: Schema,
  types: readonly string[],
  trail: FitTrail,
  path: string,
  depth: number,
): Json {
  const own = typeName(value);
  const plain = types.find((type) => type === own || (type === 'number' && own === 'integer'));
  if (plain !== undefined) return coerceType(value, schema, plain, trail, path, depth);
  for (const type of types) {
    if (trail.work.tries-- <= 0) break;
    const attempt = attemptOf(trail);
    const result = coerceType(value, schema, type, attempt, path, depth);
    if (attempt.problems.length > 0) continue;
    trail.repairs.push(...attempt.repairs);
    return result;
  }
  trail.problems.push(`${path} should be one of ${types.join(', ')}, but is ${typeName(value)}`);
  return value;
}

function coerceType(
  value: Json,
  schema: Schema,
  type: string | undefined,
  trail: FitTrail,
  path: string,
  depth: number,
): Json {
  switch (type) {
    case 'string':
      return toText(value, trail, path);
    case 'integer':
    case 'number':
      return toNumber(value, type, trail, path);
    case 'boolean':
      return toBoolean(value, trail, path);
    case 'array':
      return toArray(value, schema, trail, path, depth);
    case 'object':
      return toObject(value, schema, trail, path, depth);
    case 'null':
      if (value !== null && value !== '' && !/^(?:null|none)$/i.test(String(value)))
        trail.problems.push(`${path} should be null`);
      return null;
    default:
      return value;
  }
}

function toText(value: Json, trail: FitTrail, path: string): Json {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean')
    return changed(trail, path, `${typeof value} to text`, String(value));
  if (value === null) return wrong(trail, path, 'text', value);
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string')
    return changed(trail, path, 'list of one to text', value[0]);
  return changed(trail, path, 'structure to JSON text', JSON.stringify(value));
}

const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};

function toNumber(value: Json, type: 'integer' | 'number', trail: FitTrail, path: string): Json {
  const wanted = type === 'integer' ? 'a whole number' : 'a number';
  let number: number | undefined;
  if (typeof value === 'number') number = value;
  else if (typeof value === 'string') number = numberIn(value);
  else if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'number') number = value[0];
  if (number === undefined || !Number.isFinite(number)) return wrong(trail, path, wanted, value);
  if (type === 'integer' && !Number.isInteger(number)) return wrong(trail, path, wanted, value);
  if (type === 'integer' && typeof value === 'string' && !Number.isSafeInteger(number))
    return wrong(trail, path, 'a whole number below 2^53', value);
  return typeof value === 'number' ? number : changed(trail, path, `${typeName(value)} to number`, number);
}

function numberIn(text: string): number | undefined {
  const word = text
    .trim()
    .normalize('NFKC')
    .replace(/[_\u00a0]/g, '');
  if (NUMERIC.test(word)) return Number(word);
  if (GROUPED.test(word)) return Number(word.replaceAll(',', ''));
  return Object.hasOwn(WORDS, word.toLowerCase()) ? WORDS[word.toLowerCase()] : undefined;
}

const YES = new Set(['true', 'yes', 'y', 'on', '1', 't', '是', '真', '对', '开']);
const NO = new Set(['false', 'no', 'n', 'off', '0', 'f', '否', '假', '不', '关']);

function toBoolean(value: Json, trail: FitTrail, path: string): Json {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  if (YES.has(word)) return changed(trail, path, `${typeof value} to boolean`, true);
  if (NO.has(word)) return changed(trail, path, `${typeof value} to boolean`, false);
  return wrong(trail, path, 'true or false', value);
}

function toArray(value: Json, schema: Schema, trail: FitTrail, path: string, depth: number): Json {
  const items = Array.isArray(value) ? value : listIn(value, schema, trail, path);
  if (items === undefined) return wrong(trail, path, 'a list', value);
  const shapes = list(schema.prefixItems);
  return items.map((item, i) => coerce(item, shapes[i] ?? schema.items, trail, `${path}[${i}]`, depth + 1));
}

/** A list in other clothes: JSON text, text with separators, an object with numbers as keys, a single item. */
function listIn(value: Json, schema: Schema, trail: FitTrail, path: string): readonly Json[] | undefined {
  if (value === null || value === undefined) return undefined;
  const itemTypes = typesOf(resolve(schema.items, trail.root));
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^[[(［{]/.test(text) || text.startsWith('```')) {
      const read = readJsonText(text);
      if (read.ok && Array.isArray(read.value)) return changed(trail, path, 'JSON text to list', read.value as Json[]);
      if (read.ok && itemTypes.includes('object') && isObject(read.value))
        return changed(trail, path, 'single item to list', [read.value]);
    }
    if (text.startsWith('<')) {
      const inner = readElements(text);
      if (inner !== undefined)
        return changed(trail, path, 'elements to list', Array.isArray(inner) ? (inner as Json[]) : elementsList(inner));
    }
    if (text === '')
      return itemTypes.includes('string') && !trail.untyped
        ? undefined
        : changed(trail, path, 'empty text to list', []);
    const parts = splitList(text);
    if (parts.length > 1) return changed(trail, path, 'separated text to list', parts);
    return changed(trail, path, 'single item to list', [text]);
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    if (keys.length > 0 && keys.every((key, i) => key === String(i) || key === String(i + 1))) {
      return changed(
        trail,
        path,
        'numbered object to list',
        keys.map((key) => value[key] as Json),
      );
    }
    if (keys.length === 1 && /^(?:items?|elements?|list|values?)$/i.test(keys[0] as string)) {
      const inner = value[keys[0] as string] as Json;
      return changed(trail, path, 'wrapped list unwrapped', Array.isArray(inner) ? (inner as Json[]) : [inner]);
    }
    if (itemTypes.length > 0 && !itemTypes.includes('object')) return undefined;
  }
  return changed(trail, path, 'single item to list', [value]);
}

/** `<item>…</item>` wrapped once more, or one object. */
function elementsList(inner: Json): Json[] {
  const only = isObject(inner) && Object.keys(inner).length === 1 ? Object.values(inner)[0] : undefined;
  return Array.isArray(only) ? (only as Json[]) : [inner];
}

/** By the strongest separator present, outside brackets and quotes. */
function splitList(text: string): string[] {
  const parts = ['\n', ';；|', ',，、'].map((marks) => splitAt(text, marks)).find(({ length }) => length > 1) ?? [text];
  return parts
    .map((part) =>
      part
        .trim()
        .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '')
        .replace(/^(["'])(.*)\1$/, '$2'),
    )
    .filter((part) => part !== '');
}

/** The parts between marks that stand outside quotes and brackets. An opener that nothing closes is a character like others. */
function splitAt(text: string, marks: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  const lastStraight = text.lastIndexOf('"');
  const lastCurly = text.lastIndexOf('”');
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    const closer = char === '"' ? '"' : '”';
    if (char === '"' || char === '“') {
      if (at < (closer === '"' ? lastStraight : lastCurly)) at = text.indexOf(closer, at + 1);
    } else if ('([{（'.includes(char)) depth++;
    else if (')]}）'.includes(char) && depth > 0) depth--;
    else if (marks.includes(char) && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return depth > 0 ? text.split(new RegExp(`[${marks}]`)) : [...parts, text.slice(from)];
}

function toObject(value: Json, schema: Schema, trail: FitTrail, path: string, depth: number): Json {
  let object = value;
  for (let i = 0; i < 4 && typeof object === 'string'; i++) {
    const text: string = object.trim();
    if (text.startsWith('<')) {
      object = readMembers(text) ?? object;
      break;
    }
    if (!/^["'`{｛\\]/.test(text)) break;
    const read = readJsonText(text);
    if (!read.ok || read.cut === 'value') break;
    object = read.value;
  }
  if (Array.isArray(object) && object.length === 1 && isObject(object[0])) object = object[0];
  if (!isObject(object)) return wrong(trail, path, 'an object', value);
  if (object !== value) trail.repairs.push(`${path}: ${typeName(value)} to object`);
  return trail.members(object, schema, trail, path, depth + 1);
}

/** Checks what conversion leaves open: choices and bounds. A near-miss of one choice is that choice. */
function checked(value: Json, schema: Schema, trail: FitTrail, path: string): Json {
  const choices = schema.const !== undefined ? [schema.const] : list(schema.enum);
  if (choices.length > 0) return chosen(value, choices, trail, path);
  limits(value, schema, trail, path);
  if (schema.format === 'date' && typeof value === 'string' && !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    const iso = isoDate(value);
    if (iso !== undefined) return changed(trail, path, `date "${value}" to ${iso}`, iso);
    limit(trail, path, 'a date such as 2026-01-31', value);
  }
  return value;
}
