/** The rungs above plain reading: learned rules, the goal, and one question to a small model when it is paid for. */
import type { Observation, PlannedCall } from '../src/domain/call.js';
import type { CallUsage, Decision } from '../src/domain/decision.js';
import type { EffectScope } from '../src/host/role.js';
import type { Model, ModelOutcome } from '../src/llm/model.js';
import { finishOf } from '../src/parse/judge.js';
import { questionPrompt, useAnswer } from '../src/parse/learn/ask.js';
import type { Learner } from '../src/parse/learn/learner.js';
import { type Mended, mend, type Question } from '../src/parse/learn/mend.js';
import { saidIn } from '../src/parse/learn/said.js';
import { unreadCall } from '../src/parse/learn/unparsed.js';
import { MARKERS } from '../src/parse/markers.js';
import { dayOf } from '../src/parse/meaning/calendar.js';
import { type Goal, readGoal } from '../src/parse/meaning/meaning.js';
import { type ParseTool, parseReply, type Reply } from '../src/parse/reply.js';
import { contextIn, orderIn } from './record.js';

export interface RepairSource {
  readonly learner?: Learner;
  readonly smallModel?: Model;
  readonly now: () => number;
  /** Takes personal data out of a text before it is kept. */
  readonly redact: (text: string) => string;
  readonly alert: (scope: EffectScope, text: string) => void;
}

/** What the decision's reservation leaves when the main call is paid. */
export interface Spare {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface Repaired {
  readonly reply: Reply;
  readonly mended: Mended;
  /** With what the small model used. */
  readonly usage: CallUsage;
}

type Answered = Extract<ModelOutcome, { ok: true }>;

export async function readAndRepair(
  outcome: Answered,
  tools: readonly ParseTool[],
  spare: Spare | undefined,
  scope: EffectScope,
  source: RepairSource,
): Promise<Repaired> {
  const { learner } = source;
  const markers = learner?.markers() ?? MARKERS;
  const { finishReason, message, usage } = outcome;
  const reply = parseReply({ message, finishReason, tools, markers });
  const said = (): string => saidIn({ message }, reply, markers);
  const goal = goalOf(scope);
  const mended = mend({
    reply,
    said,
    whole: finishOf(finishReason) === 'whole',
    tools,
    rules: learner?.rules() ?? [],
    goal,
  });
  if (mended.unparsed) queue(said(), tools, scope, source);
  else learner?.parsed(reply);
  const { question } = mended;
  if (question === undefined || spare === undefined) return { reply, mended, usage };
  return { reply, ...(await asked(question, mended, tools, goal, usage, spare, scope, source)) };
}

function goalOf(scope: EffectScope): Goal {
  const known = scope.memo.get('goal') as Goal | undefined;
  if (known !== undefined) return known;
  const { goal, submittedAt } = orderIn(scope.recall);
  const read = readGoal(goal, dayOf(submittedAt));
  scope.memo.set('goal', read);
  return read;
}

function queue(said: string, tools: readonly ParseTool[], scope: EffectScope, source: RepairSource): void {
  const tool = unreadCall(said, tools);
  if (source.learner === undefined || tool === undefined) return;
  const { alert, inRow, pattern } = source.learner.unparsed(source.redact(said), tool, source.now());
  if (pattern !== undefined)
    source.alert(scope, `replies in an unknown layout are understood from now on (${pattern})`);
  else if (alert)
    source.alert(scope, `${inRow} replies in a row hold calls that cannot be read; look at the model's output`);
}

const OUTPUT_MAX = 400;
/** Small models may count more tokens than we do. */
const MARGIN = 1.5;

async function asked(
  question: Question,
  mended: Mended,
  tools: readonly ParseTool[],
  goal: Goal,
  usage: CallUsage,
  spare: Spare,
  scope: EffectScope,
  { learner, now, smallModel }: RepairSource,
): Promise<{ mended: Mended; usage: CallUsage }> {
  if (smallModel === undefined) return { mended, usage };
  const messages = questionPrompt(question, tools, goal);
  const promptTokens = messages.reduce(
    (sum, message) => sum + smallModel.countMessage(message),
    smallModel.overheadTokens,
  );
  const maxOutputTokens = Math.min(OUTPUT_MAX, smallModel.maxOutputTokens);
  const bound = Math.ceil(promptTokens * MARGIN * Math.max(1, contextIn(scope).calibration.ratio));
  if (bound + maxOutputTokens > spare.tokens || smallModel.costUsd(bound, maxOutputTokens) > spare.costUsd)
    return { mended, usage };
  const { agentId, signal } = scope;
  const outcome = await smallModel.call(
    { messages, tools: [], maxOutputTokens, temperature: 0, agentId, promptTokens },
    { signal },
  );
  const paid = sumOf(usage, outcome.usage);
  const answer = outcome.ok && typeof outcome.message.content === 'string' ? outcome.message.content : undefined;
  const used = answer === undefined ? undefined : useAnswer(mended, question, answer, tools, goal);
  if (used === undefined) return { mended, usage: paid };
  const tool = question.about === 'text' ? unreadCall(question.said, tools) : question.tool;
  if (tool !== undefined) learner?.learn(used.lessons, tool, 'model', now());
  return { mended: used.mended, usage: paid };
}

/** Together they say nothing of how the main model's provider counts. */
const sumOf = (a: CallUsage, b: CallUsage): CallUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
  countedInputTokens: 0,
  estimated: a.estimated || b.estimated,
});

/** Calls that learned rules made, once they ran: arguments that the tool refuses were wrong. Other failures say nothing. */
export function weighRules(
  decision: Decision | undefined,
  observations: readonly Pick<Observation, 'callId' | 'status' | 'error'>[],
  learner: Learner | undefined,
): void {
  if (decision?.kind !== 'calls' || learner === undefined) return;
  for (const { callId, rules = [] } of decision.calls) {
    const seen = observations.find((observation) => observation.callId === callId);
    if (seen?.status === 'ok') learner.used(rules, true);
    else if (seen?.error?.kind === 'invalid_arguments') learner.used(rules, false);
  }
}

/** A call that learned rules made and that the gate refused. */
export function weighRefusal({ action, rules = [] }: PlannedCall, learner: Learner | undefined): void {
  if (action.route === 'refused' && action.failure.kind === 'invalid_arguments') learner?.used(rules, false);
}
