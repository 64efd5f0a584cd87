/** I3 and I4: what tools did, by the ledger outside, against what was recorded and claimed. */
import { disturbedIn, handOverMs } from './disturbance.js';
import { callOf, grouped, type Line, type Read } from './read.js';

export function* callsRunOnce(history: Read): Iterable<string> {
  const unsafe = history.of('tool.started').filter(({ effect }) => effect === 'unsafe');
  for (const [call, starts] of grouped(unsafe, callOf)) {
    if (starts.length > 1) yield `${call} (${String(starts[0]?.tool)}) was started ${starts.length} times`;
  }
}

/**
 * A call whose outcome is in the journal is never run again, but by an owner before that cannot have heard of the new one:
 * it was replaced a moment ago, or is disturbed at that moment.
 */
export function* finishedCallsStay(history: Read): Iterable<string> {
  const isDisturbed = disturbedIn(history);
  const settledBy = new Map<string, Line>();
  const owners = new Map<string, Owners>();
  for (const line of history.lines) {
    const agent = String(line.agent);
    if (line.kind === 'server.appended') {
      owners.set(agent, ownersAfter(line, owners.get(agent)));
      for (const call of (line.settled as string[] | undefined) ?? []) {
        const key = `${agent} ${call.replace('?', '')}`;
        if (!settledBy.has(key)) settledBy.set(key, line);
      }
    }
    const settled = line.kind === 'tool.started' ? settledBy.get(callOf(line)) : undefined;
    if (settled === undefined) continue;
    const replacedAt = owners.get(agent)?.replacedAt.get(line.process);
    const cannotKnow = replacedAt !== undefined && (line.at <= replacedAt + handOverMs || isDisturbed(line));
    if (!cannotKnow) yield `${callOf(line)} was started at ${line.at}, its outcome was recorded at ${settled.at}`;
  }
}

interface Owners {
  readonly now: unknown;
  /** When each owner before was replaced. */
  readonly replacedAt: ReadonlyMap<unknown, number>;
}

function ownersAfter(
  { at, process }: Line,
  { now, replacedAt }: Owners = { now: undefined, replacedAt: new Map() },
): Owners {
  if (process === now) return { now, replacedAt };
  const replaced = new Map(replacedAt);
  replaced.delete(process);
  if (now !== undefined) replaced.set(now, at);
  return { now: process, replacedAt: replaced };
}

export function* okIsTrue(history: Read): Iterable<string> {
  const finished = new Set(
    history
      .of('tool.finished')
      .filter(({ ok }) => ok === true)
      .map(callOf),
  );
  const changing = new Set(
    history
      .of('tool.started')
      .filter(({ effect }) => effect === 'unsafe' || effect === 'idempotent')
      .map(({ tool }) => tool),
  );
  for (const claim of claims(history)) {
    if (claim.status === 'ok' && changing.has(claim.tool) && !finished.has(`${claim.agent} ${claim.call}`))
      yield `${claim.agent} ${claim.call} (${claim.tool}) is reported ok, and it never finished outside`;
  }
}

interface Claim {
  readonly agent: string;
  readonly call: string;
  readonly tool: string;
  readonly status: string;
}

function claims(history: Read): Claim[] {
  return history.of('client.read').flatMap(({ evidence }) =>
    ((evidence as string[] | undefined) ?? []).map((text) => {
      const [agent = '', call = '', tool = '', status = ''] = text.split(' ');
      return { agent, call, tool, status };
    }),
  );
}

export function* keysStay(history: Read): Iterable<string> {
  for (const [call, starts] of grouped(history.of('tool.started'), callOf)) {
    if (new Set(starts.map(({ key }) => key)).size > 1) yield `${call} was started under different keys`;
    if (new Set(starts.map(({ args }) => JSON.stringify(args))).size > 1)
      yield `${call} was started with different arguments`;
  }
  for (const [key, starts] of grouped(history.of('tool.started'), (line) => String(line.key))) {
    if (new Set(starts.map(callOf)).size > 1) yield `the key ${key} stands for several calls`;
  }
}

/** A subtask that the model handed out is one agent's, and begins after those that it depends on. */
export function* subtasksRunOnce(history: Read): Iterable<string> {
  const asked = history.of('model.asked');
  const firstAsked = new Map<string, Line>();
  for (const [job, lines] of grouped(
    asked.filter(({ job }) => job !== undefined),
    (line) => String(line.job),
  )) {
    const agents = new Set(lines.map(({ agent }) => agent));
    if (agents.size > 1) yield `${job} is worked on by ${[...agents].join(' and ')}`;
    if (lines[0]) firstAsked.set(job, lines[0]);
  }
  const answeredBy = grouped(history.of('model.answered'), (line) => String(line.agent));
  for (const { subtasks } of history.of('model.answered')) {
    for (const { name, after } of (subtasks as { name: string; after: string[] }[] | undefined) ?? []) {
      const begun = firstAsked.get(name);
      if (begun === undefined) continue;
      for (const before of after) {
        const agent = firstAsked.get(before)?.agent;
        const first = answeredBy.get(String(agent))?.[0];
        if (first === undefined || first.at > begun.at) yield `${name} began before ${before}, on which it depends`;
      }
    }
  }
}
