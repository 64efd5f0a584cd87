/**
 * Judges a history: every task one end, the same for every reader; nothing unsafe begun twice; nothing completed done
 * again; no more spent than was given; nobody at work after the end. It believes the outside only.
 */
import type { LedgerLine } from '../support/demo/ledger.js';
import type { Disturbance, History, TaskHistory } from './history.js';

/** Between the end of a call and the record of it lies some work of the process that made it. */
const handOverMs = 500;
/** A tool that runs when its task ends is stopped within this time. */
const graceMs = 2_000;

export function check(history: History): string[] {
  return [
    ...history.tasks.flatMap((task) => [...endsOf(task), ...spendingOf(task, history)]),
    ...callsOf(history),
    ...history.tasks.flatMap((task) => lateWork(task, history)),
    ...history.leftovers.map((what) => `left over: ${what}`),
  ];
}

function endsOf({ cancelled, ids, key, results }: TaskHistory): string[] {
  if (ids.length === 0) return [`${key} was never accepted`];
  const problems: string[] = [];
  if (new Set(ids).size > 1) problems.push(`${key} became several tasks: ${[...new Set(ids)].join(', ')}`);
  if (results.length === 0) problems.push(`${key} (${ids[0]}) has no result`);
  if (new Set(results).size > 1) problems.push(`${key} has ${new Set(results).size} different results`);
  for (const text of new Set(results)) {
    const status = statusIn(text);
    const allowed = cancelled ? ['done', 'cancelled'] : ['done'];
    if (!allowed.includes(status))
      problems.push(`${key} (${ids[0]}) ended as ${status}, expected ${allowed.join(' or ')}`);
  }
  return problems;
}

const statusIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { report?: { status?: unknown } }).report?.status);
  } catch {
    return 'unreadable';
  }
};

const isBelow = (agentId: string, root: string | undefined): boolean =>
  root !== undefined && (agentId === root || agentId.startsWith(`${root}-`));

function spendingOf({ ids: [root], key }: TaskHistory, { budget, ledger, replies }: History): string[] {
  const rounds = Object.entries(replies)
    .filter(([agentId]) => isBelow(agentId, root))
    .reduce((sum, [, count]) => sum + count, 0);
  const calls = ledger.filter(({ agentId, event }) => event === 'began' && isBelow(agentId, root)).length;
  return [
    ...(rounds > budget.rounds ? [`${key} had ${rounds} model replies, of ${budget.rounds} granted`] : []),
    ...(calls > budget.toolCalls ? [`${key} began ${calls} tool calls, of ${budget.toolCalls} granted`] : []),
  ];
}

function callsOf({ disturbances, ledger }: History): string[] {
  const byCall = new Map<string, LedgerLine[]>();
  for (const line of ledger) {
    const id = `${line.agentId}.${line.callId}`;
    byCall.set(id, [...(byCall.get(id) ?? []), line]);
  }
  return [...byCall].flatMap(([id, lines]) => {
    const begun = lines.filter(({ event }) => event === 'began');
    const { effect, tool } = lines[0] as LedgerLine;
    if (begun.length > 1 && effect === 'unsafe') return [`${id} ${tool} is unsafe and began ${begun.length} times`];
    return lines
      .filter((line) => line.event === 'ended' && begun.some(({ at }) => at > line.at) && !excused(line, disturbances))
      .map(({ at }) => `${id} ${tool} had ended at ${at} and began again`);
  });
}

/** The process that made the call was disturbed before it can be asked to have recorded the outcome. */
const excused = ({ at, pid }: LedgerLine, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(
    (one) => (one.pid === pid || one.pid === 0) && one.from < at + handOverMs && one.to > at - handOverMs,
  );

function lateWork({ endedAt, ids: [root], key }: TaskHistory, { ledger }: History): string[] {
  if (endedAt === undefined) return [];
  return ledger
    .filter(({ agentId, at, event }) => event === 'began' && isBelow(agentId, root) && at > endedAt + graceMs)
    .map(({ agentId, callId, tool }) => `${key}: ${agentId} began ${callId} ${tool} after the task had ended`);
}
