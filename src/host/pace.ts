/**
 * How many agents a host takes on: as many as keep its event loop busy. More would not be done sooner, they would only
 * hold memory here, while other hosts may be free. A fresh host begins with few, so that a fleet that is started at once
 * does not fall upon model and server at once, and so that it finds out what it can do.
 */
import type { Clock } from '../domain/clock.js';

export interface PaceOptions {
  readonly clock: Clock;
  /** Agents at work at most, however idle the process is. */
  readonly most: number;
  /** Agents at work at most at the start. */
  readonly first: number;
  /** Share of time, 0 to 1, that the event loop may be busy before fewer agents are taken. */
  readonly fullLoad: number;
  /** Share of time, 0 to 1, that the event loop was busy since the last call. */
  readonly load: () => number;
  /** Agents at work now. */
  readonly atWork: () => number;
}

export interface Pace {
  /** Agents that may be at work now. */
  allowed(): number;
  stop(): void;
}

const lookMs = 100;
/** Up to here a fresh host doubles at each look while it is busy and not overloaded; from here on it feels its way. */
const cruise = 64;
/** So many may always go on: side by side they share the cost of a step, and most of their time is waiting. */
const fewest = 32;
/** Slow enough to feel the load of those that were taken before taking more. */
const growth = { fresh: 2, later: 1.2 };
const shrinkage = 0.9;
/** Share of the newest look in the mean: one long collection of garbage is no overload. */
const weight = 0.5;

export function keepPace({ clock, most, first, fullLoad, load, atWork }: PaceOptions): Pace {
  let allowed = Math.min(most, first);
  let fresh = true;
  let mean = 0;
  let stop = clock.after(lookMs, look);

  function look(): void {
    mean += weight * (load() - mean);
    const busy = atWork();
    const grown = Math.min(most, Math.ceil(allowed * (fresh ? growth.fresh : growth.later)));
    if (mean <= fullLoad) {
      if (busy >= allowed) allowed = grown;
    } else if (allowed > fewest) allowed = Math.min(allowed, Math.max(fewest, Math.floor(busy * shrinkage)));
    else if (busy >= allowed) allowed = Math.min(fewest, grown);
    fresh &&= allowed < cruise && mean <= fullLoad;
    stop = clock.after(lookMs, look);
  }

  return { allowed: () => allowed, stop: () => stop() };
}
