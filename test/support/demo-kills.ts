/**
 * `npm run demo:kills -- [--seeds N] [--seed S] [--victims planner,executor,nats-server] [--rows N] [--keep]`: plays the demo's job
 * undisturbed and then, for each victim, with `kill -9` at a moment chosen by the seed. Holds when the report is the same
 * and no completed model or tool call was made again, by the count of the model server and the ledger of the tools.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Kill, type Played, play, type Victim, victims } from './demo/play.js';
import { judge } from './demo/verdict.js';
import { randomFrom } from './random.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    victims: { type: 'string', default: victims.join(',') },
    rows: { type: 'string', default: '40000' },
    keep: { type: 'boolean', default: false },
  },
});

/** Numbers, dates, empty cells, quoted cells, Chinese names. */
function table(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const city = ['上海', '成都', 'Lyon', 'Bergen'][(at * 7) % 4];
    const amount = at % 41 === 0 ? '' : (((at * 7919) % 100_000) / 100).toFixed(2);
    const day = `2026-${String(1 + (at % 9)).padStart(2, '0')}-1${at % 10}`;
    return `${day},${city},${amount},${1 + (at % 7)},${at % 3 === 0 ? '"快, 好"' : ''}`;
  });
  return `日期,城市,金额,数量,"备注, 说明"\n${lines.join('\n')}\n`;
}

interface Tally {
  passed: number;
  failed: number;
}

async function seeded(file: string, seed: number, wanted: readonly Victim[], tally: Tally): Promise<void> {
  const undisturbed = await play({ file, seed });
  console.log(
    `seed ${seed}: undisturbed in ${Math.round(undisturbed.ms)} ms, ${undisturbed.stats.completed} model calls`,
  );
  const random = randomFrom(seed);
  for (const victim of wanted) {
    const kill: Kill = { victim, afterMs: random() * undisturbed.ms, place: Math.floor(random() * 1_000) };
    if (await holds(file, seed, kill, undisturbed)) tally.passed += 1;
    else tally.failed += 1;
  }
}

/** A run that was over before the moment came is played again with an earlier one. */
async function holds(file: string, seed: number, kill: Kill, undisturbed: Played): Promise<boolean> {
  const played = await play({ file, seed, kill, keep: values.keep }).catch((error: unknown) => String(error));
  if (typeof played === 'string' || played.killed !== undefined) return tell(kill, played, undisturbed);
  return holds(file, seed, { ...kill, afterMs: kill.afterMs * 0.9 }, undisturbed);
}

/** Prints one line, and one more for each problem; true when there is none. */
function tell({ victim, afterMs }: Kill, played: Played | string, undisturbed: Played): boolean {
  const { problems, models, tools } =
    typeof played === 'string' ? { problems: [played], models: 0, tools: 0 } : judge(played, undisturbed);
  const { ms, quietMs } = typeof played === 'string' ? { ms: 0, quietMs: 0 } : played;
  const times = `killed after ${Math.round(afterMs)} ms, quiet for ${quietMs} ms, ${Math.round(ms)} ms in all`;
  const made = `made again under way: ${models} model, ${tools} tool calls`;
  console.log(`  ${problems.length === 0 ? 'holds' : 'FAILS'} ${victim} ${times}, ${made}`);
  for (const problem of problems) console.log(`     ${problem}`);
  return problems.length === 0;
}

const wanted = victims.filter((victim) => values.victims.split(',').includes(victim));
const folder = await mkdtemp(join(tmpdir(), 'hact-demo-table-'));
const file = join(folder, '销售.csv');
await writeFile(file, table(Number(values.rows)));
const tally: Tally = { passed: 0, failed: 0 };
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.seeds); seed += 1) await seeded(file, seed, wanted, tally);
await rm(folder, { recursive: true, force: true });
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
