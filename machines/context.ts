/** What an agent's statechart remembers: counters, the budget ledger and references into the journal; never message bodies. */

import { type AmountKind, type Ledger, openLedger } from '../src/domain/budget.js';
import type { CallAction } from '../src/domain/call.js';
import type { Failure, FailureKind } from '../src/domain/failure.js';
import type { Json } from '../src/domain/json.js';
import { placementOf } from '../src/domain/lane.js';
import type { Permission } from '../src/domain/permission.js';
import type { Subtask } from '../src/domain/plan.js';
import type { ReportStatus, Termination } from '../src/domain/report.js';
import type { Order } from '../src/domain/task.js';
import { noUsage, type Usage } from '../src/domain/usage.js';

/** How much one agent may have under way, and how far it may repair its plan. */
export interface PlanPolicy {
  /** Subtasks that have not ended; more are refused. */
  readonly fanOut: number;
  /** Subtasks at work at once; more wait for their turn. */
  readonly parallel: number;
  /** Times that one subtask may be ordered, the first included. */
  readonly attempts: number;
  /** Share of the grant that repeated subtasks may take in all, from 0 to 1. */
  readonly repairShare: number;
  /** Decide as soon as a subtask comes to nothing, not only when all of its round have reported. */
  readonly early: boolean;
  /** ms that an agent which ends waits for the reports of the subtasks that it stops. Absent before statechart version 3. */
  readonly gatherMs?: number;
}

/** Limits that decide how an agent behaves. Recorded with its creation, so that a replay takes the same path. */
export interface AgentPolicy {
  /** Reflect every so many rounds. 0: never. */
  readonly reflectEvery: number;
  /** Tokens reserved for a reflection; 0 when it calls no model. */
  readonly reflectTokens: number;
  /** Stop when `count` of the last `window` rounds did the same. */
  readonly repetition: { readonly window: number; readonly count: number };
  /** Rounds in a row that may consist of refused calls only. */
  readonly corrections: number;
  /** Replies in a row that may be unreadable, and model failures in a row that may be tried again. */
  readonly unreadable: number;
  /** Output tokens wanted for a decision, and the least with which one is worth asking for. */
  readonly outputTokens: number;
  readonly leastOutputTokens: number;
  /** Role of sub-agents unless the delegation names one. */
  readonly childRole: string;
  readonly depth: number;
  /** Tool calls of one round that are looked at; the rest is refused. */
  readonly callsPerRound: number;
  /** ms after which a human request counts as denied. */
  readonly humanTimeoutMs: number;
  /** Absent in journals of statechart version 1, which knew no bounds and waited for all subtasks of a round. */
  readonly plan?: PlanPolicy;
}

export interface AgentInput {
  readonly order: Order;
  readonly policy: AgentPolicy;
}

export type OpenCallState = 'ready' | 'approval' | 'question' | 'child' | 'settled';

/** A call of the present round. Its arguments lie in the decision's record. */
export interface OpenCall {
  readonly callId: string;
  readonly name: string;
  readonly route: CallAction['route'];
  readonly state: OpenCallState;
  /** Id of the human request or of the child that it waits for. */
  readonly waitsFor?: string;
  readonly approvedBy?: string;
  /** Of a subtask that is at work while later rounds go on: the effect whose outcome is the decision it belongs to. */
  readonly decision?: string;
}

/** How a call ended and which record holds its observation (`e3`: an effect's outcome, `in.12`: an inbox message, `e3` of the decision itself for refusals). */
export interface CallResult {
  readonly callId: string;
  readonly name: string;
  readonly status: 'ok' | 'error' | 'unknown';
  readonly ref: string;
  /** Why the machine itself did not let a well-formed call run. */
  readonly refusal?: FailureKind;
}

export interface Round {
  readonly kind: 'round';
  readonly n: number;
  /** Effect whose outcome is the decision. */
  readonly decision: string;
  readonly actionHash: string;
  readonly results: readonly CallResult[];
}

