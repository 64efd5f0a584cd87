/** What an agent's statechart meets in these tests: orders, policies, and outcomes of effects. */
import type { AgentPolicy } from '../../machines/context.js';
import type { Perception } from '../../machines/event.js';
import { type Amounts, type Budget, nothing } from '../../src/domain/budget.js';
import type { CallAction, PlannedCall } from '../../src/domain/call.js';
import type { CallUsage, DecisionOf } from '../../src/domain/decision.js';
import { type FailureKind, failure } from '../../src/domain/failure.js';
import { type AgentId, type RoleName, requestIdOf, type TaskId } from '../../src/domain/id.js';
import type { Delegation, Steering } from '../../src/domain/plan.js';
import type { Report, ReportStatus, Termination } from '../../src/domain/report.js';
import type { Order } from '../../src/domain/task.js';
import { noUsage } from '../../src/domain/usage.js';

/** Stands in every text that must stay in the journal. A context that contains it has copied a body. */
export const body = 'BODY-OF-A-MESSAGE';

export const birth = 1_700_000_000_000;
export const rootId = 'tsk_1' as AgentId;

export const ample: Budget = {
  rounds: 20,
  tokens: 100_000,
  costUsd: 1,
  toolCalls: 100,
  children: 10,
  deadlineAt: birth + 600_000,
};

/** A budget in which nothing is short but what the test says. */
export const grant = (changes: Partial<Budget> = {}): Budget => ({ ...ample, ...changes });

export const patient: AgentPolicy = {
  reflectEvery: 0,
  reflectTokens: 0,
  repetition: { window: 5, count: 3 },
  corrections: 3,
  unreadable: 3,
  outputTokens: 2_048,
  leastOutputTokens: 100,
  childRole: 'executor',
  depth: 3,
  callsPerRound: 16,
  humanTimeoutMs: 60_000,
  plan: { fanOut: 16, parallel: 8, attempts: 3, repairShare: 0.5, early: true, gatherMs: 5_000 },
};

export function orderOf(budget: Budget, changes: Partial<Order> = {}): Order {
  return {
    v: 1,
    taskId: 'tsk_1' as TaskId,
    agentId: rootId,
    role: 'planner' as RoleName,
    depth: 0,
    goal: `${body}: find out`,
    files: [],
    kind: 'general',
    priority: 'normal',
    budget,
    permission: { approval: 'risky' },
    traceId: '0'.repeat(32),
    submittedAt: birth,
    ...changes,
  };
}

/** An agent that was ordered by another one. */
export const childOrder = (budget: Budget, depth = 1): Order =>
  orderOf(budget, {
    agentId: 'tsk_1-1' as AgentId,
    role: 'executor' as RoleName,
    depth,
    parent: { agentId: rootId, role: 'planner' as RoleName, callId: 'r1c1' },
  });

export const outputTokenCostUsd = 0.000_002;
const inputTokenCostUsd = 0.000_001;

/** A prompt of 500 tokens at one and two dollars a million, in a window of 32,000. */
export const prompt = (promptTokens = 500, changes: Partial<Perception> = {}): Perception => ({
  promptTokens,
  roomTokens: 32_000 - promptTokens,
  promptCostUsd: promptTokens * inputTokenCostUsd,
  outputTokenCostUsd,
  ...changes,
});

export const used = (inputTokens: number, outputTokens: number): CallUsage => ({
  inputTokens,
  outputTokens,
  costUsd: inputTokens * inputTokenCostUsd + outputTokens * outputTokenCostUsd,
  countedInputTokens: inputTokens,
  estimated: false,
});

const replied = (usage: CallUsage) => ({
  usage,
  message: { role: 'assistant', content: body },
  messageTokens: usage.outputTokens,
  text: body,
  state: {},
  repairs: [],
  rejected: [],
  model: 'scripted',
  provider: 'scripted',
  fallbacks: 0,
  attempts: 1,
  ms: 1,
});

export const finalReply = (usage: CallUsage): DecisionOf<'final'> => ({ kind: 'final', ...replied(usage) });

export const unreadableReply = (usage: CallUsage): DecisionOf<'unreadable'> => ({
  kind: 'unreadable',
  ...replied(usage),
  problem: 'neither a call nor an answer',
  incomplete: false,
});

export const noReply = (usage: CallUsage, kind: FailureKind): DecisionOf<'failed'> => ({
  kind: 'failed',
  failure: failure(kind, 'the model did not answer'),
  usage,
  attempts: 1,
  ms: 1,
});

export const requestId = requestIdOf;

/** A call as a test names it; ids are given when the decision is made. */
export interface Wanted {
  readonly name: string;
  readonly action: CallAction;
  readonly needsApproval?: boolean;
}

export const tool = (name = 'look'): Wanted => ({ name, action: { route: 'tool' } });
export const risky = (name = 'write'): Wanted => ({ ...tool(name), needsApproval: true });
export const question = (): Wanted => ({ name: 'ask_user', action: { route: 'ask', question: body } });
export const delegation = (changes: Partial<Delegation> = {}): Wanted => ({
  name: 'delegate_task',
  action: { route: 'delegate', delegation: { goal: 'look at a part', context: body, ...changes } },
});
export const steer = (steering: Steering): Wanted => ({ name: 'steer_subtask', action: { route: 'steer', steering } });
export const finish = (): Wanted => ({
  name: 'finish',
  action: { route: 'finish', status: 'done', result: body, summary: body },
});
export const refused = (name = 'lok', kind: FailureKind = 'unknown_tool'): Wanted => ({
  name,
  action: { route: 'refused', failure: failure(kind, body) },
});

export function callsReply(
  usage: CallUsage,
  wanted: readonly Wanted[],
  { round, agentId, actionHash }: { round: number; agentId: AgentId; actionHash: string },
): DecisionOf<'calls'> {
  return {
    kind: 'calls',
    ...replied(usage),
    actionHash,
    calls: wanted.map(({ name, action, needsApproval = false }, index): PlannedCall => {
      const callId = `r${round}c${index + 1}`;
      return {
        callId,
        modelCallId: `call_${callId}`,
        name,
        arguments: { text: body },
        hash: '0123456789abcdef',
        action,
        effect: 'read',
        needsApproval,
        requestId: requestIdOf(agentId, callId),
        confidence: 1,
        repairs: [],
      };
    }),
  };
}

export function reportOf(
  agentId: AgentId,
  status: ReportStatus,
  spent: Partial<Amounts> = {},
  termination: Termination = status === 'done' ? 'finished' : 'failed',
): Report {
  return {
    v: 1,
    taskId: 'tsk_1' as TaskId,
    agentId,
    status,
    result: body,
    summary: body,
    termination,
    retryable: false,
    evidence: [],
    artifacts: [],
    usage: { ...noUsage, rounds: spent.rounds ?? 0, costUsd: spent.costUsd ?? 0, inputTokens: spent.tokens ?? 0 },
    spent: { ...nothing, ...spent },
    budgetLeft: nothing,
    repairs: 0,
    children: [],
  };
}
