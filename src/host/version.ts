/**
 * Journals of other versions of a role's statechart. A record belongs to the version of the host that wrote it: that of
 * the agent's creation, and from each takeover on that of the new host. Events of older versions are brought to the
 * present one, step by step, before they are replayed; a journal of a newer version is refused and left alone.
 */
import { fail, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { JournalRecord } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';

/** How an event that version `from` recorded reads in version `from + 1`. Pure. */
export interface Migration {
  readonly from: number;
  readonly event: (event: JsonObject) => JsonObject;
}

export interface Versioned {
  readonly machineVersion: number;
  /** One for each older version whose journals still exist. */
  readonly migrations?: readonly Migration[];
}

/** Journals that do not say were written by the first version. */
const firstVersion = 1;

/** Gives each record of one journal, in order, as the present version would have written it. */
export function migrating(agentId: AgentId, role: Versioned): (record: JournalRecord) => Result<JournalRecord> {
  let version = firstVersion;
  return (record) => {
    const told = toldBy(record);
    if (told !== undefined) version = told;
    if (version > role.machineVersion) return newer(agentId, version, role.machineVersion);
    if (record.kind !== 'step' || version === role.machineVersion) return ok(record);
    let { events } = record;
    for (let from = version; from < role.machineVersion; from += 1) {
      const migration = role.migrations?.find((one) => one.from === from);
      if (migration === undefined) {
        return fail(
          'unsupported_version',
          `the journal of ${agentId} is of statechart version ${from}, and nothing brings it to ${from + 1}`,
          'let a worker of that version finish the task',
        );
      }
      events = events.map(migration.event);
    }
    return ok({ ...record, events });
  };
}

/** The version that the last record of a journal belongs to; undefined for an empty journal. */
export const versionOf = (records: readonly JournalRecord[]): number | undefined =>
  records.length === 0 ? undefined : (records.map(toldBy).findLast((told) => told !== undefined) ?? firstVersion);

function toldBy(record: JournalRecord): number | undefined {
  if (record.kind === 'epoch') return record.machineVersion;
  const created = record.kind === 'step' ? record.events.find(({ type }) => type === 'agent.created') : undefined;
  return typeof created?.machineVersion === 'number' ? created.machineVersion : undefined;
}

const newer = (agentId: AgentId, met: number, known: number) =>
  fail(
    'unsupported_version',
    `the journal of ${agentId} is of statechart version ${met}, and this worker knows up to ${known}`,
    'update this worker; newer ones go on with the agent',
  );
