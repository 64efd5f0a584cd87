/** I5: a tree never uses more than its client granted, by the bills of the model and the ledger of the tools. */
import { disturbedIn } from './disturbance.js';
import { callOf, grants, grouped, type Line, type Read, rootOf } from './read.js';

const cents = 1e-9;
/** Beyond the deadline: the time it takes to be noticed, and what is under way then. */
const graceMs = 2_000;
/** As far as one fault may set a simulated clock wrong. */
const clockFaultMs = 5_000;

export function* budgetHolds(history: Read): Iterable<string> {
  const asked = grouped(history.of('model.asked'), taskOf);
  const bills = grouped(history.of('model.answered'), taskOf);
  const tools = grouped(history.of('tool.started'), taskOf);
  const isDisturbed = disturbedIn(history);
  const clockErrorMs = clockErrorIn(history);
  for (const [task, { budget, sentAt }] of grants(history)) {
    const calls = asked.get(task) ?? [];
    if (calls.length > budget.rounds) yield `${task}: ${calls.length} model calls of ${budget.rounds}`;
    const paid = bills.get(task) ?? [];
    const tokens = paid.reduce((sum, { input, output }) => sum + Number(input) + Number(output), 0);
    if (tokens > budget.tokens) yield `${task}: ${tokens} tokens of ${budget.tokens}`;
    const cost = paid.reduce((sum, line) => sum + Number(line.cost), 0);
    if (cost > budget.costUsd + cents) yield `${task}: $${cost} of $${budget.costUsd}`;
    const started = tools.get(task) ?? [];
    const used = new Set(started.map(callOf)).size;
    if (used > budget.toolCalls) yield `${task}: ${used} tool calls of ${budget.toolCalls}`;
    const agents = new Set([...calls, ...started].map(({ agent }) => agent));
    agents.delete(task);
    if (agents.size > budget.children) yield `${task}: ${agents.size} sub-agents of ${budget.children}`;
    // The clock of a task runs from the moment it was last sent at the latest.
    const lastSent = history.of('client.accepted').find((line) => line.task === task)?.at ?? sentAt;
    const limit = lastSent + budget.seconds * 1000 + graceMs + clockErrorMs;
    const late = [...calls, ...started].find((line) => line.at > limit && !isDisturbed(line));
    if (late !== undefined) yield `${task}: ${late.kind} of ${String(late.agent)} at ${late.at}, after its deadline`;
  }
}

const taskOf = (line: Line): string => rootOf(line.agent);

/** A deadline is set by one process and judged by another, each by its own clock. */
const clockErrorIn = (history: Read): number =>
  history.of('fault').filter(({ fault }) => /^(skew|jump) clock$/.test(String(fault))).length * clockFaultMs;
