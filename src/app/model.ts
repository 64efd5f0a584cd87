/** The model of the settings: where it is, what is known of it, and whom to turn to when it cannot answer. */
import type { Settings } from '../config/settings.js';
import { fail, ok, type Result } from '../domain/failure.js';
import { createModel, type ModelClient } from '../llm/create.js';
import type { Gates } from '../llm/gate/gates.js';
import { providerFrom } from '../llm/preset.js';
import type { Price } from '../llm/price.js';
import type { ProviderOptions } from '../llm/provider.js';
import { ownGates } from './providers.js';

type Environment = Readonly<Record<string, string | undefined>>;

export async function modelFrom(
  settings: Settings,
  gates: Gates = ownGates(settings),
  environment: Environment = process.env,
): Promise<Result<ModelClient>> {
  const { model } = settings;
  const first = firstProvider(model, environment);
  if (!first.ok) return first;
  const fallbacks: ProviderOptions[] = [];
  for (const name of model.fallback) {
    const next = providerFrom(
      { ...common(model, name), model: name, baseUrl: bareName(name) ? model.baseUrl : undefined },
      environment,
    );
    if (!next.ok) return next;
    fallbacks.push(next.value);
  }
  const { timeoutMs } = model;
  const limits = { firstByteMs: timeoutMs, totalMs: Math.max(timeoutMs, 600_000) };
  return ok(await createModel({ providers: [first.value, ...fallbacks], limits, gates }));
}

/** The small model of the settings; undefined when none is set. */
export async function smallModelFrom(
  { model }: Settings,
  gates: Gates,
  environment: Environment = process.env,
): Promise<Result<ModelClient | undefined>> {
  if (model.small === undefined) return ok(undefined);
  const { apiKey, baseUrl, preset, small, timeoutMs } = model;
  const where = bareName(small)
    ? { apiKey, baseUrl, model: [preset, small].filter(Boolean).join('/') }
    : { apiKey: undefined, baseUrl: undefined, model: small };
  const provider = providerFrom({ ...common(model, small), ...where }, environment);
  if (!provider.ok) return provider;
  const limits = { firstByteMs: timeoutMs, totalMs: timeoutMs };
  return ok(await createModel({ providers: [provider.value], limits, gates }));
}

/** Where the first model of the chain is. */
export function firstProvider(model: Settings['model'], environment: Environment): Result<ProviderOptions> {
  const { apiKey, baseUrl, name, preset } = model;
  if (preset === undefined && name === undefined && baseUrl === undefined) {
    return fail(
      'invalid_config',
      'no model is set',
      'set HACT_MODEL, e.g. HACT_MODEL=openai or HACT_MODEL=ollama/qwen3, or run without one: `hact demo`',
    );
  }
  const wanted = preset === undefined ? (name ?? 'default') : [preset, name].filter(Boolean).join('/');
  return providerFrom({ ...common(model, name ?? ''), model: wanted, apiKey, baseUrl }, environment);
}

const common = ({ prices, stream, windowTokens }: Settings['model'], name: string) => ({
  stream,
  windowTokens,
  price: priceOf(prices[name]),
});

const priceOf = (price: Settings['model']['prices'][string] | undefined): Price | undefined =>
  price === undefined
    ? undefined
    : { input: price.inputPerMillion, output: price.outputPerMillion, cachedInput: price.cachedInputPerMillion };

/** A name without provider or address belongs to the provider of the first model. */
const bareName = (name: string): boolean => !name.includes('/');
