/**
 * Whole trees in which nothing goes wrong but one thing: the process that appends a record dies, before the record is
 * stored or right after, at each record in turn.
 */
import { describe, expect, it } from 'vitest';
import { dyingAt, type Moment, undisturbed } from './cast/death.js';
import { noSeams, type Seams } from './cast/stage.js';
import { check } from './checker/check.js';
import { asRead } from './checker/read.js';
import type { History } from './history.js';
import { playSchedule } from './schedule.js';

/** Kills the process that makes append number `n` of the schedule. */
function killAt(n: number, moment: Moment): Seams {
  let appends = 0;
  return dyingAt(moment, () => {
    appends += 1;
    return appends === n;
  });
}

const appendsIn = ({ lines }: History): number => lines.filter(({ kind }) => kind === 'server.appended').length;
const endsIn = ({ lines }: History): unknown[] =>
  lines.filter(({ kind, state }) => kind === 'client.read' && state === 'ended').map(({ task }) => task);

const seeds = [11, 12, 13, 14, 15, 16];

describe.each(seeds)('a host that dies at each record of tree %i', (seed) => {
  it.each<Moment>(['before', 'after'])(
    '%s it is stored: every task ends once, and nothing is doubled or overspent',
    async (moment) => {
      const whole = await playSchedule(seed, noSeams, undisturbed);
      const count = appendsIn(whole);
      expect(count).toBeGreaterThan(5);
      for (let n = 1; n <= count; n += 1) {
        const history = await playSchedule(seed, killAt(n, moment), undisturbed);
        expect({ n, broken: check(asRead(history.lines)) }).toEqual({ n, broken: [] });
        expect(new Set(endsIn(history)).size).toBe(new Set(endsIn(whole)).size);
      }
    },
    120_000,
  );
});
