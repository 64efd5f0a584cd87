/** Asks the model and turns its reply into a decision: planned calls, a final answer, or what was wrong. */

import { lastCallMessage } from '../src/context/prompt.js';
import type { PlannedCall } from '../src/domain/call.js';
import type { Decision } from '../src/domain/decision.js';
import { type Failure, type FailureKind, failure } from '../src/domain/failure.js';
import { type ApprovalId, requestIdOf } from '../src/domain/id.js';
import type { Json, JsonObject } from '../src/domain/json.js';
import type { EffectScope } from '../src/host/role.js';
import type { ModelOutcome } from '../src/llm/model.js';
import type { MendedCall } from '../src/parse/learn/mend.js';
import { isHarmless } from '../src/parse/meaning/meaning.js';
import { noReasoning } from '../src/parse/reasoning/tree.js';
import { planCall, type ReadCall } from '../src/tools/gate.js';
import { actionHash, callHash } from '../src/tools/hash.js';
import { sendable } from './message.js';
import { buildPrompt, type Prompt, type PromptSource, takePrompt } from './perceive.js';
import { type QueueRefusal, refuseUnserved } from './queue.js';
import { contextIn, decisionIn, orderIn } from './record.js';
import { type Repaired, type RepairSource, readAndRepair, weighRefusal } from './repair.js';
import type { Spare } from './small-model.js';
import { type BridgeSource, bridgeThoughts, untrustedThoughts } from './thoughts.js';
import type { Toolbox } from './toolbox.js';

export interface DecideSource extends PromptSource {
  readonly toolbox: Toolbox;
  readonly repair: RepairSource;
  readonly bridging: BridgeSource;
  readonly temperature: number;
  readonly queueRefusal: QueueRefusal;
}

interface DecideInput {
  readonly round: number;
  readonly outputTokens: number;
  /** Set when this is the last call that can be paid for. */
  readonly last: string | null;
}

/** What was reserved for the grace call. */
interface GraceInput {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

type Answered = Extract<ModelOutcome, { ok: true }>;

export async function decide(scope: EffectScope, source: DecideSource): Promise<Decision> {
  const input = scope.input as unknown as DecideInput;
  const prompt = takePrompt(scope, source);
  const extra = input.last === null ? 0 : source.model.countMessage(lastCallMessage);
  // The reservation is for the prompt as it was counted: what is added to it is taken off the answer.
  const asked = input.last === null ? prompt : withLastWords(prompt, extra);
  const outcome = await ask(scope, source, asked, input.outputTokens - extra);
  if (!outcome.ok) return failed(outcome);
  // What the reservation leaves, reckoned from below: the machine may have reserved more for the prompt.
  const { usage } = outcome;
  const spare = {
    tokens: prompt.tokens + input.outputTokens - usage.inputTokens - usage.outputTokens,
    costUsd: source.model.costUsd(prompt.tokens, input.outputTokens) - usage.costUsd,
  };
  return read(outcome, prompt, input, input.last === null ? spare : undefined, scope, source);
}

/** One more call for an agent that was stopped: it may only speak. Not made when the prompt cannot be cut to what was reserved. */
export async function sayLastWords(scope: EffectScope, source: DecideSource): Promise<Decision> {
  const { promptTokens, outputTokens } = scope.input as unknown as GraceInput;
  const { calibration, round } = contextIn(scope);
  // The reservation is in the provider's tokens, which may be more than ours.
  const most = Math.floor(promptTokens / Math.max(1, calibration.ratio));
  const extra = source.model.countMessage(lastCallMessage);
  const prompt = buildPrompt(scope, source, most - extra);
  if (prompt.tokens + extra > most) return unaffordable(prompt.tokens + extra, most);
  const outcome = await ask(scope, source, withLastWords(prompt, extra), outputTokens);
  if (!outcome.ok) return failed(outcome);
  return read(outcome, prompt, { round, outputTokens, last: 'rounds' }, undefined, scope, source);
}

const withLastWords = ({ messages, tools, tokens }: Prompt, extra: number): Prompt => ({
  messages: [...messages, lastCallMessage],
  tools,
  tokens: tokens + extra,
});

const unaffordable = (tokens: number, most: number): Decision => ({
  kind: 'failed',
  failure: failure('budget_exhausted', `no last words: the prompt has ${tokens} tokens, and ${most} are reserved`),
  usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, countedInputTokens: 0, estimated: false },
  attempts: 0,
  ms: 0,
});

function ask(
  scope: EffectScope,
  source: DecideSource,
  { messages, tools, tokens }: Prompt,
  outputTokens: number,
): Promise<ModelOutcome> {
  const { model, temperature } = source;
  const maxOutputTokens = Math.min(outputTokens, model.maxOutputTokens);
  return model.call(
    { messages, tools, maxOutputTokens, temperature, agentId: scope.agentId, promptTokens: tokens },
    { signal: scope.signal, mayBegin: () => scope.stands() },
  );
}

