/** The keys of objects: what JSON text stands for which, and which an object had so far. */

import { isWord } from './json-char.js';

/** Most objects have a few, for which a set would cost more than the rest of the reading. */
export class Keys {
  private first: string | undefined;
  private more: Set<string> | undefined;

  has(key: string): boolean {
    return this.first === key || this.more?.has(key) === true;
  }

  add(key: string): void {
    if (this.first === undefined) this.first = key;
    else {
      this.more ??= new Set();
      this.more.add(key);
    }
  }
}

/** Longer keys are read in the general way. */
const MAX_PLAIN_KEY = 64;

/** Where the quote behind a plain word in quotes stands, when a colon follows it directly: what nearly every key is; else -1. */
export function plainKeyEnd(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 34) return -1;
  const reach = Math.min(end - 1, at + MAX_PLAIN_KEY);
  let i = at + 1;
  while (i < reach && isWord(text.charCodeAt(i))) i++;
  return i > at + 1 && i < reach && text.charCodeAt(i) === 34 && text.charCodeAt(i + 1) === 58 ? i : -1;
}

/** The key that the JSON text of a string stands for. */
export function keyOf(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1);
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1, -1);
  }
}

/** Lists have no keys. */
export const NO_KEYS = new Keys();
