/** One log line for each thing an agent did, with enough on it to follow the agent through all processes. */
import type { ToolsOutcome } from '../machines/event.js';
import type { Decision } from '../src/domain/decision.js';
import type { EffectScope } from '../src/host/role.js';
import type { Logger } from '../src/observe/log.js';
import { contextIn, decisionIn, type ToolsRecord } from './record.js';

const loggerFor = (log: Logger, scope: EffectScope): Logger => {
  const { me, round } = contextIn(scope);
  return log.with({ traceId: me.traceId, taskId: me.taskId, agentId: me.agentId, role: me.role, round });
};

export function logDecision(log: Logger, scope: EffectScope, decision: Decision): void {
  if (!log.writes('warn')) return;
  const line = loggerFor(log, scope);
  const { attempts, ms, usage } = decision;
  const common = { effect: scope.effectId, attempt: scope.attempt, attempts, ms: Math.round(ms), ...usage };
  if (decision.kind === 'failed') {
    line.warn('model call failed', { ...common, failure: decision.failure });
    return;
  }
  const { model, provider, text, repairs, rejected, untrusted, bridges, message } = decision;
  if (decision.kind === 'unreadable') {
    line.warn('reply not used', { ...common, model, provider, problem: decision.problem, message });
  } else if (decision.kind === 'final') {
    line.info('answered', { ...common, model, provider, text, repairs, untrusted, bridges });
  } else {
    const calls = decision.calls.map(({ callId, name, hash, action }) => ({ callId, name, hash, route: action.route }));
    line.info('decided', { ...common, model, provider, calls, repairs, rejected, untrusted, bridges });
  }
}

export function logTools(log: Logger, scope: EffectScope, { observations }: ToolsOutcome & ToolsRecord): void {
  if (!log.writes('warn')) return;
  const line = loggerFor(log, scope);
  const { decision } = scope.input as { decision: string };
  const recorded = decisionIn(scope.recall, decision);
  const calls = recorded?.kind === 'calls' ? recorded.calls : [];
  for (const { callId, name, status, error, ms, attempts, cached, artifact } of observations) {
    const argumentsHash = calls.find((call) => call.callId === callId)?.hash;
    const fields = { callId, tool: name, argumentsHash, status, ms: Math.round(ms), attempts, cached, artifact };
    if (error === undefined) line.info('tool answered', fields);
    else line.warn('tool failed', { ...fields, error });
  }
}
