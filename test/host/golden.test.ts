/** Journals of released versions, kept as data: each is replayed to the state that the version itself came to. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../machines/agent.js';
import { machineVersion, migrations } from '../../machines/version.js';
import type { Bus } from '../../src/bus/contract.js';
import { ok } from '../../src/domain/failure.js';
import type { AgentId, RoleName } from '../../src/domain/id.js';
import { type JournalRecord, journalRecordSchema, type Snapshot, snapshotSchema } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import { takeSnapshot } from '../../src/host/hosted.js';
import { load } from '../../src/host/load.js';
import type { Role } from '../../src/host/role.js';
import { stepperOf } from '../../src/host/stepper.js';
import type { Migration } from '../../src/host/version.js';

interface Golden {
  readonly agentId: AgentId;
  readonly records: { seq: number; value: JournalRecord }[];
  readonly snapshot: Snapshot;
}

const folder = new URL('./golden/', import.meta.url);
const versions = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
const goldenOf = async (name: string): Promise<Golden[]> =>
  (await readFile(new URL(name, folder), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Golden);
const agents = (await Promise.all(versions.map(goldenOf))).flat();
const first = agents[0] as Golden;

/** Replays without the help of a snapshot. */
function replay({ agentId, records }: Golden, role: Partial<Role> = {}) {
  const bus = {
    buckets: { agent: { get: async () => ok(undefined) } },
    journal: { read: async () => ok(records) },
  } as unknown as Bus;
  const whole = {
    name: 'planner' as RoleName,
    machine: agentMachine,
    machineVersion,
    migrations,
    ...role,
  } as unknown as Role;
  return load(bus, agentId, whole, stepperOf(agentMachine), { role: whole.name, priority: 'normal' });
}

async function stateAfter(golden: Golden, role?: Partial<Role>) {
  const loaded = await replay(golden, role);
  if (!loaded.ok || loaded.value === 'ended') throw new Error(JSON.stringify(loaded));
  return takeSnapshot(loaded.value.hosted, true);
}

/** The journal as if every record had been written by another version, with events of another form. */
const writtenBy = (version: number, change: (event: JsonObject) => JsonObject): Golden => ({
  ...first,
  records: first.records.map(({ seq, value: record }) => ({
    seq,
    value:
      record.kind === 'step'
        ? { ...record, events: record.events.map((event) => stamped(change(event), version)) }
        : record.kind === 'epoch'
          ? { ...record, machineVersion: version }
          : record,
  })),
});
const stamped = (event: JsonObject, version: number): JsonObject =>
  event.type === 'agent.created' ? { ...event, machineVersion: version } : event;

describe('golden journals', () => {
  it('are there', () => {
    expect(versions).toContain('0.1.0.jsonl');
    const kinds = agents.flatMap(({ records }) => records.map(({ value }) => value.kind));
    expect(new Set(kinds)).toEqual(new Set(['step', 'part', 'epoch']));
  });

  it.each(agents.map((golden) => [golden.agentId, golden] as const))(
    '%s comes to the state it came to',
    async (_, golden) => {
      for (const { value } of golden.records) expect(journalRecordSchema.safeParse(value).success).toBe(true);
      const then = snapshotSchema.parse(golden.snapshot);
      const { context, value, effects, deliveries, inbox, ended } = (await stateAfter(golden)) as Snapshot;
      expect({ context, value, effects, deliveries, inbox, ended }).toEqual({
        context: then.context,
        value: then.value,
        effects: then.effects,
        deliveries: then.deliveries,
        inbox: then.inbox,
        ended: true,
      });
    },
  );
});

describe('a journal of an older version', () => {
  // A made-up version in which calls of a decision were named `actions`.
  const older = (event: JsonObject): JsonObject => {
    const { calls, ...output } = (event.output ?? {}) as JsonObject;
    return calls === undefined ? event : { ...event, output: { ...output, actions: calls } };
  };
  const migration: Migration = {
    from: 0,
    event: (event) => {
      const { actions, ...output } = (event.output ?? {}) as JsonObject;
      return actions === undefined ? event : { ...event, output: { ...output, calls: actions as Json } };
    },
  };

  it('is brought to this one, event by event, and comes to the same state', async () => {
    const old = writtenBy(0, older);
    expect(JSON.stringify(old)).toContain('"actions"');
    const now = await stateAfter(old, { migrations: [migration, ...migrations] });
    expect(now?.context).toEqual(first.snapshot.context);
  });

  it('is refused when nothing brings it there', async () => {
    expect(await replay(writtenBy(0, older))).toMatchObject({
      ok: false,
      failure: { kind: 'unsupported_version', message: expect.stringContaining('version 0') },
    });
  });
});

describe('a journal of a newer version', () => {
  it('is refused, with both versions in the words', async () => {
    expect(await replay(writtenBy(machineVersion + 1, (event) => event))).toMatchObject({
      ok: false,
      failure: { kind: 'unsupported_version', message: expect.stringContaining(`version ${machineVersion + 1}`) },
    });
  });
});
