/** Holds what happened against every field of `expect`. An unknown field fails: it would otherwise hold without being looked at. */
import type { Decision } from '../../../src/domain/decision.js';
import type { Report } from '../../../src/domain/report.js';
import { type CallSeen, callsSeen, decisionsIn } from './journal.js';
import type { Played } from './play.js';
import { isSubset } from './scenario.js';

/** Undefined when the field holds, else what was expected and what came. */
type Check = (expected: never, played: Played) => string | undefined;

const need = (holds: boolean, came: unknown): string | undefined =>
  holds ? undefined : `came ${JSON.stringify(came)}`;

const names: Record<Report['termination'], string> = {
  finished: 'goal_reached',
  rounds_exhausted: 'budget_exhausted',
  tokens_exhausted: 'budget_exhausted',
  cost_exhausted: 'budget_exhausted',
  deadline_passed: 'budget_exhausted',
  no_progress: 'no_progress',
  denied: 'human_rejected',
  needs_input: 'needs_input',
  cancelled: 'cancelled',
  parent_gone: 'cancelled',
  failed: 'unrecoverable_error',
  poisoned: 'unrecoverable_error',
};

export function terminationOf(report: Report): string {
  if (report.termination !== 'finished') return names[report.termination];
  return (
    { done: 'goal_reached', partial: 'partial', failed: 'goal_not_reached' }[report.status as 'done'] ?? 'goal_reached'
  );
}

const textOf = ({ result, summary }: Report): string =>
  `${typeof result === 'string' ? result : JSON.stringify(result)}\n${summary}`;
const decisions = ({ journals }: Played): Decision[] =>
  [...journals.values()].flatMap((records) => decisionsIn(records));
const refusals = (played: Played, kind: string): CallSeen[] =>
  callsSeen(played.journals).filter((call) => call.refusal === kind);
const executions = ({ runs }: Played, name: string): number => runs.filter((run) => run.tool === name).length;

function fitCalls(expected: Partial<CallSeen>[], played: Played): string | undefined {
  const rest = callsSeen(played.journals);
  for (const wanted of expected) {
    const index = rest.findIndex((call) =>
      isSubset(wanted as Record<string, unknown>, call as unknown as Record<string, unknown>),
    );
    if (index < 0) return `no call is ${JSON.stringify(wanted)}; came ${JSON.stringify(rest)}`;
    rest.splice(index, 1);
  }
  return undefined;
}

function fitAnswer(
  expected: { includes?: string[]; excludes?: string[]; partial?: boolean },
  { report }: Played,
): string | undefined {
  const text = textOf(report);
  const missing = (expected.includes ?? []).filter((part) => !text.includes(part));
  const unwanted = (expected.excludes ?? []).filter((part) => text.includes(part));
  const whole = expected.partial === true && report.status === 'done';
  return missing.length + unwanted.length === 0 && !whole
    ? undefined
    : `missing ${missing}, unwanted ${unwanted}, status ${report.status}; came ${text}`;
}

function fitExecutors(
  expected: { count: number; termination?: Record<string, string> },
  { report, events }: Played,
): string | undefined {
  const { children } = report;
  const goals = new Map(
    events.flatMap((event) => (event.kind === 'started' ? [[event.agentId as string, event.goal]] : [])),
  );
  const wrong = Object.entries(expected.termination ?? {}).filter(
    ([part, termination]) =>
      !children.some((child) => goals.get(child.agentId)?.includes(part) && terminationOf(child) === termination),
  );
  return need(
    children.length === expected.count && wrong.length === 0,
    children.map((child) => [goals.get(child.agentId), terminationOf(child)]),
  );
}

/** Lives overlap when the last began before the first ended. */
function fitOverlap(_: string, { events }: Played): string | undefined {
  const child = events.filter((event) => event.agentId !== (event.taskId as string));
  const began = child.filter((event) => event.kind === 'started').map((event) => event.at);
  const ended = child.filter((event) => event.kind === 'ended').map((event) => event.at);
  return need(began.length > 1 && Math.max(...began) <= Math.min(...ended), { began, ended });
}

function fitOnce(expected: string[], { runs }: Played): string | undefined {
  const wrong = expected.filter((item) => {
    const [tool, value] = item.split(':');
    const fitting = runs.filter(
      (run) =>
        run.tool === tool &&
        run.ok &&
        (value === undefined || Object.values(run.arguments).some((given) => String(given) === value)),
    );
    return fitting.length !== 1;
  });
  return need(wrong.length === 0, wrong);
}

const agentsOf = (report: Report): Report[] => [report, ...report.children.flatMap(agentsOf)];

