/** The version of the agent's statechart, and what brings older journals to it. */

/** Raise it when a journal written by the older chart could take another path in the new one. */
export const machineVersion = 4;

const unchanged = <E>(event: E): E => event;

const sparingGrace = <E extends object>(event: E): E | (E & { readonly sparesGrace: true }) =>
  'type' in event && event.type === 'timer.fired' ? { ...event, sparesGrace: true } : event;

/**
 * Version 2 decides while subtasks are at work and bounds the plan; agents whose policy has no plan do as before. Version 3
 * waits at its end for the subtasks that it stops; agents whose policy does not say how long do as before. Version 4 gives
 * a grace call up at the deadline; timers that fired before are marked, and do not.
 */
export const migrations = [
  { from: 1, event: unchanged },
  { from: 2, event: unchanged },
  { from: 3, event: sparingGrace },
];
