/** The gates of all providers that one process calls: one breaker for each model, one limiter for each account. */
import { createHash } from 'node:crypto';
import type { Failure } from '../../domain/failure.js';
import type { ProviderOptions } from '../provider.js';
import type { World } from '../world.js';
import { Breaker, type FleetOptions } from './breaker.js';
import { type BreakerOptions, defaultBreaker, type Health } from './breaker-state.js';
import { type Cell, memoryCell } from './cell.js';
import { createGate, type Gate } from './gate.js';
import { Limiter } from './limiter.js';

export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** What makes the gates of several processes one. */
export interface Fleet extends FleetOptions {
  /** The cell of a key; the same for all workers. Keys are of letters, digits, `_`, `-` and dots. */
  readonly cell: (key: string) => Cell;
}

export interface GatesOptions {
  readonly breaker?: Partial<BreakerOptions>;
  /** By name of the provider. */
  readonly limits?: Readonly<Record<string, RateLimits>>;
  readonly fleet?: Fleet;
  /** Told by the worker that opened, probes or closed a breaker. */
  readonly onTurn?: (health: Health) => void;
  readonly onFailure?: (failure: Failure) => void;
}

export interface Gates {
  /** The same gate for the same provider, account and model. */
  of(provider: ProviderOptions): Gate;
  /** Gives back what is held. */
  close(): Promise<void>;
}

export function createGates(options: GatesOptions, world: World): Gates {
  const { fleet, onFailure, onTurn } = options;
  const gates = new Map<string, Gate>();
  const limiters = new Map<string, Limiter>();
  const breakers: Breaker[] = [];
  const cellOf = (key: string): Cell => fleet?.cell(key) ?? memoryCell();

  const limiterOf = (provider: ProviderOptions): Limiter | undefined => {
    const { requestsPerMinute = 0, tokensPerMinute = 0 } = options.limits?.[provider.name] ?? {};
    if (requestsPerMinute === 0 && tokensPerMinute === 0) return undefined;
    const key = accountKey(provider);
    const known = limiters.get(key);
    if (known !== undefined) return known;
    const limit = { requests: requestsPerMinute, tokens: tokensPerMinute };
    const limiter = new Limiter({
      provider: provider.name,
      limit,
      cell: cellOf(`${key}.limit`),
      world,
      fleet,
      onFailure,
    });
    limiters.set(key, limiter);
    return limiter;
  };

  return {
    of(provider) {
      const key = `${accountKey(provider)}.${wordOf(provider.model)}-${hashOf(provider.model)}`;
      const known = gates.get(key);
      if (known !== undefined) return known;
      const { name, model } = provider;
      const breaker = new Breaker({
        provider: name,
        model,
        cell: cellOf(`${key}.breaker`),
        options: { ...defaultBreaker, ...options.breaker },
        world,
        fleet,
        onTurn,
        onFailure,
      });
      breakers.push(breaker);
      const gate = createGate(breaker, limiterOf(provider), world);
      gates.set(key, gate);
      return gate;
    },
    async close() {
      await Promise.all([...breakers, ...limiters.values()].map((one) => one.close()));
    },
  };
}

/** Providers limit, and refuse, by account. The key itself cannot be told from its part of the hash. */
const accountKey = ({ name, baseUrl, apiKey = '' }: ProviderOptions): string =>
  `${wordOf(name)}-${hashOf(name, baseUrl, apiKey)}`;

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 10);
const wordOf = (text: string): string => text.replaceAll(/[^\w-]/g, '_').slice(0, 60);
