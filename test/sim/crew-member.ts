/** One process of a crew: `FIRST STRIDE END`. Sends what came of each seed to its parent. */
import { play } from './batch.js';

const [first = 1, stride = 1, end = 2] = process.argv.slice(2).map(Number);
for (let seed = first; seed < end; seed += stride) process.send?.(await play(seed));
process.disconnect?.();
