/** Carries out one call of a tool: cache, breaker, timeout, retries, and one shape for whatever comes of it. Never throws. */
import type { Observation, PlannedCall } from '../domain/call.js';
import type { Clock } from '../domain/clock.js';
import { mayRetry } from '../domain/effect.js';
import { type Failure, failure, isRetryable, type Result } from '../domain/failure.js';
import { canonicalJson, type Json, type JsonObject } from '../domain/json.js';
import { type Attempt, attempt } from './attempt.js';
import type { Breakers } from './breaker.js';
import type { ResultCache } from './cache.js';
import { cutTo, fullText, isTooLong } from './cut.js';
import { toJson } from './serialise.js';
import type { Tool, ToolContext } from './tool.js';

/** What lives as long as the process. */
export interface DispatchServices {
  readonly timing: Clock;
  /** 0 (inclusive) to 1 (exclusive). */
  random(): number;
  readonly cache?: ResultCache;
  readonly breakers?: Breakers;
  /** Keeps what was cut off (as UTF-8) and returns its name. */
  putBlob?(bytes: Uint8Array): Promise<Result<string>>;
  /** For the log: late results, artifacts that could not be kept. */
  warn?(message: string, details: JsonObject): void;
}

export interface DispatchOptions extends DispatchServices {
  /** Aborts when the agent is cancelled or its deadline passes. */
  readonly signal: AbortSignal;
  readonly taskId: string;
  readonly agentId: string;
  readonly roots: readonly string[];
  /** Asked before each attempt; false: it must not begin. */
  mayBegin?(): Promise<boolean>;
  /** Default: agent and call, which is the same for every attempt of the call. */
  readonly idempotencyKey?: string;
  progress?(text: string): void;
}

/** The first wait; doubles with each retry. */
const firstWaitMs = 250;
const longestWaitMs = 5000;
/** Longest text that is kept as an artifact. */
const artifactChars = 64_000_000;

export async function runCall(call: PlannedCall, tool: Tool, options: DispatchOptions): Promise<Observation> {
  const { behaviour, declaration } = tool;
  if (behaviour.route !== 'tool') {
    return errorObservation(
      call,
      failure('internal', `${call.name} is not run as a tool: its route is ${behaviour.route}`),
    );
  }
  const readOnly = declaration.effect === 'pure' || declaration.effect === 'read';
  const key = readOnly ? `${call.name}\n${options.roots.join('\n')}\n${canonicalJson(call.arguments)}` : undefined;
  if (key === undefined) options.cache?.forget(options.taskId);
  const known = key === undefined ? undefined : options.cache?.get(options.taskId, key);
  if (known !== undefined) return { ...known, callId: call.callId, cached: true, attempts: 0, ms: 0 };

  const generation = options.cache?.generation(options.taskId) ?? 0;
  const began = options.timing.elapsed();
  const { last, attempts } = await withRetries(call, tool, options);
  const ms = Math.max(0, options.timing.elapsed() - began);
  if (key === undefined) options.cache?.forget(options.taskId);
  if (last.kind !== 'value') return { ...failedObservation(call, tool, last), attempts, ms };
  const observation = await valueObservation(call, tool, last.value, options);
  const whole = { ...observation, attempts, ms };
  if (key !== undefined && whole.status === 'ok') options.cache?.put(options.taskId, key, whole, generation);
  return whole;
}

async function withRetries(
  call: PlannedCall,
  tool: Tool,
  options: DispatchOptions,
): Promise<{ last: Attempt; attempts: number }> {
  const most = 1 + (mayRetry(tool.declaration.effect) ? tool.retries : 0);
  const context = contextOf(call, options);
  for (let attempts = 1; ; attempts += 1) {
    const refused = options.breakers?.refuse(call.name);
    if (refused !== undefined) {
      return { last: { kind: 'failed', failure: refused, retryable: true }, attempts: attempts - 1 };
    }
    if (options.mayBegin !== undefined && !(await options.mayBegin()))
      return { last: { kind: 'cancelled', begun: false }, attempts: attempts - 1 };
    const last = await attempt(tool, call.arguments, context, options);
    if (last.kind !== 'cancelled') options.breakers?.record(call.name, !countsAsBroken(last));
    const retryable = last.kind === 'timeout' || (last.kind === 'failed' && last.retryable);
    if (!retryable || attempts >= most) return { last, attempts };
    await options.timing.sleep(waitMs(attempts, last, options.random()), options.signal);
    if (options.signal.aborted) return { last: { kind: 'cancelled', begun: false }, attempts };
  }
}

