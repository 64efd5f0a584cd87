/** A range of seeds in this process: each is played and checked, and what came of it is told as one line of JSON. */

import { noSeams, type Seams } from './cast/stage.js';
import { check, type Violation } from './checker/check.js';
import { asRead } from './checker/read.js';
import { sightsIn } from './coverage.js';
import { playSchedule } from './schedule.js';

export interface Played {
  readonly seed: number;
  readonly hash: string;
  readonly violations: readonly Violation[];
  readonly sights: readonly string[];
  /** At least one task ended well. */
  readonly succeeded: boolean;
}

export async function play(seed: number, seams: Seams = noSeams): Promise<Played> {
  const history = await playSchedule(seed, seams);
  const { lines } = history;
  return {
    seed,
    hash: history.hash(),
    violations: check(asRead(lines)),
    sights: [...sightsIn(lines)],
    succeeded: lines.some(({ kind, status }) => kind === 'client.read' && (status === 'done' || status === 'partial')),
  };
}
