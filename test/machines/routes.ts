/** The paths through the agent's chart that `xstate/graph` finds, as lists of moves. */
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import { grant, orderOf, patient } from './fixtures.js';
import { contextOf, isActive } from './life.js';
import { type MoveName, moveNames } from './moves.js';
import { type Move, movesFrom, outline, rough, walk } from './walk.js';

export type Route = readonly MoveName[];

export const input = {
  order: orderOf(grant({ rounds: 6 })),
  policy: { ...patient, reflectEvery: 2, reflectTokens: 300, corrections: 1 },
};

/** The first step of a path is its beginning, not a move. */
const movesOf = ({ steps }: { readonly steps: readonly { readonly event: Move }[] }): Route =>
  steps.slice(1).map(({ event }) => event.type);

/** A shortest path to every outline of a life. */
export const shortestRoutes = (): Route[] =>
  getShortestPaths(walk, {
    input,
    events: movesFrom(moveNames),
    serializeState: (node) => outline(node),
    stopWhen: ({ life }) => !isActive(life) || contextOf(life).round >= 3,
  }).map(movesOf);

export const walks: Record<string, { moves: readonly MoveName[]; atLeast: number }> = {
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

/** Every simple path by these moves through a coarser graph. */
export const simpleRoutes = (moves: readonly MoveName[]): Route[] =>
  getSimplePaths(walk, {
    input,
    events: movesFrom(moves),
    serializeState: (node) => rough(node),
    stopWhen: ({ life }) => !isActive(life),
  }).map(movesOf);

export const allRoutes = (): Route[] => [
  ...shortestRoutes(),
  ...Object.values(walks).flatMap(({ moves }) => simpleRoutes(moves)),
];
