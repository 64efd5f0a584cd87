/** Arguments that are no JSON: `name: value` lines, elements, a word for nothing, or the value of the one parameter. */
import type { Json, JsonObject } from '../domain/json.js';
import { MARKERS } from './markers.js';
import { properties, type Schema } from './schema.js';
import { readXmlBody } from './xml.js';

export interface PlainText {
  readonly object: JsonObject;
  readonly repair: string;
}

const NOTHING = /^(?:null|none|undefined|nil)$/i;

const LINE = /^\s*([\w.-]{1,80})[ \t]*[:：=][ \t]*(.*)$/;

const UNCLEAR = 'the arguments may be a text or name their parameters';

/**
 * Text that does not begin as JSON, with what it means. A text when its meaning cannot be told: why.
 * @param lone the one parameter that a bare value can mean
 */
export function readPlainText(text: string, schema: Schema, lone: string | undefined): PlainText | string | undefined {
  if (NOTHING.test(text)) return { object: {}, repair: `${text} read as no arguments` };
  const known = Object.keys(properties(schema));
  const named = text.startsWith('<') ? elements(text, known) : lines(text, known);
  if (named !== undefined)
    return typeof named === 'string' ? named : { object: named, repair: 'named values read as an object' };
  return lone === undefined ? undefined : { object: { [lone]: text }, repair: `plain text read as "${lone}"` };
}

/** One parameter a line. With a single parameter, all that follows its name is its value. */
function lines(text: string, known: readonly string[]): JsonObject | string | undefined {
  const first = LINE.exec(text.slice(0, text.includes('\n') ? text.indexOf('\n') : undefined));
  if (first === null || !known.includes(first[1] as string)) return undefined;
  const found = new Map<string, Json>();
  const parts = known.length === 1 ? [text] : text.split('\n').filter((line) => line.trim() !== '');
  for (const part of parts) {
    const [, name, rest] = (known.length === 1 ? /^\s*([\w.-]{1,80})\s*[:：=]\s*([\s\S]*)$/ : LINE).exec(part) ?? [];
    if (name === undefined || rest === undefined || !known.includes(name) || found.has(name)) return UNCLEAR;
    const value = unquoted(rest.trim());
    if (value === undefined) return UNCLEAR;
    found.set(name, value);
  }
  return Object.fromEntries(found);
}

function unquoted(value: string): Json | undefined {
  if (!/^["'`]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}

/** An element per parameter. Elements inside one may be the markup that the one text is about. */
function elements(text: string, known: readonly string[]): JsonObject | string | undefined {
  const body = readXmlBody(text, 0, '', MARKERS, { keys: known });
  const given = body.arguments;
  if (given === null || typeof given !== 'object' || Array.isArray(given) || body.repeated.length > 0) return undefined;
  if (body.unsure === true) return UNCLEAR;
  const members = Object.entries(given);
  if (!members.some(([name]) => known.includes(name))) return undefined;
  const whole = body.end >= text.trimEnd().length && members.every(([name]) => known.includes(name));
  return whole && !members.some(([, value]) => /^\s*</.test(String(value))) ? (given as JsonObject) : UNCLEAR;
}
