/** What the conversions of one set of arguments share: repairs, problems, and the work that is left. */
import type { Json, JsonObject } from '../domain/json.js';
import type { Schema } from './schema.js';

/** What is collected on the way through one set of arguments. */
export interface FitTrail {
  readonly root: Schema;
  readonly repairs: string[];
  readonly problems: string[];
  /** Forms that may still be tried: schemas can offer choices within choices without end. */
  readonly work: { tries: number };
  /** What breaks a limit of the schema is refused; otherwise only told. */
  readonly strict: boolean;
  /** The layout writes values without types: text that is JSON of another admitted type is meant as that. */
  readonly untyped: boolean;
  /** Fits the members of an object; supplied from above, because objects hold values and values hold objects. */
  readonly members: (value: JsonObject, schema: Schema, trail: FitTrail, path: string, depth: number) => JsonObject;
}

/** Notes that a value cannot fit; it comes back as it is. */
export function wrong(trail: FitTrail, path: string, wanted: string, value: Json): Json {
  const shown = JSON.stringify(value) ?? 'nothing';
  trail.problems.push(`${path} should be ${wanted}, but is ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}`);
  return value;
}

/** Notes how a value was converted. */
export function changed<T extends Json>(trail: FitTrail, path: string, how: string, value: T): T {
  trail.repairs.push(`${path}: ${how}`);
  return value;
}
