/** A schedule of faults and of tasks, as data: the same seed gives the same one. */
import { randomFrom } from '../support/random.js';

/** Worker processes by number: 0 is the planner, the rest are executors. */
export const crewSize = 4;

export const faultKinds = [
  'kill worker',
  'freeze worker',
  'cut worker',
  'half-open worker',
  'lose replies',
  'kill server',
  'kill all',
  'refuse model',
] as const;
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

/** One call of a round: a tool with a key of its own, or a subtask. */
export type Job = { readonly tool: 'charge' | 'look' | 'put'; readonly key: string } | { readonly child: Work };

/** What an agent is to do: rounds of calls, one after the other. */
export interface Work {
  readonly rounds: readonly (readonly Job[])[];
}

export interface Submitted {
  readonly key: string;
  readonly work: Work;
  /** When the client cancels it. */
  readonly cancelAtMs?: number;
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

export function scheduleOf(seed: number, { faultMs, tasks }: Shape): Schedule {
  const random = randomFrom(seed);
  const whole = (most: number): number => Math.floor(random() * most);
  // One in four schedules has no faults: what fails there is no matter of faults.
  const faults = seed % 4 === 0 ? 0 : 2 + whole(5);
  return {
    seed,
    faults: Array.from({ length: faults }, () => ({
      kind: faultKinds[whole(faultKinds.length)] as FaultKind,
      atMs: whole(faultMs),
      worker: whole(crewSize),
      ms: 300 + whole(3_500),
    })).sort((a, b) => a.atMs - b.atMs),
    tasks: Array.from({ length: tasks }, (_, index) => ({
      key: `s${seed}t${index}`,
      work: workOf(`s${seed}t${index}`, whole, 0),
      ...(whole(6) === 0 ? { cancelAtMs: whole(faultMs) } : {}),
      again: whole(3) === 0,
    })),
  };
}

function workOf(name: string, whole: (most: number) => number, depth: number): Work {
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

/** Schedules with one entry less, tasks before faults: the smallest that still fails is worth keeping. */
export function* smaller(schedule: Schedule): Generator<Schedule> {
  const { faults, tasks } = schedule;
  if (tasks.length > 1) for (const task of tasks) yield { ...schedule, tasks: tasks.filter((other) => other !== task) };
  for (const fault of faults) yield { ...schedule, faults: faults.filter((other) => other !== fault) };
}