const checks: Record<string, Check> = {
  termination: (expected: string, played) => {
    const accepted = (played.scenario.expect.termination_accept as string[] | undefined) ?? [];
    return need([expected, ...accepted].includes(terminationOf(played.report)), terminationOf(played.report));
  },
  termination_accept: () => undefined,
  note: () => undefined,
  budget_kind: (expected: string, { report }) => need(report.termination.startsWith(expected), report.termination),
  final_answer: fitAnswer,
  calls: fitCalls,
  calls_max: (expected: Record<string, number>, played) =>
    need(
      Object.entries(expected).every(([name, most]) => executions(played, name) <= most),
      played.runs,
    ),
  tool_executions: (expected: Record<string, number>, played) =>
    need(
      Object.entries(expected).every(([name, times]) => executions(played, name) === times),
      played.runs,
    ),
  exactly_once: fitOnce,
  never_called: (expected: string[], played) =>
    need(
      expected.every((name) => executions(played, name) === 0),
      played.runs,
    ),
  attempts_max: (expected: number | Record<string, number>, played) =>
    need(
      callsSeen(played.journals).every(
        (call) => call.attempts <= (typeof expected === 'number' ? expected : (expected[call.name] ?? Infinity)),
      ),
      callsSeen(played.journals),
    ),
  approvals: (expected: number, { events }) => {
    const asked = events.filter((event) => event.kind === 'asked' && event.request.kind === 'approval').length;
    return need(asked === expected, asked);
  },
  model_calls: (expected: number, { modelCalls }) => need(modelCalls === expected, modelCalls),
  model_calls_max: (expected: number, { modelCalls }) => need(modelCalls <= expected, modelCalls),
  rounds_max: (expected: number, { report }) => need(report.usage.rounds <= expected, report.usage.rounds),
  tokens_max: (expected: number, { report: { usage } }) =>
    need(usage.inputTokens + usage.outputTokens <= expected, usage),
  usage: (expected: { prompt_tokens: number; completion_tokens: number }, { report: { usage } }) =>
    need(usage.inputTokens === expected.prompt_tokens && usage.outputTokens === expected.completion_tokens, usage),
  repairs_min: (expected: number, { report }) => need(report.repairs >= expected, report.repairs),
  incomplete_outputs: (expected: number, played) => {
    const cut = decisions(played).filter((decision) => decision.kind === 'unreadable' && decision.incomplete).length;
    return need(cut === expected, cut);
  },
  unknown_tool_errors: (expected: number, played) =>
    need(refusals(played, 'unknown_tool').length === expected, callsSeen(played.journals)),
  schema_errors: (expected: number, played) =>
    need(refusals(played, 'invalid_arguments').length === expected, callsSeen(played.journals)),
  provider_fallbacks: (expected: number, played) => {
    const moved = decisions(played).reduce(
      (sum, decision) => sum + (decision.kind === 'failed' ? 0 : decision.fallbacks),
      0,
    );
    return need(moved === expected, moved);
  },
  executors: fitExecutors,
  agents: (expected: number, { journals }) => need(journals.size === expected, [...journals.keys()]),
  unverified: (expected: string[], { report }) => {
    const doubted = agentsOf(report).flatMap(({ unverified = [] }) => unverified.map(({ claim }) => claim));
    const missing = expected.filter((part) => !doubted.some((claim) => claim.includes(part)));
    return need(missing.length === 0 && (expected.length > 0 || doubted.length === 0), doubted);
  },
  parallel: fitOverlap,
  human_events: (expected: string[], { humanEvents }) =>
    need(
      expected.every((event) => humanEvents.includes(event)),
      humanEvents,
    ),
  redacted_in_logs_and_traces: (expected: string[], { events, log }) => {
    const written = JSON.stringify(events) + log;
    const leaked = expected.filter((secret) => written.includes(secret));
    return need(leaked.length === 0 && log !== '', leaked);
  },
  reasoning_recorded: (expected: string[], played) => {
    const thoughts = decisions(played).flatMap((decision) =>
      decision.kind === 'failed' ? [] : [decision.reasoning ?? ''],
    );
    return need(
      expected.every((thought) => thoughts.some((text) => text.includes(thought))),
      thoughts,
    );
  },
};

/** One line for each field that does not hold. */
export function verdict(played: Played): string[] {
  return Object.entries(played.scenario.expect).flatMap(([field, expected]) => {
    const check = checks[field];
    const problem = check === undefined ? 'no such field is known' : check(expected as never, played);
    return problem === undefined ? [] : [`${field}: expected ${JSON.stringify(expected)}, ${problem}`];
  });
}