const failed = ({ failure: why, usage, attempts, ms }: Extract<ModelOutcome, { ok: false }>): Decision => ({
  kind: 'failed',
  failure: why,
  usage,
  attempts,
  ms,
});

/** @param spare for one call of the small model; undefined: none is made */
async function read(
  outcome: Answered,
  prompt: Prompt,
  input: DecideInput,
  spare: Spare | undefined,
  scope: EffectScope,
  source: DecideSource,
): Promise<Decision> {
  const repaired = await readAndRepair(outcome, prompt.tools, spare, scope, source.repair);
  const { mended, reply } = repaired;
  const tree = reply.reasoning === '' ? noReasoning : reply.reasoningTree;
  const { bridges, usage } = await bridgeThoughts(tree, repaired.usage, repaired.spare, scope, source.bridging);
  const untrusted = untrustedThoughts(
    tree,
    scope,
    prompt.tools.map(({ name }) => name),
  );
  const planned = planCalls(mended, input, scope, source);
  const calls = await refuseUnserved(planned, contextIn(scope).policy.childRole, source.queueRefusal);
  const message = sendable(outcome.message, calls);
  const common = {
    usage,
    message: message as unknown as JsonObject,
    messageTokens: source.model.countMessage(message),
    text: reply.content,
    reasoning: reply.reasoning === '' ? undefined : reply.reasoning,
    state: factsOf(reply.state),
    repairs: [...new Set([...reply.meta.repairs, ...mended.calls.flatMap((call) => call.repairs)])],
    rejected: [
      ...mended.rejected.map(({ name, reason }) => ({ name, reason })),
      ...reply.superseded.map(({ name, reason }) => ({ name, reason: `superseded: ${reason}` })),
      ...Array.from({ length: reply.meta.repeated }, () => ({ name: reply.calls[0]?.name ?? '', reason: 'repeated' })),
    ],
    ...(untrusted.length > 0 && { untrusted }),
    ...(bridges.length > 0 && { bridges }),
    model: outcome.model,
    provider: outcome.provider,
    attempts: outcome.attempts,
    fallbacks: outcome.fallbacks,
    ms: outcome.ms,
  };
  if (calls.length > 0) return { kind: 'calls', ...common, calls, actionHash: actionHash(calls) };
  const problem = problemOf(reply, outcome.finishReason);
  const misfit = problem === undefined ? misfitOf(reply.content, input, scope, source) : undefined;
  if (misfit !== undefined) return { kind: 'calls', ...common, calls: [misfit], actionHash: misfit.hash };
  if (problem === undefined) return { kind: 'final', ...common };
  if (input.last !== null && reply.content.trim() !== '') return { kind: 'final', ...common, shortfall: problem };
  return { kind: 'unreadable', ...common, problem, incomplete: reply.incomplete.length > 0 };
}

type Reply = Repaired['reply'];

/** Failures of the pipeline that concern a call the model meant: they are answered; the rest was never a call. */
const answerable: ReadonlySet<string> = new Set<FailureKind>(['unknown_tool', 'invalid_arguments']);

function planCalls(
  reply: Repaired['mended'],
  { last, round }: DecideInput,
  scope: EffectScope,
  source: DecideSource,
): PlannedCall[] {
  const context = contextIn(scope);
  const { toolbox } = source;
  const identity = (n: number) => ({
    callId: `r${round}c${n}`,
    requestId: requestIdOf(scope.agentId, `r${round}c${n}`) as ApprovalId,
  });
  const planned = reply.calls.map((call, index): PlannedCall => {
    const read: ReadCall = {
      ...identity(index + 1),
      modelCallId: call.id,
      name: call.name,
      arguments: call.arguments,
      confidence: call.confidence,
      repairs: call.repairs,
      ...(call.warnings.length > 0 && { warnings: [...call.warnings] }),
      ...(call.rules.length > 0 && { rules: [...call.rules] }),
    };
    if (index >= context.policy.callsPerRound) {
      return refused(
        read,
        failure(
          'budget_exhausted',
          `at most ${context.policy.callsPerRound} calls in one reply`,
          'send the rest in the next reply',
        ),
      );
    }
    const passed = checkFinish(planCall(read, toolbox.gateFor(context.permission)), last, scope, source);
    weighRefusal(passed, source.repair.learner);
    return isHarmless(passed) ? passed : careful(passed, call, scope);
  });
  const mistaken = reply.rejected
    .filter((call) => answerable.has(call.failure))
    .map((call, index): PlannedCall => {
      const read = {
        ...identity(reply.calls.length + index + 1),
        modelCallId: call.id,
        name: call.name,
        arguments: call.arguments ?? {},
        confidence: 0,
        repairs: [],
      };
      const nearest = call.nearest ?? [];
      const hint =
        nearest.length > 0
          ? `did you mean ${nearest.join(', ')}?`
          : `available tools: ${toolbox.names(context.permission).join(', ')}`;
      return refused(read, failure(call.failure as FailureKind, call.reason, hint));
    });
  return [...planned, ...mistaken];
}

