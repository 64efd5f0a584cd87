/** An agent's surroundings for the tests of this folder: a model that says what it is told, and a scope as the host gives it. */
import { z } from 'zod';
import { claimLimits } from '../../agents/claims/check.js';
import { contractOf } from '../../agents/contract.js';
import type { DecideSource } from '../../agents/decide.js';
import { defineAgent } from '../../agents/definition.js';
import type { RepairSource } from '../../agents/repair.js';
import type { AgentServices } from '../../agents/services.js';
import type { BridgeSource } from '../../agents/thoughts.js';
import { createToolbox } from '../../agents/toolbox.js';
import { type AgentContext, createContext, type Round } from '../../machines/context.js';
import { systemMessage } from '../../src/context/prompt.js';
import type { AssistantMessage } from '../../src/domain/chat.js';
import type { DecisionOf } from '../../src/domain/decision.js';
import { ok } from '../../src/domain/failure.js';
import type { Json } from '../../src/domain/json.js';
import type { Order } from '../../src/domain/task.js';
import type { EffectScope, Part } from '../../src/host/role.js';
import type { Model, ModelOutcome, ModelRequest } from '../../src/llm/model.js';
import { silent } from '../../src/observe/log.js';
import { createRedactor } from '../../src/safety/redact.js';
import { noTrail } from '../../src/safety/trail.js';
import { askUser, delegateTask, finish } from '../../src/tools/builtin/control.js';
import { createRegistry } from '../../src/tools/registry.js';
import { defineTool, type Tool } from '../../src/tools/tool.js';
import { orderFor } from '../host/toy.js';
import { around, virtualTiming } from '../tools/fixtures.js';

export const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0, countedInputTokens: 10, estimated: false };

export interface FakeModel extends Model {
  readonly requests: ModelRequest[];
}

/** Counts characters for tokens; `outcome` is what each call brings. */
export function fakeModel(
  outcome: Partial<AssistantMessage> | ModelOutcome,
  finishReason = 'stop',
  windowTokens = 100_000,
): FakeModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    name: 'fake',
    windowTokens,
    maxOutputTokens: 4_000,
    priceKnown: true,
    overheadTokens: 3,
    async call(request) {
      requests.push(request);
      if ('ok' in outcome) return outcome as ModelOutcome;
      const message = { role: 'assistant' as const, content: null, ...outcome };
      return {
        ok: true,
        message,
        finishReason,
        usage,
        model: 'fake',
        provider: 'fake',
        attempts: 1,
        fallbacks: 0,
        ms: 1,
      };
    },
    countText: (text) => text.length,
    countMessage: (message) => JSON.stringify(message).length,
    countTools: (tools) => JSON.stringify(tools).length,
    costUsd: (input, output) => (input + 2 * output) / 1_000_000,
  };
}

export const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  parameters: z.object({ what: z.string() }),
  effect: 'read',
  run: ({ what }) => `saw ${what}`,
});

export const policy = {
  reflectEvery: 5,
  reflectTokens: 0,
  repetition: { window: 4, count: 3 },
  corrections: 3,
  unreadable: 3,
  outputTokens: 1_000,
  leastOutputTokens: 100,
  childRole: 'executor',
  depth: 3,
  callsPerRound: 4,
  humanTimeoutMs: 60_000,
};

export function boxOf(tools: readonly Tool[]) {
  const registry = createRegistry(tools);
  if (!registry.ok) throw new Error(registry.failure.message);
  return createToolbox(registry.value, ['/data']);
}

export function sourceOf(
  model: Model,
  tools: readonly Tool[] = [look, delegateTask, askUser, finish],
  repair: Partial<RepairSource> = {},
  bridging: BridgeSource = { mostBridges: 0 },
): DecideSource {
  const toolbox = boxOf(tools);
  const contract = systemMessage(contractOf(defineAgent({ name: 'executor', instructions: 'You look.', tools })));
  return {
    contract: { message: contract, tokens: model.countMessage(contract) },
    model,
    toolsFor: (permission) => toolbox.declarations(permission),
    toolbox,
    temperature: 0,
    queueRefusal: async () => ok(undefined),
    repair: { now: () => 1_000, redact: (text) => text, alert: () => undefined, ...repair },
    bridging,
  };
}

export const orderOf = (goal: string, more: Partial<Order> = {}): Order => ({
  ...orderFor('a1', goal, 10_000_000),
  budget: { rounds: 10, tokens: 50_000, costUsd: 1, toolCalls: 20, children: 3, deadlineAt: 10_000_000 },
  submittedAt: 1_000,
  ...more,
});

export interface ScopeOptions {
  readonly input?: Json;
  readonly context?: Partial<AgentContext>;
  /** Bodies in the journal, by reference. */
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly parts?: ReadonlyMap<string, Part>;
  /** Whether a part may begin. */
  readonly stands?: boolean;
}

export interface TestScope extends EffectScope {
  /** What was recorded of parts, in order. */
  readonly recorded: string[];
}

export function scopeOf(
  order: Order,
  { input = null, context, bodies = {}, parts = new Map(), stands = true }: ScopeOptions = {},
): TestScope {
  const recorded: string[] = [];
  return {
    recorded,
    agentId: order.agentId,
    effectId: `${order.agentId}.e1`,
    input,
    attempt: 1,
    context: { ...createContext({ order, policy }), ...context },
    signal: new AbortController().signal,
    recall: (ref) => (ref === 'order' ? order : bodies[ref]) as Json | undefined,
    parts,
    stands: async () => stands,
    begin: async (part) => {
      recorded.push(`begin ${part}`);
      return stands;
    },
    settle: async (part) => {
      recorded.push(`settle ${part}`);
      return stands;
    },
    memo: new Map(),
  };
}

export function servicesOf(model: Model = fakeModel({ content: '' })): AgentServices {
  const timing = virtualTiming();
  return {
    model,
    clock: timing,
    log: silent,
    dispatch: around(timing),
    roots: ['/data'],
    temperature: 0,
    parallelCalls: 4,
    redactor: createRedactor(),
    trail: noTrail(createRedactor()),
    mostBridges: 0,
    claimLimits,
    queueRefusal: async () => ok(undefined),
  };
}

export const nativeCall = (id: string, name: string, args: object | string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});

export const roundOf = (n: number, decision: string, results: Round['results']): Round => ({
  kind: 'round',
  n,
  decision,
  actionHash: `h${n}`,
  results,
});

/** A decision as it lies in the journal, with text only. */
export const finalOf = (text: string): DecisionOf<'final'> => ({
  kind: 'final',
  usage,
  message: { role: 'assistant', content: text },
  messageTokens: 5,
  text,
  state: {},
  repairs: [],
  rejected: [],
  model: 'fake',
  provider: 'fake',
  attempts: 1,
  fallbacks: 0,
  ms: 1,
});
