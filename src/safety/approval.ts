/** What a person sees before allowing something: exactly what will run, with everything that could deceive made visible. */
import { canonicalJson, type Json, type JsonObject } from '../domain/json.js';

/**
 * Controls (ANSI escapes, carriage returns), marks that reorder what is shown, characters without width or glyph, line
 * and paragraph separators, halves of characters.
 */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A text for a terminal or a page: line breaks and tabs stay, everything deceptive is shown as `\u001b`. */
export const displayText = (text: string): string =>
  text.replaceAll(deceptive, (char) => (char === '\n' || char === '\t' ? char : escaped(char)));

/** A value in canonical order, indented; `JSON.parse` of it gives the very value. */
export function displayJson(value: Json): string {
  const ordered: unknown = JSON.parse(canonicalJson(value));
  return JSON.stringify(ordered, null, 2).replaceAll(deceptive, (char) => (char === '\n' ? char : escaped(char)));
}

/** One line for lists. */
export const displayCall = (tool: string, args: JsonObject): string =>
  `${displayText(tool)} ${canonicalJson(args).replaceAll(deceptive, escaped)}`;
