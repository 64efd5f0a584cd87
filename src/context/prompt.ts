/** The parts of a decision prompt that are not conversation: contract, goal, and where the budget stands. Pure. */
import type { Amounts } from '../domain/budget.js';
import type { ChatMessage } from '../domain/chat.js';
import type { JsonObject } from '../domain/json.js';
import type { Order } from '../domain/task.js';

/** The contract, the same for every round of an agent, so that a provider can cache it. */
export const systemMessage = (contract: string): ChatMessage => ({ role: 'system', content: contract });

/** Names that could be taken for several are quoted. */
const quoted = (name: string): string => (/[,\s"]/.test(name) ? JSON.stringify(name) : name);

/** The goal stands at the head of every prompt and is never dropped. */
export function goalMessage(order: Pick<Order, 'goal' | 'context' | 'files' | 'resultSchema'>): ChatMessage {
  const parts = [`Goal: ${order.goal}`];
  if (order.files.length > 0) parts.push(`Files: ${order.files.map(quoted).join(', ')}`);
  if (order.context) parts.push(`Context:\n${order.context}`);
  if (order.resultSchema) {
    parts.push(`The result given to \`finish\` must satisfy this JSON Schema: ${JSON.stringify(order.resultSchema)}`);
  }
  return { role: 'user', content: parts.join('\n\n') };
}

export interface Standing {
  readonly remaining: Amounts;
  /** Percent of the budget that are spent, once that is worth a warning. */
  readonly warned?: number | undefined;
  readonly memory: JsonObject;
  /** One line per subtask. */
  readonly plan: readonly string[];
}

/** Ends a prompt whose reply is the last that can be paid for. */
export const lastCallMessage: ChatMessage = {
  role: 'user',
  content: 'This is your last call: calls of tools will not be run. Report now what you have and what is missing.',
};

/** Where things stand, at the end of the prompt because it changes every round. */
export function standingMessage({ remaining, warned, memory, plan }: Standing): ChatMessage {
  const money = remaining.costUsd >= 0.01 ? `, $${remaining.costUsd.toFixed(2)}` : '';
  const lines = [
    `Left: ${remaining.rounds} rounds, ${remaining.tokens} tokens${money}, ${remaining.toolCalls} tool calls.`,
  ];
  if (warned) lines.push(`Over ${warned} % of your budget is spent: come to an end in time.`);
  if (plan.length > 0) lines.push('Subtasks:', ...plan);
  const facts = Object.entries(memory).slice(-40);
  if (facts.length > 0) lines.push(`Noted: ${facts.map(([key, value]) => `${key}=${short(value)}`).join('; ')}`);
  return { role: 'user', content: lines.join('\n') };
}

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
