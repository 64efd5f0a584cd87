/** Elements as data, for formats that write nested values as nested tags. */
import type { Json, JsonObject } from '../domain/json.js';
import { tagAt } from './token.js';

/** Elements inside a value: an object, or a list when one name repeats. Left as text unless it is elements throughout. */
export function readElements(text: string, depth = 0): Json | undefined {
  const found = elementsIn(text, depth);
  if (found === undefined) return undefined;
  const names = new Set(found.map(([key]) => key));
  if (names.size === 1 && (found.length > 1 || /^(?:item|element|li|entry|value)$/i.test(found[0]?.[0] ?? '')))
    return found.map(([, value]) => value);
  return grouped(found);
}

/** The same where an object is due: a name that repeats holds a list. */
export function readMembers(text: string): JsonObject | undefined {
  const found = elementsIn(text, 0);
  return found === undefined ? undefined : grouped(found);
}

function grouped(found: readonly (readonly [string, Json])[]): JsonObject {
  const members = new Map<string, Json[]>();
  for (const [key, value] of found) {
    const values = members.get(key);
    if (values === undefined) members.set(key, [value]);
    else values.push(value);
  }
  return Object.fromEntries(
    [...members].map(([key, values]) => [key, values.length > 1 ? values : (values[0] as Json)]),
  );
}

function elementsIn(text: string, depth: number): [string, Json][] | undefined {
  if (depth > 32) return undefined;
  const found: [string, Json][] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    if (at >= text.length) break;
    const tag = text[at] === '<' ? tagAt(text, at) : undefined;
    if (tag === undefined || tag.closing || tag.selfClosing) return undefined;
    const close = text.indexOf(`</${tag.fullName}>`, tag.end);
    if (close < 0) return undefined;
    const inner = text.slice(tag.end, close);
    found.push([
      tag.equals ?? tag.attributes.name ?? tag.fullName,
      /^\s*</.test(inner) ? (readElements(inner, depth + 1) ?? inner) : inner.trim(),
    ]);
    at = close + tag.fullName.length + 3;
  }
  return found;
}