/** A tool is broken when it times out or fails in a way that has nothing to do with what was asked of it. */
const countsAsBroken = (last: Attempt): boolean =>
  last.kind === 'timeout' || (last.kind === 'failed' && isRetryable(last.failure));

function waitMs(attempts: number, last: Attempt, random: number): number {
  const asked = last.kind === 'failed' ? (last.failure.retryAfterSeconds ?? 0) * 1000 : 0;
  const backoff = firstWaitMs * 2 ** (attempts - 1) * (0.5 + random / 2);
  return Math.min(longestWaitMs, Math.max(asked, backoff));
}

function contextOf(call: PlannedCall, options: DispatchOptions): Omit<ToolContext, 'signal' | 'progress'> {
  return {
    idempotencyKey: options.idempotencyKey ?? `${options.agentId}.${call.callId}`,
    taskId: options.taskId,
    agentId: options.agentId,
    callId: call.callId,
    roots: options.roots,
    now: () => options.timing.now(),
  };
}

async function valueObservation(
  call: PlannedCall,
  tool: Tool,
  value: unknown,
  options: DispatchOptions,
): Promise<Observation> {
  const json = toJson(value);
  if (!json.ok) return errorObservation(call, json.failure);
  const base = {
    callId: call.callId,
    name: call.name,
    attempts: 1,
    cached: false,
    ms: 0,
    tokens: 0,
    critical: tool.critical,
  };
  if (!isTooLong(json.value, tool.limit)) return { ...base, status: 'ok', data: json.value };
  const artifact = await keep(call, json.value, options);
  const data = cutTo(json.value, tool.limit, { rest: tool.rest, artifact });
  return { ...base, status: 'ok', data, ...(artifact === undefined ? {} : { artifact }) };
}

async function keep(call: PlannedCall, data: Json, options: DispatchOptions): Promise<string | undefined> {
  const text = fullText(data, artifactChars);
  const skip = (why: string): undefined => {
    options.warn?.('the full result was not kept', { callId: call.callId, tool: call.name, why });
    return undefined;
  };
  if (options.putBlob === undefined) return undefined;
  if (text === undefined) return skip('it is too long');
  try {
    const stored = await options.putBlob(new TextEncoder().encode(text));
    return stored.ok ? stored.value : skip(stored.failure.message);
  } catch (error) {
    return skip(String(error));
  }
}

function failedObservation(call: PlannedCall, tool: Tool, last: Exclude<Attempt, { kind: 'value' }>): Observation {
  if (last.kind === 'failed') return errorObservation(call, last.failure, { retryable: last.retryable });
  const what =
    last.kind === 'timeout'
      ? failure(
          'tool_timeout',
          `${call.name} did not answer within ${tool.timeoutMs / 1000} s and was stopped`,
          'try again later, ask for less, or go on without it',
        )
      : failure('cancelled', `${call.name} was stopped because the agent was cancelled or its time is over`);
  const begun = last.kind === 'timeout' || last.begun;
  if (tool.declaration.effect !== 'unsafe' || !begun) return errorObservation(call, what);
  const unknown = failure(
    'outcome_unknown',
    `${what.message}; whether it took effect is not known`,
    'look whether it took effect before calling it again',
  );
  return { ...errorObservation(call, unknown), status: 'unknown' };
}

/** The observation of a call that did not run or did not work. */
export function errorObservation(
  call: Pick<PlannedCall, 'callId' | 'name'>,
  what: Failure,
  more: { readonly retryable?: boolean } = {},
): Observation {
  return {
    callId: call.callId,
    name: call.name,
    status: 'error',
    data: null,
    error: { ...what, retryable: more.retryable ?? isRetryable(what) },
    attempts: 0,
    cached: false,
    ms: 0,
    tokens: 0,
    critical: false,
  };
}
