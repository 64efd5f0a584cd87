/** I1 and I2: each accepted submission ends in exactly one result, and no key stands for two tasks. */
import { grouped, type Read } from './read.js';

export function* oneResult(history: Read): Iterable<string> {
  const reads = grouped(history.of('client.read'), ({ task }) => String(task));
  const accepted = new Map(history.of('client.accepted').map(({ task, key }) => [String(task), String(key)]));
  for (const [task, key] of accepted) {
    const ended = (reads.get(task) ?? []).filter(({ state }) => state === 'ended');
    if (ended.length === 0) yield `${task} (${key}) was accepted, and nobody has read its result`;
  }
  for (const [task, all] of reads) {
    const ended = all.filter(({ state }) => state === 'ended');
    const hashes = new Set(ended.map(({ hash }) => hash));
    if (hashes.size > 1) yield `${task}: readers saw ${hashes.size} different results`;
    const first = ended[0];
    if (first && all.some(({ at, state }) => at > first.at && state !== 'ended'))
      yield `${task} had ended and was open again`;
    for (const { status } of ended)
      if (!terminalStatuses.has(String(status))) yield `${task} ended as ${String(status)}`;
  }
  yield* lostAfterwards(history);
}

const terminalStatuses = new Set(['done', 'partial', 'failed', 'exhausted', 'cancelled', 'unknown']);

/** A task that was accepted is never unknown to a reader afterwards. */
function* lostAfterwards(history: Read): Iterable<string> {
  const acceptedAt = new Map(history.of('client.accepted').map(({ task, at }) => [task, at]));
  for (const { at, failure, task } of history.of('client.misread')) {
    const since = acceptedAt.get(task);
    if (failure === 'not_found' && since !== undefined && since <= at)
      yield `${String(task)} was accepted and is not found`;
  }
}

export function* oneTaskPerKey(history: Read): Iterable<string> {
  for (const [key, lines] of grouped(history.of('client.accepted'), (line) => String(line.key))) {
    const tasks = new Set(lines.map(({ task }) => task));
    if (tasks.size > 1) yield `${key} was accepted as ${[...tasks].join(' and ')}`;
  }
  // Goals name their key: whatever works on one goal of a client is one task.
  const working = history.of('model.asked').filter(({ job }) => /^task\d+$/.test(String(job)));
  for (const [job, lines] of grouped(working, (line) => String(line.job))) {
    const agents = new Set(lines.map(({ agent }) => agent));
    if (agents.size > 1) yield `${job} is worked on by ${[...agents].join(' and ')}`;
  }
}
