/**
 * How many agents a host takes on: as many as keep its event loop responsive. More would not be done sooner, they would
 * only hold memory here, while other hosts may be free.
 */
import type { Clock } from '../domain/clock.js';

export interface PaceOptions {
  readonly clock: Clock;
  /** Agents at work at most, however idle the process is. */
  readonly most: number;
  /** Mean delay of the event loop, in ms, above which fewer agents are taken. */
  readonly loopDelayMs: number;
  /** Agents at work now. */
  readonly atWork: () => number;
}

export interface Pace {
  /** Agents that may be at work now. */
  allowed(): number;
  stop(): void;
}

const lookMs = 50;
/** A host begins here and finds out how much more it can do. */
const first = 64;
/** However slow the process is, so many may go on. */
const fewest = 8;
const growth = 1.5;
const shrinkage = 0.8;
/** Share of the newest look in the mean: one long collection of garbage is no overload. */
const weight = 0.3;

export function keepPace({ clock, most, loopDelayMs, atWork }: PaceOptions): Pace {
  let allowed = Math.min(most, first);
  let meanMs = 0;
  let lastAt = clock.elapsed();
  let stop = clock.after(lookMs, look);

  function look(): void {
    const now = clock.elapsed();
    meanMs += weight * (Math.max(0, now - lastAt - lookMs) - meanMs);
    lastAt = now;
    const busy = atWork();
    if (meanMs > loopDelayMs) allowed = Math.min(allowed, Math.max(fewest, Math.floor(busy * shrinkage)), most);
    else if (busy >= allowed && meanMs < loopDelayMs / 2) allowed = Math.min(most, Math.ceil(allowed * growth));
    stop = clock.after(lookMs, look);
  }

  return { allowed: () => allowed, stop: () => stop() };
}
