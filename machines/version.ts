/** The version of the agent's statechart, and what brings older journals to it. */

/** Raise it when a journal written by the older chart could take another path in the new one. */
export const machineVersion = 3;

const unchanged = <E>(event: E): E => event;

/**
 * Version 2 decides while subtasks are at work and bounds the plan; agents whose policy has no plan do as before. Version 3
 * waits at its end for the subtasks that it stops; agents whose policy does not say how long do as before.
 */
export const migrations = [
  { from: 1, event: unchanged },
  { from: 2, event: unchanged },
];
