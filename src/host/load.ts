/**
 * Brings an agent back: snapshot, journal, and what was under way when its last host let go. An agent that has ended, by
 * itself or laid aside, is not brought back.
 */
import type { Bus, Stored } from '../bus/contract.js';
import { fail, ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { type JournalRecord, type Snapshot, snapshotSchema } from '../domain/journal.js';
import type { Lane } from '../domain/lane.js';
import { type Hosted, newHosted, rememberStep, replayStep } from './hosted.js';
import type { Role } from './role.js';
import type { Stepper } from './stepper.js';
import { migrating, versionOf } from './version.js';

export interface Loaded {
  readonly hosted: Hosted;
  /** Hosts that died over the agent's open effect, or since it last made a step or was handed over in good order. */
  readonly vainAttempts: number;
  /** Effects of the last step may have been started and were not finished. */
  readonly inDoubt: boolean;
  /** The journal belongs to an older version of the statechart: what is added to it must say that it does not. */
  readonly isOlder: boolean;
}

export async function load(
  bus: Bus,
  agentId: AgentId,
  role: Role,
  stepper: Stepper,
  lane: Lane,
): Promise<Result<Loaded | 'ended'>> {
  const [stored, records] = await Promise.all([bus.buckets.agent.get(agentId), bus.journal.read(agentId, 0)]);
  if (!stored.ok) return stored;
  const known = snapshotSchema.safeParse(stored.value?.value);
  if (known.success && known.data.ended) return ok('ended');
  if (!records.ok) return records;
  const hosted = newHosted(agentId, role, stepper, lane);
  const last = records.value.at(-1)?.seq ?? 0;
  if (known.success && known.data.seq > last) {
    // A snapshot is stored after the records that it includes; but a zombie may have added to both while we read.
    const later = await bus.journal.read(agentId, last);
    if (!later.ok) return later;
    if (later.value.length > 0) return load(bus, agentId, role, stepper, lane);
    return fail(
      'damaged',
      `the journal of ${agentId} ends at record ${last}, and its snapshot includes record ${known.data.seq}`,
      'the store has lost records',
    );
  }
  // A snapshot that cannot be used costs only time: everything in it can be had from the journal.
  const snapshot = known.success && known.data.machineVersion === role.machineVersion ? known.data : undefined;
  let vainAttempts = 0;
  /** The last host has not let go in good order: it may have begun what is open. */
  let mayHaveDied = false;
  const noteDeath = (): void => {
    vainAttempts += 1;
    for (const effect of hosted.open.values()) effect.attempts += 1;
  };
  const migrate = migrating(agentId, role);
  for (const { seq, value } of records.value) {
    const migrated = migrate(value);
    if (!migrated.ok) return migrated;
    const record = migrated.value;
    hosted.seq = seq;
    if (record.kind === 'epoch' && mayHaveDied) noteDeath();
    if (record.kind === 'step' || record.kind === 'released') vainAttempts = 0;
    take(hosted, record, snapshot, seq);
    if (record.kind !== 'part')
      mayHaveDied = record.kind === 'epoch' || (record.kind === 'step' && hosted.open.size > 0);
  }
  if (mayHaveDied) noteDeath();
  // The step by which each host takes note of its predecessor's death is no progress: the open effect is still the same.
  for (const { attempts } of hosted.open.values()) vainAttempts = Math.max(vainAttempts, attempts);
  const version = versionOf(records.value.map(({ value }) => value));
  const isOlder = version !== undefined && version !== role.machineVersion;
  return ok({ hosted, vainAttempts, inDoubt: mayHaveDied && hosted.open.size > 0, isOlder });
}

function take(
  hosted: Hosted,
  record: JournalRecord,
  snapshot: Snapshot | undefined,
  seq: Stored<unknown>['seq'],
): void {
  hosted.epoch = record.epoch;
  if (record.kind === 'part') {
    const effect = [...hosted.open.values()].find(({ intent }) => intent.id === record.effectId);
    effect?.parts.set(record.part, { state: record.state, outcome: record.outcome });
  }
  if (record.kind === 'step' && snapshot !== undefined && seq <= snapshot.seq) {
    rememberStep(hosted, record);
  } else if (record.kind === 'step') {
    replayStep(hosted, record);
  }
  if (seq === snapshot?.seq) restore(hosted, snapshot);
}

function restore(hosted: Hosted, snapshot: Snapshot): void {
  hosted.snapshot = hosted.stepper.restore(snapshot.value, snapshot.context);
  hosted.effects = snapshot.effects;
  hosted.deliveries = snapshot.deliveries;
  hosted.inbox = Math.max(hosted.inbox, snapshot.inbox);
  // A snapshot is stored when an agent rests, and it rests only when everything is sent.
  hosted.sent.push(...hosted.unsent.keys());
  hosted.unsent.clear();
}
