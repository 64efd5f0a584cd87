/** Gathers what the model should see and counts exactly what it takes. */
import type { AgentContext } from '../machines/context.js';
import type { Perception } from '../machines/event.js';
import { goalMessage, standingMessage } from '../src/context/prompt.js';
import { fitWindow, type Rendered, type RenderedCache } from '../src/context/window.js';
import { remaining } from '../src/domain/budget.js';
import type { ChatMessage } from '../src/domain/chat.js';
import type { JsonObject } from '../src/domain/json.js';
import type { Permission } from '../src/domain/permission.js';
import type { Subtask } from '../src/domain/plan.js';
import type { ToolDeclaration } from '../src/domain/tool.js';
import type { EffectScope } from '../src/host/role.js';
import type { Model } from '../src/llm/model.js';
import { passagesOf } from './conversation.js';
import { contextIn, orderIn } from './record.js';

export interface Prompt {
  readonly messages: ChatMessage[];
  readonly tools: readonly ToolDeclaration[];
  /** Exact, overhead included. */
  readonly tokens: number;
}

export interface PromptSource {
  /** Counted once for the role, not for each agent. */
  readonly contract: { readonly message: ChatMessage; readonly tokens: number };
  readonly model: Model;
  /** The declarations for a permission; one array per tool set. */
  readonly toolsFor: (permission: Permission) => readonly ToolDeclaration[];
}

/** Rounds that stay whole while the window has room for them. */
const wholeRounds = 6;

/**
 * Builds the prompt from context and journal; the same input gives the same prompt in any process.
 * @param mostTokens what it may take, beside the limit of the window. Old passages give way; what must stay may exceed it.
 */
export function buildPrompt(
  scope: EffectScope,
  source: PromptSource,
  mostTokens: number = Number.POSITIVE_INFINITY,
): Prompt {
  const { model } = source;
  const context = contextIn(scope);
  const tools = source.toolsFor(context.permission);
  const head = headOf(scope, source);
  const standing = standingOf(context);
  const fixed = model.overheadTokens + head.tokens + model.countTools(tools) + model.countMessage(standing);
  const roomTokens = Math.min(model.windowTokens - context.policy.leastOutputTokens, mostTokens) - fixed;
  const fitted = fitWindow(passagesOf(context, scope.recall, scope.memo), {
    roomTokens,
    wholeRounds,
    count: (message) => model.countMessage(message),
    cache: remembered(scope, 'rendered', () => new WeakMap() as RenderedCache),
  });
  return { messages: [...head.messages, ...fitted.messages, standing], tools, tokens: fixed + fitted.tokens };
}

export function perceive(scope: EffectScope, source: PromptSource): Perception {
  const { model } = source;
  const prompt = buildPrompt(scope, source);
  scope.memo.set('prompt', prompt);
  return {
    promptTokens: prompt.tokens,
    roomTokens: model.windowTokens - prompt.tokens,
    promptCostUsd: model.costUsd(prompt.tokens, 0),
    outputTokenCostUsd: model.costUsd(0, 1_000_000) / 1_000_000,
  };
}

/** The prompt that `perceive` counted, or the same one built again after a change of hosts. */
export function takePrompt(scope: EffectScope, source: PromptSource): Prompt {
  const ready = scope.memo.get('prompt') as Prompt | undefined;
  scope.memo.delete('prompt');
  return ready ?? buildPrompt(scope, source);
}

function headOf(scope: EffectScope, source: PromptSource): Rendered {
  return remembered(scope, 'head', () => {
    const goal = goalMessage(orderIn(scope.recall));
    const { message, tokens } = source.contract;
    return { messages: [message, goal], tokens: tokens + source.model.countMessage(goal) };
  });
}

const standingOf = (context: AgentContext): ChatMessage =>
  standingMessage({
    remaining: remaining(context.ledger),
    warned: context.warned?.level,
    memory: context.memory as JsonObject,
    plan: context.plan.map(planLine),
  });

function planLine({ name, state, goal, attempt, slice }: Subtask): string {
  const tried = attempt === undefined ? '' : `, try ${attempt}`;
  const may = state === 'running' ? `, may spend ${slice.rounds} rounds and ${slice.tokens} tokens` : '';
  return `- ${name}: ${state}${tried}${may} (${goal.slice(0, 80)})`;
}

function remembered<T>(scope: EffectScope, key: string, make: () => T): T {
  const known = scope.memo.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = make();
  scope.memo.set(key, made);
  return made;
}
