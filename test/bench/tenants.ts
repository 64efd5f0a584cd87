/**
 * `npm run bench:tenants -- [--seconds N] [--workers N] [--concurrency N] [--quiet N] [--rate N] [--seed N]`: what others
 * feel of a tenant with ten times their load. First the quiet tenants alone, then with the noisy one, whose load is more
 * than the fleet can do; then all at once with more than they can get, where each should get the same.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../support/random.js';
import { Fleet, type Outcome, quantile } from './fleet.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    workers: { type: 'string', default: '4' },
    concurrency: { type: 'string', default: '16' },
    quiet: { type: 'string', default: '6' },
    /** Tasks of a quiet tenant in a second. */
    rate: { type: 'string', default: '1.2' },
    latency: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
const latencyMs = Number(values.latency);
const rounds = Number(values.rounds);
const concurrency = Number(values.concurrency);
const seconds = Number(values.seconds);
const quietTenants = Array.from({ length: Number(values.quiet) }, (_, n) => `quiet_${n + 1}`);
const noisy = 'noisy';
const times = 10;
/** By then the crowd has submitted everything. */
const submitMs = 5_000;
const random = randomFrom(Number(values.seed));

/** Submits at random moments, so many in a second on average, for as long as the phase takes. */
async function load(fleet: Fleet, tenant: string, rate: number, until: number): Promise<(Outcome | undefined)[]> {
  const running: Promise<Outcome | undefined>[] = [];
  let next = performance.now();
  for (;;) {
    next += (-Math.log(1 - random()) * 1_000) / rate;
    if (next > until) return Promise.all(running);
    await pause(Math.max(0, next - performance.now()));
    running.push(fleet.run(tenant));
  }
}

/** What the quiet ones wait for their results, in ms. */
async function phase(fleet: Fleet, withNoise: boolean): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const rate = Number(values.rate);
  const noise = withNoise ? load(fleet, noisy, times * rate, until) : Promise.resolve([]);
  const quiet = await Promise.all(quietTenants.map((tenant) => load(fleet, tenant, rate, until)));
  const outcomes = quiet.flat();
  if (outcomes.includes(undefined)) throw new Error('a task of a quiet tenant came to nothing');
  await noise;
  return outcomes.flatMap((outcome) => outcome?.ms ?? []);
}

/** (Σx)² / (n·Σx²): 1 when all get the same, 1/n when one gets everything. */
function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0));
}

/**
 * All have more waiting than they can get. Counts ends from when the tasks that began before all had submitted are through
 * until the first tenant has nothing left; what is left of the others then is given up.
 */
async function crowd(fleet: Fleet, each: number): Promise<Map<string, number>> {
  const left = new Map<string, number>([noisy, ...quietTenants].map((tenant) => [tenant, each]));
  left.set(noisy, times * each);
  const ends: Outcome[] = [];
  const order = [...left].flatMap(([tenant, count]) => Array.from({ length: count }, () => ({ tenant, at: random() })));
  const exhausted = new Promise<void>((resolve, reject) => {
    for (const { tenant } of order.toSorted((a, b) => a.at - b.at))
      fleet.run(tenant).then((outcome) => {
        if (outcome !== undefined) ends.push(outcome);
        left.set(tenant, (left.get(tenant) ?? 0) - 1);
        if (left.get(tenant) === 0) resolve();
      }, reject);
  });
  const submitted = performance.now() + submitMs;
  await exhausted;
  const from = submitted + latencyMs * rounds;
  return new Map(
    [...left.keys()].map((tenant) => [
      tenant,
      ends.filter((end) => end.tenant === tenant && end.endedAt > from).length,
    ]),
  );
}

const ms = (value: number): string => `${Math.round(value)} ms`;
const fleet = await Fleet.open({ latencyMs, rounds, concurrency });
try {
  await fleet.grow(Number(values.workers));
  await Promise.all(Array.from({ length: 100 }, () => fleet.run('warm')));
  const places = Number(values.workers) * concurrency;
  const most = (places * 1_000) / (latencyMs * rounds);
  const total = Number(values.rate) * (quietTenants.length + times);
  console.log(
    `${values.workers} processes with ${concurrency} places each; ${rounds} model calls of ${latencyMs} ms for a task: at most ${most.toFixed(0)} tasks/s`,
  );
  const alone = await phase(fleet, false);
  const beside = await phase(fleet, true);
  const [before, after] = [quantile(alone, 0.95), quantile(beside, 0.95)];
  console.log(
    `${quietTenants.length} quiet tenants with ${values.rate} tasks/s each, one noisy with ${times} times that: ${((100 * total) / most).toFixed(0)} % of what is possible`,
  );
  console.log(`quiet alone:      p50 ${ms(quantile(alone, 0.5))}, p95 ${ms(before)} (${alone.length} tasks)`);
  console.log(`beside the noise: p50 ${ms(quantile(beside, 0.5))}, p95 ${ms(after)} (${beside.length} tasks)`);
  console.log(`p95 of the quiet ones rises by ${((100 * (after - before)) / before).toFixed(1)} %`);
  const shares = await crowd(fleet, 60);
  console.log(
    `all with more than they can get: ${[...shares].map(([tenant, ends]) => `${tenant} ${ends}`).join(', ')}`,
  );
  console.log(`Jain index ${jain([...shares.values()]).toFixed(3)}`);
} finally {
  await fleet.close();
}
// Results that were given up are still waited for.
process.exit();
