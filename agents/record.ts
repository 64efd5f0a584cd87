/** Reads what the journal holds behind references. Bodies were validated when they came in, so here they are only named. */
import type { AgentContext } from '../machines/context.js';
import type { InboxEvent } from '../machines/event.js';
import type { Observation } from '../src/domain/call.js';
import type { Decision } from '../src/domain/decision.js';
import type { Order } from '../src/domain/task.js';
import type { EffectScope, Recall } from '../src/host/role.js';

export interface ToolsRecord {
  readonly observations: readonly Observation[];
}

export const orderIn = (recall: Recall): Order => recall('order') as unknown as Order;
export const decisionIn = (recall: Recall, ref: string): Decision | undefined =>
  recall(ref) as unknown as Decision | undefined;
export const toolsIn = (recall: Recall, ref: string): ToolsRecord | undefined =>
  recall(ref) as unknown as ToolsRecord | undefined;
export const messageIn = (recall: Recall, ref: string): InboxEvent | undefined =>
  recall(ref) as unknown as InboxEvent | undefined;
export const contextIn = (scope: EffectScope): AgentContext => scope.context as AgentContext;
