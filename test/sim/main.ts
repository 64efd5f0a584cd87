/**
 * `npm run sim -- --schedules N --seed S [--hash] | --replay SEED`: plays schedules on the production code and checks them.
 * Exit code 1 when an invariant is broken, or when a batch large enough to show everything has not.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Played } from './batch.js';
import { check } from './checker/check.js';
import { asRead } from './checker/read.js';
import { wanted } from './coverage.js';
import { playAll } from './crew.js';
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
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

if (values.replay === undefined) await playBatch(Number(values.seed), Number(values.schedules));
else await replay(Number(values.replay));

async function replay(seed: number): Promise<void> {
  const history = await playSchedule(seed);
  console.log(values.json ? history.text() : history.lines.map(inWords).join('\n'));
  for (const { invariant, says } of check(asRead(history.lines))) {
    console.error(`${invariant}: ${says}`);
    process.exitCode = 1;
  }
}

async function playBatch(seed: number, schedules: number): Promise<void> {
  const began = performance.now();
  const played = await playAll({ seed, schedules });
  const seconds = (performance.now() - began) / 1000;
  console.log(`seeds ${seed} to ${seed + schedules - 1}: ${schedules} schedules in ${seconds.toFixed(1)} s`);
  const broken = played.filter(({ violations }) => violations.length > 0);
  for (const one of broken.slice(0, 20)) tell(one);
  console.log(`${broken.length} schedules broke an invariant`);
  const unseen = missing(played);
  if (unseen.length > 0) console.log(`never seen: ${unseen.join('; ')}`);
  const vain = played.filter(({ succeeded }) => !succeeded).length;
  console.log(`${vain} schedules without a task that ended well`);
  if (values.hash) console.log(hashOf(played));
  const isThin = schedules >= enough && (unseen.length > 0 || vain > schedules * mostVain);
  if (broken.length > 0 || isThin) process.exitCode = 1;
}

function tell({ seed, violations }: Played): void {
  for (const { invariant, says } of violations.slice(0, 3))
    console.log(`seed ${seed}: ${invariant}: ${says.slice(0, 500)}`);
}

function missing(played: readonly Played[]): string[] {
  const seen = new Set(played.flatMap(({ sights }) => sights));
  return wanted.filter((sight) => !seen.has(sight));
}

function hashOf(played: readonly Played[]): string {
  return createHash('sha256')
    .update(played.map(({ hash }) => hash).join('\n'))
    .digest('hex');
}
