/** Writes the one report of an agent from what really ran. */
import type { AgentContext, Ending, Round } from '../machines/context.js';
import { atLeastZero, remaining, spentInAll } from '../src/domain/budget.js';
import type { Decision } from '../src/domain/decision.js';
import { isRetryable } from '../src/domain/failure.js';
import type { Json } from '../src/domain/json.js';
import type { Artifact, Evidence, Report } from '../src/domain/report.js';
import { addUsage } from '../src/domain/usage.js';
import type { EffectScope, Recall } from '../src/host/role.js';
import { jsonOrText } from './decide.js';
import { progressNote } from './note.js';
import { contextIn, decisionIn, messageIn, orderIn, toolsIn } from './record.js';

export const report = (scope: EffectScope, now: number): Report => reportOf(contextIn(scope), scope.recall, now);

/** @param context of an agent that has come to its end. @param now ms since 1970. */
export function reportOf(context: AgentContext, recall: Recall, now: number): Report {
  const ending: Ending = context.ending ?? { status: 'failed', termination: 'failed' };
  const words = wordsOf(ending, context, recall);
  const children = childReports(context, recall);
  return {
    v: 1,
    taskId: context.me.taskId,
    agentId: context.me.agentId,
    status: words.status,
    result: words.result,
    summary: words.summary,
    termination: ending.termination,
    retryable: ending.failure === undefined ? false : isRetryable(ending.failure) || ending.status === 'exhausted',
    error: words.status === 'done' ? undefined : ending.failure,
    evidence: evidenceOf(context),
    artifacts: [...artifactsOf(context, recall), ...children.flatMap((child) => child.artifacts)],
    usage: { ...addUsage(context.usage, context.usageBelow), ms: Math.max(0, now - context.me.submittedAt) },
    spent: spentInAll(context.ledger),
    budgetLeft: atLeastZero(remaining(context.ledger)),
    repairs: context.counts.repairs,
    children,
  };
}

type Words = Pick<Report, 'status' | 'result' | 'summary'>;

function wordsOf(ending: Ending, context: AgentContext, recall: Recall): Words {
  const decision = ending.ref === undefined ? undefined : decisionIn(recall, ending.ref);
  const finish =
    decision?.kind === 'calls'
      ? decision.calls.map(({ action }) => action).find(({ route }) => route === 'finish')
      : undefined;
  if (finish?.route === 'finish' && finish.status !== 'failed') {
    const status = ending.status === 'done' ? finish.status : ending.status;
    return { status, result: finish.result, summary: finish.summary };
  }
  if (finish?.route === 'finish') return { status: 'failed', result: finish.result, summary: finish.summary };
  if (ending.status === 'done' || ending.termination === 'denied' || ending.termination === 'needs_input') {
    return answer(ending, decision, orderIn(recall).resultSchema !== undefined);
  }
  const { said, note } = progressNote(context, recall, decision);
  return { status: ending.status, result: said, summary: note };
}

function answer(ending: Ending, decision: Decision | undefined, wantsJson: boolean): Words {
  const text = decision === undefined || decision.kind === 'failed' ? '' : decision.text.trim();
  const result: Json = wantsJson ? jsonOrText(text) : text;
  const falls = decision?.kind === 'final' && decision.shortfall !== undefined;
  return { status: falls && ending.status === 'done' ? 'partial' : ending.status, result, summary: text };
}

const rounds = (context: AgentContext): Round[] =>
  context.transcript.filter((entry): entry is Round => entry.kind === 'round');

const evidenceOf = (context: AgentContext): Evidence[] =>
  rounds(context).flatMap((round) =>
    round.results.map(({ callId, name, status }) => ({ agentId: context.me.agentId, callId, tool: name, status })),
  );

/** What tools left behind: values too long for the prompt, and files that were written. */
function artifactsOf(context: AgentContext, recall: Recall): Artifact[] {
  return rounds(context)
    .flatMap((round) => round.results)
    .flatMap(({ callId, name, ref }) => {
      const observation = toolsIn(recall, ref)?.observations?.find((item) => item.callId === callId);
      if (observation?.status !== 'ok') return [];
      if (observation.artifact !== undefined)
        return [{ name: `${name} ${callId}`, ref: `blob:${observation.artifact}` }];
      return writtenFile(observation.data);
    });
}

function writtenFile(data: Json): Artifact[] {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return [];
  const { written, path, bytes } = data as Record<string, Json>;
  if (typeof path !== 'string' || written === undefined) return [];
  return [
    { name: path.split('/').at(-1) ?? path, ref: `file:${path}`, ...(typeof bytes === 'number' ? { bytes } : {}) },
  ];
}

/** Children as they reported, their own children left out: those are in their parents' journals. */
function childReports(context: AgentContext, recall: Recall): Report[] {
  return Object.values(context.reports).flatMap((ref) => {
    const message = messageIn(recall, ref);
    return message?.type === 'child.reported' ? [message.report] : [];
  });
}
