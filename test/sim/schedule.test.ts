import { beforeAll, describe, expect, it } from 'vitest';
import { type Played, play } from './batch.js';

/** Seeds that once broke an invariant, or seemed to, with what happened. */
const regressions: Readonly<Record<number, string>> = {
  142: 'a lease whose answer was lost kept its agent from everybody',
  477: 'a hosted agent did not hear of its deadline',
  100888: 'a host that was cut off kept a lease while its model was silent',
  101818: 'a replaced host tried a read once more',
  1006909: 'a look at a key came before the subscription to it, which one connection does not allow',
  1000981: 'a host that had lost its agent gave a wake back that was not its own any more',
  60078864: 'a wake that was to settle the lease of a dead host was dropped, since the agent had ended',
  60084693: 'the answer to a record came after the deadline, and the call whose record it was began',
  27844: 'a wake was taken for answered by a host of which nobody could say whether it lives',
};

const schedules = 40;
const patience = 120_000;

describe('schedules of the production code', () => {
  const played: Played[] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= schedules; seed += 1) played.push(await play(seed));
  }, patience);

  it('keep every invariant', () => {
    const broken = played.flatMap(({ seed, violations }) => violations.map((one) => ({ seed, ...one })));
    expect(broken).toEqual([]);
  });

  it('are the same when the seed is the same', async () => {
    for (const { history, seed } of played.slice(0, 5)) {
      const again = await play(seed);
      expect(again.history.hash()).toBe(history.hash());
    }
  });

  it.each(Object.entries(regressions))('keep every invariant under seed %s: %s', async (seed) => {
    expect((await play(Number(seed))).violations).toEqual([]);
  });
});
