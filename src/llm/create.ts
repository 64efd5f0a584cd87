/** A model out of a chain of providers: retries, breakers, fallback, usage and cost around single attempts. */
import { callChain, type Link } from './chain.js';
import type { Gate } from './gate/gate.js';
import { createGates, type Gates } from './gate/gates.js';
import type { Model } from './model.js';
import { createProvider } from './openai.js';
import { costOf } from './price.js';
import { defaultWireLimits, type ProviderOptions, type WireLimits } from './provider.js';
import { defaultRetry, type RetryOptions } from './retry.js';
import { createTokenizer, type Tokenizer } from './tokens.js';
import { realWorld, type World } from './world.js';

export interface ModelOptions {
  /** In the order in which they are tried; at least one. */
  readonly providers: readonly [ProviderOptions, ...ProviderOptions[]];
  readonly limits?: Partial<WireLimits>;
  readonly retry?: Partial<RetryOptions>;
  /** Shared with other models, and with other workers. Default: breakers of this model's own, and no limits. */
  readonly gates?: Gates;
}

/** One link of the chain, for the inspector's fleet page. */
export interface ProviderHealth {
  readonly name: string;
  readonly model: string;
  readonly breaker: Gate['state'];
}

export interface ModelClient extends Model {
  health(): readonly ProviderHealth[];
  /** Waits for calls under way and closes the connections. */
  close(): Promise<void>;
}

/** Resolves when the tokenizer is loaded. No request is made. */
export async function createModel(options: ModelOptions, world: World = realWorld): Promise<ModelClient> {
  const limits = { ...defaultWireLimits, ...options.limits };
  const retry = { ...defaultRetry, ...options.retry };
  const gates = options.gates ?? createGates({}, world);
  const [first] = options.providers;
  const tokenizer: Tokenizer = await createTokenizer(first.model);
  const chain: readonly Link[] = options.providers.map((provider) => ({
    provider: createProvider(provider, limits, world),
    gate: gates.of(provider),
  }));
  const each = <T>(pick: (provider: ProviderOptions) => T): T[] => options.providers.map(pick);

  return {
    name: first.model,
    windowTokens: Math.min(...each((p) => p.windowTokens)),
    maxOutputTokens: Math.min(...each((p) => p.maxOutputTokens)),
    priceKnown: each((p) => p.price).every((price) => price !== undefined),
    overheadTokens: tokenizer.overheadTokens,
    countText: tokenizer.countText,
    countMessage: tokenizer.countMessage,
    countTools: tokenizer.countTools,
    costUsd: (input, output) => Math.max(...each((p) => costOf(p.price, input, output))),
    call: (request, callOptions) => callChain(chain, { tokenizer, retry, world }, request, callOptions),
    health: () =>
      chain.map(({ provider, gate }) => ({
        name: provider.options.name,
        model: provider.options.model,
        breaker: gate.state,
      })),
    close: async () => {
      await Promise.all(chain.map(({ provider }) => provider.close()));
    },
  };
}
