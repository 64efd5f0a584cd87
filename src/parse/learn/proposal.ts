/** A possible addition to the marker table, and what the samples should then be read as. */
import type { JsonObject } from '../../domain/json.js';
import type { Rewrite } from '../spellings.js';

export interface MarkerAddition {
  readonly rewrites: readonly Rewrite[];
}

export interface Proposal {
  readonly addition: MarkerAddition;
  /** What each sample should be read as; undefined where the reading leaves it open. */
  readonly arguments: readonly (JsonObject | undefined)[];
}
