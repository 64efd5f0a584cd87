/** Time and chance, as the model port needs them. Tests put in their own. */
import { performance } from 'node:perf_hooks';

export interface World {
  /** Wall clock, ms since 1970: only to read dates that providers send. */
  now(): number;
  /** Monotonic clock in ms: durations, breakers, limits. */
  elapsed(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

export const realWorld: World = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(finish, ms);
      function finish() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      }
      signal?.addEventListener('abort', finish, { once: true });
    }),
};
