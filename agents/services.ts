/** What all agents of a process share. */
import type { Clock } from '../src/domain/clock.js';
import type { Model } from '../src/llm/model.js';
import type { Logger } from '../src/observe/log.js';
import type { Redactor } from '../src/safety/redact.js';
import type { DispatchServices } from '../src/tools/dispatch.js';

export interface AgentServices {
  readonly model: Model;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dispatch: DispatchServices;
  /** Folders that tools may touch unless the task names others below them. */
  readonly roots: readonly string[];
  readonly temperature: number;
  /** Calls of one round that run at the same time. */
  readonly parallelCalls: number;
  /** Takes personal data and secrets out of what goes to watchers. */
  readonly redactor: Redactor;
}
