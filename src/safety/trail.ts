/**
 * How agents at work reach the audit log. Nothing here blocks or throws: an agent does not wait for the log, and what
 * cannot be written is told to `onFailure`.
 */
import type { Failure, Result } from '../domain/failure.js';
import type { Act, Audit } from './audit.js';
import { createRedactor, type Redactor, type RedactorOptions } from './redact.js';

export interface Trail {
  /** Whether there is a log at all: without one, nothing need be gathered for it. */
  readonly kept: boolean;
  /** A redactor for what is said of a task; what it takes out goes into the log. */
  redactorFor(taskId: string): Redactor;
  acted(act: Act): void;
}

export const noTrail = (redactor: Redactor): Trail => ({
  kept: false,
  redactorFor: () => redactor,
  acted: () => undefined,
});

/** Originals that are known to be in the log; the oldest are forgotten, and kept again when they come again. */
const mostRemembered = 10_000;

export function trailOver(audit: Audit, redaction: RedactorOptions, onFailure: (failure: Failure) => void): Trail {
  const remembered = new Set<string>();
  const told = (written: Promise<Result<number>>): void =>
    void written.then((outcome) => {
      if (!outcome.ok) onFailure(outcome.failure);
    });
  const keep = (taskId: string, what: string, value: string): void => {
    const key = `${taskId}\n${what}\n${value}`;
    if (remembered.has(key)) return;
    remembered.add(key);
    const [oldest] = remembered;
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    told(audit.keep({ taskId, what, value }));
  };
  return {
    kept: true,
    redactorFor: (taskId) => createRedactor({ ...redaction, onFound: ({ kind, value }) => keep(taskId, kind, value) }),
    acted: (act) => told(audit.acted(act)),
  };
}
