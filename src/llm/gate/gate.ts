/**
 * What stands before a provider: its circuit breaker and its limits. The chain asks it before each request and tells it
 * afterwards; whether it speaks for one process or for all workers is its cells' matter.
 */
import type { CallUsage } from '../../domain/decision.js';
import type { World } from '../world.js';
import type { Breaker } from './breaker.js';
import type { Outcome } from './breaker-state.js';
import type { Limiter } from './limiter.js';

/** The most that a request may be. */
export interface RequestSize {
  /** By our own count. */
  readonly promptTokens: number;
  readonly maxOutputTokens: number;
}

/** What is told of a request that has ended. */
export interface Ending {
  readonly outcome: Outcome;
  /** Of a reply: undefined without one. */
  readonly usage: CallUsage | undefined;
  /** The most that the provider may have counted, for a request without a reply; undefined: as much as was asked for. */
  readonly tokens: number | undefined;
  readonly retryAfterMs: number | undefined;
}

export type Admission =
  | {
      readonly ok: true;
      /** To be called once, when the request has ended. */
      readonly end: (ending: Ending) => void;
    }
  /**
   * `shut`: left alone after failures, or at the provider's own wish. `full`: its limits are used up. `never`: the
   * request is more than a whole minute's limit.
   */
  | { readonly ok: false; readonly why: 'shut' | 'full' | 'never'; readonly waitMs: number };

/** Nothing here throws. */
export interface Gate {
  readonly state: 'closed' | 'open' | 'probing';
  /** Milliseconds until a request may go out as far as the provider's health is concerned; 0: now. */
  shutMs(): number;
  /**
   * Ask right before a request, and send it when admitted. With `patience` it waits for room within the limits, in turn,
   * until the signal aborts or the gate shuts; without, only for as long as it takes to ask the other workers.
   */
  admit(size: RequestSize, patience: boolean, signal: AbortSignal): Promise<Admission>;
  /** Resolves after `ms`, when the signal aborts, or as soon as the gate is as wanted. */
  rest(ms: number, until: 'shut' | 'free' | undefined, signal: AbortSignal): Promise<void>;
}

/** Until a provider has told a count of its own, its tokens may be so many times ours. */
const unknownRatio = 1.25;

export function createGate(breaker: Breaker, limiter: Limiter | undefined, world: World): Gate {
  let ratio: number | undefined;

  const shut = (): Admission => ({ ok: false, why: 'shut', waitMs: breaker.waitMs() });

  const learn = (usage: Ending['usage']): void => {
    if (usage === undefined || usage.estimated || usage.countedInputTokens === 0) return;
    ratio = Math.max(1, ratio ?? 1, usage.inputTokens / usage.countedInputTokens);
  };

  async function admit(size: RequestSize, patience: boolean, signal: AbortSignal): Promise<Admission> {
    if (breaker.waitMs() > 0) return shut();
    const most = Math.ceil(size.promptTokens * (ratio ?? unknownRatio)) + size.maxOutputTokens;
    const need = limiter?.needOf(most);
    if (limiter !== undefined && need !== undefined && !limiter.canEver(need))
      return { ok: false, why: 'never', waitMs: 0 };
    const taken = need && limiter?.take(need);
    const grant = taken ?? (need && (await seek(need, patience, signal)));
    if (limiter !== undefined && need !== undefined && grant === undefined) {
      return breaker.waitMs() > 0 ? shut() : { ok: false, why: 'full', waitMs: limiter.waitMs(need) };
    }
    let probe: string | undefined;
    if (breaker.state !== 'closed' || breaker.waitMs() > 0) {
      probe = await breaker.claim();
      if (probe === undefined && (breaker.state !== 'closed' || breaker.waitMs() > 0)) {
        grant?.giveBack();
        return shut();
      }
    }
    const end = ({ outcome, usage, tokens, retryAfterMs }: Ending): void => {
      learn(usage);
      grant?.end(usage === undefined ? (tokens ?? most) : usage.inputTokens + usage.outputTokens);
      breaker.tell(outcome, probe);
      if (retryAfterMs !== undefined && retryAfterMs > 0) breaker.pause(retryAfterMs);
    };
    return { ok: true, end };
  }

  async function seek(need: Parameters<Limiter['ask']>[0], patience: boolean, signal: AbortSignal) {
    if (!patience || limiter === undefined) return limiter?.ask(need);
    const waiting = new AbortController();
    void rest(Number.POSITIVE_INFINITY, 'shut', waiting.signal).then(() => waiting.abort());
    const stop = () => waiting.abort();
    signal.addEventListener('abort', stop, { once: true });
    const grant = await limiter.wait(need, waiting.signal);
    signal.removeEventListener('abort', stop);
    waiting.abort();
    return grant;
  }

  async function rest(ms: number, until: 'shut' | 'free' | undefined, signal: AbortSignal): Promise<void> {
    const isThere = () => until !== undefined && breaker.waitMs() > 0 === (until === 'shut');
    if (signal.aborted || isThere()) return;
    const resting = new AbortController();
    const stop = () => resting.abort();
    const forget = breaker.onChange(() => isThere() && stop());
    signal.addEventListener('abort', stop, { once: true });
    await (Number.isFinite(ms) ? world.sleep(ms, resting.signal) : aborted(resting.signal));
    signal.removeEventListener('abort', stop);
    forget();
  }

  return {
    get state() {
      return breaker.state;
    },
    shutMs: () => breaker.waitMs(),
    admit,
    rest,
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
