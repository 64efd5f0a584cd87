/** What all agents of a process share. */
import type { Clock } from '../src/domain/clock.js';
import type { Failure, Result } from '../src/domain/failure.js';
import type { AgentId, RoleName, TaskId } from '../src/domain/id.js';
import type { QueueName } from '../src/domain/lane.js';
import type { Model } from '../src/llm/model.js';
import type { Logger } from '../src/observe/log.js';
import type { Learner } from '../src/parse/learn/learner.js';
import type { Redactor } from '../src/safety/redact.js';
import type { Trail } from '../src/safety/trail.js';
import type { DispatchServices } from '../src/tools/dispatch.js';
import type { ClaimLimits } from './claims/check.js';

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
  /** Takes personal data and secrets out of what all workers share. */
  readonly redactor: Redactor;
  /** The audit log, and the redactor of what goes to the watchers of a task, which tells it. */
  readonly trail: Trail;
  /** What is learned about reading replies, shared by all workers. */
  readonly learner?: Learner;
  /** For repairs that no rule can make. Without it none is tried. */
  readonly smallModel?: Model;
  /** Gaps in the reasoning of one reply that the small model is asked to bridge. */
  readonly mostBridges: number;
  /** How much of a report and its grounds is looked at when its claims are checked. */
  readonly claimLimits: ClaimLimits;
  /** Why nobody would take a subtask of that role and queue. */
  readonly queueRefusal: (role: RoleName, queue: QueueName) => Promise<Result<Failure | undefined>>;
  /** Tells the watchers of a task what a human should look at. Never blocks. */
  readonly alert?: (about: { taskId: TaskId; agentId: AgentId; role: RoleName; round: number }, text: string) => void;
}
