/** I7 and I8: once faults stop, everything ends, and nothing goes on that nobody waits for. */
import { grants, type Read, rootOf } from './read.js';

const orphanMs = 30_000;
/** Three leases, a last approval, and what is under way. */
const afterDeadlineMs = 9_000 + 8_000 + 15_000;

export function* nobodyIsOrphaned(history: Read): Iterable<string> {
  const healedAt = history.of('healed')[0]?.at ?? 0;
  const endedAt = new Map<string, number>();
  for (const { at, state, task } of history.of('server.task')) {
    if (state === 'ended' && !endedAt.has(String(task))) endedAt.set(String(task), at);
  }
  for (const line of [...history.of('model.asked'), ...history.of('tool.started')]) {
    const end = endedAt.get(rootOf(line.agent));
    if (end !== undefined && line.at > Math.max(end, healedAt) + orphanMs)
      yield `${String(line.agent)}: ${line.kind} at ${line.at}, its task had ended at ${end}`;
  }
}

export function* everythingEnds(history: Read): Iterable<string> {
  const healedAt = history.of('healed')[0]?.at ?? 0;
  const reads = history.of('client.read').filter(({ state }) => state === 'ended');
  for (const [task, { budget }] of grants(history)) {
    const accepted = history.of('client.accepted').find((line) => line.task === task);
    const read = reads.find((line) => line.task === task);
    if (read === undefined || accepted === undefined) continue; // told by I1
    const limit = Math.max(healedAt, accepted.at + budget.seconds * 1000) + afterDeadlineMs;
    if (read.at > limit) yield `${task}: its result was read at ${read.at}, expected by ${limit}`;
  }
}

export function* nothingIsLeft(history: Read): Iterable<string> {
  for (const { inbox, leases, queued, waiting } of history.of('end')) {
    if (waiting !== 0) yield 'a client still waits';
    if (queued !== 0) yield `${String(queued)} wakes are left`;
    if (inbox !== 0) yield `${String(inbox)} agents still have messages`;
    if (leases !== 0) yield `${String(leases)} leases are left`;
  }
}
