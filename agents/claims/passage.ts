/** A report as the pieces in which it says something: prose, and the values of structured data under their keys. */
import type { Json } from '../../src/domain/json.js';

export interface Passage {
  /** Words of the key under which it stands, lower case; empty for prose at the top. */
  readonly key: string;
  /** Names the object that it stands in; values of one object share it. */
  readonly place: string;
  readonly value: string | number | true;
}

const mostPassages = 2_000;

/** Deepest first is of no matter: order as written. Keys that say what the value is not (false, null) are left out. */
export function passagesOf(value: Json, place = '$', key = '', into: Passage[] = []): Passage[] {
  if (into.length >= mostPassages || value === null || value === false) return into;
  if (typeof value === 'string') {
    const parsed = key === '' ? structured(value) : undefined;
    if (parsed !== undefined) return passagesOf(parsed, place, key, into);
    if (value.trim() !== '') into.push({ key, place, value });
  } else if (typeof value === 'number' || value === true) into.push({ key, place, value });
  else if (Array.isArray(value))
    for (const [at, item] of value.entries())
      passagesOf(item, `${place}[${item !== null && typeof item === 'object' ? at : ''}]`, key, into);
  else
    for (const [name, item] of Object.entries(value as { readonly [name: string]: Json }))
      passagesOf(item, `${place}.${Array.isArray(item) ? name : ''}`, wordsOfName(name), into);
  return into;
}

/** A text that is JSON as a whole says what the data say. */
function structured(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `onHand`, `on_hand`, `on-hand`: `on hand`. */
export const wordsOfName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .toLowerCase()
    .trim();
