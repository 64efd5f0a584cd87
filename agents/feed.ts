/** Tells watchers about a step, in words. */
import type { AgentContext } from '../machines/context.js';
import { remaining, spentInAll } from '../src/domain/budget.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { Decision, DecisionOf } from '../src/domain/decision.js';
import type { FeedEvent } from '../src/domain/event.js';
import type { JsonObject } from '../src/domain/json.js';
import type { PlanStep, Subtask } from '../src/domain/plan.js';
import type { Report } from '../src/domain/report.js';
import type { AgentPhase } from '../src/domain/task.js';
import { addUsage } from '../src/domain/usage.js';
import type { Recall, StepView } from '../src/host/role.js';
import type { Redactor } from '../src/safety/redact.js';
import { orderIn } from './record.js';

export function describe(view: StepView, recall: Recall, redactor: Redactor): FeedEvent[] {
  const context = view.context as AgentContext;
  const { taskId, agentId, role } = context.me;
  const base = {
    v: 1 as const,
    taskId,
    agentId,
    role,
    seq: view.seq,
    at: view.at,
    host: view.host,
    round: context.round,
  };
  const events: FeedEvent[] = [];
  if (view.born) events.push({ ...base, kind: 'started', ...birth(context, recall, redactor) });
  events.push({
    ...base,
    kind: 'moved',
    state: view.state as AgentPhase,
    cause: causeOf(view.events),
    detail: redactor.text(
      [view.events.map(detailOf).filter(Boolean).join('; ') || waitingFor(context), pauseOf(context, view)]
        .filter(Boolean)
        .join('; '),
    ),
    remaining: remaining(context.ledger),
    usage: addUsage(context.usage, context.usageBelow),
    repairs: context.counts.repairs,
    granted: context.ledger.granted,
    ...(context.plan.length > 0 && { plan: context.plan.map((subtask) => stepOf(subtask, redactor)) }),
  });
  const warning = warningOf(context, view.events);
  if (warning !== undefined) events.push({ ...base, kind: 'alerted', text: warning });
  for (const delivery of view.deliveries) {
    if (delivery.to === 'human' && delivery.request !== null)
      events.push({ ...base, kind: 'asked', request: delivery.request });
  }
  const reported = view.ended ? reportIn(view.events) : undefined;
  if (reported !== undefined) events.push({ ...base, kind: 'ended', report: redacted(reported, redactor) });
  return events;
}

const stepOf = ({ agentId, name, dependsOn, state, attempt }: Subtask, redactor: Redactor): PlanStep => ({
  agentId,
  name: redactor.text(name),
  dependsOn,
  state,
  ...(attempt !== undefined && { attempt }),
});

/** Told in the step that reserved the call after which the level was passed. */
function warningOf({ warned, round, ledger }: AgentContext, events: readonly JsonObject[]): string | undefined {
  if (warned?.round !== round || !events.some(({ type }) => type === 'xstate.done.actor.perceive')) return undefined;
  const { kind, level } = warned;
  const spent = spentInAll(ledger)[kind];
  return `over ${level} % of the budget for ${kind} is spent: ${shown(spent)} of ${shown(ledger.granted[kind])}`;
}

const shown = (amount: number): string => amount.toLocaleString('en-US', { maximumFractionDigits: 4 });

function birth({ me, ledger }: AgentContext, recall: Recall, redactor: Redactor) {
  const goal = redactor.text(orderIn(recall).goal.slice(0, 500));
  return { goal, parent: me.parent?.agentId, depth: me.depth, granted: ledger.granted };
}

/** The event that matters most to a person: outcomes of local effects only lead up to it. */
const causeOf = (events: readonly JsonObject[]): string => {
  const names = events.map((event) =>
    String(event.type).replace('xstate.done.actor.', 'done.').replace('xstate.error.actor.', 'error.'),
  );
  return names.find((name) => name !== 'done.perceive' && name !== 'done.report') ?? names[0] ?? '';
};

function detailOf(event: JsonObject): string {
  switch (event.type) {
    case 'xstate.done.actor.decide':
    case 'xstate.done.actor.grace':
      return decisionDetail(event.output as unknown as Decision);
    case 'xstate.done.actor.callTools':
      return (event.output as unknown as { results: { name: string; status: string }[] }).results
        .map(({ name, status }) => `${name} ${status}`)
        .join(', ');
    case 'child.reported': {
      const { agentId, status } = event.report as unknown as Report;
      return `${agentId} ${status}`;
    }
    case 'host.recovered':
      return 'taken over from a host that died';
    default:
      return '';
  }
}

function decisionDetail(decision: Decision): string {
  switch (decision.kind) {
    case 'calls':
      return `${decision.calls.map(callDetail).join(', ')}${remarksOn(decision)}`;
    case 'final':
      return `answers${remarksOn(decision)}`;
    case 'unreadable':
      return `reply not used: ${decision.problem}`;
    case 'failed':
      return `no reply: ${decision.failure.message}`;
  }
}

const remarksOn = ({ repairs, untrusted = [] }: DecisionOf<'calls' | 'final'>): string =>
  [
    repairs.length === 0 ? '' : ` [repaired: ${repairs.join(', ')}]`,
    untrusted.length === 0 ? '' : ` [untrusted: ${untrusted.map(({ thought }) => thought).join(' | ')}]`,
  ].join('');

function callDetail(call: PlannedCall): string {
  if (call.action.route === 'refused') return `${call.name} refused: ${call.action.failure.message}`;
  if (call.action.route === 'delegate')
    return `${call.name} ${call.action.delegation.name ?? call.action.delegation.goal.slice(0, 60)}`;
  const args = Object.values(call.arguments).filter((value) => typeof value === 'string' || typeof value === 'number');
  return `${call.name} ${args.join(' ').slice(0, 80)}${call.needsApproval ? ' NEEDS APPROVAL' : ''}`.trim();
}

/** A pause takes effect between two rounds. */
const pauseOf = ({ paused }: AgentContext, { ended, state }: StepView): string =>
  !paused || ended ? '' : state === 'parked' ? 'paused' : 'pauses after this round';

function waitingFor(context: AgentContext): string {
  const waits = context.open.filter(({ state }) => state !== 'settled' && state !== 'ready');
  return waits.length === 0 ? '' : `waits for ${waits.map(({ waitsFor, name }) => waitsFor ?? name).join(', ')}`;
}

/** What the report says in words; ids, counts and references stay. The client reads the whole report in the task's record. */
const redacted = (report: Report, redactor: Redactor): Report => ({
  ...report,
  result: redactor.json(report.result),
  summary: redactor.text(report.summary),
  ...(report.unverified === undefined
    ? {}
    : {
        unverified: report.unverified.map((one) => ({
          ...one,
          about: redactor.text(one.about),
          claim: redactor.text(one.claim),
          reason: redactor.text(one.reason),
        })),
      }),
  evidence: report.evidence.map((one) =>
    one.claims === undefined ? one : { ...one, claims: one.claims.map(redactor.text) },
  ),
  error: report.error === undefined ? undefined : { ...report.error, message: redactor.text(report.error.message) },
  children: report.children.map((child) => redacted(child, redactor)),
});

const reportIn = (events: readonly JsonObject[]): Report | undefined =>
  events.findLast((event) => event.type === 'xstate.done.actor.report')?.output as unknown as Report | undefined;
