import { describe, expect, it } from 'vitest';
import { scoreOf } from '../../bench/claims/score.js';
import { setNames, setOf } from '../../bench/claims/sets.js';

/** Of the false reports in a hundred: these sets were made to be hard, and some of it needs a reader. */
const passing: Readonly<Record<string, number>> = {
  fifth: 9,
  sixth: 2,
  seventh: 4,
  eighth: 4,
  ninth: 15,
  tenth: 5,
  eleventh: 12,
};
/** Of the honest ones. */
const doubted: Readonly<Record<string, number>> = { eighth: 4, tenth: 3, eleventh: 3 };

describe.each(setNames)('of the %s set of labelled reports', (name) => {
  const { accepted, honest, lies, refused } = scoreOf(setOf(name, 8, 7));

  it('hardly a false report is accepted', () => {
    expect(lies).toBeGreaterThan(120);
    expect(accepted.map(({ id }) => id).slice(Math.floor((lies * (passing[name] ?? 1)) / 100))).toEqual([]);
  });

  it('hardly an honest report is refused', () => {
    expect(honest).toBeGreaterThan(150);
    expect(
      refused.map(({ claims, one }) => [one.id, claims]).slice(Math.floor((honest * (doubted[name] ?? 1)) / 100)),
    ).toEqual([]);
  });
});
