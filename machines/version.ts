/** The version of the agent's statechart, and what brings older journals to it. */

/** Raise it when a journal written by the older chart could take another path in the new one. */
export const machineVersion = 2;

/** Version 2 decides while subtasks are at work and bounds the plan; agents whose policy has no plan do as before. */
export const migrations = [{ from: 1, event: <E>(event: E): E => event }];
