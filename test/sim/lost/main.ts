/**
 * `npm run sim:lost -- [--trials N] [--seed S]`: N calls whose outcome is lost after they took place. Exit code 1 when one
 * that is unsafe was made again, or when anybody was told an outcome that could not be known.
 */
import { parseArgs } from 'node:util';
import { callsOf, lose, type Trial } from './trial.js';

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.trials);
const trials: Trial[] = [];
for (let seed = Number(values.seed); trials.length < wanted; seed += 1) {
  for (const lost of await callsOf(seed)) if (trials.length < wanted) trials.push(await lose(lost));
}
for (const effect of ['unsafe', 'idempotent']) {
  const those = trials.filter(({ lost }) => lost.effect === effect);
  const count = (is: (trial: Trial) => boolean): number => those.filter(is).length;
  console.log(
    `${effect}: ${those.length} outcomes lost; begun once ${count(({ starts }) => starts === 1)}, ` +
      `again under the same key ${count(({ starts, keys }) => starts > 1 && keys === 1)}; recorded as unknown ` +
      `${count(({ recorded }) => recorded === 'unknown')}, with an outcome ${count(({ recorded }) => recorded === 'ok or error')}, ` +
      `not at all ${count(({ recorded }) => recorded === 'not at all')}`,
  );
}
const broken = trials.filter((trial) => trial.broken.length > 0);
for (const { lost, broken: rules } of broken.slice(0, 20))
  console.log(JSON.stringify(lost), rules.slice(0, 3).join('; '));
console.log(`${trials.length} trials, ${broken.length} broken`);
if (broken.length > 0) process.exitCode = 1;
