/** One model call over a chain of providers. */
import { failure } from '../domain/failure.js';
import type { Assembled } from './assemble.js';
import type { Breaker } from './breaker.js';
import type { Miss } from './explain.js';
import type { CallOptions, ModelOutcome, ModelRequest } from './model.js';
import type { Provider } from './openai.js';
import { delayBefore, type RetryOptions } from './retry.js';
import type { Tokenizer } from './tokens.js';
import { noCallUsage, ownUsage, usageOf } from './usage.js';
import type { World } from './world.js';

export interface Link {
  readonly provider: Provider;
  readonly breaker: Breaker;
}

interface Setting {
  readonly tokenizer: Tokenizer;
  readonly retry: RetryOptions;
  readonly world: World;
}

type Reached = { readonly ok: true; readonly link: Link; readonly assembled: Assembled };
type Missed = { readonly ok: false; readonly link: Link; readonly miss: Miss; readonly seen: string | undefined };

export async function callChain(
  chain: readonly Link[],
  setting: Setting,
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelOutcome> {
  const { tokenizer, world } = setting;
  const started = world.elapsed();
  const promptTokens = request.promptTokens ?? countPrompt(request, tokenizer);
  let attempts = 0;
  let fallbacks = 0;
  let last: Missed | undefined;
  for (const [i, link] of chain.entries()) {
    const isLast = i === chain.length - 1;
    // Passed over while its breaker is open; the last one is waited for.
    if (!isLast && link.breaker.waitMs() > 0) continue;
    if (last !== undefined) fallbacks += 1;
    const outcome = await tryProvider(link, isLast, setting, request, options, () => {
      attempts += 1;
    });
    if (outcome.ok) return reached(outcome, { setting, request, promptTokens, attempts, fallbacks, started });
    last = outcome;
    if (!outcome.miss.elsewhere) break;
  }
  const ms = world.elapsed() - started;
  if (last === undefined) {
    return {
      ok: false,
      failure: failure('internal', 'a model needs at least one provider'),
      usage: noCallUsage(promptTokens),
      attempts,
      ms,
    };
  }
  return {
    ok: false,
    failure: last.miss.failure,
    usage: usageOfMiss(last, promptTokens, request, tokenizer),
    attempts,
    ms,
  };
}

/** Requests to one provider until it answers or there is no point in asking it again. */
async function tryProvider(
  link: Link,
  isLast: boolean,
  { retry, world }: Setting,
  request: ModelRequest,
  options: CallOptions,
  onAttempt: () => void,
): Promise<Reached | Missed> {
  const { provider, breaker } = link;
  const limit = isLast ? retry.lastAttempts : retry.attempts;
  let last: Missed | undefined;
  for (let attempt = 1; attempt <= limit; attempt++) {
    if (options.signal.aborted) return { ok: false, link, miss: withdrawn(link), seen: '' };
    if (!breaker.admit()) {
      if (!isLast) break;
      await world.sleep(breaker.waitMs(), options.signal);
      continue;
    }
    onAttempt();
    const read = await provider.attempt(request, options);
    if (read.ok) {
      breaker.succeeded();
      return { ok: true, link, assembled: read.assembled };
    }
    if (read.miss.ill) breaker.failed();
    else breaker.withdrawn();
    last = { ok: false, link, miss: read.miss, seen: read.seen };
    const wait = read.miss.failure.retryAfterSeconds;
    const tooLong = wait !== undefined && wait * 1000 > retry.maxRetryAfterMs;
    if (!read.miss.again || tooLong || attempt === limit) return last;
    await world.sleep(delayBefore(attempt, wait, retry, world), options.signal);
  }
  return last ?? { ok: false, link, miss: notAdmitted(link), seen: '' };
}

const nothingSent = { billed: false, again: false, elsewhere: false, ill: false } as const;

const withdrawn = ({ provider }: Link): Miss => ({
  failure: failure('cancelled', `the call to ${provider.options.name} was cancelled before it was sent`),
  ...nothingSent,
});

function notAdmitted({ provider, breaker }: Link): Miss {
  const wait = breaker.waitMs() / 1000;
  const { name } = provider.options;
  const said = failure(
    'model_failed',
    `${name} is left alone for ${wait.toFixed(1)} s after repeated failures`,
    'Try again later, or set a fallback model.',
  );
  return { failure: { ...said, retryAfterSeconds: wait }, ...nothingSent, elsewhere: true };
}

function countPrompt(request: ModelRequest, tokenizer: Tokenizer): number {
  let count = tokenizer.overheadTokens + tokenizer.countTools(request.tools);
  for (const message of request.messages) count += tokenizer.countMessage(message);
  return count;
}

interface Call {
  readonly setting: Setting;
  readonly request: ModelRequest;
  readonly promptTokens: number;
  readonly attempts: number;
  readonly fallbacks: number;
  readonly started: number;
}

function reached({ link, assembled }: Reached, call: Call): ModelOutcome {
  const { options } = link.provider;
  const { tokenizer, world } = call.setting;
  const counted = { inputTokens: call.promptTokens, outputTokens: tokenizer.countMessage(assembled.message) };
  const bounds = { windowTokens: options.windowTokens, maxOutputTokens: call.request.maxOutputTokens };
  return {
    ok: true,
    message: assembled.message,
    finishReason: assembled.finishReason ?? 'unknown',
    usage: usageOf(assembled.usage, counted, bounds, options.price),
    model: assembled.model ?? options.model,
    provider: options.name,
    attempts: call.attempts,
    fallbacks: call.fallbacks,
    ms: world.elapsed() - call.started,
  };
}

/** What a failed call cost: the prompt, and what is known to have been written; where that is unknown, the most it can be. */
function usageOfMiss(missed: Missed, promptTokens: number, request: ModelRequest, tokenizer: Tokenizer) {
  if (!missed.miss.billed) return noCallUsage(promptTokens);
  const outputTokens = missed.seen === undefined ? request.maxOutputTokens : tokenizer.countText(missed.seen);
  return ownUsage({ inputTokens: promptTokens, outputTokens }, missed.link.provider.options.price);
}
