/** I7 and I8: once faults stop, everything ends, and nothing goes on that nobody waits for. */
import { grants, type Read, rootOf } from './read.js';

const orphanMs = 30_000;
/** Where nothing is wrong, a tree stops within this: what is under way is given up, and two levels are told. */
const stopMs = 4_000;
/** Three leases, a last approval, and what is under way. */
const afterDeadlineMs = 9_000 + 8_000 + 15_000;

export function* nobodyIsOrphaned(history: Read): Iterable<string> {
  const endedAt = new Map<string, number>();
  for (const { at, state, task } of history.of('server.task')) {
    if (state === 'ended' && !endedAt.has(String(task))) endedAt.set(String(task), at);
  }
  const limit = stopLimit(history);
  for (const line of [...history.of('model.asked'), ...history.of('tool.started')]) {
    const end = endedAt.get(rootOf(line.agent));
    if (end !== undefined && line.at > limit(end))
      yield `${String(line.agent)}: ${line.kind} at ${line.at}, its task had ended at ${end}`;
  }
}

/** Until when something may still begin that should have stopped at a moment. */
function stopLimit(history: Read): (at: number) => number {
  const healedAt = history.of('healed')[0]?.at ?? 0;
  const isQuiet = history.of('fault').every(({ fault }) => /^(model|tool) /.test(String(fault)));
  const calmAt = isQuiet ? 0 : healedAt + orphanMs / 2;
  return (at) => (at > calmAt ? at + stopMs : Math.max(at, healedAt) + orphanMs);
}

/** What a person has cancelled stops. */
export function* cancelledStops(history: Read): Iterable<string> {
  const limit = stopLimit(history);
  const cancelledAt = new Map<string, number>();
  for (const { at, outcome, task, what } of history.of('client.steered')) {
    if (what === 'cancel' && outcome === 'ok' && !cancelledAt.has(String(task))) cancelledAt.set(String(task), at);
  }
  for (const line of [...history.of('model.asked'), ...history.of('tool.started')]) {
    const since = cancelledAt.get(rootOf(line.agent));
    if (since !== undefined && line.at > limit(since))
      yield `${String(line.agent)}: ${line.kind} at ${line.at}, its task was cancelled at ${since}`;
  }
}

/** A parent that goes on hears of every child that has ended. */
export function* reportsArrive(history: Read): Iterable<string> {
  const healedAt = history.of('healed')[0]?.at ?? 0;
  const records = history.of('server.appended');
  const endOf = new Map(records.filter(({ ended }) => ended !== undefined).map(({ agent, at }) => [String(agent), at]));
  const heard = new Map<string, number>();
  for (const { agent, events } of records) {
    const reports = ((events as string[] | undefined) ?? []).filter((type) => type === 'child.reported').length;
    heard.set(String(agent), (heard.get(String(agent)) ?? 0) + reports);
  }
  const due = new Map<string, number>();
  for (const [agent, at] of endOf) {
    const parent = agent.replace(/-\d+$/, '');
    const until = endOf.get(parent);
    if (parent !== agent && until !== undefined && until > Math.max(at, healedAt) + orphanMs / 2)
      due.set(parent, (due.get(parent) ?? 0) + 1);
  }
  for (const [parent, count] of due) {
    if ((heard.get(parent) ?? 0) < count)
      yield `${parent} heard of ${heard.get(parent) ?? 0} children, ${count} had ended`;
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
