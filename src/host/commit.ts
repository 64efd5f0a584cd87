/** Appends to an agent's journal until it is known whether the record stands or another host has the agent. */
import type { Bus } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { FailureError } from '../domain/failure.js';
import type { JournalRecord } from '../domain/journal.js';
import { canonicalJson, type Json } from '../domain/json.js';
import type { Hosted } from './hosted.js';

export interface CommitOptions {
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * True when the record stands; false when the agent is lost. While the server is away it keeps trying: nothing else may
 * happen to this agent before the record stands. Throws a `FailureError` when the record is too large: it was not stored.
 */
export async function commit(
  hosted: Hosted,
  record: JournalRecord,
  options: CommitOptions,
  isLost: () => boolean,
): Promise<boolean> {
  for (let pauseMs = 50; !isLost(); pauseMs = Math.min(2_000, pauseMs * 2)) {
    const appended = await options.bus.journal.append(hosted.agentId, record, hosted.seq);
    if (appended.ok) {
      hosted.seq = appended.value;
      return true;
    }
    if (appended.failure.kind === 'conflict') {
      const adopted = await adopt(hosted, record, options);
      if (adopted !== undefined) return adopted;
    }
    if (appended.failure.kind === 'too_large') throw new FailureError(appended.failure);
    await options.clock.sleep(pauseMs);
  }
  return false;
}

/** An append whose reply was lost meets its own record on the next try. Undefined when that cannot be told yet. */
async function adopt(hosted: Hosted, record: JournalRecord, { bus }: CommitOptions): Promise<boolean | undefined> {
  const tail = await bus.journal.read(hosted.agentId, hosted.seq);
  if (!tail.ok) return undefined;
  if (tail.value.length !== 1) return false;
  const [stored] = tail.value;
  if (stored === undefined || text(stored.value) !== text(record)) return false;
  hosted.seq = stored.seq;
  return true;
}

const text = (record: JournalRecord): string => canonicalJson(record as unknown as Json);
