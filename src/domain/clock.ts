/** The port to time. The real one is `src/observe/clock.ts`; the simulator brings its own. */
export interface Clock {
  /** ms since 1970. For people and deadlines; may jump. */
  now(): number;
  /** ms on a monotonic clock, for durations and leases. */
  elapsed(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `ms`, unless the function that it returns was called before. */
  after(ms: number, callback: () => void): () => void;
}
