/** Holds a history against every invariant. */
import { approvalBinds } from './approval.js';
import { budgetHolds } from './budget.js';
import { callsRunOnce, finishedCallsStay, keysStay, okIsTrue, subtasksRunOnce } from './calls.js';
import { journalIsWhole, staleOwnersWriteNothing } from './journal.js';
import { cancelledStops, everythingEnds, nobodyIsOrphaned, nothingIsLeft, reportsArrive } from './liveness.js';
import type { Read } from './read.js';
import { oneResult, oneTaskPerKey } from './result.js';
import { usageAddsUp } from './usage.js';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
}

type Invariant = (history: Read) => Iterable<string>;

/** By their numbers in the list of faults, each with a name of its own. */
export const invariants: Readonly<Record<string, Invariant>> = {
  'I1 one result': oneResult,
  'I2 one task per key': oneTaskPerKey,
  'I2 one agent per subtask': subtasksRunOnce,
  'I3 unsafe at most once': callsRunOnce,
  'I3 a finished call stays finished': finishedCallsStay,
  'I4 ok is true': okIsTrue,
  'I4 the same key': keysStay,
  'I5 budget': budgetHolds,
  'I5 usage adds up': usageAddsUp,
  'I6 stale owners': staleOwnersWriteNothing,
  'I7 no orphans': function* (history) {
    yield* nobodyIsOrphaned(history);
    yield* cancelledStops(history);
  },
  'I1 no report is lost': reportsArrive,
  'I8 everything ends': everythingEnds,
  'I8 nothing is left': nothingIsLeft,
  'I10 whole journals': journalIsWhole,
  'I13 approval binds': approvalBinds,
  'no bugs': function* (history) {
    for (const { where, error } of history.of('bug')) yield `${String(where)}: ${String(error)}`;
  },
};

export function check(history: Read): Violation[] {
  return Object.entries(invariants).flatMap(([invariant, broken]) =>
    [...broken(history)].map((says) => ({ invariant, says })),
  );
}
