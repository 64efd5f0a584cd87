/** Effect classes: one field decides retry, cache, parallelism, approval and recovery. */
import { z } from 'zod';

/**
 * - `pure`: computes from its arguments alone.
 * - `read`: looks at the world and leaves it as it is.
 * - `idempotent`: changes the world; a repeat with the same key changes nothing more.
 * - `unsafe`: a repeat would do it twice. Undeclared tools are unsafe.
 */
export const effectClassSchema = z.enum(['pure', 'read', 'idempotent', 'unsafe']);
export type EffectClass = z.infer<typeof effectClassSchema>;

/** What to do with a call that was begun and whose result was lost. */
export type Recovery = 'run again' | 'run again with the same key' | 'report as unknown';

export function recoveryOf(effect: EffectClass): Recovery {
  switch (effect) {
    case 'pure':
    case 'read':
      return 'run again';
    case 'idempotent':
      return 'run again with the same key';
    case 'unsafe':
      return 'report as unknown';
  }
}

/** Whether a failed call may be tried again without asking anybody. */
export const mayRetry = (effect: EffectClass): boolean => effect !== 'unsafe';
