/** What the journals of a tree say about decisions and calls. */
import type { Observation } from '../../../src/domain/call.js';
import type { Decision } from '../../../src/domain/decision.js';
import type { JournalRecord } from '../../../src/domain/journal.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Report } from '../../../src/domain/report.js';

export interface CallSeen {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly status: 'ok' | 'error' | 'rejected' | 'invalid_arguments' | 'unknown' | 'pending';
  readonly attempts: number;
  readonly approved_by?: string;
  /** Role of the agent. */
  readonly agent: string;
  readonly refusal?: string;
}

const eventsIn = (records: readonly JournalRecord[]): JsonObject[] =>
  records.flatMap((record) => (record.kind === 'step' ? record.events : []));

export const decisionsIn = (records: readonly JournalRecord[]): Decision[] =>
  eventsIn(records)
    .filter(({ type }) => type === 'xstate.done.actor.decide' || type === 'xstate.done.actor.grace')
    .map(({ output }) => output as unknown as Decision);

export const callsSeen = (journals: ReadonlyMap<string, readonly JournalRecord[]>): CallSeen[] =>
  [...journals.values()].flatMap(callsOf);

function callsOf(records: readonly JournalRecord[]): CallSeen[] {
  const events = eventsIn(records);
  const order = events.find(({ type }) => type === 'agent.created')?.order as { role?: string } | undefined;
  const observations = events
    .filter(({ type }) => type === 'xstate.done.actor.callTools')
    .flatMap(({ output }) => (output as unknown as { observations: Observation[] }).observations);
  const reports = events
    .filter(({ type }) => type === 'child.reported')
    .map(({ report }) => report as unknown as Report);
  const denied = new Set(
    events.filter(({ type, allow }) => type === 'human.decided' && allow === false).map(({ approvalId }) => approvalId),
  );
  let child = 0;
  return decisionsIn(records).flatMap((decision) =>
    decision.kind !== 'calls'
      ? []
      : decision.calls.map((call): CallSeen => {
          const base = { name: call.name, arguments: call.arguments, attempts: 1, agent: order?.role ?? '' };
          if (call.action.route === 'refused') {
            const { kind } = call.action.failure;
            return { ...base, status: kind === 'invalid_arguments' ? kind : 'error', refusal: kind };
          }
          if (call.action.route === 'delegate') {
            const report = reports.find(({ agentId }) => agentId.endsWith(`-${child + 1}`));
            child += 1;
            return { ...base, status: report === undefined ? 'pending' : report.status === 'done' ? 'ok' : 'error' };
          }
          if (denied.has(call.requestId)) return { ...base, status: 'rejected' };
          const seen = observations.find(({ callId }) => callId === call.callId);
          if (seen === undefined) return { ...base, status: 'pending' };
          return {
            ...base,
            status: seen.status,
            attempts: seen.attempts,
            ...(seen.approvedBy ? { approved_by: seen.approvedBy } : {}),
          };
        }),
  );
}
