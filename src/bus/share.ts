/** How many wakes to ask for, of which priority. Pure. */

export interface Demand {
  /** Asked for and not come yet. */
  readonly underway: number;
  /** Known to lie on the server, 0 when none is known. */
  readonly backlog: number;
}

export interface Ask {
  readonly index: number;
  readonly count: number;
  /** Asked for because it is there, not in case something comes. */
  readonly hurried: boolean;
}

const idleAsk = 16;

/**
 * Queues come in order of priority. A queue with a known backlog takes all the free places it can use, so lower ones get
 * what is left. A queue without one keeps a small request open, which is not counted: when wakes come for it although all
 * places are taken, they are given back at once.
 */
export function share(free: number, queues: readonly Demand[]): Ask[] {
  const asks: Ask[] = [];
  let spare = free;
  if (free <= 0) return asks;
  for (const [index, { underway, backlog }] of queues.entries()) {
    if (backlog === 0) {
      if (underway === 0)
        asks.push({ index, count: Math.max(1, Math.min(idleAsk, Math.floor(free / 4))), hurried: false });
      continue;
    }
    spare -= underway;
    const count = Math.min(spare, backlog - underway);
    if (count > 0) {
      asks.push({ index, count, hurried: true });
      spare -= count;
    }
    if (spare <= 0) break;
  }
  return asks;
}
