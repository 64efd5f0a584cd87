/** One model call over a chain of providers. */
import type { CallUsage } from '../domain/decision.js';
import { failure } from '../domain/failure.js';
import type { Assembled } from './assemble.js';
import type { Miss } from './explain.js';
import type { Gate } from './gate/gate.js';
import type { CallOptions, ModelOutcome, ModelRequest } from './model.js';
import type { Provider } from './openai.js';
import { delayBefore, type RetryOptions } from './retry.js';
import type { Tokenizer } from './tokens.js';
import { noCallUsage, ownUsage, usageOf } from './usage.js';
import type { World } from './world.js';

export interface Link {
  readonly provider: Provider;
  readonly gate: Gate;
}

interface Setting {
  readonly tokenizer: Tokenizer;
  readonly retry: RetryOptions;
  readonly world: World;
}

type Reached = {
  readonly kind: 'reached';
  readonly link: Link;
  readonly assembled: Assembled;
  readonly usage: CallUsage;
};
type Missed = { readonly kind: 'missed'; readonly link: Link; readonly miss: Miss; readonly seen: string | undefined };
/** Not let through now; nothing was sent. */
type Held = { readonly kind: 'held'; readonly link: Link; readonly why: 'shut' | 'full'; readonly waitMs: number };

const turnedAwayMs = 1_000;

/** One call, and what has been tried for it so far. */
interface Call {
  readonly setting: Setting;
  readonly request: ModelRequest;
  readonly options: CallOptions;
  readonly promptTokens: number;
  readonly started: number;
  /** Requests sent, by provider. */
  readonly tries: Map<Link, number>;
  fallbacks: number;
}

