/** What a result says was used, against what the journals of its tree say of each model call. */
import { grouped, type Line, type Read, rootOf } from './read.js';

interface Used {
  readonly input: number;
  readonly output: number;
}

/**
 * Never more than the journals hold. Exactly as much when every agent had heard of the end of all that it had ordered
 * before it ended itself: what could not answer in time that it had stopped reports to nobody.
 */
export function* usageAddsUp(history: Read): Iterable<string> {
  const appends = grouped(history.of('server.appended'), ({ agent }) => rootOf(agent));
  for (const { state, task, used } of history.of('client.read')) {
    if (state !== 'ended' || used === undefined) continue;
    const lines = appends.get(String(task)) ?? [];
    const told = used as Used;
    const sum = sumOf(lines);
    if (told.input > sum.input || told.output > sum.output)
      yield `${String(task)} reports ${inWords(told)}, its journals hold ${inWords(sum)}`;
    else if (allWereHeard(lines) && (told.input !== sum.input || told.output !== sum.output))
      yield `${String(task)} reports ${inWords(told)} of ${inWords(sum)}, and all its agents were heard`;
  }
}

const sumOf = (lines: readonly Line[]): Used =>
  lines
    .flatMap(({ used }) => (used as Used[] | undefined) ?? [])
    .reduce((sum, { input, output }) => ({ input: sum.input + input, output: sum.output + output }), {
      input: 0,
      output: 0,
    });

const inWords = ({ input, output }: Used): string => `${input} and ${output} tokens`;

/** Each agent took as many reports as it had children, before it wrote its own. */
function allWereHeard(lines: readonly Line[]): boolean {
  const heard = new Map<string, number>();
  const over = new Set<string>();
  for (const { agent, events, ended } of lines) {
    const name = String(agent);
    const reports = ((events as string[] | undefined) ?? []).filter((type) => type === 'child.reported').length;
    if (!over.has(name)) heard.set(name, (heard.get(name) ?? 0) + reports);
    if (ended) over.add(name);
  }
  const children = grouped(
    [...heard.keys()].filter((name) => name.includes('-')).map((agent): Line => ({ at: 0, kind: 'child', agent })),
    ({ agent }) => String(agent).slice(0, String(agent).lastIndexOf('-')),
  );
  return [...children].every(([parent, those]) => those.length <= (heard.get(parent) ?? 0));
}
