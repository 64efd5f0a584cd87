/**
 * What happened at least once. A batch in which a kind of fault, a kind of end, or a way of recovery never came about has
 * shown nothing about it, and fails.
 */
import type { Line } from './checker/read.js';
import { blows } from './scenario.js';

const mishaps = ['lost request', 'lost reply', 'repeated request', 'overtaken', 'lost hint'];
const modelFaults = ['rateLimited', 'failed', 'interrupted', 'unreachable', 'hang'].map((name) => `model ${name}`);
const toolFaults = ['error', 'hang', 'late', 'huge', 'odd'].map((name) => `tool ${name}`);

const faults = [...blows, ...mishaps, ...modelFaults, ...toolFaults, 'bomb'].map((name) => `fault: ${name}`);

const ends = [
  ...['done', 'partial', 'failed', 'exhausted', 'cancelled'].map((name) => `status: ${name}`),
  ...['finished', 'rounds_exhausted', 'tokens_exhausted', 'cost_exhausted', 'deadline_passed', 'no_progress'],
  ...['denied', 'needs_input', 'cancelled', 'parent_gone', 'failed', 'poisoned'],
].map((name) => (name.startsWith('status') ? name : `end: ${name}`));

const heard = [
  ...['child.reported', 'human.decided', 'human.answered', 'human.corrected', 'human.paused', 'human.resumed'],
  ...['task.cancelled', 'parent.ended', 'budget.changed', 'timer.fired', 'host.recovered', 'host.poisoned'],
].map((name) => `heard: ${name}`);

/** Each with the sign by which it is known in a history. */
const recoveries: Readonly<Record<string, (lines: readonly Line[]) => boolean>> = {
  'taken over by another host': (lines) => lines.some(({ record, epoch }) => record === 'epoch' && Number(epoch) > 1),
  'handed over in good order': (lines) => lines.some(({ record }) => record === 'released'),
  'an unsafe call in doubt is unknown': (lines) => settledIn(lines).some(({ call }) => call.endsWith('?')),
  'a read or idempotent call is run again': (lines) => startsTwice(lines),
  'a settled part is used by the next host': (lines) => partsReused(lines),
  'a lost model call is too dear to repeat': (lines) =>
    lines.some(({ events }) => eventsOf(events).join().includes('host.recovered,xstate.done.actor.report')),
  'a record whose reply was lost stands': (lines) =>
    lines.some(({ kind, fault, about }) => kind === 'fault' && fault === 'lost reply' && about === 'append'),
  'an agent is laid aside': (lines) => lines.some(({ kind }) => kind === 'server.dead'),
  'a submission is sent again and accepted': (lines) => resubmitted(lines),
  'a submission is refused by a full disk': (lines) =>
    lines.some(({ kind, failure }) => kind === 'client.refused' && failure === 'storage_refused'),
  'a second decision is refused': (lines) =>
    lines.some(({ kind, outcome }) => kind === 'human.decided' && outcome === 'conflict'),
  'a subtask waits for another': (lines) =>
    lines.some(({ subtasks }) => JSON.stringify(subtasks ?? '').includes('["job')),
  'a grandchild works': (lines) =>
    lines.some(({ kind, agent }) => kind === 'model.asked' && /-\d+-\d+$/.test(String(agent))),
};

export const wanted: readonly string[] = [...faults, ...ends, ...heard, ...Object.keys(recoveries)];

/** What of it a history shows that is not in `seen` yet; it is there afterwards. */
export function newSights(lines: readonly Line[], seen: Set<string>): string[] {
  const before = seen.size;
  for (const line of lines) {
    if (line.kind === 'fault') seen.add(`fault: ${String(line.fault)}`);
    if (line.kind !== 'server.appended') continue;
    for (const type of eventsOf(line.events)) seen.add(`heard: ${type}`);
    const ended = line.ended as { status: string; termination: string } | undefined;
    if (ended) seen.add(`status: ${ended.status}`).add(`end: ${ended.termination}`);
  }
  for (const [name, happened] of Object.entries(recoveries)) if (!seen.has(name) && happened(lines)) seen.add(name);
  return [...seen].slice(before);
}

const eventsOf = (events: unknown): string[] => (events as string[] | undefined) ?? [];

const settledIn = (lines: readonly Line[]): { call: string; process: unknown; record: unknown }[] =>
  lines.flatMap(({ agent, process, record, settled }) =>
    ((settled as string[] | undefined) ?? []).map((call) => ({ call: `${String(agent)} ${call}`, process, record })),
  );

function startsTwice(lines: readonly Line[]): boolean {
  const processes = new Map<string, unknown>();
  for (const { kind, agent, call, effect, process } of lines) {
    if (kind !== 'tool.started' || effect === 'unsafe') continue;
    const key = `${String(agent)} ${String(call)}`;
    if (processes.has(key) && processes.get(key) !== process) return true;
    processes.set(key, process);
  }
  return false;
}

function partsReused(lines: readonly Line[]): boolean {
  const parts = new Map<string, unknown>();
  for (const { call, process, record } of settledIn(lines)) {
    if (record === 'part') parts.set(call, process);
    else if (parts.has(call) && parts.get(call) !== process) return true;
  }
  return false;
}

function resubmitted(lines: readonly Line[]): boolean {
  const sent = new Map<unknown, number>();
  for (const { kind, key } of lines) {
    if (kind === 'client.sent') sent.set(key, (sent.get(key) ?? 0) + 1);
    if (kind === 'client.accepted' && (sent.get(key) ?? 0) > 1) return true;
  }
  return false;
}
