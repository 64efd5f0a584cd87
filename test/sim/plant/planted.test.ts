import { describe, expect, it } from 'vitest';
import { play } from '../batch.js';
import { bugs } from './bugs.js';

/** Those that betray themselves soon; `npm run sim:planted` hunts them all. */
const soon = [
  'a call that was begun is forgotten',
  'reports are lost',
  'a denial counts as leave',
  'a slice is not taken from the giver',
  'the snapshot is ahead of the journal',
  'a result is written each time it is sent',
  'the key of a submission is not kept',
  'leave is not asked',
  'an unsafe tool counts as idempotent',
  'a repeat has another key',
  'a failure is reported as a success',
  'dependencies are not waited for',
];
const most = 100;

describe('a planted bug', () => {
  it('is one of many', () => {
    expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(25);
  });

  it.each(soon)('is caught: %s', async (name) => {
    let broken = 0;
    for (let seed = 1; seed <= most && broken === 0; seed += 1)
      broken = (await play(seed, bugs[name]?.seams)).violations.length;
    expect(broken).toBeGreaterThan(0);
  });
});
