/** A schedule of faults and of tasks, as data: the same seed gives the same one. */
import { randomFrom } from '../support/random.js';

/** Worker processes by number: 0 is the planner, the rest are executors. */
export const crewSize = 4;

const killKinds = ['kill worker', 'kill server', 'kill all'] as const;
const otherKinds = [
  'cut worker',
  'half-open worker',
  'lose replies',
  'slow worker',
  'repeat messages',
  'replay messages',
  'clock jump',
  'refuse model',
  'slow model',
  'full storage',
  'delete consumers',
  'damaged messages',
] as const;
export const faultKinds = [...killKinds, 'freeze worker', ...otherKinds] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** After the first submission. */
  readonly atMs: number;
  /** Which worker, where it concerns one. */
  readonly worker: number;
  /** How long it lasts, where it lasts. */
  readonly ms: number;
}

/** One call of a round: a tool with a key of its own, or a subtask. `crash` ends the process that runs it. */
export type Job =
  | { readonly tool: 'charge' | 'look' | 'put' | 'crash'; readonly key: string }
  | { readonly child: Work };

/** What an agent is to do: rounds of calls, one after the other. */
export interface Work {
  readonly rounds: readonly (readonly Job[])[];
}

export interface Submitted {
  readonly key: string;
  readonly work: Work;
  /** When the client cancels it. */
  readonly cancelAtMs?: number;
  /** The client pauses it, and lets it go on with a correction after so long. */
  readonly pause?: { readonly atMs: number; readonly ms: number };
  /** Every call is asked for first; those with one of these keys are denied. */
  readonly denied?: readonly string[];
  /** It is submitted again under the same key, as by a client that heard nothing. */
  readonly again: boolean;
}

export interface Schedule {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly tasks: readonly Submitted[];
}

export interface Shape {
  /** Length of the time in which faults begin. */
  readonly faultMs: number;
  readonly tasks: number;
}

/** What each task may spend; more than it needs, so that lost attempts can be made good. */
export const budget = { rounds: 40, toolCalls: 40, children: 4 } as const;

type Whole = (most: number) => number;

export function scheduleOf(seed: number, { faultMs, tasks }: Shape): Schedule {
  const random = randomFrom(seed);
  const whole: Whole = (most) => Math.floor(random() * most);
  // One in eight schedules has no faults: what fails there is no matter of faults.
  const faults = seed % 8 === 0 ? [] : faultsOf(whole, faultMs);
  return {
    seed,
    faults: faults.sort((a, b) => a.atMs - b.atMs),
    tasks: Array.from({ length: tasks }, (_, index) => taskOf(`s${seed}t${index}`, whole, faultMs)),
  };
}

/** Some deaths, a frozen process or two, and some of everything else. */
function faultsOf(whole: Whole, faultMs: number): Fault[] {
  const of = (kind: FaultKind): Fault => ({
    kind,
    atMs: whole(faultMs),
    worker: whole(crewSize),
    ms: 300 + whole(3_500),
  });
  const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  return [
    ...times(3 + whole(3), () => of(killKinds[Math.max(0, whole(12) - 9)] as FaultKind)),
    ...times(1 + whole(2), () => of('freeze worker')),
    ...times(2 + whole(3), () => of(otherKinds[whole(otherKinds.length)] as FaultKind)),
  ];
}

function taskOf(key: string, whole: Whole, faultMs: number): Submitted {
  const work = whole(24) === 0 ? poison(key) : workOf(key, whole, 0);
  const kind = whole(6);
  return {
    key,
    work,
    ...(kind === 0 ? { cancelAtMs: whole(faultMs) } : {}),
    ...(kind === 1 ? { pause: { atMs: whole(faultMs / 2), ms: 3_500 + whole(1_500) } } : {}),
    ...(kind === 2 ? { denied: keysIn(work).filter(() => whole(3) === 0) } : {}),
    again: whole(3) === 0,
  };
}

/** A child over which every process dies that takes it. */
const poison = (key: string): Work => ({
  rounds: [[{ child: { rounds: [[{ tool: 'crash', key: `${key}.crash` }]] } }], [{ tool: 'look', key: `${key}.look` }]],
});

function workOf(name: string, whole: Whole, depth: number): Work {
  const tools = ['charge', 'look', 'put'] as const;
  const rounds = Array.from({ length: 1 + whole(3) }, (_, round) =>
    Array.from(
      { length: 1 + whole(2) },
      (__, call): Job =>
        depth === 0 && whole(3) === 0
          ? { child: workOf(`${name}.${round}.${call}`, whole, 1) }
          : { tool: tools[whole(3)] as (typeof tools)[number], key: `${name}.${round}.${call}` },
    ),
  );
  return { rounds };
}

const keysIn = ({ rounds }: Work): string[] =>
  rounds.flat().flatMap((job) => ('child' in job ? keysIn(job.child) : [job.key]));

/** Schedules with one entry less, tasks before faults: the smallest that still fails is worth keeping. */
export function* smaller(schedule: Schedule): Generator<Schedule> {
  const { faults, tasks } = schedule;
  if (tasks.length > 1) for (const task of tasks) yield { ...schedule, tasks: tasks.filter((other) => other !== task) };
  for (const fault of faults) yield { ...schedule, faults: faults.filter((other) => other !== fault) };
}
