/**
 * The chart as a graph: every shortest path to every outline of a life, and every simple path through a coarser graph, is
 * driven through pure transitions. `take` holds each step against every rule of `rules.ts`.
 */
import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../machines/agent.js';
import { terminations } from '../../src/domain/report.js';
import { contextOf, isActive, type Life, stateOf } from './life.js';
import { canPlay, leave, moveNames, play } from './moves.js';
import { input, type Route, shortestRoutes, simpleRoutes, walks } from './routes.js';
import { ruleNames } from './rules.js';
import { born } from './take.js';
import { type Node, outline } from './walk.js';

/** On a busy machine. */
const patience = 120_000;

/** Drives paths from birth; a beginning that two paths share is driven once. */
function drive(paths: readonly Route[]): { lives: Life[]; steps: number } {
  const driven = new Map<string, Life>([['', born(input)]]);
  let steps = 0;
  const lives = paths.map((path) => {
    let key = '';
    for (const move of path) {
      const life = driven.get(key);
      if (life === undefined) throw new Error(`lost the way after ${key}`);
      key = `${key} > ${move}`;
      steps += 1;
      if (!driven.has(key)) driven.set(key, play(life, move) ?? life);
    }
    return driven.get(key) ?? born(input);
  });
  return { lives, steps };
}

/** From wherever a path has led, the agent can be brought to its end, with one report. */
function expectEndInReach(lives: readonly Life[]): void {
  const seen = new Set<string>();
  for (const life of lives) {
    const key = outline({ life } as Node);
    if (seen.has(key)) continue;
    seen.add(key);
    const end = isActive(life) ? leave(life) : life;
    expect(stateOf(end)).toBe('done');
    expect(end.books.farewells).toBe(1);
  }
}

const leaves = (node: typeof agentMachine.root, path: string): string[] => {
  const children = Object.entries(node.states);
  return children.length === 0
    ? [path]
    : children.flatMap(([key, child]) => leaves(child as typeof node, `${path}.${key}`));
};
/** States that are left in the step in which they are entered. */
const passing = ['act.dispatch', 'observe', 'terminate.choose', 'terminate.told'];

describe('every shortest path', () => {
  const paths = shortestRoutes();
  const { lives, steps } = drive(paths);

  it('keeps every rule', () => {
    expect(ruleNames.length).toBeGreaterThan(20);
    expect(paths.length).toBeGreaterThan(500);
    expect(steps).toBeGreaterThan(2_500);
  });

  it(
    'leads somewhere from which the end is in reach',
    () => {
      expectEndInReach(lives);
    },
    patience,
  );

  it('leads to every state in which an agent can rest or work', () => {
    const states = Object.entries(agentMachine.root.states).flatMap(([key, node]) => leaves(node, key));
    const expected = states.filter((state) => !passing.includes(state));
    expect([...new Set(lives.map((life) => stateOf(life)))].sort()).toEqual(expected.sort());
  });

  it('leads to every termination, and to places where every move is possible', () => {
    const reached = new Set(lives.map((life) => contextOf(life).ending?.termination));
    // These take more rounds than the shortest paths have, or a smaller budget: the random walk meets them all.
    const longer = ['rounds', 'tokens', 'cost'].map((kind) => `${kind}_exhausted`);
    longer.push('no_progress', 'denied', 'needs_input');
    expect(terminations.filter((name) => !longer.includes(name) && !reached.has(name))).toEqual([]);
    expect(moveNames.filter((name) => !lives.some((life) => canPlay(life, name)))).toEqual([]);
  });
});

describe.each(Object.entries(walks))('every simple path: %s', (_name, { moves, atLeast }) => {
  const paths = simpleRoutes(moves);

  it(
    'keeps every rule, and the end is in reach from where it leads',
    () => {
      const { lives } = drive(paths);
      expect(paths.length).toBeGreaterThan(atLeast);
      expectEndInReach(lives);
    },
    patience,
  );
});
