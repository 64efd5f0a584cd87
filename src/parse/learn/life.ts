/** The life of something learned: proposed, tested, admitted, weighted by how it does, retired when it does badly. */
import { z } from 'zod';

export const lifeSchema = z.object({
  state: z.enum(['admitted', 'retired']),
  /** How sure a repair by it is; below 1. */
  confidence: z.number().min(0).max(1),
  /** 1: always right of late; 0: always wrong. */
  weight: z.number().min(0).max(1),
  uses: z.number().int().nonnegative(),
  failures: z.number().int().nonnegative(),
  /** Whence it came. */
  origin: z.enum(['model', 'samples', 'human']),
  /** ms since 1970. */
  learnedAt: z.number().int(),
});
export type Life = z.infer<typeof lifeSchema>;

const FIRST_WEIGHT = 0.6;
/** What one success takes off the way to 1, and one failure leaves of the weight. */
const GAIN = 0.2;
const KEPT = 0.6;
/** Two failures at once retire a fresh one; a proven one stands four. */
const RETIRED_BELOW = 0.25;

export const newLife = (origin: Life['origin'], confidence: number, learnedAt: number): Life => ({
  state: 'admitted',
  confidence,
  weight: FIRST_WEIGHT,
  uses: 0,
  failures: 0,
  origin,
  learnedAt,
});

/** The life after one use that went well or not. */
export function used<T extends Life>(life: T, succeeded: boolean): T {
  const weight = succeeded ? life.weight + GAIN * (1 - life.weight) : life.weight * KEPT;
  return {
    ...life,
    weight: Math.round(weight * 1_000) / 1_000,
    uses: life.uses + 1,
    failures: life.failures + (succeeded ? 0 : 1),
    state: life.state === 'retired' || weight < RETIRED_BELOW ? 'retired' : 'admitted',
  };
}

/** Of a repair by it. */
export const confidenceOf = ({ confidence, weight }: Life): number =>
  Math.round(confidence * (0.5 + weight / 2) * 1_000) / 1_000;

/** FNV-1a of a canonical text, as 8 hex digits: the same lesson has the same id wherever it is learned. */
export function idOf(prefix: string, canonical: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < canonical.length; index += 1)
    hash = Math.imul(hash ^ canonical.charCodeAt(index), 0x01000193);
  return `${prefix}${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
