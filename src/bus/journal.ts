/** The journal on JetStream: one subject per agent, spread over shards, because one stream does not commit in groups. */

import { fail, ok, type Result } from '../domain/failure.js';
import type { JournalRecord } from '../domain/journal.js';
import type { Journal, Stored } from './contract.js';
import type { Reader } from './reader.js';
import { packRecord, unpackRecord } from './record.js';
import type { Place, Store } from './store.js';
import { badToken, isToken, type Names } from './subject.js';
import { encode } from './text.js';

export function journalOn(store: Store, reader: Reader, names: Names): Journal {
  const streams = Array.from({ length: names.shards }, (_, shard) => names.streams.journal(shard));
  const placeOf = (agentId: string): Place => ({
    stream: streams[names.shardOf(agentId)] ?? names.streams.journal(0),
    subject: names.log(agentId),
  });
  return {
    append: async (agentId, record, after) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const place = placeOf(agentId);
      const text = encode(record);
      // What a record holds goes on in messages and snapshots, which are not packed: the limit is that of the text.
      const fits = store.fits(place, text.length);
      return fits.ok ? store.write(place, packRecord(text, after), after) : fits;
    },
    read: async (agentId, after) => {
      if (!isToken(agentId)) return { ok: false, failure: badToken('an agent id', agentId) };
      const read = () => recordsAfter(reader, placeOf(agentId), after);
      const records = await read();
      // Damage ends an agent for good: the server is asked twice before it is believed.
      return records.ok || records.failure.kind !== 'damaged' ? records : read();
    },
  };
}

async function recordsAfter(reader: Reader, place: Place, after: number): Promise<Result<Stored<JournalRecord>[]>> {
  const kept = await reader.after(place, after);
  if (!kept.ok) return kept;
  const records: Stored<JournalRecord>[] = [];
  let before = after;
  for (const { seq, data } of kept.value) {
    const where = `record ${seq} of ${place.subject}`;
    const unpacked = unpackRecord(data, where);
    if (!unpacked.ok) return unpacked;
    const { record, after: link = before } = unpacked.value;
    if (link > before) return fail('damaged', `${where} follows record ${link}, which is not there any more`, advice);
    records.push({ seq, value: record });
    before = seq;
  }
  return ok(records);
}

const advice = 'the store has lost it: `hact doctor` looks at the rest; restore a back-up if there is one';
