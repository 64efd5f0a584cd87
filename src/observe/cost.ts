/** What a task cost, in one line for people. */
import type { Usage } from '../domain/usage.js';

const grouped = new Intl.NumberFormat('en-US');
const seconds = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** `$1.25`, `$0.0042`; never a positive sum shown as nothing. */
export function usd(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount >= 0.1) return `$${amount.toFixed(2)}`;
  return amount >= 0.0001 ? `$${amount.toFixed(4)}` : '<$0.0001';
}

export const count = (amount: number, one: string, many = `${one}s`): string =>
  `${grouped.format(amount)} ${amount === 1 ? one : many}`;

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${seconds.format(ms / 1_000)} s`;
  const whole = Math.round(ms / 1_000);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `12 rounds · 30,512 tokens in · 1,204 out · 9 tool calls · $0.0042 · 8.4 s` */
export const costLine = (usage: Usage): string =>
  [
    count(usage.rounds, 'round'),
    `${count(usage.inputTokens, 'token')} in`,
    `${grouped.format(usage.outputTokens)} out`,
    count(usage.toolCalls, 'tool call'),
    usd(usage.costUsd),
    duration(usage.ms),
  ].join(' · ');
