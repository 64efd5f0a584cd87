/**
 * `npm run bench:scale -- [--latency MS] [--rounds N] [--concurrency N] [--seconds N] [--sizes 1,2,4,8]`: tasks in a second
 * with more and more executor processes, and whether any is lost or done twice while processes come and go. Each process has few places, so
 * that the model's latency is the limit and not the cores.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Fleet, type Outcome, quantile } from './fleet.js';

const { values } = parseArgs({
  options: {
    latency: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '4' },
    sizes: { type: 'string', default: '1,2,4,8' },
    /** Of work for each size of the fleet. */
    seconds: { type: 'string', default: '12' },
  },
});
const [latencyMs, rounds, concurrency] = [values.latency, values.rounds, values.concurrency].map(Number) as [
  number,
  number,
  number,
];
const sizes = values.sizes.split(',').map(Number);
/** Tasks in a second that one process could do if nothing but the model took time. */
const ideal = (concurrency * 1_000) / (latencyMs * rounds);
const tasksFor = (size: number): number => Math.round(ideal * size * Number(values.seconds));

/** Without the first and last tenth, when not all places are taken. */
function rateOf(outcomes: readonly Outcome[]): number {
  const ends = outcomes.map(({ endedAt }) => endedAt);
  return (0.8 * ends.length * 1_000) / (quantile(ends, 0.9) - quantile(ends, 0.1));
}

const settled = (outcomes: readonly (Outcome | undefined)[]): Outcome[] =>
  outcomes.filter((outcome) => outcome !== undefined);

const runMany = (fleet: Fleet, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => fleet.run(`tenant_${n % 4}`)));

/** With the whole load waiting, the fleet grows, is replaced one by one, and shrinks. */
async function comeAndGo(fleet: Fleet): Promise<void> {
  await fleet.shrink(fleet.size - 2);
  const [endedBefore, askedBefore] = [new Set(fleet.ended.keys()), new Set(fleet.asked.keys())];
  const submitted = tasksFor(4);
  const running = runMany(fleet, submitted);
  await pause(1_000);
  await fleet.grow(2);
  for (let replaced = 0; replaced < 4; replaced += 1) {
    await fleet.grow(1);
    await fleet.shrink(1);
  }
  await fleet.shrink(2);
  const outcomes = await running;
  const ends = [...fleet.ended].filter(([taskId]) => !endedBefore.has(taskId)).map(([, times]) => times);
  const calls = [...fleet.asked].filter(([taskId]) => !askedBefore.has(taskId)).map(([, times]) => times);
  const lost = submitted - settled(outcomes).length;
  const doubled = ends.filter((times) => times > 1).length;
  const repeated = calls.reduce((sum, times) => sum + Math.max(0, times - rounds), 0);
  console.log(
    `2 grow to 4, all are replaced one by one, 2 stay: ${submitted} tasks, ${lost} lost, ${doubled} ended twice, ${repeated} of ${calls.length * rounds} model calls made again`,
  );
  if (lost + doubled + repeated > 0) process.exitCode = 1;
}

const fleet = await Fleet.open({ latencyMs, rounds, concurrency });
try {
  console.log(`${rounds} model calls of ${latencyMs} ms each, ${concurrency} agents at once in each process`);
  let first: { readonly rate: number; readonly size: number } | undefined;
  for (const size of sizes) {
    await fleet.grow(size - fleet.size);
    const outcomes = settled(await runMany(fleet, tasksFor(size)));
    const rate = rateOf(outcomes);
    first ??= { rate, size };
    const linear = (rate * first.size) / (first.rate * size);
    console.log(
      `${size} processes: ${rate.toFixed(1)} tasks/s, ${linear.toFixed(2)} of linear, ${((100 * rate) / (ideal * size)).toFixed(0)} % of what the model's latency allows`,
    );
  }
  await comeAndGo(fleet);
} finally {
  await fleet.close();
}
