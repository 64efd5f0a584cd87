/**
 * `node dist/test/support/kills.js FILE [--seeds N] [--seed S]`: plays a scenario while its worker process is killed at
 * seeded moments, and checks against the outside ledger: the same end, nothing unsafe run twice, lost calls bounded, and
 * the next process at work in time.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/observe/clock.js';
import { randomFrom } from './random.js';
import { decisionsIn } from './scenario/journal.js';
import { type Crew, leaseMs, type Played, play } from './scenario/play.js';
import { terminationOf } from './scenario/verdict.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
const [file = 'test/scenarios/own-01.json'] = positionals;

/** From when a successor is ready. A killed process closes its sockets, so its lease need not run out; the rest is for a busy machine. */
const longestTakeoverMs = 2_000 + leaseMs;

interface Kill {
  readonly at: number;
  /** When the next process said that it was ready. */
  readyAt: number;
}

const haunt =
  (seed: number, kills: Kill[]) =>
  async (crew: Crew, signal: AbortSignal): Promise<void> => {
    const random = randomFrom(seed);
    for (let left = 3; left > 0 && !signal.aborted; left -= 1) {
      await systemClock.sleep(30 + random() * 500, signal);
      if (signal.aborted) return;
      const kill = { at: systemClock.now(), readyAt: Number.POSITIVE_INFINITY };
      kills.push(kill);
      await crew.killAndRestart();
      kill.readyAt = systemClock.now();
    }
  };

/** For each kill, how long its successor was ready before somebody wrote into a journal of the tree again, or it was killed itself. */
function takeoversIn({ journals }: Played, kills: readonly Kill[]): number[] {
  const written = [...journals.values()].flatMap((records) => records.map(({ at }) => at));
  return kills.flatMap(({ at: killedAt, readyAt }, index) => {
    const later = written.filter((at) => at > killedAt);
    if (later.length === 0) return [];
    const nextKill = kills[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    return [Math.max(0, Math.min(nextKill, ...later) - readyAt)];
  });
}

function problemsIn(played: Played, kills: number, takeovers: readonly number[]): string[] {
  const { expect, tools } = played.scenario;
  const problems: string[] = [];
  const unsafe = new Set(tools.filter((tool) => tool.side_effect).map((tool) => tool.function.name));
  const seen = new Map<string, number>();
  for (const run of played.runs.filter(({ tool }) => unsafe.has(tool))) {
    const key = `${run.tool} ${JSON.stringify(run.arguments)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const [key, times] of seen) if (times > 1) problems.push(`unsafe call ran ${times} times: ${key}`);
  if (terminationOf(played.report) !== expect.termination)
    problems.push(`ended as ${terminationOf(played.report)}: ${played.report.error?.message}`);
  const recorded = [...played.journals.values()].flatMap(decisionsIn).filter(({ kind }) => kind !== 'failed').length;
  const lost = played.modelCalls - recorded;
  const agents = played.journals.size;
  if (lost < 0 || lost > kills * agents) problems.push(`${lost} model calls lost by ${kills} kills`);
  for (const ms of takeovers) if (ms > longestTakeoverMs) problems.push(`a takeover took ${ms} ms`);
  return problems;
}

let failed = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const kills: Kill[] = [];
  const played = await play(file, { nemesis: haunt(seed, kills) }).catch((error: unknown) => String(error));
  const takeovers = typeof played === 'string' ? [] : takeoversIn(played, kills);
  const problems = typeof played === 'string' ? [played] : problemsIn(played, kills.length, takeovers);
  if (problems.length > 0) failed += 1;
  const ms = typeof played === 'string' ? 0 : played.report.usage.ms;
  const outcome = problems.length === 0 ? 'holds' : 'FAILS';
  console.log(
    `${outcome} seed ${seed}: ${kills.length} kills, taken over after ${takeovers.join(', ') || '-'} ms, ${Math.round(ms)} ms in all`,
  );
  for (const problem of problems) console.log(`   ${problem}`);
}
console.log(`${Number(values.seeds) - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
