/** Writes the one report of an agent from what really ran. */
import type { AgentContext, Ending, Round } from '../machines/context.js';
import { atLeastZero, remaining, spentInAll } from '../src/domain/budget.js';
import type { Decision } from '../src/domain/decision.js';
import { type Failure, failure, isRetryable } from '../src/domain/failure.js';
import type { Json, JsonObject } from '../src/domain/json.js';
import type { Artifact, Evidence, Report } from '../src/domain/report.js';
import { addUsage } from '../src/domain/usage.js';
import type { EffectScope, Recall } from '../src/host/role.js';
import { resultProblem } from '../src/tools/schema-result.js';
import { type ClaimLimits, checkClaims } from './claims/check.js';
import type { Claim } from './claims/claim.js';
import { gatherGrounds } from './claims/gather.js';
import { jsonOrText } from './decide.js';
import { progressNote } from './note.js';
import { contextIn, decisionIn, messageIn, orderIn, toolsIn } from './record.js';

export interface ReportOptions {
  /** Names of the tools that the agent may call. */
  readonly tools: readonly string[];
  readonly limits: ClaimLimits;
}

export const report = (scope: EffectScope, now: number, options: ReportOptions): Report =>
  reportOf(contextIn(scope), scope.recall, now, options);

/** @param context of an agent that has come to its end. @param now ms since 1970. @param options absent: nothing is checked */
export function reportOf(context: AgentContext, recall: Recall, now: number, options?: ReportOptions): Report {
  const ending: Ending = context.ending ?? { status: 'failed', termination: 'failed' };
  const words = wordsOf(ending, context, recall);
  const misfit = words.status === 'done' ? misfitOf(words.result, orderIn(recall).resultSchema) : undefined;
  const status = misfit === undefined ? words.status : 'failed';
  const claims =
    options !== undefined && (status === 'done' || status === 'partial')
      ? checkClaims(
          { ...words, done: status === 'done' },
          gatherGrounds(context, recall, options.tools),
          options.limits,
        )
      : [];
  const unverified = claims.filter((claim) => !claim.supported).slice(0, mostUnverified);
  const children = childReports(context, recall);
  return {
    v: 1,
    taskId: context.me.taskId,
    agentId: context.me.agentId,
    status,
    result: words.result,
    summary: words.summary,
    termination: misfit === undefined ? ending.termination : 'failed',
    retryable: ending.failure === undefined ? false : isRetryable(ending.failure) || ending.status === 'exhausted',
    error: misfit ?? (status === 'done' ? undefined : ending.failure),
    evidence: evidenceOf(context, claims),
    artifacts: [...artifactsOf(context, recall), ...children.flatMap((child) => child.artifacts)],
    ...(unverified.length > 0 && {
      unverified: unverified.map(({ about, claim, kind, reason }) => ({ kind, about, claim, reason })),
    }),
    usage: { ...addUsage(context.usage, context.usageBelow), ms: Math.max(0, now - context.me.submittedAt) },
    spent: spentInAll(context.ledger),
    budgetLeft: atLeastZero(remaining(context.ledger)),
    repairs: context.counts.repairs,
    children,
  };
}

const mostUnverified = 20;

/** What was asked for by schema is delivered in that form, or it is not delivered. */
function misfitOf(result: Json, schema: JsonObject | undefined): Failure | undefined {
  const problem = schema === undefined ? undefined : resultProblem(schema, result);
  return problem === undefined
    ? undefined
    : failure('invalid_result', `the result does not fit the requested schema: ${problem}`);
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

/** Every call, with what of the report it supports. */
const evidenceOf = (context: AgentContext, claims: readonly Claim[]): Evidence[] =>
  rounds(context).flatMap((round) =>
    round.results.map(({ callId, name, status }) => {
      const supports = claims
        .filter(({ evidence }) => evidence.includes(callId))
        .map(({ about }) => about.slice(0, 80));
      const base = { agentId: context.me.agentId, callId, tool: name, status };
      return supports.length === 0 ? base : { ...base, claims: [...new Set(supports)].slice(0, mostUnverified) };
    }),
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
  const { bytes, created, path, sha256, written } = data as Record<string, Json>;
  if (typeof path !== 'string' || (written ?? created ?? sha256) === undefined) return [];
  return [
    {
      name: path.split('/').at(-1) ?? path,
      ref: `file:${path}`,
      ...(typeof bytes === 'number' ? { bytes } : {}),
      ...(typeof sha256 === 'string' ? { sha256 } : {}),
    },
  ];
}

/** Children as they reported, their own children left out: those are in their parents' journals. */
function childReports(context: AgentContext, recall: Recall): Report[] {
  return Object.values(context.reports).flatMap((ref) => {
    const message = messageIn(recall, ref);
    return message?.type === 'child.reported' ? [message.report] : [];
  });
}
