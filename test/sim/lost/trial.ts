/**
 * An effect that took place, and whose outcome was lost: its process dies between the end of the call and the record of
 * it. Judged by what the tools wrote down outside, and by what the journal then says of the call.
 */
import { dyingAt, undisturbed } from '../cast/death.js';
import { noSeams } from '../cast/stage.js';
import { check } from '../checker/check.js';
import { asRead, callOf, grouped, type Line, type Read } from '../checker/read.js';
import { playSchedule } from '../schedule.js';

export interface LostCall {
  readonly seed: number;
  readonly agent: string;
  readonly call: string;
  readonly effect: string;
  /** Which append of the schedule records the outcome, from 1. */
  readonly append: number;
}

export interface Trial {
  readonly lost: LostCall;
  readonly starts: number;
  /** Different idempotency keys under which the call was started. */
  readonly keys: number;
  readonly recorded: 'ok or error' | 'unknown' | 'not at all';
  readonly broken: readonly string[];
}

const played = async (...given: Parameters<typeof playSchedule>): Promise<Read> =>
  asRead((await playSchedule(...given)).lines);

/** The calls of a seed that change something, each with the first append that holds its outcome. */
export async function callsOf(seed: number): Promise<LostCall[]> {
  const history = await played(seed, noSeams, undisturbed);
  const effects = new Map(history.of('tool.started').map((line) => [callOf(line), String(line.effect)]));
  const known = new Set<string>();
  return history.of('server.appended').flatMap((line, index) =>
    settledIn(line).flatMap((call) => {
      const name = `${String(line.agent)} ${call}`;
      const effect = effects.get(name);
      if (known.has(name) || (effect !== 'unsafe' && effect !== 'idempotent')) return [];
      known.add(name);
      return [{ seed, agent: String(line.agent), call, effect, append: index + 1 }];
    }),
  );
}

const settledIn = ({ settled }: Line): readonly string[] => (settled as string[] | undefined) ?? [];

/** Plays the seed with the death of the process that appends the outcome, before that is stored. */
export async function lose(lost: LostCall): Promise<Trial> {
  let appends = 0;
  const dying = dyingAt('before', () => {
    appends += 1;
    return appends === lost.append;
  });
  const history = await played(lost.seed, dying, undisturbed);
  const name = `${lost.agent} ${lost.call}`;
  const starts = grouped(history.of('tool.started'), callOf).get(name) ?? [];
  const trial = {
    lost,
    starts: starts.length,
    keys: new Set(starts.map(({ key }) => key)).size,
    recorded: recordOf(lost, history),
  };
  const rules = check(history).map(({ invariant, says }) => `${invariant}: ${says}`);
  return { ...trial, broken: [...rules, ...wrongIn(trial)] };
}

function recordOf({ agent, call }: LostCall, history: Read): Trial['recorded'] {
  const settled = history
    .of('server.appended')
    .filter((line) => line.agent === agent)
    .flatMap(settledIn);
  if (settled.includes(call)) return 'ok or error';
  return settled.includes(`${call}?`) ? 'unknown' : 'not at all';
}

/** What was unsafe to repeat is not repeated, and nobody says that it went well; the rest keeps its key. */
function wrongIn({ lost, starts, keys, recorded }: Omit<Trial, 'broken'>): string[] {
  if (keys > 1) return [`started under ${keys} keys`];
  if (lost.effect === 'idempotent') return [];
  if (starts !== 1) return [`an unsafe call was started ${starts} times`];
  return recorded === 'ok or error' ? ['an outcome that nobody can know was recorded'] : [];
}
