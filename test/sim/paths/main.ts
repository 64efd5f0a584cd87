/**
 * `npm run sim:paths -- [--share S] [--seed N]`: every route that `xstate/graph` finds through the agent's chart, on the
 * real host, undisturbed and then with a death before and after every append. `--share 0.01` takes every hundredth run.
 * Exit code 1 when a rule of the machine is broken, or an agent does not end once.
 */
import { parseArgs } from 'node:util';
import { allRoutes } from '../../machines/routes.js';
import { randomFrom } from '../../support/random.js';
import { drive } from './drive.js';
import type { Blow } from './live.js';

const { values } = parseArgs({
  options: { share: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
const mostTold = 20;
const random = randomFrom(Number(values.seed));
const missed = new Map<string, number>();
let runs = 0;
let broken = 0;

async function run(route: Parameters<typeof drive>[0], blow?: Blow): Promise<number> {
  const driven = await drive(route, blow);
  runs += 1;
  if (blow === undefined) for (const move of driven.missed) missed.set(move, (missed.get(move) ?? 0) + 1);
  if (driven.problems.length > 0) {
    broken += 1;
    if (broken <= mostTold)
      console.log(
        `${route.join(' > ')} ${JSON.stringify(blow ?? 'undisturbed')}: ${driven.problems.slice(0, 3).join('; ')}`,
      );
  }
  return driven.appends;
}

const routes = allRoutes();
for (const route of routes) {
  if (random() >= Number(values.share)) continue;
  const appends = await run(route);
  for (let append = 1; append <= appends; append += 1) {
    for (const moment of ['before', 'after'] as const) await run(route, { append, moment });
  }
}
console.log(`${routes.length} routes, ${runs} runs, ${broken} broken`);
for (const [move, count] of missed)
  console.log(`undisturbed and yet not possible from outside: ${move}, ${count} times`);
if (broken > 0) process.exitCode = 1;
