/** Whatever a tool returned, as JSON: hostile getters, cycles and values that JSON has no word for become a failure in words. */
import { fail, ok, type Result } from '../domain/failure.js';
import type { Json } from '../domain/json.js';

const limits = { depth: 100, values: 2_000_000 };

class Unserialisable extends Error {}

/**
 * `undefined` and not-a-number become null, as in JSON; properties that are undefined are left out; objects with
 * `toJSON` (dates) speak for themselves. Never throws.
 */
export function toJson(value: unknown): Result<Json> {
  try {
    return ok(converted(value, 'the result', [], { left: limits.values }));
  } catch (error) {
    const why = error instanceof Unserialisable ? error.message : `the result could not be read: ${reason(error)}`;
    return fail(
      'not_serialisable',
      why,
      'the tool must return plain JSON: text, numbers, booleans, null, arrays, objects',
    );
  }
}

const reason = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 300);
  } catch {
    return 'it throws when looked at';
  }
};

function converted(value: unknown, where: string, above: readonly object[], room: { left: number }): Json {
  room.left -= 1;
  if (room.left < 0) throw new Unserialisable(`the result holds more than ${limits.values} values`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : objectOf(value, where, above, room);
    default:
      throw new Unserialisable(`${where} is a ${typeof value}`);
  }
}

function objectOf(value: object, where: string, above: readonly object[], room: { left: number }): Json {
  if (above.includes(value)) throw new Unserialisable(`${where} refers back to something that contains it`);
  if (above.length >= limits.depth) throw new Unserialisable(`the result is nested more than ${limits.depth} deep`);
  const path = [...above, value];
  const odd = oddity(value);
  if (odd !== undefined) throw new Unserialisable(`${where} is ${odd}`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return converted(value.toJSON(), where, path, room);
  if (Array.isArray(value))
    return Array.from(value, (item, index) => converted(item, `${where}[${index}]`, path, room));
  if (value instanceof Error) return { name: value.name, message: value.message };
  const out: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) out.push([key, converted(item, `${where}.${key}`, path, room)]);
  }
  // fromEntries defines properties, so a key named `__proto__` stays data.
  return Object.fromEntries(out);
}

/** Objects that would silently turn into `{}` or into a list of bytes. */
function oddity(value: object): string | undefined {
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}; return an array or an object`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'binary; return text or base64';
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) return 'no data';
  return undefined;
}
