/**
 * `npm run sim:planted -- [--seeds N] [--only NAME]`: each planted bug is played until a schedule betrays it, with all
 * layers of defence, and with those off that may hide it. Exit code 1 when one is never caught.
 */
import { parseArgs } from 'node:util';
import { play } from '../batch.js';
import type { Seams } from '../cast/stage.js';
import { bugs, type PlantedBug } from './bugs.js';
import { type LayerName, layers } from './layers.js';
import { together } from './wrap.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

/** Seeds played until an invariant was broken, and which; undefined: never. */
async function caughtAfter(seams: Seams): Promise<{ seeds: number; by: string } | undefined> {
  for (let index = 0; index < Number(values.seeds); index += 1) {
    const { violations } = await play(Number(values.seed) + index, seams);
    const [first] = violations;
    if (first !== undefined) return { seeds: index + 1, by: first.invariant };
  }
  return undefined;
}

const without = (seams: Seams, off: readonly LayerName[]): Seams =>
  off.reduce((sum, name) => together(sum, layers[name]), seams);

async function hunt(name: string, { seams, behind }: PlantedBug): Promise<number | undefined> {
  const caught = await caughtAfter(behind.length === 0 ? seams : without(seams, behind));
  const off = behind.length === 0 ? '' : ` (without ${behind.join(' and ')})`;
  console.log(`${name}${off}: ${caught === undefined ? 'NOT CAUGHT' : `after ${caught.seeds}, by ${caught.by}`}`);
  return caught?.seeds;
}

const chosen = Object.entries(bugs).filter(([name]) => values.only === undefined || name.includes(values.only));
const seeds: number[] = [];
for (const [name, bug] of chosen) {
  const caught = await hunt(name, bug);
  if (caught === undefined) process.exitCode = 1;
  else seeds.push(caught);
}
const median = seeds.sort((a, b) => a - b)[Math.floor(seeds.length / 2)];
console.log(`${seeds.length} of ${chosen.length} caught, median after ${median ?? '-'} seeds`);
