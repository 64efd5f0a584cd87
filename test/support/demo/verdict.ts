/** Holds a disturbed run of the demo against an undisturbed one, and counts what was done again. */
import type { LedgerLine } from './ledger.js';
import { handOverMs, type Played } from './play.js';

export interface Verdict {
  /** What must not be. */
  readonly problems: readonly string[];
  /** Calls made again that were under way at the kill or began after it; allowed. */
  readonly models: number;
  readonly tools: number;
}

export function judge(played: Played, undisturbed: Played): Verdict {
  const again = { models: modelsAgain(played), tools: toolsAgain(played) };
  return {
    problems: [...differences(played, undisturbed), ...again.models.problems, ...again.tools.problems],
    models: again.models.allowed,
    tools: again.tools.allowed,
  };
}

function differences(played: Played, undisturbed: Played): string[] {
  const problems: string[] = [];
  if (played.text === '') problems.push('no report was written');
  else if (played.text !== undisturbed.text) problems.push('the report is another one');
  const { report } = played;
  for (const field of ['status', 'termination'] as const) {
    const wanted = undisturbed.report[field];
    if (report[field] !== wanted)
      problems.push(`${field} is ${report[field]}, not ${wanted}: ${report.error?.message}`);
  }
  if (report.result !== undisturbed.report.result) problems.push('the result is another one');
  return problems;
}

interface Again {
  readonly problems: readonly string[];
  readonly allowed: number;
}

/** By the model server's own count: what it had answered in full well before the kill may not be asked for again. */
function modelsAgain({ killed, stats }: Played): Again {
  const problems: string[] = [];
  let allowed = 0;
  for (const [hash, times] of Object.entries(stats.byRequest)) {
    if (times < 2) continue;
    const settled = killed?.statsBefore.byRequest[hash] ?? 0;
    if (settled > 0 || killed === undefined) problems.push(`a completed model call was made ${times} times (${hash})`);
    else allowed += times - 1;
  }
  return { problems, allowed };
}

/** By the tools' own ledger. */
function toolsAgain({ killed, ledger }: Played): Again {
  const calls = new Map<string, LedgerLine[]>();
  for (const line of ledger) {
    const key = `${line.agentId} ${line.callId} ${line.tool}`;
    calls.set(key, [...(calls.get(key) ?? []), line]);
  }
  const problems: string[] = [];
  let allowed = 0;
  for (const [key, lines] of calls) {
    const begun = lines.filter(({ event }) => event === 'began');
    const done = lines.find(({ event }) => event === 'ended');
    const after = done === undefined ? [] : begun.filter(({ at }) => at > done.at);
    const isSettled = done !== undefined && (killed === undefined || done.at < killed.at - handOverMs);
    if (isSettled && after.length > 0) problems.push(`a completed tool call ran again: ${key}`);
    if (begun.length > 1 && begun[0]?.effect === 'unsafe') problems.push(`an unsafe tool began twice: ${key}`);
    else if (!(isSettled && after.length > 0)) allowed += begun.length - 1;
  }
  return { problems, allowed };
}
