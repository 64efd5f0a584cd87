/** The last rung of reading arguments: `jsonrepair`, whose result is a guess and is told as one. */
import { jsonrepair } from 'jsonrepair';
import type { JsonObject } from '../domain/json.js';

/** Its time grows faster than its input: 3 s on 120 KB. */
const mostChars = 65_536;
const deepest = 64;

/**
 * An object out of a text that our own reader gave up on. Undefined when there is none, when the text is too long or too
 * deep, or when it does not end as an object does: jsonrepair closes what was cut as if it were whole.
 */
export function guessObject(text: string): JsonObject | undefined {
  const whole = text.trim();
  if (whole.length > mostChars || !whole.startsWith('{') || !whole.endsWith('}') || depthOf(whole) > deepest)
    return undefined;
  try {
    const value: unknown = JSON.parse(jsonrepair(whole));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Most brackets open at once, strings not minded: an upper bound. */
function depthOf(text: string): number {
  let open = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) most = Math.max(most, ++open);
    else if ((code === 125 || code === 93) && open > 0) open -= 1;
  }
  return most;
}
