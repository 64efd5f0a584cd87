/** One process of a crew: `FIRST STRIDE END [--hash] [--trees]`. Tells its parent of each seed. */
import { endedWell, play, type Told } from './batch.js';
import { noSeams } from './cast/stage.js';
import { newSights } from './coverage.js';
import { asTrees } from './scenario.js';

const [first = 1, stride = 1, end = 2] = process.argv.slice(2, 5).map(Number);
const isHashed = process.argv.includes('--hash');
const adjust = process.argv.includes('--trees') ? asTrees : undefined;
const seen = new Set<string>();

for (let seed = first; seed < end; seed += stride) {
  const { history, violations } = await play(seed, noSeams, adjust);
  const told: Told = {
    seed,
    violations,
    sights: newSights(history.lines, seen),
    succeeded: endedWell(history),
    ...(isHashed && { hash: history.hash() }),
  };
  process.send?.(told);
}
process.disconnect?.();
