import { describe, expect, it } from 'vitest';
import { callsOf, type LostCall, lose } from './lost/trial.js';

/** `npm run sim:lost` takes a thousand. */
const seeds = [301, 302, 303, 304, 305, 306];
const few = 24;

describe('a call that took place, and whose outcome nobody recorded', () => {
  it('is unknown if it must not be repeated, and is made again under its key if it may', async () => {
    const calls: LostCall[] = [];
    for (const seed of seeds) calls.push(...(await callsOf(seed)));
    const effects = new Set<string>();
    for (const lost of calls.slice(0, few)) {
      const trial = await lose(lost);
      effects.add(lost.effect);
      expect(trial).toMatchObject({ broken: [], keys: 1 });
      expect([lost.effect, trial.starts, trial.recorded]).toEqual(
        lost.effect === 'unsafe' ? ['unsafe', 1, 'unknown'] : ['idempotent', 2, 'ok or error'],
      );
    }
    expect([...effects].sort()).toEqual(['idempotent', 'unsafe']);
  }, 120_000);
});
