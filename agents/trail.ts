/** What a step of an agent leaves in the audit log: tools that ran, calls that humans allowed or denied, reports not taken. */
import type { AgentContext } from '../machines/context.js';
import type { JsonObject } from '../src/domain/json.js';
import type { MessageOf } from '../src/domain/message.js';
import type { Recall, StepView } from '../src/host/role.js';
import type { Act } from '../src/safety/audit.js';
import type { Trail } from '../src/safety/trail.js';
import { decisionIn, type ToolsRecord } from './record.js';

export function leaveTrail({ context, events }: StepView, recall: Recall, trail: Trail): void {
  if (!trail.kept) return;
  const { me } = context as AgentContext;
  for (const event of events) {
    for (const act of actsIn(event, recall, context as AgentContext)) {
      trail.acted({ taskId: me.taskId, agentId: me.agentId, ...act });
    }
  }
}

function actsIn(event: JsonObject, recall: Recall, context: AgentContext): Omit<Act, 'taskId' | 'agentId'>[] {
  if (event.type === 'human.decided') {
    const { allow, approvalId, by } = event as unknown as MessageOf<'human.decided'>;
    return [{ act: allow ? 'call.allowed' : 'call.denied', of: approvalId, by }];
  }
  if (event.type === 'child.reported') {
    const { report } = event as unknown as MessageOf<'child.reported'>;
    const isTaken = context.reports[report.agentId] === event.ref;
    return isTaken ? [] : [{ act: 'report.refused', of: report.agentId }];
  }
  if (event.type !== 'xstate.done.actor.callTools') return [];
  const hashes = hashesIn(recall, context);
  // Outcomes were checked when they were made; here they are only named.
  const { observations } = event.output as unknown as ToolsRecord;
  return observations.map(({ callId, name, status, approvedBy }) => ({
    act: 'tool.ran' as const,
    of: callId,
    tool: name,
    status,
    argumentsHash: hashes.get(callId),
    by: approvedBy,
  }));
}

/** Hash of name and arguments, by call. */
function hashesIn(recall: Recall, { transcript }: AgentContext): ReadonlyMap<string, string> {
  const round = transcript.findLast((entry) => entry.kind === 'round');
  const decision = round === undefined ? undefined : decisionIn(recall, round.decision);
  return new Map(decision?.kind === 'calls' ? decision.calls.map(({ callId, hash }) => [callId, hash] as const) : []);
}
