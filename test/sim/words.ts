/** A line of a history for people. */
import type { Line } from './checker/read.js';

export function inWords({ at, kind, process, ...rest }: Line): string {
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${(at / 1000).toFixed(3).padStart(9)} ${String(process ?? '').padEnd(9)} ${kind.padEnd(15)} ${fields.join(' ')}`;
}
