/** One seed in this process: played, checked, and what is worth telling of it. */
import { noSeams, type Seams } from './cast/stage.js';
import { check, type Violation } from './checker/check.js';
import { asRead } from './checker/read.js';
import type { History } from './history.js';
import type { Scenario } from './scenario.js';
import { playSchedule } from './schedule.js';

export interface Played {
  readonly seed: number;
  readonly history: History;
  readonly violations: readonly Violation[];
}

export async function play(
  seed: number,
  seams: Seams = noSeams,
  adjust?: (scenario: Scenario) => Scenario,
): Promise<Played> {
  const history = await playSchedule(seed, seams, adjust);
  return { seed, history, violations: check(asRead(history.lines)) };
}

/** What one process of a crew tells of a schedule. */
export interface Told {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** What this process had not seen before; see `coverage.ts`. */
  readonly sights: readonly string[];
  /** At least one task ended well. */
  readonly succeeded: boolean;
  /** Of the history, hex; only when it was asked for. */
  readonly hash?: string;
}

export const endedWell = ({ lines }: History): boolean =>
  lines.some(({ kind, status }) => kind === 'client.read' && (status === 'done' || status === 'partial'));
