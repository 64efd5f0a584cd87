/**
 * `npm run sim:planted -- [--seeds N] [--only NAME]`: each planted bug is played until a schedule betrays it: as shipped, and
 * with each layer of defence off in turn; first, what each layer's absence breaks without any bug. Exit code 1 when a bug is
 * never caught, or when one that is hidden as shipped is not caught with the layers off that hide it.
 */
import { parseArgs } from 'node:util';
import { play } from '../batch.js';
import { noSeams, type Seams } from '../cast/stage.js';
import { bugs, type PlantedBug } from './bugs.js';
import { type LayerName, layers } from './layers.js';
import { together } from './wrap.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const layerNames = Object.keys(layers) as LayerName[];

/** Seeds played until an invariant was broken; undefined: never. */
async function caughtAfter(seams: Seams): Promise<number | undefined> {
  for (let index = 0; index < Number(values.seeds); index += 1) {
    const { violations } = await play(Number(values.seed) + index, seams);
    if (violations.length > 0) return index + 1;
  }
  return undefined;
}

const without = (seams: Seams, off: readonly LayerName[]): Seams =>
  off.reduce((sum, name) => together(sum, layers[name]), seams);

const row = (name: string, cells: readonly (number | undefined)[]): void =>
  console.log(`| ${[name, ...cells.map((seeds) => seeds ?? '-')].join(' | ')} |`);

/** As shipped, then without each layer. */
async function hunt({ seams }: { readonly seams: Seams }): Promise<(number | undefined)[]> {
  const cells = [await caughtAfter(seams)];
  for (const name of layerNames) cells.push(await caughtAfter(without(seams, [name])));
  return cells;
}

/** What hides a bug is known by its being caught without it. */
async function unmask(name: string, { seams, behind }: PlantedBug): Promise<number | undefined> {
  const seeds = await caughtAfter(without(seams, behind));
  console.log(`${name} is made up for by ${behind.join(' and ')}: without, caught after ${seeds ?? '-'}`);
  return seeds;
}

console.log(`| bug, caught after so many seeds | as shipped | ${layerNames.map((name) => `no ${name}`).join(' | ')} |`);
console.log(`| ${'--- | '.repeat(layerNames.length + 2)}`);
if (values.only === undefined) row('no bug', await hunt({ seams: noSeams }));
const chosen = Object.entries(bugs).filter(([name]) => values.only === undefined || name.includes(values.only));
const shipped: number[] = [];
const masked: [string, PlantedBug][] = [];
for (const [name, bug] of chosen) {
  const cells = await hunt(bug);
  row(name, cells);
  const [first] = cells;
  if (first !== undefined) shipped.push(first);
  else masked.push([name, bug]);
}
let caught = shipped.length;
for (const [name, bug] of masked) if ((await unmask(name, bug)) !== undefined) caught += 1;
const median = shipped.sort((a, b) => a - b)[Math.floor(shipped.length / 2)];
console.log(`${caught} of ${chosen.length} caught; median as shipped after ${median ?? '-'} seeds`);
if (caught < chosen.length) process.exitCode = 1;
