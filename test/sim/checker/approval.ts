/** I13: what needs a human's leave runs only with it, exactly as it was shown, and never after a refusal. */
import { grants, grouped, type Line, type Read, rootOf } from './read.js';

/** The tool that asks whenever anybody is asked at all. */
const risky = 'wipe';

export function* approvalBinds(history: Read): Iterable<string> {
  const granted = grants(history);
  const policyOf = (line: Line): string => granted.get(rootOf(line.agent))?.approval ?? 'unknown';
  const asked = new Map(history.of('human.asked').map((line) => [String(line.request), line]));
  const deciding = grouped(history.of('human.deciding'), (line) => String(line.request));
  const decided = grouped(history.of('human.decided'), (line) => String(line.request));
  for (const start of history.of('tool.started')) {
    const policy = policyOf(start);
    const needed = policy === 'all' || (policy === 'risky' && start.tool === risky);
    const request = `apr_${String(start.agent)}_${String(start.call)}`;
    const what = `${String(start.agent)} ${String(start.call)} (${String(start.tool)})`;
    const shown = asked.get(request);
    if (!needed && shown === undefined) continue;
    if (shown === undefined) {
      yield `${what} was started, and nobody was asked`;
      continue;
    }
    if (shown.tool !== start.tool || JSON.stringify(shown.args) !== JSON.stringify(start.args))
      yield `${what} was started with ${JSON.stringify(start.args)}, shown was ${String(shown.tool)} ${JSON.stringify(shown.args)}`;
    const allowedBefore = (deciding.get(request) ?? []).some(({ allow, at }) => allow === true && at < start.at);
    if (!allowedBefore) yield `${what} was started before anybody allowed it`;
    const refused = (decided.get(request) ?? []).some(({ allow, outcome }) => allow === false && outcome === 'ok');
    if (refused) yield `${what} was started although it was denied`;
  }
}
