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
  if (typeof value === 'string' && (schema.minLength !== undefined || schema.maxLength !== undefined))
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

/** Ways to match at one place that are tried at most: one repetition without end, and a few choices beside it. */
const MAX_WAYS = 10 * MAX_MATCHED;

/** Patterns that could take long, or that are none, are not tried. */
function matches(text: string, pattern: string): boolean {
  if (text.length > MAX_MATCHED || waysOf(pattern) > MAX_WAYS) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

const PATTERN_PART = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?|[()|]|(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/gsu;

/** At most so many ways to match a pattern at one place are open to a backtracking search; a repeated group has no bound. */
function waysOf(pattern: string): number {
  if (/\)(?:[*+]|\{)/.test(pattern)) return Number.POSITIVE_INFINITY;
  let ways = 1;
  const branches = [1];
  for (const [part, least, comma, most] of pattern.matchAll(PATTERN_PART)) {
    const last = branches.length - 1;
    if (part.startsWith('(')) branches.push(1);
    else if (part === ')') ways *= branches.pop() ?? 1;
    else if (part === '|' && last >= 0) branches[last] = (branches[last] as number) + 1;
    else if (/^[*+]/.test(part)) ways *= MAX_MATCHED;
    else if (part.startsWith('?')) ways *= 2;
    else if (comma !== undefined) ways *= most ? Math.max(1, Number(most) - Number(least) + 1) : MAX_MATCHED;
  }
  return ways * (branches[0] ?? 1);
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
