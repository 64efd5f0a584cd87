/** What is shared of a provider's health, and how it changes. Pure: who judges that a time has come says so. */
import { z } from 'zod';

const count = z.int().nonnegative();
const ms = z.number().nonnegative();

export const breakerSchema = z.object({
  v: z.literal(1),
  provider: z.string(),
  model: z.string(),
  /** One more with each change of the kind of state. */
  turn: count,
  /** ms since 1970 of that change: for people, and for workers that come later. */
  at: z.number(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('closed'), failures: count }),
    /** `since`: when it opened first. `nextMs`: how long it stays open after a probe that fails. */
    z.object({ kind: z.literal('open'), since: z.number(), forMs: ms, nextMs: ms }),
    z.object({ kind: z.literal('probing'), since: z.number(), by: z.string(), beat: count, nextMs: ms }),
  ]),
  /** The provider asked to be left alone; one more `turn` with each time. */
  pause: z.object({ turn: count, at: z.number(), forMs: ms }).optional(),
});
export type Health = z.infer<typeof breakerSchema>;

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

export const defaultBreaker: BreakerOptions = { threshold: 5, coolDownMs: 5_000, maxCoolDownMs: 60_000 };

/** How a request ended: what it tells of the provider's health. */
export type Outcome = 'succeeded' | 'failed' | 'withdrawn';

export const healthy = (provider: string, model: string): Health => ({
  v: 1,
  provider,
  model,
  turn: 0,
  at: 0,
  state: { kind: 'closed', failures: 0 },
});

const turned = (health: Health, state: Health['state'], at: number): Health => ({
  ...health,
  turn: health.turn + 1,
  at,
  state,
});

/** @param probe the claim that the request was a probe by; only its probe's outcome moves a breaker that is not closed */
export function ended(
  health: Health,
  outcome: Outcome,
  probe: string | undefined,
  options: BreakerOptions,
  now: number,
): Health {
  const { state } = health;
  const { threshold, coolDownMs, maxCoolDownMs } = options;
  const doubled = (nextMs: number) => Math.min(nextMs * 2, maxCoolDownMs);
  if (state.kind === 'closed') {
    if (outcome === 'withdrawn' || (outcome === 'succeeded' && state.failures === 0)) return health;
    const failures = outcome === 'failed' ? state.failures + 1 : 0;
    if (failures < threshold) return { ...health, state: { kind: 'closed', failures } };
    return turned(health, { kind: 'open', since: now, forMs: coolDownMs, nextMs: doubled(coolDownMs) }, now);
  }
  if (state.kind !== 'probing' || state.by !== probe) return health;
  const { since, nextMs } = state;
  if (outcome === 'succeeded') return turned(health, { kind: 'closed', failures: 0 }, now);
  // A probe that told nothing leaves the way free for the next.
  if (outcome === 'withdrawn') return turned(health, { kind: 'open', since, forMs: 0, nextMs }, now);
  return turned(health, { kind: 'open', since, forMs: nextMs, nextMs: doubled(nextMs) }, now);
}

/** Takes the probe, if nobody has taken it since it was judged, at `turn` and `beat`, to be free. */
export function claimed(health: Health, by: string, judged: { turn: number; beat: number }, now: number): Health {
  const { state, turn } = health;
  if (state.kind === 'closed' || turn !== judged.turn) return health;
  if (state.kind === 'probing' && state.beat !== judged.beat) return health;
  return turned(health, { kind: 'probing', since: state.since, by, beat: 0, nextMs: state.nextMs }, now);
}

/** Says that the probe is still under way. */
export function beaten(health: Health, by: string): Health {
  const { state } = health;
  if (state.kind !== 'probing' || state.by !== by) return health;
  return { ...health, state: { ...state, beat: state.beat + 1 } };
}

export const paused = (health: Health, forMs: number, now: number): Health => ({
  ...health,
  pause: { turn: (health.pause?.turn ?? 0) + 1, at: now, forMs },
});