/**
 * Calls that change something. Arguments that were guessed need a human's leave; those that contradict the goal go back
 * to the model once, and run when it says the same again.
 */
function careful(call: PlannedCall, { contradicts, guess }: MendedCall, scope: EffectScope): PlannedCall {
  if (call.action.route === 'refused') return call;
  if (guess && contextIn(scope).permission.approval === 'auto') {
    const why = failure(
      'invalid_arguments',
      `the call of ${call.name} could only be guessed`,
      'send it in a plain form',
    );
    return { ...call, action: { route: 'refused', failure: why } };
  }
  if (contradicts && !wasHeld(call, scope)) {
    const why = failure(
      'invalid_arguments',
      call.warnings?.join('; ') ?? '',
      'correct it, or send the same call again if it is meant',
    );
    return { ...call, action: { route: 'refused', failure: why } };
  }
  return guess ? { ...call, needsApproval: call.action.route === 'tool' || call.needsApproval } : call;
}

const wasHeld = ({ hash }: PlannedCall, scope: EffectScope): boolean =>
  contextIn(scope).transcript.some((entry) => {
    const decision = entry.kind === 'round' ? decisionIn(scope.recall, entry.decision) : undefined;
    return decision?.kind === 'calls' && decision.calls.some((call) => call.hash === hash && call.warnings?.length);
  });

const refused = (call: ReadCall, why: Failure): PlannedCall => ({
  ...call,
  hash: callHash(call.name, call.arguments),
  action: { route: 'refused', failure: why },
  effect: 'unsafe',
  needsApproval: false,
});

/** A result that was asked for by schema must fit it. The first that does not goes back; of the second, the report says so. */
function checkFinish(
  call: PlannedCall,
  last: string | null,
  scope: EffectScope,
  { toolbox }: DecideSource,
): PlannedCall {
  const schema = orderIn(scope.recall).resultSchema;
  if (call.action.route !== 'finish' || call.action.status !== 'done' || schema === undefined) return call;
  const problem = toolbox.mismatch(schema, call.action.result);
  return problem === undefined || last !== null || wasRepaired(scope)
    ? call
    : { ...call, action: { route: 'refused', failure: misfit(problem) } };
}

const misfit = (problem: string): Failure =>
  failure(
    'invalid_result',
    problem,
    'call finish once more with a result that fits, or with status "partial"; there is no third try',
  );

/** A plain answer is read as a call of `finish`. With subtasks under way it is none: it waits for them. */
function misfitOf(
  text: string,
  { last, round }: DecideInput,
  scope: EffectScope,
  { toolbox }: DecideSource,
): PlannedCall | undefined {
  const schema = orderIn(scope.recall).resultSchema;
  if (schema === undefined || last !== null || contextIn(scope).open.length > 0 || wasRepaired(scope)) return undefined;
  const problem = toolbox.mismatch(schema, jsonOrText(text));
  if (problem === undefined) return undefined;
  const callId = `r${round}c1`;
  const requestId = requestIdOf(scope.agentId, callId) as ApprovalId;
  const read = { callId, requestId, name: 'finish', arguments: { result: text }, confidence: 1, repairs: [] };
  return refused(read, misfit(problem));
}

const wasRepaired = (scope: EffectScope): boolean =>
  contextIn(scope).transcript.some((entry) => {
    const decision = entry.kind === 'round' ? decisionIn(scope.recall, entry.decision) : undefined;
    return (
      decision?.kind === 'calls' &&
      decision.calls.some(({ action }) => action.route === 'refused' && action.failure.kind === 'invalid_result')
    );
  });

/** Why a reply without calls is no answer; undefined when it is one. */
function problemOf(reply: Reply, finishReason: string): string | undefined {
  const [cut] = reply.incomplete;
  if (cut !== undefined)
    return `a call${cut.name ? ` of ${cut.name}` : ''} was cut off (${cut.reason}); send it whole, or something shorter`;
  if (reply.content.trim() === '') return 'it was empty: neither a call nor an answer';
  return finishReason === 'length' ? 'it was cut off at the output limit; answer more briefly' : undefined;
}

export function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const factsOf = (state: Reply['state']): JsonObject =>
  Object.fromEntries(
    Object.entries(state)
      .slice(0, 40)
      .map(([key, entry]) => [key, entry.value as Json]),
  );