/** Something else that stands in the transcript: a correction, a reflection, a parse error. */
export interface Note {
  readonly kind: 'note';
  readonly about: 'correction' | 'reflection' | 'unreadable' | 'plan';
  readonly ref: string;
}

/** Why the agent ends, decided before the report is written. */
export interface Ending {
  readonly status: ReportStatus;
  readonly termination: Termination;
  readonly failure?: Failure;
  /** Effect whose outcome holds the final text or the `finish` call; absent when there is none. */
  readonly ref?: string;
}

export interface AgentContext {
  readonly me: Pick<
    Order,
    | 'taskId'
    | 'agentId'
    | 'role'
    | 'parent'
    | 'depth'
    | 'lineage'
    | 'priority'
    | 'queue'
    | 'tenant'
    | 'traceId'
    | 'submittedAt'
  >;
  readonly deadlineAt: number;
  readonly permission: Permission;
  readonly policy: AgentPolicy;
  readonly ledger: Ledger;
  readonly usage: Usage;
  /** Usage reported by children. */
  readonly usageBelow: Usage;
  /** Model calls begun. */
  readonly round: number;
  /** The present call is the last that can be afforded; of which kind the budget runs out. */
  readonly last: AmountKind | undefined;
  /** How long its answer may be. */
  readonly outputTokens: number;
  readonly transcript: readonly (Round | Note)[];
  readonly open: readonly OpenCall[];
  readonly plan: readonly Subtask[];
  /** Orders of subtasks that wait for others. */
  readonly held: Readonly<Record<string, Order>>;
  /** References to reports of ended children, by agent id. */
  readonly reports: Readonly<Record<string, string>>;
  /** Working memory. */
  readonly memory: Readonly<Record<string, Json>>;
  readonly counts: {
    readonly unreadable: number;
    readonly failed: number;
    readonly corrections: number;
    readonly sinceReflection: number;
    /** Poor results in a row, of which tool. */
    readonly poor: { readonly tool: string; readonly times: number };
    readonly children: number;
    readonly repairs: number;
  };
  /** A human refused, or did not answer, and nothing was allowed or answered since. */
  readonly unmet: 'denied' | 'needs_input' | undefined;
  readonly paused: boolean;
  /** Ratio of the provider's prompt count to ours, and its last figure; for honest reservations. */
  readonly calibration: {
    readonly ratio: number;
    readonly reported: number;
    readonly counted: number;
    readonly growth: number;
  };
  /** Of the last prompt; 0 where the model is free. */
  readonly prices: { readonly promptTokenUsd: number; readonly outputTokenUsd: number };
  /** A timer for the present deadline is set. */
  readonly timed: boolean;
  readonly graceUsed: boolean;
  /** The last level of spending that was warned of, of which kind, and in which round; 0 when it fell since. */
  readonly warned?: { readonly level: number; readonly kind: AmountKind; readonly round: number };
  readonly ending: Ending | undefined;
}

export function createContext({ order, policy }: AgentInput): AgentContext {
  const { deadlineAt, ...granted } = order.budget;
  const { taskId, agentId, role, parent, depth, lineage, priority, traceId, submittedAt } = order;
  return {
    me: {
      taskId,
      agentId,
      role,
      parent,
      depth,
      ...(lineage !== undefined && { lineage }),
      priority,
      traceId,
      submittedAt,
      ...placementOf(order),
    },
    deadlineAt,
    permission: order.permission,
    policy,
    ledger: openLedger(granted),
    usage: noUsage,
    usageBelow: noUsage,
    round: 0,
    last: undefined,
    outputTokens: 0,
    transcript: [],
    open: [],
    plan: [],
    held: {},
    reports: {},
    memory: {},
    counts: {
      unreadable: 0,
      failed: 0,
      corrections: 0,
      sinceReflection: 0,
      poor: { tool: '', times: 0 },
      children: 0,
      repairs: 0,
    },
    unmet: undefined,
    paused: false,
    calibration: { ratio: 1, reported: 0, counted: 0, growth: 0 },
    prices: { promptTokenUsd: 0, outputTokenUsd: 0 },
    timed: false,
    graceUsed: false,
    ending: undefined,
  };
}
