/** The quick way for JSON that is valid as it stands: find its end in one pass, then let the engine parse it. */
import type { Json } from '../domain/json.js';

const MAX_DEPTH = 200;

export interface FastRead {
  readonly value: Json;
  readonly end: number;
}

/**
 * Reads an object or list at `at`. Undefined when it is not valid, is too deep, or may have a key twice; then
 * `scanned` tells how far the look went.
 */
export function readFast(text: string, at: number, end: number, spent?: { scanned: number }): FastRead | undefined {
  let depth = 0;
  let colons = 0;
  /** The last character that is no white space; the quote of a text that ended. */
  let last = 58;
  let i = at;
  loop: for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code > 125 || code <= 32) continue;
    const before = last;
    last = code;
    switch (code) {
      case 34:
        if (before !== 123 && !opensItem(before)) break loop;
        for (i++; i < end; i++) {
          const inner = text.charCodeAt(i);
          if (inner === 34) break;
          if (inner === 92) i++;
          else if (inner < 32) break loop;
        }
        break;
      case 123:
        if (++depth > MAX_DEPTH || !opensItem(before) || !keyFollows(text, i + 1, end)) break loop;
        break;
      case 91:
        if (++depth > MAX_DEPTH || !opensItem(before)) break loop;
        break;
      case 44:
        if (!itemFollows(text, i + 1, end)) break loop;
        break;
      case 125:
      case 93:
        if (--depth === 0) {
          if (spent !== undefined) spent.scanned = i - at;
          return parsed(text.slice(at, i + 1), i + 1, colons);
        }
        break;
      case 58:
        if (!itemFollows(text, i + 1, end)) break loop;
        colons++;
        break;
      case 39:
      case 47:
      case 35:
      case 96:
      case 61:
      case 40:
        break loop;
      default:
    }
  }
  if (spent !== undefined) spent.scanned = i - at;
  return undefined;
}

/** Behind a colon, a comma or `[`, a value may begin; nowhere else. */
const opensItem = (code: number): boolean => code === 58 || code === 44 || code === 91;

function next(text: string, at: number, end: number): number {
  let i = at;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
    i++;
  }
  return -1;
}

/** After `{`: a quote or the end. Spares the engine, whose errors are slow, most of what is not valid. */
function keyFollows(text: string, at: number, end: number): boolean {
  const code = next(text, at, end);
  return code === 34 || code === 125;
}

/** After a comma or a colon: the start of some valid value. */
function itemFollows(text: string, at: number, end: number): boolean {
  const code = next(text, at, end);
  return (
    code === 34 ||
    code === 123 ||
    code === 91 ||
    code === 45 ||
    (code >= 48 && code <= 57) ||
    code === 116 ||
    code === 102 ||
    code === 110
  );
}

function parsed(source: string, end: number, colons: number): FastRead | undefined {
  try {
    const value = JSON.parse(source) as Json;
    return members(value) === colons ? { value, end } : undefined;
  } catch {
    return undefined;
  }
}

/** Whole numbers that lose digits, and numbers out of range; the tolerant reader keeps them as text. */
const isInexact = (item: Json): boolean =>
  typeof item === 'number' && !Number.isSafeInteger(item) && (Number.isInteger(item) || !Number.isFinite(item));

/** Members of all objects; fewer than the text has colons when a key came twice, NaN when a number lost digits. */
function members(value: Json): number {
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as Json[]) {
      if (item !== null && typeof item === 'object') count += members(item);
      else if (isInexact(item)) return Number.NaN;
    }
    return count;
  }
  const object = value as { readonly [key: string]: Json };
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    count++;
    const item = object[key] as Json;
    if (item !== null && typeof item === 'object') count += members(item);
    else if (isInexact(item)) return Number.NaN;
  }
  return count;
}
