/** Brings an agent back: snapshot, journal, and what was under way when its last host let go. */
import type { Bus, Stored } from '../bus/contract.js';
import { ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import { type JournalRecord, type Snapshot, snapshotSchema } from '../domain/journal.js';
import type { Priority } from '../domain/task.js';
import { type Hosted, newHosted, rememberStep, replayStep } from './hosted.js';
import type { Role } from './role.js';
import type { Stepper } from './stepper.js';

export interface Loaded {
  readonly hosted: Hosted;
  /** Hosts that died over the agent's open effect, or since it last made a step or was handed over in good order. */
  readonly vainAttempts: number;
  /** Effects of the last step may have been started and were not finished. */
  readonly inDoubt: boolean;
}

export async function load(
  bus: Bus,
  agentId: AgentId,
  role: Role,
  stepper: Stepper,
  priority: Priority,
): Promise<Result<Loaded>> {
  const [stored, records] = await Promise.all([bus.buckets.agent.get(agentId), bus.journal.read(agentId, 0)]);
  if (!records.ok) return records;
  if (!stored.ok) return stored;
  const hosted = newHosted(agentId, role, stepper, priority);
  const snapshot = usable(stored.value?.value, role, records.value.at(-1)?.seq ?? 0);
  let vainAttempts = 0;
  /** The last host has not let go in good order: it may have begun what is open. */
  let mayHaveDied = false;
  const noteDeath = (): void => {
    vainAttempts += 1;
    for (const effect of hosted.open.values()) effect.attempts += 1;
  };
  for (const { seq, value: record } of records.value) {
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
  return ok({ hosted, vainAttempts, inDoubt: mayHaveDied && hosted.open.size > 0 });
}

function usable(value: unknown, role: Role, last: number): Snapshot | undefined {
  const parsed = snapshotSchema.safeParse(value);
  if (!parsed.success) return undefined; // derivable from the journal, so a bad one costs only time
  return parsed.data.machineVersion === role.machineVersion && parsed.data.seq <= last ? parsed.data : undefined;
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
