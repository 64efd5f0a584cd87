/** The limits that a schema sets to a value of the right type. */
import type { Json } from '../domain/json.js';
import { type FitTrail, wrong } from './fit-trail.js';
import type { Schema } from './schema.js';

/** Notes that a value breaks a limit: refused, or only told. */
export function limit(trail: FitTrail, path: string, wanted: string, value: Json): void {
  if (trail.strict) wrong(trail, path, wanted, value);
  else trail.repairs.push(`${path} should be ${wanted}`);
}

/** Bounds, lengths and patterns of a schema. */
export function limits(value: Json, schema: Schema, trail: FitTrail, path: string): void {
  if (typeof value === 'number') bounds(value, schema, trail, path);
  if (typeof value === 'string')
    lengths(value, [...value].length, 'characters', schema.minLength, schema.maxLength, trail, path);
  if (Array.isArray(value)) lengths(value, value.length, 'items', schema.minItems, schema.maxItems, trail, path);
  if (typeof value === 'string' && typeof schema.pattern === 'string' && !matches(value, schema.pattern))
    limit(trail, path, `text that matches ${schema.pattern.slice(0, 60)}`, value);
}

function lengths(
  value: Json,
  length: number,
  unit: string,
  least: unknown,
  most: unknown,
  trail: FitTrail,
  path: string,
): void {
  if (typeof least === 'number' && length < least) limit(trail, path, `of at least ${least} ${unit}`, value);
  else if (typeof most === 'number' && length > most) limit(trail, path, `of at most ${most} ${unit}`, value);
}

const MAX_MATCHED = 1_000;

/** Patterns that repeat a group, or that are none, are not tried: they may take time without bound. */
function matches(text: string, pattern: string): boolean {
  if (text.length > MAX_MATCHED || /\)(?:[*+]|\{)/.test(pattern)) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function bounds(value: number, schema: Schema, trail: FitTrail, path: string): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === 'number' && value < minimum) limit(trail, path, `at least ${minimum}`, value);
  else if (typeof maximum === 'number' && value > maximum) limit(trail, path, `at most ${maximum}`, value);
  else if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    limit(trail, path, `more than ${exclusiveMinimum}`, value);
  else if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    limit(trail, path, `less than ${exclusiveMaximum}`, value);
}
