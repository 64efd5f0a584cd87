/** Makes a host's role out of a definition: the one switch from the name of an effect to the code that carries it out. */
import { agentMachine } from '../machines/agent.js';
import { type AgentContext, type AgentInput, type AgentPolicy, createContext } from '../machines/context.js';
import { endAbandoned, farewells } from '../machines/ending.js';
import { machineVersion, migrations } from '../machines/version.js';
import { deadlineName } from '../machines/waiting.js';
import { systemMessage } from '../src/context/prompt.js';
import { type Failure, FailureError } from '../src/domain/failure.js';
import type { Delivery } from '../src/domain/journal.js';
import type { Json } from '../src/domain/json.js';
import type { EffectScope, Recall, Role } from '../src/host/role.js';
import { createRegistry } from '../src/tools/registry.js';
import { callTools } from './act.js';
import { contractOf } from './contract.js';
import { type DecideSource, decide, sayLastWords } from './decide.js';
import type { AgentDefinition } from './definition.js';
import { withEarlier } from './earlier.js';
import { describe } from './feed.js';
import { logDecision, logTools } from './log.js';
import { perceive } from './perceive.js';
import { contextIn, decisionIn, messageIn } from './record.js';
import { reflect } from './reflect.js';
import { type RepairSource, weighRules } from './repair.js';
import { report, reportOf } from './report.js';
import type { AgentServices } from './services.js';
import { createToolbox, type Toolbox } from './toolbox.js';
import { leaveTrail } from './trail.js';

/** Effects that only compute. */
const local: ReadonlySet<string> = new Set(['perceive', 'reflect', 'report']);

export function createRole(definition: AgentDefinition, services: AgentServices, policy: AgentPolicy): Role {
  const registry = createRegistry(definition.tools);
  if (!registry.ok) throw new FailureError(registry.failure);
  const toolbox = createToolbox(registry.value, services.roots);
  const contract = systemMessage(contractOf(definition));
  const source: DecideSource = {
    contract: { message: contract, tokens: services.model.countMessage(contract) },
    model: services.model,
    toolsFor: (permission) => toolbox.declarations(permission),
    toolbox,
    temperature: services.temperature,
    queueRefusal: services.queueRefusal,
    repair: repairSourceOf(services),
    bridging: services,
  };
  const settled: AgentPolicy = { ...policy, childRole: definition.childRole, ...definition.policy };
  return {
    name: definition.name,
    machine: agentMachine,
    machineVersion,
    migrations,
    local,
    inputFor: (order) => ({ order, policy: settled }) satisfies AgentInput as unknown as Json,
    perform: (src, scope) => perform(src, scope, source, toolbox, services),
    complete,
    describe: (view, recall) => {
      leaveTrail(view, recall, services.trail);
      const { taskId } = (view.context as AgentContext).me;
      return describe(view, recall, services.trail.redactorFor(taskId));
    },
    alarm: (context) => alarmOf(context as AgentContext),
    poisoned: (attempts) => ({ type: 'host.poisoned', at: services.clock.now(), attempts }),
    abandoned: (order, reason, at) => abandoned({ order, policy: settled }, reason, at),
  };
}

/** The same timer as a parked agent has. */
const alarmOf = (context: AgentContext) => ({ dueAt: context.deadlineAt, timer: deadlineName(context) });

function repairSourceOf({ alert, clock, learner, log, redactor, smallModel }: AgentServices): RepairSource {
  return {
    learner,
    smallModel,
    now: () => clock.now(),
    redact: redactor.text,
    alert: (scope, text) => {
      const { round, me } = contextIn(scope);
      log.warn('replies cannot be read', { agentId: me.agentId, taskId: me.taskId, text });
      alert?.({ taskId: me.taskId, agentId: me.agentId, role: me.role, round }, text);
    },
  };
}

async function perform(
  src: string,
  scope: EffectScope,
  source: DecideSource,
  toolbox: Toolbox,
  services: AgentServices,
): Promise<Json> {
  const outcome = await carryOut(src, scope, source, toolbox, services);
  return outcome as unknown as Json; // all outcomes are plain data
}

async function carryOut(
  src: string,
  scope: EffectScope,
  source: DecideSource,
  toolbox: Toolbox,
  services: AgentServices,
) {
  switch (src) {
    case 'perceive':
      return perceive(scope, source);
    case 'decide':
    case 'grace': {
      const decision = await (src === 'decide' ? decide(scope, source) : sayLastWords(scope, source));
      logDecision(services.log, scope, decision);
      return decision;
    }
    case 'callTools': {
      const outcome = await callTools(scope, toolbox, services);
      logTools(services.log, scope, outcome);
      weighRules(decisionIn(scope.recall, decisionOf(scope)), outcome.observations, services.learner);
      return outcome;
    }
    case 'reflect':
      return reflect(scope);
    case 'report':
      return report(scope, services.clock.now(), {
        tools: toolbox.names(contextIn(scope).permission),
        limits: services.claimLimits,
      });
    default:
      throw new Error(`no effect is named ${src}`);
  }
}

const decisionOf = (scope: EffectScope): string => (scope.input as { decision: string }).decision;

/** What an agent says that ends before its first step, or whose steps cannot be read any more. */
function abandoned(input: AgentInput, reason: Failure, at: number): Delivery[] {
  const context = endAbandoned(createContext(input), reason);
  const recall: Recall = (ref) => (ref === 'order' ? (input.order as unknown as Json) : undefined);
  return farewells(context, reportOf(context, recall, at), at);
}

/** Results of earlier subtasks go into the context of the one that waited for them. */
function complete(delivery: Delivery, recall: Recall): Delivery {
  if (delivery.to !== 'inbox' || delivery.message.type !== 'task.ordered' || !delivery.inject?.length) return delivery;
  const reports = delivery.inject.flatMap((ref) => {
    const message = messageIn(recall, ref);
    return message?.type === 'child.reported' ? [message.report] : [];
  });
  const { order } = delivery.message;
  const context = withEarlier(order.context, reports);
  return { ...delivery, message: { ...delivery.message, order: { ...order, context } } };
}
