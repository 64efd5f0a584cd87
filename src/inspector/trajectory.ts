/** An agent's journal and snapshot in a form that a page can show: long texts cut, every record with a line of words. */
import type { Bus, Stored } from '../bus/contract.js';
import { ok, type Result } from '../domain/failure.js';
import type { AgentId } from '../domain/id.js';
import type { JournalRecord } from '../domain/journal.js';
import type { Json } from '../domain/json.js';

export interface ReadableRecord {
  readonly seq: number;
  readonly kind: JournalRecord['kind'];
  readonly at: number;
  readonly epoch: number;
  /** What it says, in one line. */
  readonly line: string;
  readonly record: Json;
}

export interface Trajectory {
  readonly agentId: AgentId;
  /** As it was last stored; null when none is. */
  readonly snapshot: Json;
  /** The newest ones, oldest first. */
  readonly records: readonly ReadableRecord[];
  /** Records before the first of these. */
  readonly earlier: number;
}

const mostRecords = 400;
const mostText = 4_000;
const mostItems = 200;

export async function readTrajectory(bus: Bus, agentId: AgentId, after: number): Promise<Result<Trajectory>> {
  const [snapshot, journal] = await Promise.all([bus.buckets.agent.get(agentId), bus.journal.read(agentId, after)]);
  if (!snapshot.ok) return snapshot;
  if (!journal.ok) return journal;
  const shown = journal.value.slice(-mostRecords);
  return ok({
    agentId,
    snapshot: shorten(snapshot.value?.value ?? null),
    records: shown.map(readable),
    earlier: journal.value.length - shown.length,
  });
}

function readable({ seq, value }: Stored<JournalRecord>): ReadableRecord {
  return {
    seq,
    kind: value.kind,
    at: value.at,
    epoch: value.epoch,
    line: lineOf(value),
    record: shorten(value as unknown as Json),
  };
}

function lineOf(record: JournalRecord): string {
  switch (record.kind) {
    case 'epoch':
      return `${record.host} takes over, chart ${record.machineVersion}`;
    case 'released':
      return 'handed over in good order';
    case 'part':
      return `${record.effectId}: ${record.part} ${record.state}`;
    case 'step': {
      const events = record.events.map(({ type }) => String(type)).join(', ');
      const intents = record.intents.map(({ src, id }) => `${src} (${id})`);
      const outgoing = record.outgoing.map(({ delivery }) => `→ ${delivery.to}`);
      return [`${events === '' ? 'begins' : events} ⇒ ${record.state}`, ...intents, ...outgoing].join('  ·  ');
    }
  }
}

/** The same value with long texts and lists cut, and a word about what was cut. */
export function shorten(value: Json, depth = 0): Json {
  if (typeof value === 'string') {
    return value.length > mostText
      ? `${value.slice(0, mostText)}… (${value.length - mostText} more characters)`
      : value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth > 24) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item: Json) => shorten(item, depth + 1));
    return value.length > mostItems ? [...items, `… (${value.length - mostItems} more)`] : items;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, depth + 1)]));
}
