/** What tokens cost: a dated table of list prices, to be overridden by configuration. */

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens that the provider served from its cache; the input price when absent. */
  readonly cachedInput?: number;
}

/**
 * By model name, as of 2025-08-31, checked by hand. Prices change: set a price in the configuration for certainty. The
 * longest name that the asked model begins with counts, so that dated versions are found.
 */
const listPrices: Readonly<Record<string, Price>> = {
  'gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  o3: { input: 2, output: 8, cachedInput: 0.5 },
  'o3-mini': { input: 1.1, output: 4.4, cachedInput: 0.55 },
  'o4-mini': { input: 1.1, output: 4.4, cachedInput: 0.275 },
  'claude-opus-4': { input: 15, output: 75, cachedInput: 1.5 },
  'claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-3-7-sonnet': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cachedInput: 0.08 },
  'deepseek-chat': { input: 0.27, output: 1.1, cachedInput: 0.07 },
  'deepseek-reasoner': { input: 0.55, output: 2.19, cachedInput: 0.14 },
};

/** The scripted model and models on one's own machine. */
export const free: Price = { input: 0, output: 0 };

/** After the listed name may come only a version: `gpt-4o-2024-08-06`, `claude-sonnet-4-20250514`, `gpt-4o-latest`. */
const versionTail = /^(?:[-@:](?:\d[\d.-]*|latest|preview))*$/;

/** The list price of a model, or undefined when the table does not know it. A vendor prefix (`openai/…`) is ignored. */
export function listPrice(model: string): Price | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const known = Object.keys(listPrices).filter(
    (key) => name.startsWith(key) && versionTail.test(name.slice(key.length)),
  );
  const longest = known.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : listPrices[longest];
}

/** Dollars for one call. `cachedInputTokens` are a part of `inputTokens`. */
export function costOf(
  price: Price | undefined,
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens = 0,
): number {
  if (price === undefined) return 0;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + outputTokens * price.output) / 1e6;
}
