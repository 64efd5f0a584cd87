/** One process of a crew: `FIRST STRIDE END [--hash]`. Tells its parent of each seed. */
import { endedWell, play, type Told } from './batch.js';
import { newSights } from './coverage.js';

const [first = 1, stride = 1, end = 2] = process.argv.slice(2, 5).map(Number);
const isHashed = process.argv.includes('--hash');
const seen = new Set<string>();

for (let seed = first; seed < end; seed += stride) {
  const { history, violations } = await play(seed);
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
