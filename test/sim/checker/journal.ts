/** I6 and I10: journals have no gaps, and nobody writes who has been replaced. Judged by what the server stored. */
import { grouped, type Read } from './read.js';

export function* journalIsWhole(history: Read): Iterable<string> {
  for (const [agent, records] of grouped(history.of('server.appended'), (line) => String(line.agent))) {
    let last = 0;
    for (const { after, seq } of records) {
      if (after !== last)
        yield `${agent}: record ${String(seq)} was appended after ${String(after)}, the last was ${last}`;
      last = Number(seq);
    }
  }
  const lastOf = new Map<string, number>();
  for (const line of history.lines) {
    if (line.kind === 'server.appended') lastOf.set(String(line.agent), Number(line.seq));
    if (line.kind !== 'server.snapshot') continue;
    const last = lastOf.get(String(line.agent)) ?? 0;
    if (Number(line.seq) > last)
      yield `${String(line.agent)}: a snapshot includes record ${String(line.seq)}, the last is ${last}`;
  }
  for (const { agent, replayed, says } of history.of('replayed')) {
    if (replayed !== says) yield `${String(agent)}: its snapshot is not what its journal makes of it`;
  }
}

export function* staleOwnersWriteNothing(history: Read): Iterable<string> {
  for (const [agent, records] of grouped(history.of('server.appended'), (line) => String(line.agent))) {
    const owners = new Map<number, unknown>();
    let epoch = 0;
    for (const record of records) {
      const now = Number(record.epoch);
      if (now < epoch) yield `${agent}: epoch ${now} wrote record ${String(record.seq)} after epoch ${epoch}`;
      epoch = Math.max(epoch, now);
      const owner = owners.get(now);
      if (owner !== undefined && owner !== record.process)
        yield `${agent}: epoch ${now} is of ${String(owner)} and of ${String(record.process)}`;
      owners.set(now, record.process);
    }
  }
  yield* wastedCalls(history);
}

/** At most one model call is lost when an agent changes hands. */
function* wastedCalls(history: Read): Iterable<string> {
  const records = grouped(history.of('server.appended'), (line) => String(line.agent));
  const outcomes = /xstate\.(done|error)\.actor\.(decide|grace)/;
  for (const [agent, asked] of grouped(history.of('model.asked'), (line) => String(line.agent))) {
    const mine = records.get(agent) ?? [];
    const kept = mine
      .flatMap(({ events }) => (events as string[] | undefined) ?? [])
      .filter((type) => outcomes.test(type));
    const owners = new Set(mine.map(({ epoch }) => epoch)).size;
    // One more may be under way when the agent ends.
    if (asked.length > kept.length + owners + 1)
      yield `${agent}: ${asked.length} model calls, ${kept.length} outcomes, ${owners} owners`;
  }
}
