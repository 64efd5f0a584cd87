/**
 * Thousands of random lives. Each is a list of choices among what is possible at the moment, under a random budget and
 * policy; `take` holds every step against every rule of `rules.ts`. A failing life is shrunk and printed with its seed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentInput } from '../../machines/context.js';
import { terminations } from '../../src/domain/report.js';
import { birth, childOrder, grant, orderOf, patient } from './fixtures.js';
import { contextOf, isActive, type Life } from './life.js';
import { canPlay, leave, type MoveName, moveNames, play } from './moves.js';
import { born } from './take.js';

/** Moves that end a life at once; met often enough when they are one choice in many. */
const endings: ReadonlySet<MoveName> = new Set([
  'perceived late',
  'model refuses',
  'effect breaks',
  'deadline passes',
  'cancelled',
  'orphaned',
  'hosts keep dying',
]);
/** Moves that are always possible and lead nowhere by themselves. */
const steering: ReadonlySet<MoveName> = new Set([
  'paused',
  'corrected',
  'given more',
  'given less',
  'given time',
  'slice raised',
  'slice cut',
  'subtask given more',
  'old deadline passes',
  'human decides again',
  'child repeats itself',
  'host dies',
]);
const work = moveNames.filter((name) => !endings.has(name) && !steering.has(name));
/** A cancellation with children at work, and what follows it. */
const leaving: readonly MoveName[] = ['delegates', 'cancelled', 'gathering is over'];
const pools = { work, leaving, any: moveNames, mild: moveNames.filter((name) => !endings.has(name)) };

const inputs: fc.Arbitrary<AgentInput> = fc
  .record({
    rounds: fc.integer({ min: 1, max: 15 }),
    tokens: fc.constantFrom(3_000, 40_000, 200_000, 900_000),
    costUsd: fc.constantFrom(0.005, 0.2, 1, 5),
    toolCalls: fc.constantFrom(0, 1, 4, 100),
    children: fc.constantFrom(0, 1, 3, 10),
    depth: fc.integer({ min: 0, max: 3 }),
    reflectEvery: fc.constantFrom(0, 1, 3),
    reflectTokens: fc.constantFrom(0, 300),
    corrections: fc.constantFrom(1, 3),
    repeats: fc.constantFrom(2, 3),
    plan: fc.constantFrom(undefined, patient.plan, {
      fanOut: 2,
      parallel: 1,
      attempts: 2,
      repairShare: 0.2,
      early: true,
      gatherMs: 1_000,
    }),
  })
  .map(({ depth, reflectEvery, reflectTokens, corrections, repeats, plan, ...amounts }) => {
    const budget = grant({ ...amounts, deadlineAt: birth + 600_000 });
    const order = depth === 0 ? orderOf(budget) : childOrder(budget, depth);
    return {
      order,
      policy: { ...patient, reflectEvery, reflectTokens, corrections, repetition: { window: 5, count: repeats }, plan },
    };
  });

type Pool = keyof typeof pools;
interface Choice {
  readonly n: number;
  readonly load: number;
  readonly pool: Pool;
}

/** Which of the possible moves, and how much of what was reserved is used. */
const choices = fc.array(
  fc.record({
    n: fc.nat(999),
    load: fc.constantFrom(0, 0.1, 0.5, 1),
    pool: fc.constantFrom<Pool>(...Array<Pool>(10).fill('work'), 'mild', 'mild', 'any', 'any', 'leaving'),
  }),
  { minLength: 8, maxLength: 40, size: 'max' },
);

/** Other seeds and more lives for a long run, by environment. */
const seeds = [20_261_129, 7, Number(process.env.HACT_TEST_SEED ?? 1)];
const lives = Number(process.env.HACT_TEST_LIVES ?? 340);

describe('a random life', () => {
  const met = { terminations: new Set<string>(), moves: new Set<string>(), steps: 0 };

  const live = (input: AgentInput, chosen: readonly Choice[]): Life => {
    let life = born(input);
    for (const { n, load, pool } of chosen) {
      const possible = pools[pool].filter((name) => canPlay(life, name));
      const name = possible[n % possible.length];
      if (name === undefined) continue;
      life = play(life, name, load) ?? life;
      met.moves.add(name);
      met.steps += 1;
    }
    return life;
  };

  it.each(seeds)(
    'keeps every rule and can always be brought to its end (seed %i)',
    (seed) => {
      fc.assert(
        fc.property(inputs, choices, (input, chosen) => {
          const life = live(input, chosen);
          const end = isActive(life) ? leave(life) : life;
          expect(end.snapshot.status).toBe('done');
          expect(end.books.farewells).toBe(1);
          met.terminations.add(contextOf(end).ending?.termination ?? '');
        }),
        { seed, numRuns: lives },
      );
    },
    600_000,
  );

  it('met every termination and every move', () => {
    expect(terminations.filter((name) => !met.terminations.has(name))).toEqual([]);
    expect(moveNames.filter((name) => !met.moves.has(name))).toEqual([]);
    expect(met.steps).toBeGreaterThan(seeds.length * lives * 6);
  });
});
