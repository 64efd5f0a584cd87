/** A contradiction between a call's arguments and the goal they serve. */
import type { Json } from '../../domain/json.js';
import type { PeriodKind } from './period.js';

export type Problem =
  | 'words for a date' // "last month" where digits are wanted
  | 'first day only' // the first day where a whole period is meant
  | 'wrong year'
  | 'other period'
  | 'other currency'
  | 'other unit';

export interface Finding {
  readonly problem: Problem;
  /** Names from the arguments down to the parameter. */
  readonly path: readonly string[];
  readonly from: Json | undefined;
  /** Undefined: something is wrong, and no rule knows what is right. */
  readonly to: Json | undefined;
  readonly confidence: number;
  /** Words of the goal that it contradicts. */
  readonly goal: string;
  /** Of the period that the goal names. */
  readonly period?: { readonly kind: PeriodKind; readonly start: string; readonly end: string };
}

/** In words, for the repair log and for the model. */
export function findingText({ path, problem, from, to, goal }: Finding): string {
  const shown = from === undefined ? 'nothing' : JSON.stringify(from);
  const said = problem === 'words for a date' ? '' : `; the goal says "${goal}"`;
  return to === undefined
    ? `${path.join('.')}: ${shown} (${problem})${said}`
    : `${path.join('.')}: ${shown} to ${JSON.stringify(to)} (${problem})${said}`;
}
