/**
 * A provider's limit, shared out among workers. What is shared is who holds how much of it, and the sum of that is never
 * more than the limit. Pure: what one worker should hold next, given what the others hold and who waits.
 */
import { z } from 'zod';

const count = z.int().nonnegative();

const amountSchema = z.object({ requests: count, tokens: count });
/** Of requests and tokens. Where there is no limit, nothing is asked for and nothing is held. */
export type Amount = z.infer<typeof amountSchema>;

const holdingSchema = amountSchema.extend({
  /** Of what is held: in use, or used within the last minute. */
  used: amountSchema,
  /** One more with each sign of life. */
  beat: count,
  /** It waits for so much; those with lower turns come first. */
  wants: amountSchema.extend({ turn: count }).optional(),
});
export type Holding = z.infer<typeof holdingSchema>;

export const allowanceSchema = z.object({
  v: z.literal(1),
  provider: z.string(),
  limit: amountSchema,
  /** By worker. */
  holdings: z.record(z.string(), holdingSchema),
});
export type Allowance = z.infer<typeof allowanceSchema>;

/** What nothing was used of for so long is given back. */
export const unusedMs = 60_000;
export const unusedWhileOthersWaitMs = 2_000;

export const nothing: Amount = { requests: 0, tokens: 0 };

const pairwise =
  (of: (a: number, b: number) => number) =>
  (a: Amount, b: Amount): Amount => ({ requests: of(a.requests, b.requests), tokens: of(a.tokens, b.tokens) });
export const plus = pairwise((a, b) => a + b);
export const minus = pairwise((a, b) => a - b);
export const least = pairwise(Math.min);
const most = pairwise(Math.max);
const share = ({ requests, tokens }: Amount, among: number): Amount => ({
  requests: Math.max(0, Math.floor(requests / among)),
  tokens: Math.max(0, Math.floor(tokens / among)),
});
export const fits = (a: Amount, b: Amount): boolean => a.requests <= b.requests && a.tokens <= b.tokens;
const same = (a: Amount, b: Amount): boolean => a.requests === b.requests && a.tokens === b.tokens;

/** What a worker knows of itself and of the others when it looks at the shared value. */
export interface Outlook {
  readonly workerId: string;
  readonly provider: string;
  readonly limit: Amount;
  /** In use, or used within the last minute: it cannot be given back. */
  readonly used: Amount;
  /** What the call that waits first needs; undefined: none waits. */
  readonly head: Amount | undefined;
  /** What all waiting calls need. */
  readonly demand: Amount;
  /** How long nothing has been used. */
  readonly idleMs: number;
  /** Silent ones do not keep others waiting; what dead ones held is free. */
  readonly lifeOf: (workerId: string, holding: Holding) => 'alive' | 'silent' | 'dead';
}

/** The shared value as this worker wants it; what it got when it wants nothing else. Its beat is not touched. */
export function rebalanced(allowance: Allowance | undefined, outlook: Outlook): Allowance | undefined {
  const { workerId, provider, limit, lifeOf } = outlook;
  const all = Object.entries(allowance?.holdings ?? {});
  const others = all.filter(([id, holding]) => id !== workerId && lifeOf(id, holding) !== 'dead');
  const alive = others.filter(([id, holding]) => lifeOf(id, holding) === 'alive').map(([, holding]) => holding);
  const mine = allowance?.holdings[workerId];
  const taken = others.reduce((sum, [, holding]) => plus(sum, holding), nothing);
  const next = nextHolding(mine, alive, minus(limit, taken), outlook);
  const hasGone = others.length + (mine === undefined ? 0 : 1) !== all.length;
  if (!hasGone && sameHolding(mine, next)) return allowance;
  const holdings = Object.fromEntries(others);
  if (next !== undefined) holdings[workerId] = next;
  return { v: 1, provider, limit, holdings };
}

/** @param room the most that this worker may hold */
function nextHolding(
  mine: Holding | undefined,
  others: readonly Holding[],
  room: Amount,
  outlook: Outlook,
): Holding | undefined {
  const { head, used } = outlook;
  const waiting = others.flatMap(({ wants }) => (wants === undefined ? [] : [wants.turn]));
  const first = others.find(({ wants }) => wants?.turn === Math.min(...waiting));
  const held =
    first === undefined
      ? heldFreely(mine ?? nothing, others.length, room, outlook)
      : heldAmongWaiting(mine, first, others.length, room, outlook);
  const isServed = head === undefined || fits(plus(used, head), held);
  const wants = isServed ? undefined : { ...head, turn: mine?.wants?.turn ?? Math.max(0, ...waiting) + 1 };
  const isNothing = same(held, nothing) && wants === undefined;
  if (isNothing) return undefined;
  return { requests: held.requests, tokens: held.tokens, used, beat: mine?.beat ?? 0, ...(wants && { wants }) };
}

/** Nobody else waits: what is held is kept, and when it does not do, a block more is taken than is needed now. */
function heldFreely(
  current: Amount,
  others: number,
  room: Amount,
  { head, used, demand, limit, idleMs }: Outlook,
): Amount {
  if (head === undefined && idleMs >= unusedMs) return used;
  const needed = plus(used, head ?? nothing);
  if (head === undefined || fits(needed, current) || !fits(needed, room)) return most(used, least(current, room));
  const block = share(limit, 2 * (others + 2));
  return least(room, most(needed, most(current, plus(plus(used, demand), block))));
}

/**
 * Others wait: nobody keeps more than its share beyond what it has used. The shares leave room for whoever waits first,
 * so that a large request is not passed over for ever by small ones.
 */
function heldAmongWaiting(
  mine: Holding | undefined,
  first: Holding,
  others: number,
  room: Amount,
  { head, used, demand, limit, idleMs }: Outlook,
): Amount {
  if (head === undefined && idleMs >= unusedWhileOthersWaitMs) return used;
  const isFirst = mine?.wants !== undefined && mine.wants.turn < (first.wants?.turn ?? 0);
  const even = share(limit, others + 1);
  const fair = isFirst ? even : least(even, share(minus(limit, plus(first, first.wants ?? nothing)), others));
  const needed = plus(used, head ?? nothing);
  const current = mine ?? nothing;
  // What was taken for a call that has turned elsewhere meanwhile is kept for the next one.
  const kept = most(used, least(current, head !== undefined && fits(needed, current) ? most(fair, needed) : fair));
  if (!isFirst || head === undefined || fits(needed, kept) || !fits(needed, room)) return kept;
  return most(kept, least(room, most(needed, least(plus(used, demand), fair))));
}

function sameHolding(a: Holding | undefined, b: Holding | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const sameWants = a.wants === undefined ? b.wants === undefined : b.wants !== undefined && same(a.wants, b.wants);
  return same(a, b) && sameWants;
}
