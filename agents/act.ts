/** Carries out the tool calls of a round: in parallel, each for itself, and none twice that must not be. */
import type { ToolsOutcome } from '../machines/event.js';
import type { Observation, PlannedCall } from '../src/domain/call.js';
import { recoveryOf } from '../src/domain/effect.js';
import { failure } from '../src/domain/failure.js';
import type { Json } from '../src/domain/json.js';
import type { EffectScope } from '../src/host/role.js';
import { errorObservation, runCall } from '../src/tools/dispatch.js';
import { inParallel } from '../src/tools/parallel.js';
import { contextIn, decisionIn, type ToolsRecord } from './record.js';
import type { AgentServices } from './services.js';
import type { Toolbox } from './toolbox.js';

interface ToolsInput {
  readonly decision: string;
  readonly calls: readonly { readonly callId: string; readonly approvedBy: string | null }[];
}

export async function callTools(
  scope: EffectScope,
  toolbox: Toolbox,
  services: AgentServices,
): Promise<ToolsOutcome & ToolsRecord> {
  const input = scope.input as unknown as ToolsInput;
  const decision = decisionIn(scope.recall, input.decision);
  const planned = decision?.kind === 'calls' ? decision.calls : [];
  const jobs = input.calls.map(({ callId, approvedBy }) => async (): Promise<Observation> => {
    const call = planned.find((item) => item.callId === callId);
    if (call === undefined)
      return errorObservation({ callId, name: 'unknown' }, failure('internal', `call ${callId} is not in the journal`));
    const observation = await once(call, input.calls.length > 1, scope, toolbox, services);
    return approvedBy === null ? observation : { ...observation, approvedBy };
  });
  const observations = await inParallel(services.parallelCalls, jobs);
  return { results: observations.map(({ callId, name, status }) => ({ callId, name, status })), observations };
}

/** Runs one call, unless an earlier attempt settled it or may have run what must not be repeated. */
async function once(
  call: PlannedCall,
  among: boolean,
  scope: EffectScope,
  toolbox: Toolbox,
  services: AgentServices,
): Promise<Observation> {
  const before = scope.parts.get(call.callId);
  if (before?.state === 'settled') return before.outcome as unknown as Observation;
  const unrepeatable = recoveryOf(call.effect) === 'report as unknown';
  if (before?.state === 'begun' && unrepeatable) return inDoubt(call);
  if (unrepeatable && !(await scope.begin(call.callId)))
    return errorObservation(call, failure('cancelled', 'not begun: the agent was stopped'));
  const observation = await run(call, scope, toolbox, services);
  if (among && !scope.signal.aborted) await scope.settle(call.callId, observation as unknown as Json);
  return observation;
}

const inDoubt = (call: PlannedCall): Observation => ({
  ...errorObservation(
    call,
    failure(
      'outcome_unknown',
      `${call.name} was begun and its host died: whether it took effect is not known`,
      'look whether it took effect before calling it again',
    ),
  ),
  status: 'unknown',
});

async function run(
  call: PlannedCall,
  scope: EffectScope,
  toolbox: Toolbox,
  services: AgentServices,
): Promise<Observation> {
  const tool = toolbox.find(call.name);
  if (tool === undefined)
    return errorObservation(call, failure('tool_unavailable', `${call.name} is not on this worker`));
  const { me, permission } = contextIn(scope);
  return runCall(call, tool, {
    ...services.dispatch,
    signal: scope.signal,
    mayBegin: () => scope.stands(),
    taskId: me.taskId,
    agentId: scope.agentId,
    roots: toolbox.rootsFor(permission),
  });
}
