/** The texts inside JSON data. */
import type { Json } from '../../src/domain/json.js';

/** Every string of a value, its keys left out. */
export function textsOf(value: Json | undefined, into: string[] = []): string[] {
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) textsOf(item, into);
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) textsOf(item as Json, into);
  return into;
}
