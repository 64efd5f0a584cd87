/**
 * `npm run sim -- --schedules N --seed S [--trees] [--hash] | --replay SEED [--trees]`: plays schedules on the production
 * code and checks them; with `--trees`, of wide and deep trees that four workers race for.
 * Exit code 1 when an invariant is broken, or when a batch large enough to show everything has not.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Told } from './batch.js';
import { noSeams } from './cast/stage.js';
import { check } from './checker/check.js';
import { asRead } from './checker/read.js';
import { wanted } from './coverage.js';
import { playAll } from './crew.js';
import { asTrees } from './scenario.js';
import { playSchedule } from './schedule.js';
import { inWords } from './words.js';

/** From so many schedules on, everything must have been seen. */
const enough = 1_000;
/** A larger share of schedules without one task that ended well would show little. */
const mostVain = 0.01;

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    hash: { type: 'boolean', default: false },
    trees: { type: 'boolean', default: false },
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

if (values.replay === undefined) await playBatch(Number(values.seed), Number(values.schedules));
else await replay(Number(values.replay));

async function replay(seed: number): Promise<void> {
  const history = await playSchedule(seed, noSeams, values.trees ? asTrees : undefined);
  console.log(values.json ? history.text() : history.lines.map(inWords).join('\n'));
  for (const { invariant, says } of check(asRead(history.lines))) {
    console.error(`${invariant}: ${says}`);
    process.exitCode = 1;
  }
}

async function playBatch(seed: number, schedules: number): Promise<void> {
  const began = performance.now();
  const seen = new Set<string>();
  const broken: Told[] = [];
  const hashes = new Map<number, string>();
  let vain = 0;
  await playAll({ seed, schedules, isHashed: values.hash, isTrees: values.trees }, (told) => {
    for (const sight of told.sights) seen.add(sight);
    if (told.violations.length > 0) broken.push(told);
    if (!told.succeeded) vain += 1;
    if (told.hash !== undefined) hashes.set(told.seed, told.hash);
  });
  const seconds = (performance.now() - began) / 1000;
  console.log(`seeds ${seed} to ${seed + schedules - 1}: ${schedules} schedules in ${seconds.toFixed(1)} s`);
  for (const one of broken.sort((a, b) => a.seed - b.seed).slice(0, 20)) tell(one);
  console.log(`${broken.length} schedules broke an invariant`);
  const unseen = wanted.filter((sight) => !seen.has(sight));
  if (unseen.length > 0) console.log(`never seen: ${unseen.join('; ')}`);
  console.log(`${vain} schedules without a task that ended well`);
  if (values.hash) console.log(hashOf(hashes));
  const isThin = schedules >= enough && (unseen.length > 0 || vain > schedules * mostVain);
  if (broken.length > 0 || isThin) process.exitCode = 1;
}

function tell({ seed, violations }: Told): void {
  for (const { invariant, says } of violations.slice(0, 3))
    console.log(`seed ${seed}: ${invariant}: ${says.slice(0, 500)}`);
}

/** Of all histories in the order of their seeds. */
function hashOf(hashes: ReadonlyMap<number, string>): string {
  const inOrder = [...hashes].sort(([a], [b]) => a - b).map(([, hash]) => hash);
  return createHash('sha256').update(inOrder.join('\n')).digest('hex');
}
