/** Everything that is expected to go wrong, as values. One union; whether a retry can help is a function of the kind. */
import { z } from 'zod';

export const failureKinds = [
  // callers and configuration
  'invalid_request',
  'invalid_config',
  'not_found',
  'conflict',
  'too_large',
  // nobody serves the queue that was named
  'unknown_queue',
  // a tenant has as much as it may have
  'quota_exceeded',
  // infrastructure
  'bus_unreachable',
  'storage_refused',
  // what was stored is gone from the store, or cannot be read any more
  'damaged',
  // written by a version that this one does not know; a newer process can go on
  'unsupported_version',
  'model_unreachable',
  'model_unauthorised',
  // model
  'model_rate_limited',
  'model_failed',
  'model_interrupted',
  'model_rejected',
  'reply_unreadable',
  // tools
  'unknown_tool',
  'invalid_arguments',
  'not_permitted',
  'denied',
  'tool_failed',
  'tool_timeout',
  'tool_unavailable',
  'not_serialisable',
  'outcome_unknown',
  // agents
  'budget_exhausted',
  'deadline_passed',
  'cancelled',
  'parent_gone',
  'no_progress',
  'depth_exceeded',
  'fan_out_exceeded',
  'circular',
  'repair_exhausted',
  'invalid_result',
  'poisoned',
  'internal',
] as const;

export const failureSchema = z.object({
  kind: z.enum(failureKinds),
  /** What was expected, what was met, which id. */
  message: z.string(),
  /** What to do next. */
  hint: z.string().optional(),
  /** Seconds the other side asked us to wait, when it did. */
  retryAfterSeconds: z.number().nonnegative().optional(),
});

export type FailureKind = (typeof failureKinds)[number];
export type Failure = z.infer<typeof failureSchema>;

const retryableKinds: ReadonlySet<FailureKind> = new Set([
  'bus_unreachable',
  'storage_refused',
  'unsupported_version',
  'quota_exceeded',
  'model_unreachable',
  'model_rate_limited',
  'model_failed',
  'model_interrupted',
  'tool_failed',
  'tool_timeout',
  'tool_unavailable',
]);

/** True when doing the same again later may succeed. */
export const isRetryable = (failure: Failure): boolean => retryableKinds.has(failure.kind);

export function failure(kind: FailureKind, message: string, hint?: string): Failure {
  return hint === undefined ? { kind, message } : { kind, message, hint };
}

/** The outcome of something that may fail in an expected way. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (kind: FailureKind, message: string, hint?: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: failure(kind, message, hint),
});

/** A failure on its way through code that can only throw (streams, callbacks). Catch it at the nearest port and turn it back into a value. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'FailureError';
    this.failure = failure;
  }
}
