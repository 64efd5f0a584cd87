/**
 * A circuit breaker for one provider: after so many failures in a row it opens, and nothing is sent until a cool-down
 * has passed; then one probe goes out, and its outcome closes the breaker or opens it for twice as long.
 * Our own: cockatiel's cannot take its clock from outside.
 */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

export const defaultBreaker: BreakerOptions = { threshold: 5, coolDownMs: 5_000, maxCoolDownMs: 60_000 };

export interface Breaker {
  readonly state: 'closed' | 'open' | 'probing';
  /** Milliseconds until the next request may go out; 0 when one may go now. */
  waitMs(): number;
  /** Call it right before a request. False: not now. */
  admit(): boolean;
  succeeded(): void;
  failed(): void;
  /** The request told nothing of the provider's health (cancelled, refused for its own fault). */
  withdrawn(): void;
}

export function createBreaker(options: BreakerOptions, elapsed: () => number): Breaker {
  let failures = 0;
  let openUntil = 0;
  let coolDownMs = options.coolDownMs;
  let state: Breaker['state'] = 'closed';

  const open = () => {
    state = 'open';
    openUntil = elapsed() + coolDownMs;
    coolDownMs = Math.min(coolDownMs * 2, options.maxCoolDownMs);
  };

  return {
    get state() {
      return state;
    },
    waitMs() {
      if (state === 'closed') return 0;
      // While a probe is out, others look again after its usual cool-down.
      if (state === 'probing') return options.coolDownMs;
      return Math.max(0, openUntil - elapsed());
    },
    admit() {
      if (state === 'closed') return true;
      if (state === 'probing' || elapsed() < openUntil) return false;
      state = 'probing';
      return true;
    },
    succeeded() {
      state = 'closed';
      failures = 0;
      coolDownMs = options.coolDownMs;
    },
    failed() {
      failures += 1;
      if (state === 'probing' || (state === 'closed' && failures >= options.threshold)) open();
    },
    withdrawn() {
      if (state === 'probing') {
        state = 'open';
        openUntil = elapsed();
      }
    },
  };
}
