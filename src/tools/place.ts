/** Where a path lies, by its text alone: below which root, and how far. What is really there is the business of `builtin/root.ts`. */
import path from 'node:path';
import { fail, ok, type Result } from '../domain/failure.js';

export interface Place {
  readonly root: string;
  /** Components below the root, none of them empty, `.` or `..`. */
  readonly steps: readonly string[];
  /** Relative to the root, for people; `.` is the root itself. */
  readonly shown: string;
}

const pathBytes = 4095;
const nameBytes = 255;
const loneSurrogate = /\p{Surrogate}/u;
/** Spellings of `..`, `/`, `\` and NUL that only a decoder would understand: nobody means a file so named. */
const encoded = /%(?:2e|2f|5c|00)/i;

export function placeOf(given: string, roots: readonly string[]): Result<Place> {
  const shown = JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
  const problem = textProblem(given);
  if (problem !== undefined)
    return fail('invalid_arguments', `path ${shown} ${problem}`, 'give a plain path such as "data/sales.csv"');
  const [first] = roots;
  if (first === undefined) return fail('not_permitted', `path ${shown}: no folder is open to this agent`);
  const absolute = path.resolve(first, given);
  // The longest root wins, so that a root inside another keeps its own name.
  const root = roots
    .map((candidate) => path.resolve(candidate))
    .filter((candidate) => isWithin(absolute, candidate))
    .sort((a, b) => b.length - a.length)[0];
  if (root === undefined) {
    return fail(
      'not_permitted',
      `path ${shown} lies outside the folders open to this agent`,
      `stay below ${roots.join(', ')}`,
    );
  }
  const steps = absolute
    .slice(root.length)
    .split(path.sep)
    .filter((step) => step !== '');
  const long = steps.find((step) => Buffer.byteLength(step) > nameBytes);
  if (long !== undefined)
    return fail('invalid_arguments', `path ${shown}: a name in it is longer than ${nameBytes} bytes`);
  return ok({ root, steps, shown: steps.join('/') || '.' });
}

function textProblem(given: string): string | undefined {
  if (given.trim() === '') return 'is empty';
  if (given.includes('\0')) return 'contains a NUL byte';
  if (Buffer.byteLength(given) > pathBytes) return `is longer than ${pathBytes} bytes`;
  if (loneSurrogate.test(given)) return 'is not valid Unicode';
  if (given.includes('\\') && path.sep === '/') return 'contains a backslash; folders are separated by "/"';
  if (given === '~' || given.startsWith('~/')) return 'begins with "~", which stands for nothing here';
  if (encoded.test(given)) return 'contains percent-encoded separators';
  return undefined;
}

/** Below it or itself; `data-evil` is not within `data`. */
const isWithin = (absolute: string, root: string): boolean =>
  absolute === root || absolute.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
