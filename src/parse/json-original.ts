/** JSON out of a text whose spellings were rewritten: texts in it come as the model wrote them. */
import type { Json } from '../domain/json.js';
import { type JsonOptions, type JsonResult, readJson } from './json.js';
import type { Original } from './rewrite.js';

/** As `readJson`. What was rewritten inside is undone when without it the value is the same but for its texts. */
export function readOriginal(
  text: string,
  at: number,
  original: Original | undefined,
  options: JsonOptions = {},
): JsonResult {
  const read = readJson(text, at, options);
  const source = read.ok ? original?.(at, read.end) : undefined;
  if (!read.ok || source === undefined) return read;
  const again = readJson(source, 0, options);
  const alike = again.ok && again.end === source.length && again.cut === read.cut;
  return alike && again.edits.length <= read.edits.length && sameButForTexts(read.value, again.value)
    ? { ...read, value: again.value }
    : read;
}

function sameButForTexts(a: Json, b: Json): boolean {
  if (typeof a === 'string') return typeof b === 'string';
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const [left, right] = [a, b] as [{ [key: string]: Json }, { [key: string]: Json }];
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameButForTexts(left[key] as Json, right[key] as Json))
  );
}
