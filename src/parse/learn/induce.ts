/** From one repair that succeeded to the rule behind it: what was written, what was meant. */
import type { Json, JsonObject } from '../../domain/json.js';
import type { Finding } from '../meaning/finding.js';
import { written } from '../meaning/role.js';
import type { ParseTool } from '../name.js';
import { isObject, list, properties, resolve, type Schema, typesOf } from '../schema.js';
import type { Lesson } from './rule.js';

const WORD_MAX = 80;
const LEAD_MAX = 40;
const LITERALS_MAX = 16;

const same = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || (isScalar(a) && isScalar(b) && String(a).trim() === String(b));
const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Lessons that together lead from the arguments as written to those that were meant; none when they do not. */
export function lessonsFromArguments(tool: ParseTool, before: JsonObject, after: JsonObject): Lesson[] {
  const root: Schema = isObject(tool.parameters) ? tool.parameters : {};
  const known = properties(root);
  const lessons: Lesson[] = [];
  const rename: Record<string, string> = {};
  const loose = Object.keys(before).filter((key) => !Object.hasOwn(known, key) && key.length <= WORD_MAX);
  for (const name of Object.keys(after)) {
    const value = after[name];
    const given = Object.hasOwn(before, name) ? before[name] : undefined;
    if (same(given, value)) continue;
    if (given === undefined) {
      const keys = loose.filter((key) => !Object.hasOwn(rename, key) && same(before[key], value));
      if (keys.length !== 1) return [];
      rename[keys[0] as string] = name;
    } else if (isWord(given) && isScalar(value) && isChoice(resolve(known[name], root), value)) {
      lessons.push({ on: 'value', tool: tool.name, parameter: name, from: given, to: value });
    } else return [];
  }
  if (Object.keys(rename).length > 0) lessons.push({ on: 'keys', tool: tool.name, rename });
  return lessons;
}

const isWord = (value: Json): value is string => typeof value === 'string' && value !== '' && value.length <= WORD_MAX;

/** One of a few values: only then does a word mean the same every time. */
const isChoice = (schema: Schema, value: Json): boolean =>
  list(schema.enum).includes(value) || typesOf(schema).includes('boolean');

/** The layout of a call that no reader knows, when all its values stand in it once and in plain text. */
export function lessonFromText(tool: ParseTool, text: string, args: JsonObject): Lesson | undefined {
  const names = Object.keys(args);
  const at = text.indexOf(tool.name);
  if (at < 0 || names.length === 0 || names.length >= LITERALS_MAX) return undefined;
  const line = text.lastIndexOf('\n', at) + 1;
  const from = at - line <= LEAD_MAX ? line : at;
  const places = names.map((name) => placeOf(text, args[name], from));
  if (places.some((place) => place === undefined)) return undefined;
  const order = names.map((name, i) => ({ name, ...(places[i] as Place) })).sort((a, b) => a.start - b.start);
  const literals: string[] = [];
  let end = from;
  for (const { start, end: next } of order) {
    literals.push(text.slice(end, start));
    end = next;
  }
  const stop = text.indexOf('\n', end);
  literals.push(text.slice(end, stop < 0 ? text.length : stop).trimEnd());
  const inner = literals.slice(1, -1);
  if (!(literals[0] ?? '').includes(tool.name) || inner.some((literal) => literal.trim() === '')) return undefined;
  if (literals.some((literal) => literal.length > WORD_MAX)) return undefined;
  return { on: 'text', tool: tool.name, literals, read: order.map(({ name }) => name) };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placeOf(text: string, value: Json | undefined, from: number): Place | undefined {
  if (!isScalar(value)) return undefined;
  const shown = String(value);
  const start = shown === '' ? -1 : text.indexOf(shown, from);
  return start < 0 || text.indexOf(shown, start + shown.length) >= 0 ? undefined : { start, end: start + shown.length };
}

const FORMS = [
  '{start}/{end}',
  '{start}..{end}',
  '{start} to {end}',
  '{start},{end}',
  '{start}至{end}',
  '{start}',
  '{end}',
  '{year}-Q{quarter}',
  'Q{quarter} {year}',
  '{year}Q{quarter}',
  '{year}-{month}',
  '{year}',
];

/** How the period of a finding is written into the parameters that the repair changed. */
export function lessonFromPeriod(
  tool: ParseTool,
  finding: Finding,
  before: JsonObject,
  after: JsonObject,
): Lesson | undefined {
  const { path, period } = finding;
  const [parameter] = path;
  if (period === undefined || parameter === undefined || path.length > 1) return undefined;
  const set: Record<string, string> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (same(before[name], after[name])) continue;
    const form = FORMS.find((candidate) => written(period, candidate) === after[name]);
    if (form === undefined) return undefined;
    set[name] = form;
  }
  return Object.keys(set).length === 0
    ? undefined
    : { on: 'period', tool: tool.name, parameter, kind: period.kind, set };
}
