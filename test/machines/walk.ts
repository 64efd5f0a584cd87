/** The agent as a graph for `xstate/graph`: nodes are outlines of lives, edges are moves. */
import type { ActorLogic, Snapshot } from 'xstate';
import type { AgentInput } from '../../machines/context.js';
import { contextOf, type Life, stateOf } from './life.js';
import { canPlay, type MoveName, play } from './moves.js';
import { born } from './take.js';

export interface Move {
  readonly type: MoveName;
}

/** A life in the clothes of a snapshot, as the graph functions want it. */
export type Node = Snapshot<unknown> & { readonly life: Life };
export type Walk = ActorLogic<Node, Move, AgentInput>;

const dressed = (life: Life): Node => ({ status: 'active', output: undefined, error: undefined, life });

export const walk = {
  transition: (node: Node, { type }: Move): Node => dressed(play(node.life, type) ?? node.life),
  getInitialSnapshot: (_scope: unknown, input: AgentInput): Node => dressed(born(input)),
  getPersistedSnapshot: (node: Node): Node => node,
} as Walk;

/** The moves of an alphabet that are possible at a node. */
export const movesFrom =
  (alphabet: readonly MoveName[]) =>
  ({ life }: Node): Move[] =>
    alphabet.filter((name) => canPlay(life, name)).map((type) => ({ type }));

const atMost = (limit: number, count: number): string => (count > limit ? `>${limit}` : `${count}`);

const waitsOf = (life: Life): string[] => [
  ...new Set(
    contextOf(life)
      .open.filter(({ state }) => state !== 'settled')
      .map(({ state }) => state),
  ),
];

const childrenOf = (life: Life): string[] =>
  contextOf(life)
    .plan.map(({ state }) => state)
    .filter((state) => state === 'waiting' || state === 'running');

/** What tells two lives apart: where the agent is, what it waits for, what it counts, why it ends. */
export function outline({ life }: Node): string {
  const { paused, ending, counts } = contextOf(life);
  return JSON.stringify([
    stateOf(life),
    paused,
    ending?.termination ?? '',
    waitsOf(life).sort(),
    [...new Set(childrenOf(life))].sort(),
    atMost(1, counts.unreadable + counts.failed + counts.corrections),
  ]);
}

/** Where the agent is and what it waits for, no more. */
export function rough({ life }: Node): string {
  const { paused, ending } = contextOf(life);
  return JSON.stringify([stateOf(life), paused, waitsOf(life).sort(), childrenOf(life).length, ending !== undefined]);
}
