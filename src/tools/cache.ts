/** Results of read-only calls, kept for seconds, so that the same question within a task is not asked twice. */
import type { Observation } from '../domain/call.js';

export interface ResultCache {
  get(scope: string, key: string): Observation | undefined;
  /** `generation` is what `generation(scope)` said when the call began: a write since then makes the result stale. */
  put(scope: string, key: string, observation: Observation, generation: number): void;
  /** The world may have changed for this scope (a task): forget what was read. */
  forget(scope: string): void;
  generation(scope: string): number;
}

export interface CacheOptions {
  /** Default 30,000. */
  readonly ageMs?: number;
  /** Results kept at most. Default 500. */
  readonly entries?: number;
  now(): number;
}

export function createCache({ ageMs = 30_000, entries: most = 500, now }: CacheOptions): ResultCache {
  // Maps keep insertion order: the oldest entry is the first.
  const kept = new Map<string, { scope: string; at: number; observation: Observation }>();
  const generations = new Map<string, { count: number; at: number }>();
  const nameOf = (scope: string, key: string): string => `${scope}\n${key}`;
  const prune = (): void => {
    const oldest = now() - ageMs;
    for (const [name, entry] of kept) {
      if (kept.size <= most && entry.at > oldest) break;
      kept.delete(name);
    }
  };
  return {
    get(scope, key) {
      const entry = kept.get(nameOf(scope, key));
      return entry === undefined || entry.at <= now() - ageMs ? undefined : entry.observation;
    },
    put(scope, key, observation, generation) {
      if ((generations.get(scope)?.count ?? 0) !== generation) return;
      const name = nameOf(scope, key);
      kept.delete(name);
      kept.set(name, { scope, at: now(), observation });
      prune();
    },
    forget(scope) {
      for (const [name, entry] of kept) if (entry.scope === scope) kept.delete(name);
      const last = generations.get(scope)?.count ?? 0;
      generations.delete(scope);
      generations.set(scope, { count: last + 1, at: now() });
      // A task that wrote nothing for an hour has no read under way that began before.
      for (const [other, { at }] of generations) {
        if (at > now() - 3_600_000) break;
        generations.delete(other);
      }
    },
    generation: (scope) => generations.get(scope)?.count ?? 0,
  };
}