export async function callChain(
  chain: readonly Link[],
  setting: Setting,
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelOutcome> {
  const { tokenizer, world } = setting;
  const call: Call = {
    setting,
    request,
    options,
    promptTokens: request.promptTokens ?? countPrompt(request, tokenizer),
    started: world.elapsed(),
    tries: new Map(),
    fallbacks: 0,
  };
  const outcome = await reach(chain, call);
  return outcome.kind === 'reached' ? reached(outcome, call) : missed(outcome, call);
}

/**
 * In order, whoever lets the call through; a provider that fails is not asked again. When nobody lets it through, it
 * waits for the one that will be free first: for room within limits as long as it may, for a sick one a few times.
 */
async function reach(chain: readonly Link[], call: Call): Promise<Reached | Missed> {
  const { retry } = call.setting;
  const left = new Set(chain);
  let last: Missed | undefined;
  let patient: Link | undefined;
  for (let waits = 0; left.size > 0; ) {
    let soonest: Held | undefined;
    const order = patient === undefined ? [...left] : [patient, ...[...left].filter((link) => link !== patient)];
    for (const link of order) {
      const outcome = await tryProvider(link, left.size === 1, link === patient, call);
      if (outcome.kind === 'held') {
        if (soonest === undefined || outcome.waitMs < soonest.waitMs) soonest = outcome;
        continue;
      }
      if (outcome.kind === 'reached' || !outcome.miss.elsewhere) return outcome;
      left.delete(link);
      last = outcome;
      call.fallbacks += left.size > 0 ? 1 : 0;
    }
    if (soonest === undefined) continue;
    if (soonest.why === 'full') {
      // Turned away although it waited: this process is leaving, or the provider was left alone for a moment.
      if (patient === soonest.link) await patient.gate.rest(turnedAwayMs, undefined, call.options.signal);
      patient = soonest.link;
      continue;
    }
    patient = undefined;
    waits += 1;
    if (waits >= retry.lastAttempts || soonest.waitMs > retry.maxRetryAfterMs) return last ?? notAdmitted(soonest);
    await soonest.link.gate.rest(soonest.waitMs, 'free', call.options.signal);
  }
  return last ?? { kind: 'missed', link: chain[0] as Link, miss: noProvider, seen: '' };
}

/** Requests to one provider until it answers or there is no point in asking it again now. */
async function tryProvider(
  link: Link,
  isLast: boolean,
  isPatient: boolean,
  call: Call,
): Promise<Reached | Missed | Held> {
  const { request, options, promptTokens, tries } = call;
  const { retry, world } = call.setting;
  const { provider, gate } = link;
  const limit = isLast ? retry.lastAttempts : retry.attempts;
  let last: Missed | undefined;
  for (let attempt = (tries.get(link) ?? 0) + 1; attempt <= limit; attempt++) {
    if (options.signal.aborted) return { kind: 'missed', link, miss: withdrawn(link), seen: '' };
    const size = { promptTokens, maxOutputTokens: request.maxOutputTokens };
    const admission = await gate.admit(size, isPatient, options.signal);
    if (!admission.ok) {
      if (admission.why === 'never') return { kind: 'missed', link, miss: tooMuch(link), seen: '' };
      if (options.signal.aborted) return { kind: 'missed', link, miss: withdrawn(link), seen: '' };
      return last !== undefined && !isLast
        ? last
        : { kind: 'held', link, why: admission.why, waitMs: admission.waitMs };
    }
    if (options.mayBegin !== undefined && !(await options.mayBegin())) {
      admission.end({ outcome: 'withdrawn', usage: undefined, tokens: 0, retryAfterMs: undefined });
      return { kind: 'missed', link, miss: withdrawn(link), seen: '' };
    }
    tries.set(link, attempt);
    const read = await provider.attempt(request, options);
    if (read.ok) {
      const usage = usageOfReply(link, read.assembled, call);
      admission.end({ outcome: 'succeeded', usage, tokens: undefined, retryAfterMs: undefined });
      return { kind: 'reached', link, assembled: read.assembled, usage };
    }
    const { miss } = read;
    const wait = miss.failure.retryAfterSeconds;
    admission.end({
      outcome: speaksAgainst(miss) ? 'failed' : 'withdrawn',
      usage: undefined,
      tokens: miss.billed ? undefined : promptTokens,
      retryAfterMs: wait === undefined ? undefined : wait * 1000,
    });
    last = { kind: 'missed', link, miss, seen: read.seen };
    const tooLong = wait !== undefined && wait * 1000 > retry.maxRetryAfterMs;
    if (!miss.again || tooLong || attempt === limit) return last;
    const steps = isLast ? retry : { ...retry, baseMs: retry.hurriedBaseMs };
    await gate.rest(delayBefore(attempt, wait, steps, world), isLast ? undefined : 'shut', options.signal);
  }
  return last ?? { kind: 'missed', link, miss: withdrawn(link), seen: '' };
}

/** A provider that limits the rate and says for how long is not sick: everybody waits for as long as it said. */
const speaksAgainst = ({ failure: { kind, retryAfterSeconds }, ill }: Miss): boolean =>
  ill && !(kind === 'model_rate_limited' && retryAfterSeconds !== undefined);

const nothingSent = { billed: false, again: false, elsewhere: false, ill: false } as const;

const noProvider: Miss = { failure: failure('internal', 'a model needs at least one provider'), ...nothingSent };

const withdrawn = ({ provider }: Link): Miss => ({
  failure: failure('cancelled', `the call to ${provider.options.name} was cancelled before it was sent`),
  ...nothingSent,
});

const tooMuch = ({ provider }: Link): Miss => ({
  failure: failure(
    'model_rejected',
    `the call may take more tokens than ${provider.options.name} gives in a minute by the settings`,
    `Raise providers["${provider.options.name}"].tokensPerMinute, or lower model.maxOutputTokens.`,
  ),
  ...nothingSent,
  elsewhere: true,
});

function notAdmitted({ link, waitMs }: Held): Missed {
  const wait = waitMs / 1000;
  const said = failure(
    'model_failed',
    `${link.provider.options.name} is left alone for ${wait.toFixed(1)} s after repeated failures`,
    'Try again later, or set a fallback model.',
  );
  const miss = { failure: { ...said, retryAfterSeconds: wait }, ...nothingSent, elsewhere: true };
  return { kind: 'missed', link, miss, seen: '' };
}

function countPrompt(request: ModelRequest, tokenizer: Tokenizer): number {
  let count = tokenizer.overheadTokens + tokenizer.countTools(request.tools);
  for (const message of request.messages) count += tokenizer.countMessage(message);
  return count;
}

function usageOfReply({ provider }: Link, assembled: Assembled, { setting, request, promptTokens }: Call): CallUsage {
  const { windowTokens, price } = provider.options;
  const counted = { inputTokens: promptTokens, outputTokens: setting.tokenizer.countMessage(assembled.message) };
  return usageOf(assembled.usage, counted, { windowTokens, maxOutputTokens: request.maxOutputTokens }, price);
}

const attemptsOf = ({ tries }: Call): number => [...tries.values()].reduce((sum, count) => sum + count, 0);

function reached({ link, assembled, usage }: Reached, call: Call): ModelOutcome {
  const { options } = link.provider;
  return {
    ok: true,
    message: assembled.message,
    finishReason: assembled.finishReason ?? 'unknown',
    usage,
    model: assembled.model ?? options.model,
    provider: options.name,
    attempts: attemptsOf(call),
    fallbacks: call.fallbacks,
    ms: call.setting.world.elapsed() - call.started,
  };
}

const missed = (outcome: Missed, call: Call): ModelOutcome => ({
  ok: false,
  failure: outcome.miss.failure,
  usage: usageOfMiss(outcome, call),
  attempts: attemptsOf(call),
  ms: call.setting.world.elapsed() - call.started,
});

/** What a failed call cost: the prompt, and what is known to have been written; where that is unknown, the most it can be. */
function usageOfMiss({ link, miss, seen }: Missed, { setting, request, promptTokens }: Call): CallUsage {
  if (!miss.billed) return noCallUsage(promptTokens);
  const outputTokens = seen === undefined ? request.maxOutputTokens : setting.tokenizer.countText(seen);
  return ownUsage({ inputTokens: promptTokens, outputTokens }, link.provider.options.price);
}
