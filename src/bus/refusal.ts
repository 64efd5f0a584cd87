/** What a JetStream error means to callers. */
import { z } from 'zod';
import { type Failure, failure } from '../domain/failure.js';

export const apiErrorSchema = z.object({
  code: z.number(),
  err_code: z.number().optional(),
  description: z.string().optional(),
});
export type ApiError = z.infer<typeof apiErrorSchema>;

/** Codes of nats-server's `errors.json` that we act upon. */
export const errorCodes = {
  wrongLastSequence: 10071,
  /** The same, of a replicated stream, when another message of the subject is under way. */
  wrongLastSequenceUnderway: 10164,
  messageTooLarge: 10054,
  streamNotFound: 10059,
  streamNameInUse: 10058,
  subjectsOverlap: 10065,
  consumerNotFound: 10014,
  messageNotFound: 10037,
  sequenceNotFound: 10043,
} as const;

export function refusalOf(error: ApiError, what: string): Failure {
  const text = error.description ?? `code ${error.code}`;
  switch (error.err_code) {
    case errorCodes.wrongLastSequence:
    case errorCodes.wrongLastSequenceUnderway:
      return failure('conflict', `${what} was changed by somebody else (${text})`);
    case errorCodes.messageTooLarge:
      return failure('too_large', `${what} is larger than its stream takes (${text})`, 'store it as a blob');
    default:
      return failure(
        'storage_refused',
        `the server refused to store ${what}: ${text}`,
        'look at its disk space and limits',
      );
  }
}

export const unreachable = (what: string, patienceMs: number): Failure =>
  failure(
    'bus_unreachable',
    `no answer from NATS about ${what} within ${patienceMs} ms`,
    'check that the server runs and NATS_URL is right',
  );

export const notPermitted = (subject: string): Failure =>
  failure('not_permitted', `this NATS user may not publish to ${subject}`, 'look at the permissions of its account');
