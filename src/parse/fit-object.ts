/** The members of an object against a schema: which parameter each key means, what is unknown, what is missing. */
import { canonicalJson, type Json, type JsonObject } from '../domain/json.js';
import { coerce } from './coerce.js';
import { changed, type FitTrail, wrong } from './fit-trail.js';
import { admittedTypes, isObject, properties, required, resolve, type Schema, typesOf } from './schema.js';
import { onlyClose, withoutAccents } from './similar.js';

const normalKey = (key: string): string =>
  NORMAL.test(key)
    ? key
    : withoutAccents(key)
        .toLowerCase()
        .replace(/[\s_\-.]+/g, '');

const NORMAL = /^[a-z\d]*$/;

/** Keys that would reach an object's prototype. Never copied. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export function fitObject(value: JsonObject, schema: Schema, trail: FitTrail, path: string, depth: number): JsonObject {
  const known = properties(schema);
  const names = Object.keys(known);
  const result: Record<string, Json> = {};
  const meant = assignKeys(value, names, schema, trail, path);
  for (const [key, name] of meant) {
    const item = value[key] as Json;
    const at = path === '' ? (name ?? key) : `${path}.${name ?? key}`;
    if (name === undefined) {
      if (/^\$\d+$/.test(key) && value[key] !== undefined && names.length > 0)
        trail.problems.push(
          `${JSON.stringify(item).slice(0, 40)} stands without a name, and no parameter is left for it`,
        );
      else if ((key === '' && item === '') || !keepsUnknown(schema, names))
        trail.repairs.push(`${at}: unknown parameter dropped`);
      else if (FORBIDDEN.has(key)) trail.problems.push(`${at} is not allowed as a name`);
      else
        result[key] = isObject(schema.additionalProperties)
          ? coerce(item, schema.additionalProperties, trail, at, depth)
          : item;
      continue;
    }
    if (item === null && !required(schema).includes(name) && !admitsNull(known[name], trail)) {
      trail.repairs.push(`${at}: null left out`);
      continue;
    }
    const strict = trail.strict && required(schema).includes(name);
    define(
      result,
      name,
      coerce(insideOwnName(item, name, known[name], trail, at), known[name], { ...trail, strict }, at, depth),
    );
  }
  for (const name of required(schema)) {
    if (!Object.hasOwn(result, name))
      trail.problems.push(`${path === '' ? name : `${path}.${name}`} is required and missing`);
  }
  return result;
}

/** `{"city": {"city": "Oslo"}}` for a city that is no object. */
function insideOwnName(item: Json, name: string, raw: unknown, trail: FitTrail, at: string): Json {
  if (!isObject(item) || !Object.hasOwn(item, name)) return item;
  const types = admittedTypes(raw, trail.root);
  if (types.length === 0 || types.includes('object')) return item;
  if (Object.keys(item).length > 1) return wrong(trail, at, 'a value', item);
  return changed(trail, at, 'value taken out of an object of its name', item[name] as Json);
}

function define(target: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** A schema without properties, or one that says so, takes any key. */
function keepsUnknown(schema: Schema, names: readonly string[]): boolean {
  const more = schema.additionalProperties;
  if (more === false) return false;
  return names.length === 0 || more === true || isObject(more) || isObject(schema.patternProperties);
}

/** Words of a schema that limit nothing: with no others, any value is meant. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

function admitsNull(raw: unknown, trail: FitTrail): boolean {
  const schema = resolve(raw, trail.root);
  if (schema.nullable === true || typesOf(schema).includes('null')) return true;
  if (Object.keys(schema).every((key) => ANNOTATIONS.has(key))) return true;
  const options = [
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ...(Array.isArray(schema.oneOf) ? schema.oneOf : []),
  ];
  return (
    options.some((option) => isObject(option) && typesOf(option).includes('null')) ||
    (Array.isArray(schema.enum) && schema.enum.includes(null))
  );
}

/** Each key of the value with the parameter it means: the same, else a variant in spelling, else the only close one. */
function assignKeys(
  value: JsonObject,
  names: readonly string[],
  schema: Schema,
  trail: FitTrail,
  path: string,
): [string, string | undefined][] {
  const keys = Object.keys(value);
  const taken = new Set(keys.filter((key) => names.includes(key)));
  const loose = keys.filter((key) => !taken.has(key));
  const result = new Map<string, string | undefined>(keys.map((key) => [key, taken.has(key) ? key : undefined]));
  const assign = (key: string, name: string): void => {
    result.set(key, name);
    taken.add(name);
    trail.repairs.push(`${path === '' ? '' : `${path}.`}${key} read as "${name}"`);
  };
  for (const key of loose) {
    const positional = /^\$(\d+)$/.exec(key);
    const name = positional ? names[Number(positional[1])] : undefined;
    if (name !== undefined && !taken.has(name)) assign(key, name);
  }
  const spellings = bySpelling(names);
  for (const key of loose) {
    const alike = spellings.get(normalKey(key))?.filter((name) => !taken.has(name)) ?? [];
    if (result.get(key) === undefined && alike.length === 1) assign(key, alike[0] as string);
  }
  for (const key of loose) {
    const free = required(schema).filter((name) => !taken.has(name));
    if (free.length === 0) break;
    if (result.get(key) !== undefined || normalKey(key).length < 4) continue;
    const close = onlyClose(normalKey(key), free.map(normalKey), normalKey(key).length >= 8 ? 2 : 1);
    const name = free.find((candidate) => normalKey(candidate) === close);
    if (close !== undefined && name !== undefined) assign(key, name);
  }
  tellTwice(value, result, trail, path);
  return keys.map((key) => [key, result.get(key)]);
}

/** Names by what remains of them without spelling habits. */
function bySpelling(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(normalKey(name), [...(groups.get(normalKey(name)) ?? []), name]);
  return groups;
}

/** Two spellings of one parameter with different values: which is meant cannot be told. */
function tellTwice(
  value: JsonObject,
  meant: ReadonlyMap<string, string | undefined>,
  trail: FitTrail,
  path: string,
): void {
  const given = new Map<string, string>();
  for (const [key, name] of meant) if (name !== undefined) given.set(normalKey(name), key);
  if (given.size === meant.size) return;
  for (const [key, name] of meant) {
    const other = name === undefined ? given.get(normalKey(key)) : undefined;
    if (other === undefined || canonicalJson(value[other]) === canonicalJson(value[key])) continue;
    trail.problems.push(
      `${path === '' ? '' : `${path}.`}${meant.get(other)} is given twice, as ${other} and as ${key}`,
    );
  }
}
