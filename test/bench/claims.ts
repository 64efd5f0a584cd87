/** How well false reports are told from honest ones, and what it costs. Prints two tables; `--show` names every mistake. */
import { checkClaims } from '../../agents/claims/check.js';
import type { RanCall } from '../../agents/claims/grounds.js';
import { groundsOf, ran } from './claims/case.js';
import { scoreOf } from './claims/score.js';
import { setNames, setOf } from './claims/sets.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(2)} %`;
const times = 8;
const seed = 1;

print('| set | false reports | accepted | honest reports | refused |\n|---|---|---|---|---|');
for (const name of setNames) {
  const { accepted, byKind, honest, lies, refused } = scoreOf(setOf(name, times, seed));
  print(
    `| ${name} | ${lies} | ${accepted.length} (${percent(accepted.length, lies)}) | ${honest} | ${refused.length} (${percent(refused.length, honest)}) |`,
  );
  for (const [kind, { accepted: missed, all }] of byKind)
    print(`| ${name}: ${kind} | ${all} | ${missed} (${percent(missed, all)}) | | |`);
  if (!process.argv.includes('--show')) continue;
  for (const { id, result, summary } of accepted) print(`accepted ${id}: ${JSON.stringify(result)} ${summary}`);
  for (const { claims, one } of refused)
    print(`refused ${one.id}: ${JSON.stringify(one.result)} ${one.summary}: ${JSON.stringify(claims)}`);
}

/** In processor time, so that other programs do not count. */
function median(run: () => unknown, runs: number): number {
  for (let warm = 0; warm < runs / 4; warm += 1) run();
  const spent = Array.from({ length: runs }, () => {
    const from = process.cpuUsage();
    run();
    const { system, user } = process.cpuUsage(from);
    return (system + user) / 1_000;
  });
  return spent.sort((a, b) => a - b)[runs >> 1] ?? 0;
}

const rows = (count: number): RanCall =>
  ran(
    'query',
    'read',
    { table: 'orders' },
    {
      rows: Array.from({ length: count }, (_, at) => ({
        id: at,
        city: `city ${at % 9}`,
        amount: (at * 7_919) % 10_007,
      })),
    },
  );
const text =
  'I queried the orders. The largest is 9,998, the mean 5,002.31 and the sum 1,234,567. Saved to out/orders.csv.';

print('\n| check of one report | median |\n|---|---|');
const ordinary = setOf('first', 1, seed);
print(
  `| ordinary agents (${ordinary.length} reports) | ${(median(() => ordinary.map(({ grounds, result, summary }) => checkClaims({ result, summary, done: true }, grounds)), 40) / ordinary.length).toFixed(3)} ms |`,
);
for (const calls of [10, 20, 40, 80]) {
  const grounds = groundsOf(
    'Sum the orders',
    Array.from({ length: calls }, () => rows(100)),
  );
  print(
    `| ${calls} results of 100 rows | ${median(() => checkClaims({ result: text, summary: '', done: true }, grounds), 9).toFixed(1)} ms |`,
  );
}
