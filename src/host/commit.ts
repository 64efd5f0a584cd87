/** Appends to an agent's journal until it is known whether the record stands or another host has the agent. */
import type { Bus, Stored } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import { FailureError, failure } from '../domain/failure.js';
import type { JournalRecord } from '../domain/journal.js';
import { canonicalJson, type Json } from '../domain/json.js';
import type { Hosted } from './hosted.js';

export interface CommitOptions {
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * True when the record stands; false when the agent is lost. While the server is away it keeps trying: nothing else may
 * happen to this agent before the record stands. Throws a `FailureError` when the record is too large (it was not stored),
 * and when the journal has lost records.
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
      hosted.provenAt = options.clock.elapsed();
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

/**
 * An append whose reply was lost meets its own record on the next try. Undefined when that cannot be told yet. Throws
 * `damaged` when the journal ends before a record of ours that the server had stored: it must not grow again from there,
 * since what that record says was done would be done again.
 */
async function adopt(
  hosted: Hosted,
  record: JournalRecord,
  { bus, clock }: CommitOptions,
): Promise<boolean | undefined> {
  const tail = await readAfter(hosted.seq, hosted, bus);
  if (tail === undefined) return undefined;
  if (tail.length === 0) {
    const all = await readAfter(0, hosted, bus);
    if (all !== undefined && (all.at(-1)?.seq ?? 0) < hosted.seq) throw new FailureError(shortened(hosted));
    return all === undefined ? undefined : false;
  }
  const [stored] = tail;
  if (tail.length > 1 || stored === undefined || text(stored.value) !== text(record)) return false;
  hosted.seq = stored.seq;
  hosted.provenAt = clock.elapsed();
  return true;
}

async function readAfter(seq: number, { agentId }: Hosted, bus: Bus): Promise<Stored<JournalRecord>[] | undefined> {
  const read = await bus.journal.read(agentId, seq);
  if (read.ok) return read.value;
  if (read.failure.kind === 'damaged') throw new FailureError(read.failure);
  return undefined;
}

const shortened = ({ agentId, seq }: Hosted) =>
  failure('damaged', `the journal of ${agentId} ends before record ${seq}, which was stored`, 'the store has lost it');

const text = (record: JournalRecord): string => canonicalJson(record as unknown as Json);
