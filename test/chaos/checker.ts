/**
 * Judges a history: every task one end, the same for every reader; nothing unsafe begun twice; nothing completed done
 * again; no more spent than was given; nobody at work after the end. It believes the outside only.
 */
import type { LedgerLine } from '../support/demo/ledger.js';
import type { Disturbance, History, TaskHistory } from './history.js';

/** Between the end of a call and the record of it lies some work of the process that made it, on a busy machine. */
const handOverMs = 1_000;
/** A tool that runs when its task ends is stopped within this time. */
const graceMs = 2_000;
/** A pause is heard of between two steps, on a busy machine. */
const pauseGraceMs = 3_000;
/** After so many deaths over it an agent is given up. */
const attempts = 5;

/** What a history may show in vain. */
export const rules = [
  'lost',
  'doubled',
  'wrong end',
  'unsafe begun twice',
  'completed repeated',
  'not allowed',
  'overshoot',
  'orphan',
] as const;
export type Rule = (typeof rules)[number];

export interface Problem {
  readonly broken: Rule;
  readonly words: string;
}

export function check(history: History): Problem[] {
  return [
    ...history.tasks.flatMap((task) => [...endsOf(task), ...spendingOf(task, history)]),
    ...callsOf(history),
    ...history.tasks.flatMap((task) => [...lateWork(task, history), ...workInPause(task, history)]),
    ...history.tasks.flatMap((task) => undecided(task, history)),
    ...history.leftovers.map((what): Problem => ({ broken: 'orphan', words: `left over: ${what}` })),
  ];
}

function endsOf({ cancelled, decisions, ids, key, results }: TaskHistory): Problem[] {
  if (ids.length === 0) return [{ broken: 'lost', words: `${key} was never accepted` }];
  const problems: Problem[] = [];
  const note = (broken: Rule, words: string): unknown => problems.push({ broken, words });
  if (new Set(ids).size > 1) note('doubled', `${key} became several tasks: ${[...new Set(ids)].join(', ')}`);
  if (results.length === 0) note('lost', `${key} (${ids[0]}) has no result`);
  if (new Set(results).size > 1) note('doubled', `${key} has ${new Set(results).size} different results`);
  for (const text of new Set(results)) {
    const status = statusIn(text);
    // What was denied is missing from what the task brings.
    const isPart = decisions?.some(({ allow }) => !allow) ?? false;
    const allowed = ['done', ...(cancelled ? ['cancelled'] : []), ...(isPart ? ['partial'] : [])];
    if (!allowed.includes(status))
      note('wrong end', `${key} (${ids[0]}) ended as ${status}, expected ${allowed.join(' or ')}`);
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

function spendingOf({ ids: [root], key }: TaskHistory, { budget, ledger, replies }: History): Problem[] {
  const rounds = Object.entries(replies)
    .filter(([agentId]) => isBelow(agentId, root))
    .reduce((sum, [, count]) => sum + count, 0);
  const calls = ledger.filter(({ agentId, event }) => event === 'began' && isBelow(agentId, root)).length;
  const words = [
    ...(rounds > budget.rounds ? [`${key} had ${rounds} model replies, of ${budget.rounds} granted`] : []),
    ...(calls > budget.toolCalls ? [`${key} began ${calls} tool calls, of ${budget.toolCalls} granted`] : []),
  ];
  return words.map((one) => ({ broken: 'overshoot', words: one }));
}

function callsOf({ disturbances, ledger }: History): Problem[] {
  // A call that kills disturbs its own process, at its beginning.
  const deaths = ledger.filter(({ event, tool }) => event === 'began' && tool === 'crash');
  const disturbed = [...disturbances, ...deaths.map(({ at, pid }) => ({ pid, from: at, to: at }))];
  const byCall = new Map<string, LedgerLine[]>();
  for (const line of ledger) {
    const id = `${line.agentId}.${line.callId}`;
    byCall.set(id, [...(byCall.get(id) ?? []), line]);
  }
  return [...byCall].flatMap(([id, lines]): Problem[] => {
    const begun = lines.filter(({ event }) => event === 'began');
    const { effect, tool } = lines[0] as LedgerLine;
    if (begun.length > 1 && effect === 'unsafe')
      return [{ broken: 'unsafe begun twice', words: `${id} ${tool} is unsafe and began ${begun.length} times` }];
    if (tool === 'crash' && begun.length > attempts)
      return [{ broken: 'orphan', words: `${id} ${tool} began ${begun.length} times, of ${attempts} attempts` }];
    return lines
      .filter((line) => line.event === 'ended' && begun.some(({ at }) => at > line.at) && !excused(line, disturbed))
      .map(({ at }) => ({ broken: 'completed repeated', words: `${id} ${tool} had ended at ${at} and began again` }));
  });
}

/** The process that made the call was disturbed before it can be asked to have recorded the outcome. */
const excused = ({ at, pid }: LedgerLine, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(
    (one) => (one.pid === pid || one.pid === 0) && one.from < at + handOverMs && one.to > at - handOverMs,
  );

function lateWork({ endedAt, ids: [root], key }: TaskHistory, { ledger }: History): Problem[] {
  if (endedAt === undefined) return [];
  return ledger
    .filter(({ agentId, at, event }) => event === 'began' && isBelow(agentId, root) && at > endedAt + graceMs)
    .map(({ agentId, callId, tool }) => ({
      broken: 'orphan',
      words: `${key}: ${agentId} began ${callId} ${tool} after the task had ended`,
    }));
}

/**
 * An agent pauses between rounds: calls of the round under way go on, later ones wait until the task is let go on. Where
 * something was disturbed, its first call may come late. Children go on by themselves.
 */
function workInPause({ ids: [root], key, paused }: TaskHistory, { disturbances, ledger }: History): Problem[] {
  if (paused === undefined) return [];
  const heardBy = paused.from + pauseGraceMs;
  const begun = ledger.filter(({ agentId, event }) => event === 'began' && agentId === root);
  const underWay = Math.max(0, ...begun.filter(({ at }) => at <= heardBy).map(roundOf));
  const isLate = ({ at }: LedgerLine): boolean => disturbances.some(({ from, to }) => from < at && to > paused.from);
  return begun
    .filter((line) => line.at > heardBy && line.at < paused.to)
    .filter((line) => roundOf(line) > underWay + (isLate(line) ? 1 : 0))
    .map(({ callId, tool }) => ({
      broken: 'not allowed',
      words: `${key} began ${callId} ${tool} while it was paused`,
    }));
}

/** Calls are named by round and number: `r3c1`. */
const roundOf = ({ callId }: LedgerLine): number => Number(/^r(\d+)c/.exec(callId)?.[1]);

/** Where every call had to be asked for, each that began was allowed before. */
function undecided({ decisions, ids: [root], key }: TaskHistory, { ledger }: History): Problem[] {
  if (decisions === undefined) return [];
  const isAllowed = (line: LedgerLine): boolean =>
    decisions.some(
      ({ agentId, allow, at, callId }) => allow && agentId === line.agentId && callId === line.callId && at <= line.at,
    );
  return ledger
    .filter((line) => line.event === 'began' && isBelow(line.agentId, root) && !isAllowed(line))
    .map(({ agentId, callId, tool }) => ({
      broken: 'not allowed',
      words: `${key}: ${agentId} began ${callId} ${tool}, which nobody had allowed`,
    }));
}
