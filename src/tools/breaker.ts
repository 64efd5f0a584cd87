/**
 * One circuit breaker per tool and process: after repeated failures the tool rests, and calls get an answer at once
 * instead of waiting for another failure. After the rest one call tries; if it succeeds, the tool is back.
 */
import { type Failure, failure } from '../domain/failure.js';

export interface Breakers {
  /** Undefined: go ahead, and report with `record`. Otherwise the degraded answer. */
  refuse(tool: string): Failure | undefined;
  record(tool: string, worked: boolean): void;
  /** Tools that rest now, for watchers. */
  open(): string[];
}

export interface BreakerOptions {
  /** Failures in a row that open it. Default 5. */
  readonly failures?: number;
  /** How long the tool rests. Default 30,000. */
  readonly restMs?: number;
  now(): number;
}

interface State {
  failures: number;
  /** When it opened last; undefined while closed. */
  openedAt: number | undefined;
  /** When the one call that tries after the rest was let through. */
  triedAt: number | undefined;
}

export function createBreakers({ failures: most = 5, restMs = 30_000, now }: BreakerOptions): Breakers {
  const states = new Map<string, State>();
  return {
    refuse(tool) {
      const state = states.get(tool);
      if (state?.openedAt === undefined) return undefined;
      const at = now();
      const since = at - (state.triedAt ?? state.openedAt);
      if (since >= restMs) {
        // A try that never came back (its process part was cancelled) counts as over after another rest.
        state.triedAt = at;
        return undefined;
      }
      const seconds = Math.ceil((restMs - since) / 1000);
      return {
        ...failure(
          'tool_unavailable',
          `${tool} failed ${state.failures} times in a row and rests for another ${seconds} s`,
          'go on without it, or use another tool',
        ),
        retryAfterSeconds: seconds,
      };
    },
    record(tool, worked) {
      if (worked) {
        states.delete(tool);
        return;
      }
      const state = states.get(tool) ?? { failures: 0, openedAt: undefined, triedAt: undefined };
      state.failures += 1;
      if (state.failures >= most) state.openedAt = now();
      state.triedAt = undefined;
      states.set(tool, state);
    },
    open: () => [...states].filter(([, state]) => state.openedAt !== undefined).map(([tool]) => tool),
  };
}
