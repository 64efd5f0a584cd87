/** What the claims of one report are held against. */
import type { Grounds } from './grounds.js';
import { type Known, knownFrom } from './known.js';
import { type Ran, ranOf } from './ran.js';

export interface Evidence {
  readonly grounds: Grounds;
  readonly ran: readonly Ran[];
  readonly known: Known;
}

export function evidenceFrom(grounds: Grounds): Evidence {
  const ran = ranOf(grounds);
  return { grounds, ran, known: knownFrom(grounds, ran) };
}
