/**
 * What keeps a process from hearing in time: it was frozen or cut off, waited for an answer that
 * was lost, or the server was away or refused to store. Only what
 * happened to a process at a moment excuses what it did then, never that it was disturbed once.
 */
import type { Line, Read } from './read.js';

/** From the end of a disturbance, and from any other news, until a process has heard and acted: the slowest message, some work. */
export const handOverMs = 1_500;

interface Disturbance {
  /** Of one process, or of all. */
  readonly process: unknown;
  readonly from: number;
  readonly to: number;
}

const ofAll = new Set(['server', 'all']);

export type Disturbed = (line: Line) => boolean;

/** Tells whether the process that did something was disturbed when it did it, or so shortly before that it may not know yet. */
export function disturbedIn(history: Read): Disturbed {
  const healedAt = history.of('healed')[0]?.at ?? Number.POSITIVE_INFINITY;
  const all = history.of('fault').flatMap(({ at, ms, process }): Disturbance[] => {
    const lasted = Number(ms ?? 0);
    return lasted > 0 ? [{ process, from: at, to: Math.max(at, Math.min(at + lasted, healedAt)) }] : [];
  });
  return ({ at, process }) =>
    all.some(
      (one) =>
        (one.process === process || ofAll.has(String(one.process))) && one.from <= at && one.to + handOverMs >= at,
    );
}
