/**
 * The chart as a graph: every shortest path to every outline of a life, and every simple path through a coarser graph, is
 * driven through pure transitions. `take` holds each step against every rule of `rules.ts`.
 */
import { describe, expect, it } from 'vitest';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import { agentMachine } from '../../machines/agent.js';
import { terminations } from '../../src/domain/report.js';
import { grant, orderOf, patient } from './fixtures.js';
import { contextOf, isActive, type Life, stateOf } from './life.js';
import { canPlay, leave, type MoveName, moveNames, play } from './moves.js';
import { ruleNames } from './rules.js';
import { born } from './take.js';
import { type Move, movesFrom, type Node, outline, rough, walk } from './walk.js';

const input = {
  order: orderOf(grant({ rounds: 6 })),
  policy: { ...patient, reflectEvery: 2, reflectTokens: 300, corrections: 1 },
};

/** On a busy machine. */
const patience = 120_000;

interface Path {
  readonly steps: readonly { readonly event: Move }[];
}

/** Drives paths from birth; a beginning that two paths share is driven once. */
function drive(paths: readonly Path[]): { lives: Life[]; steps: number } {
  const driven = new Map<string, Life>([['', born(input)]]);
  let steps = 0;
  const lives = paths.map((path) => {
    let key = '';
    // The first step of a path is its beginning, not a move.
    for (const { event } of path.steps.slice(1)) {
      const life = driven.get(key);
      if (life === undefined) throw new Error(`lost the way after ${key}`);
      key = `${key} > ${event.type}`;
      steps += 1;
      if (!driven.has(key)) driven.set(key, play(life, event.type) ?? life);
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
  const paths = getShortestPaths(walk, {
    input,
    events: movesFrom(moveNames),
    serializeState: (node) => outline(node),
    stopWhen: ({ life }) => !isActive(life) || contextOf(life).round >= 3,
  });
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

const walks: Record<string, { moves: readonly MoveName[]; atLeast: number }> = {
  'rounds that wait for everybody': {
    moves: [
      ...(['perceived', 'does everything', 'tools succeed', 'human allows', 'human answers'] as const),
      ...(['first child is done', 'paused', 'resumed', 'orphaned'] as const),
    ],
    atLeast: 500,
  },
  'delegation in order, with failures': {
    moves: [
      ...([
        'perceived',
        'answers',
        'delegates in order',
        'delegates',
        'first child is done',
        'last child is done',
      ] as const),
      ...(['first child fails', 'child repeats itself', 'paused', 'resumed', 'orphaned', 'reports'] as const),
    ],
    atLeast: 100,
  },
  'approvals of every outcome': {
    moves: [
      ...(['perceived', 'finishes', 'calls something risky', 'tools succeed', 'human allows', 'human denies'] as const),
      ...(['human is silent', 'human decides again', 'paused', 'resumed', 'deadline passes', 'reports'] as const),
    ],
    atLeast: 100,
  },
};

describe.each(Object.entries(walks))('every simple path: %s', (_name, { moves, atLeast }) => {
  const paths = getSimplePaths(walk, {
    input,
    events: movesFrom(moves),
    serializeState: (node) => rough(node),
    stopWhen: ({ life }) => !isActive(life),
  });

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
