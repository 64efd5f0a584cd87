/** Turns any value into plain JSON of bounded size with every text redacted, so that a log line is always one valid line. */
import type { Json } from '../domain/json.js';

export interface Bounds {
  /** Characters of one text. */
  readonly text: number;
  /** Characters of all texts of one line together. */
  readonly total: number;
  /** Entries of one list or object. */
  readonly entries: number;
  readonly depth: number;
}

/**
 * A text that is cut is redacted with this many characters more, which are dropped afterwards: a secret that the cut
 * would have halved, and so hidden from the redactor, lies among them.
 */
const margin = 512;

/** Cuts without halving a pair of surrogates. */
function head(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}

/** One redaction and bounding of one line. Holds how much may still be written. */
class Bounding {
  private left: number;
  private readonly above = new Set<object>();

  constructor(
    private readonly bounds: Bounds,
    private readonly redact: (text: string) => string,
  ) {
    this.left = bounds.total;
  }

  text(value: string): string {
    const limit = Math.max(0, Math.min(this.bounds.text, this.left));
    const cut = value.length > limit;
    const redacted = this.redact(cut ? head(value, limit + margin) : value);
    const shown = cut ? head(redacted, Math.max(0, Math.min(limit, redacted.length - margin))) : redacted;
    this.left -= shown.length;
    return cut ? `${shown}… (cut from ${value.length} characters)` : shown;
  }

  value(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'bigint':
        return String(value);
      case 'undefined':
        return null;
      case 'object':
        return value === null ? null : this.object(value, depth);
      default:
        return `[${typeof value}]`;
    }
  }

  private object(value: object, depth: number): Json {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (this.above.has(value)) return '[circular]';
    if (depth >= this.bounds.depth) return Array.isArray(value) ? '[list]' : '[object]';
    this.above.add(value);
    try {
      if (value instanceof Error) return this.entries(errorEntries(value), depth);
      if (Array.isArray(value)) return this.list(value, depth);
      return this.entries(value instanceof Map ? [...value] : Object.entries(value), depth);
    } finally {
      this.above.delete(value);
    }
  }

  private list(items: readonly unknown[], depth: number): Json {
    const shown = items.slice(0, this.bounds.entries).map((item) => this.value(item, depth + 1));
    return items.length > shown.length ? [...shown, `… (${items.length - shown.length} more)`] : shown;
  }

  private entries(entries: readonly (readonly [unknown, unknown])[], depth: number): Json {
    const result: Record<string, Json> = Object.create(null);
    for (const [key, item] of entries.slice(0, this.bounds.entries)) {
      if (item !== undefined) result[this.text(String(key))] = this.value(item, depth + 1);
    }
    if (entries.length > this.bounds.entries) result['…'] = `${entries.length - this.bounds.entries} more`;
    return result;
  }
}

const errorEntries = (error: Error): [string, unknown][] => [
  ['name', error.name],
  ['message', error.message],
  ['stack', error.stack],
  ['cause', error.cause],
  ...Object.entries(error),
];

export interface Line {
  readonly message: string;
  readonly fields: Record<string, Json>;
}

/** Never throws: what cannot be looked at or redacted is left out, and the line says so. */
export function boundedLine(
  message: string,
  fields: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  redact: (text: string) => string,
): Line {
  const bounding = new Bounding(bounds, redact);
  const result: Line = { message: guarded(() => bounding.text(message)), fields: Object.create(null) };
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) result.fields[key] = guarded(() => bounding.value(value, 0));
  }
  return result;
}

function guarded<T extends Json>(read: () => T): T | string {
  try {
    return read();
  } catch {
    return '[left out: it could not be read or redacted]';
  }
}
