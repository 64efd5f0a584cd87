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
import { orderIn } from './record.js';
import { askSmall, type Spare, spareAfter, usageOf } from './small-model.js';

export interface RepairSource {
  readonly learner?: Learner;
  readonly smallModel?: Model;
  readonly now: () => number;
  /** Takes personal data out of a text before it is kept. */
  readonly redact: (text: string) => string;
  readonly alert: (scope: EffectScope, text: string) => void;
}

export interface Repaired {
  readonly reply: Reply;
  readonly mended: Mended;
  /** With what the small model used. */
  readonly usage: CallUsage;
  /** What is left for more questions; undefined: none may be asked. */
  readonly spare: Spare | undefined;
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
  const read = { reply, mended, usage, spare };
  return question === undefined || spare === undefined
    ? read
    : asked(question, read, tools, goal, spare, scope, source);
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

/** What the small model makes of the question, and the bill with it. */
async function asked(
  question: Question,
  before: Repaired,
  tools: readonly ParseTool[],
  goal: Goal,
  spare: Spare,
  scope: EffectScope,
  { learner, now, smallModel }: RepairSource,
): Promise<Repaired> {
  const { mended } = before;
  const answer =
    smallModel === undefined
      ? undefined
      : await askSmall(questionPrompt(question, tools, goal), spare, scope, smallModel);
  if (answer === undefined) return before;
  const paid = { ...before, usage: usageOf(before.usage, answer.usage), spare: spareAfter(spare, answer.usage) };
  const used = answer.text === undefined ? undefined : useAnswer(mended, question, answer.text, tools, goal);
  if (used === undefined) return paid;
  const tool = question.about === 'text' ? unreadCall(question.said, tools) : question.tool;
  if (tool !== undefined) learner?.learn(used.lessons, tool, 'model', now());
  return { ...paid, mended: used.mended };
}

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
