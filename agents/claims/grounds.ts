/** What an agent's report may stand on: its order, what it was told, the calls it made and what its children reported. */
import type { EffectClass } from '../../src/domain/effect.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { ReportStatus, Unverified } from '../../src/domain/report.js';

/** A call as it ended. */
export interface RanCall {
  readonly callId: string;
  readonly tool: string;
  readonly effect: EffectClass;
  readonly args: JsonObject;
  readonly status: 'ok' | 'error' | 'unknown';
  /** What the agent saw of the result; `null` when there is none. */
  readonly data: Json;
  /** Message and hint of a failure. */
  readonly error?: string;
}

/** What a child reported. */
export interface Reported {
  readonly agentId: string;
  /** Of the delegation. */
  readonly callId: string;
  readonly status: ReportStatus;
  readonly result: Json;
  readonly summary: string;
  /** Claims of it that its own journal does not support: no ground for anybody. */
  readonly unverified: readonly Unverified[];
  /** Tools that ran without an error, below it too. */
  readonly tools: readonly string[];
  /** Paths of files that were written, below it too. */
  readonly files: readonly string[];
}

export interface Grounds {
  readonly goal: string;
  /** Given with the order, results of earlier subtasks included. */
  readonly context: string;
  /** Paths that the order names. */
  readonly files: readonly string[];
  /** Corrections and answers of humans. */
  readonly told: readonly string[];
  readonly calls: readonly RanCall[];
  readonly children: readonly Reported[];
  /** Names of the tools that the agent had. */
  readonly tools: readonly string[];
}
