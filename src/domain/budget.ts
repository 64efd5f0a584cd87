/** Budgets as capabilities: amounts that one agent holds, reserves from, spends, and hands out in slices. Pure arithmetic. */
import { z } from 'zod';

const count = z.number().int().nonnegative();

/** What can be spent. `rounds` are model calls, `tokens` are prompt plus completion, `children` are sub-agents ever started. */
export const amountsSchema = z.object({
  rounds: count,
  tokens: count,
  costUsd: z.number().nonnegative(),
  toolCalls: count,
  children: count,
});
export type Amounts = z.infer<typeof amountsSchema>;
export const amountKinds = ['rounds', 'tokens', 'costUsd', 'toolCalls', 'children'] as const;
export type AmountKind = (typeof amountKinds)[number];

/** A whole budget: amounts and the wall-clock moment (ms since 1970) after which nothing may start. */
export const budgetSchema = amountsSchema.extend({ deadlineAt: z.number().int().positive() });
export type Budget = z.infer<typeof budgetSchema>;

/** What a person or a model may ask for; whatever is absent is taken from defaults or from the parent. */
export const budgetRequestSchema = z.strictObject({
  rounds: count.positive().optional(),
  tokens: count.positive().optional(),
  costUsd: z.number().positive().optional(),
  toolCalls: count.optional(),
  children: count.optional(),
  /** Wall-clock time in seconds. */
  seconds: z.number().positive().max(31_536_000).optional(),
});
export type BudgetRequest = z.infer<typeof budgetRequestSchema>;

export const ledgerSchema = z.object({
  granted: amountsSchema,
  /** Spent by this agent itself. Lost attempts count as spent. */
  spent: amountsSchema,
  /** Spent by settled children and everything below them. */
  spentBelow: amountsSchema,
  /** Upper bounds of effects under way, by effect name. */
  reserved: z.record(z.string(), amountsSchema),
  /** Slices held by children that have not reported, by agent id. */
  slices: z.record(z.string(), amountsSchema),
});
export type Ledger = z.infer<typeof ledgerSchema>;

export const nothing: Amounts = { rounds: 0, tokens: 0, costUsd: 0, toolCalls: 0, children: 0 };

const zip = (a: Amounts, b: Amounts, f: (x: number, y: number) => number): Amounts => ({
  rounds: f(a.rounds, b.rounds),
  tokens: f(a.tokens, b.tokens),
  costUsd: f(a.costUsd, b.costUsd),
  toolCalls: f(a.toolCalls, b.toolCalls),
  children: f(a.children, b.children),
});

const plus = (x: number, y: number): number => x + y;
const minus = (x: number, y: number): number => x - y;
export const add = (a: Amounts, b: Amounts): Amounts => zip(a, b, plus);
export const subtract = (a: Amounts, b: Amounts): Amounts => zip(a, b, minus);
export const atMost = (a: Amounts, b: Amounts): Amounts => zip(a, b, Math.min);
export const atLeast = (a: Amounts, b: Amounts): Amounts => zip(a, b, Math.max);
export const atLeastZero = (a: Amounts): Amounts => atLeast(a, nothing);
export const sum = (items: readonly Amounts[]): Amounts => items.reduce(add, nothing);
export const fits = (a: Amounts, b: Amounts): boolean => amountKinds.every((kind) => a[kind] <= b[kind]);
/** The kinds in which `wanted` is more than `available`. */
export const lacking = (wanted: Amounts, available: Amounts): AmountKind[] =>
  amountKinds.filter((kind) => wanted[kind] > available[kind]);

export const openLedger = (granted: Amounts): Ledger => ({
  granted,
  spent: nothing,
  spentBelow: nothing,
  reserved: {},
  slices: {},
});

/** Shares of a grant, in percent, at which those concerned are warned. */
export const warningLevels = [70, 85, 95] as const;

/** The kind of which the largest share is spent in the whole subtree, and that share in whole percent. */
export function mostSpent({ granted, spent, spentBelow }: Ledger): { kind: AmountKind; percent: number } {
  const share = (kind: AmountKind): number =>
    granted[kind] > 0 ? Math.floor((100 * (spent[kind] + spentBelow[kind])) / granted[kind]) : 0;
  const kind = amountKinds.reduce((most, next) => (share(next) > share(most) ? next : most));
  return { kind, percent: share(kind) };
}

/** What is left to reserve or to hand out. */
export function remaining({ granted, spent, spentBelow, reserved, slices }: Ledger): Amounts {
  let left = subtract(subtract(granted, spent), spentBelow);
  for (const name in reserved) left = subtract(left, reserved[name] ?? nothing);
  for (const child in slices) left = subtract(left, slices[child] ?? nothing);
  return left;
}

/** Spent in the whole subtree. */
export const spentInAll = (ledger: Ledger): Amounts => add(ledger.spent, ledger.spentBelow);

export const reserve = (ledger: Ledger, name: string, bound: Amounts): Ledger => ({
  ...ledger,
  reserved: { ...ledger.reserved, [name]: bound },
});

const without = <T>(record: Record<string, T>, key: string): Record<string, T> => {
  const { [key]: _, ...rest } = record;
  return rest;
};

/** Closes a reservation: what was used is spent, the rest is free again. */
export const settle = (ledger: Ledger, name: string, used: Amounts): Ledger => ({
  ...ledger,
  spent: add(ledger.spent, used),
  reserved: without(ledger.reserved, name),
});

/** Hands a slice to a child. One child is counted against the giver. */
export const handOut = (ledger: Ledger, child: string, slice: Amounts): Ledger => ({
  ...ledger,
  spent: add(ledger.spent, { ...nothing, children: 1 }),
  slices: { ...ledger.slices, [child]: slice },
});

/** Takes a child's report: its use (at most its slice) is spent below, the rest comes back. A repeated report changes nothing. */
export function takeBack(ledger: Ledger, child: string, used: Amounts): Ledger {
  const slice = ledger.slices[child];
  if (slice === undefined) return ledger;
  return { ...ledger, spentBelow: add(ledger.spentBelow, used), slices: without(ledger.slices, child) };
}
