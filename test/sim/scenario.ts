/** What one seed means: how big the crew is, what clients want, what goes wrong and when. Plain data, made before anything runs. */

import { calm, type Weather } from './bus/link.js';
import type { World } from './kernel/world.js';
import { type ModelMood, soundModel } from './outside/model.js';
import { soundTools, type ToolMood } from './outside/tools.js';

export const blows = [
  'kill worker',
  'lose worker',
  'kill all',
  'freeze worker',
  'cut worker',
  'drain worker',
  'kill client',
  'cut client',
  'restart server',
  'fill disk',
  'skew clock',
  'jump clock',
  'warp clock',
] as const;
export type BlowKind = (typeof blows)[number];

export interface Blow {
  readonly kind: BlowKind;
  readonly atMs: number;
  readonly lengthMs: number;
}

export const steers = ['pause', 'resume', 'correct', 'cancel', 'more', 'less'] as const;
export type SteerKind = (typeof steers)[number];

export interface Job {
  readonly key: string;
  readonly goal: string;
  readonly role: 'planner' | 'executor' | 'chief';
  readonly atMs: number;
  readonly budget: {
    readonly rounds: number;
    readonly tokens: number;
    readonly costUsd: number;
    readonly toolCalls: number;
    readonly children: number;
    readonly seconds: number;
  };
  readonly approval: 'auto' | 'risky' | 'all';
  readonly steering: readonly { readonly what: SteerKind; readonly afterMs: number }[];
  /** The client gives up when it has heard nothing for so long. */
  readonly patienceMs: number;
}

export interface Scenario {
  readonly workers: number;
  readonly jobs: readonly Job[];
  readonly blows: readonly Blow[];
  /** Until when things go wrong. */
  readonly faultMs: number;
  readonly weather: Weather;
  readonly model: ModelMood;
  readonly tools: ToolMood;
  readonly wildness: number;
  readonly deadliness: number;
  readonly fanOut: number;
  /** Shares of requests that people allow, deny, and leave alone. */
  readonly human: { readonly allow: number; readonly deny: number };
}

export function scenarioFrom(world: World): Scenario {
  const faultMs = world.between(4_000, 15_000);
  const isStormy = world.chance(0.75);
  // A changing subset: each fault is there in some schedules and absent in others.
  const share = (most: number): number => (isStormy && world.chance(0.4) ? world.random() * most : 0);
  return {
    workers: world.between(1, 3),
    jobs: [
      plainJob(world, faultMs),
      ...Array.from({ length: world.between(0, 2) }, (_, index) => jobFrom(world, index + 1, faultMs)),
    ],
    blows: isStormy ? blowsFrom(world, faultMs) : [],
    faultMs,
    weather: {
      ...calm,
      lost: share(0.04),
      lostReply: share(0.06),
      repeated: share(0.1),
      overtaking: share(0.5),
      lostHint: share(0.1),
      delayMs: world.pick([0, 5, 50, 300]),
    },
    model: {
      ...soundModel,
      rateLimited: share(0.1),
      failed: share(0.1),
      interrupted: share(0.1),
      unreachable: share(0.05),
      hang: share(0.05),
    },
    tools: { ...soundTools, error: share(0.2), hang: share(0.1), late: share(0.1), huge: share(0.2), odd: share(0.1) },
    wildness: share(0.6),
    deadliness: world.chance(0.05) ? 0.5 : 0,
    fanOut: 3,
    human: world.pick([
      { allow: 1, deny: 0 },
      { allow: 0.6, deny: 0.2 },
      { allow: 0, deny: 1 },
      { allow: 0.2, deny: 0.1 },
    ]),
  };
}

/** The same with wide, deep trees, for which four workers race; whoever may hand out work has enough to do so. */
export const asTrees = (scenario: Scenario): Scenario => ({
  ...scenario,
  workers: 4,
  fanOut: 8,
  jobs: scenario.jobs.map((job) =>
    isPlain(job)
      ? job
      : {
          ...job,
          role: 'chief',
          budget: {
            ...job.budget,
            rounds: 8 * job.budget.rounds,
            tokens: 8 * job.budget.tokens,
            toolCalls: 8 * job.budget.toolCalls,
            children: 8 * job.budget.children,
          },
        },
  ),
});

function blowsFrom(world: World, faultMs: number): Blow[] {
  const kinds = blows.filter(() => world.chance(0.3));
  if (kinds.length === 0) return [];
  return Array.from({ length: world.between(1, 6) }, () => ({
    kind: world.pick(kinds),
    atMs: world.between(50, faultMs),
    lengthMs: world.between(200, 6_000),
  })).sort((a, b) => a.atMs - b.atMs);
}

/**
 * One job of each schedule that must come to a good end, whatever happens around it: a schedule of failures shows little.
 * It asks nobody.
 */
const plainJob = (world: World, faultMs: number): Job => ({
  key: 'key1',
  goal: 'do #task1 plainly',
  role: 'executor',
  atMs: world.between(0, Math.floor(faultMs / 2)),
  budget: { rounds: 60, tokens: 400_000, costUsd: 2, toolCalls: 60, children: 20, seconds: 60 },
  approval: 'auto',
  steering: [],
  patienceMs: 600_000,
});

export const isPlain = ({ goal }: Job): boolean => goal.endsWith('plainly');

export function jobFrom(world: World, index: number, faultMs: number): Job {
  const isScarce = world.chance(0.3);
  return {
    key: `key${index + 1}`,
    goal: `do #task${index + 1}`,
    role: world.pick(['planner', 'planner', 'planner', 'executor', 'executor', 'chief']),
    atMs: world.between(0, Math.floor(faultMs / 2)),
    budget: {
      rounds: isScarce ? world.between(1, 6) : world.between(8, 24),
      tokens: world.chance(0.1) ? world.between(500, 6_000) : world.between(30_000, 120_000),
      costUsd: world.chance(0.1) ? world.random() * 0.01 : 1,
      toolCalls: isScarce ? world.between(0, 4) : 30,
      children: isScarce ? world.between(0, 3) : 12,
      seconds: world.chance(0.1) ? world.between(2, 10) : world.between(25, 60),
    },
    approval: world.pick(['auto', 'risky', 'risky', 'all']),
    steering: world.chance(0.4)
      ? Array.from({ length: world.between(1, 3) }, () => ({
          what: world.chance(0.3) ? 'cancel' : world.pick(steers),
          afterMs: world.between(50, 6_000),
        }))
      : [],
    patienceMs: world.chance(0.1) ? world.between(500, 3_000) : 600_000,
  };
}
