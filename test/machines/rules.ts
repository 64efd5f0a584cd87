/** What must hold after every step of every agent, whatever happened. Each rule names itself when it is broken. */
import { isDeepStrictEqual } from 'node:util';
import { agentMachine } from '../../machines/agent.js';
import type { AgentContext, Round } from '../../machines/context.js';
import { type Amounts, add, amountKinds, remaining, sum } from '../../src/domain/budget.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import { stepperOf } from '../../src/host/stepper.js';
import { body } from './fixtures.js';
import { type AnyEvent, type Asked, type Life, stateOf } from './life.js';

type Rule = (before: Life, event: AnyEvent, after: Life, asked: Asked) => boolean;

/** Sums of dollars are not exact. */
const epsilon = 1e-9;
const equal = (a: Amounts, b: Amounts): boolean => amountKinds.every((kind) => Math.abs(a[kind] - b[kind]) < epsilon);
const unique = (items: readonly unknown[]): boolean => new Set(items).size === items.length;
const within = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((item) => whole.includes(item));
const contextOf = (life: Life): AgentContext => life.snapshot.context;
const isOver = (life: Life): boolean => life.snapshot.status === 'done';
const rounds = ({ transcript }: Pick<AgentContext, 'transcript'>): Round[] =>
  transcript.filter((entry): entry is Round => entry.kind === 'round');
const costly: readonly string[] = ['decide', 'grace', 'reflect', 'callTools'];
const callsUnderWay = ({ effects }: Life): number =>
  ((effects.callTools?.input ?? { calls: [] }) as { calls: unknown[] }).calls.length;
const usable = (status: string | undefined): boolean => status === 'done' || status === 'partial';

/** Largest context that is left after any step; orders that wait for others are not counted. */
export const contextLimitBytes = 24_000;

const rules: Record<string, Rule> = {
  'an effect is begun at most once at a time': (before, event, _, { begun, stopped, doubled }) =>
    doubled.length === 0 &&
    Object.keys(begun).every(
      (name) => !(name in before.effects) || stopped.includes(name) || event.type.endsWith(`.actor.${name}`),
    ),
  'an agent has one effect under way, or waits for others, or has ended': (_before, _event, after) =>
    Object.keys(after.effects).length ===
    (['parked', 'terminate.gather'].includes(stateOf(after)) || isOver(after) ? 0 : 1),
  'the machine never breaks': (_before, _event, after) =>
    after.snapshot.status === 'active' || after.snapshot.status === 'done',
  'a parked agent waits for something': (_before, _event, after) => {
    const { paused, open } = contextOf(after);
    return stateOf(after) !== 'parked' || paused || open.some(({ waitsFor, state }) => waitsFor && state !== 'settled');
  },
  'a parked agent waits only for what was asked or ordered': (_before, _event, after) => {
    const { open } = contextOf(after);
    const { asked, withdrawn, ordered, reported } = after.books;
    const awaited = new Set([
      ...asked.filter((id) => !withdrawn.includes(id)),
      ...ordered.filter((id) => !(id in reported)),
    ]);
    const waiting = open.filter(({ state }) => state === 'approval' || state === 'question' || state === 'child');
    return (
      stateOf(after) !== 'parked' || waiting.length === 0 || waiting.some(({ waitsFor }) => awaited.has(waitsFor ?? ''))
    );
  },
  'a parked agent has a timer for its deadline': (_before, _event, after) =>
    stateOf(after) !== 'parked' || after.books.timers.includes(`deadline.${contextOf(after).deadlineAt}`),
  'the remaining budget is never negative': (_before, _event, after) =>
    amountKinds.every((kind) => remaining(contextOf(after).ledger)[kind] > -epsilon),
  'spent, reserved, handed out and remaining make up the grant': (_before, _event, after) => {
    const { granted, spent, spentBelow, reserved, slices } = contextOf(after).ledger;
    const held = sum([...Object.values(reserved), ...Object.values(slices)]);
    return equal(granted, sum([spent, spentBelow, held, remaining(contextOf(after).ledger)]));
  },
  'the ledger says what was billed or lost': (_before, _event, after) =>
    equal(contextOf(after).ledger.spent, add(after.books.billed, after.books.lost)),
  'the ledger says what children spent': (_before, _event, after) =>
    equal(contextOf(after).ledger.spentBelow, after.books.below),
  'what is under way is paid for, and nothing else': (_before, _event, after) =>
    isDeepStrictEqual(
      Object.keys(contextOf(after).ledger.reserved),
      Object.keys(after.effects).filter((name) => costly.includes(name)),
    ),
  'every tool call under way is paid for': (_before, _event, after) =>
    callsUnderWay(after) === (contextOf(after).ledger.reserved.callTools?.toolCalls ?? 0),
  'tool calls that wait can still be paid': (_before, _event, after) => {
    const { open, ledger, ending } = contextOf(after);
    const waiting = open.filter(({ route, state }) => route === 'tool' && (state === 'ready' || state === 'approval'));
    return (
      ending !== undefined ||
      waiting.length <= remaining(ledger).toolCalls + (ledger.reserved.callTools?.toolCalls ?? 0)
    );
  },
  'slices are held by children that have not reported': (_before, _event, after) => {
    const { plan, ledger } = contextOf(after);
    const open = plan.filter(({ state }) => state === 'waiting' || state === 'running').map(({ agentId }) => agentId);
    const closed = 'report' in after.effects || isOver(after);
    return isDeepStrictEqual(Object.keys(ledger.slices).sort(), closed ? [] : [...open].sort());
  },
  'the round counts the model calls begun': (_before, _event, after) => {
    const { round, ledger } = contextOf(after);
    return round === sum([ledger.spent, ...Object.values(ledger.reserved)]).rounds;
  },
  'a final report leaves exactly once, at the end': (_before, _event, after) =>
    after.books.farewells === (isOver(after) ? 1 : 0),
  'nothing happens after the end': (before, _event, after, { begun, deliveries }) =>
    !isOver(before) ||
    (deliveries.length === 0 &&
      Object.keys(begun).length === 0 &&
      isDeepStrictEqual(before.snapshot.value, after.snapshot.value) &&
      before.snapshot.context === after.snapshot.context),
  'a human is asked once, and only what was asked is withdrawn, once': (_before, _event, { books }) =>
    unique(books.asked) && unique(books.withdrawn) && within(books.withdrawn, books.asked),
  'no human is left asked at the end': (_before, _event, after) =>
    !isOver(after) || after.books.asked.length === after.books.withdrawn.length,
  'a child is ordered once': (_before, _event, { books }) => unique(books.ordered),
  'a child is ordered when all it depends on is done': (before, _event, after) =>
    after.books.ordered.slice(before.books.ordered.length).every((id) =>
      contextOf(after)
        .plan.find(({ agentId }) => agentId === id)
        ?.dependsOn.every((other) => usable(after.books.reported[other])),
    ),
  'every child ordered has reported or is told at the end': (_before, _event, after) => {
    const { ordered, reported, told } = after.books;
    const isEnding = isOver(after) || stateOf(after).startsWith('terminate');
    return (
      unique(told) &&
      (isEnding || told.length === 0) &&
      (!isOver(after) || ordered.every((id) => id in reported || told.includes(id)))
    );
  },
  'no call is started twice': (_before, _event, { books }) => unique(books.started),
  'no call that needs leave is started without it': (_before, _event, { books }) =>
    Object.values(books.decisions)
      .flat()
      .every(
        ({ callId, needsApproval, requestId }) =>
          !needsApproval || !books.started.includes(callId) || books.allowed.includes(requestId),
      ),
  'a round is closed before the next begins, but for subtasks at work': (_before, _event, after) =>
    !['perceive', 'decide', 'reflect'].includes(stateOf(after)) ||
    contextOf(after).open.every(({ route, decision }) => route === 'delegate' && decision !== undefined),
  'every call of a closed round has exactly one result, unless it is at work': (_before, _event, after) => {
    const { open, ending, transcript } = contextOf(after);
    const isOpen = ending !== undefined || open.some(({ decision }) => decision === undefined);
    const closed = rounds({ transcript }).slice(0, isOpen ? -1 : undefined);
    const atWork = open.filter(({ state }) => state === 'child').map(({ callId }) => callId);
    return closed.every(({ decision, results }) => {
      const calls = (after.books.decisions[decision] ?? []).map(({ callId }) => callId);
      const expected =
        ending === undefined ? calls.filter((callId) => !atWork.includes(callId)) : results.map(({ callId }) => callId);
      return isDeepStrictEqual(results.map(({ callId }) => callId).sort(), [...expected].sort());
    });
  },
  'the context is JSON': (_before, _event, after) => isJson(contextOf(after)),
  'the context holds no message body and stays small': (_before, _event, { snapshot, text }) => {
    const { held } = snapshot.context;
    const kept = Object.keys(held).length === 0 ? text : JSON.stringify({ ...snapshot.context, held: {} });
    return !kept.includes(body) && kept.length < contextLimitBytes;
  },
  'an agent that was put away and fetched goes on in the same way': (before, event, after, asked) => {
    if (isOver(before)) return true;
    const fetched = stepper.restore(before.snapshot.value as Json, JSON.parse(before.text) as JsonObject);
    const { snapshot, effects, deliveries } = stepper.step(fetched, event as unknown as JsonObject);
    const begun = Object.fromEntries(effects.flatMap((one) => (one.begins ? [[one.src, one.input]] : [])));
    const stopped = effects.flatMap((one) => (one.begins ? [] : [one.src]));
    return (
      isDeepStrictEqual(snapshot.value, after.snapshot.value) &&
      snapshot.status === after.snapshot.status &&
      sameJson(JSON.stringify(snapshot.context), after.text) &&
      JSON.stringify([deliveries, begun]) === JSON.stringify([asked.deliveries, asked.begun]) &&
      asked.stopped.every((name) => stopped.includes(name))
    );
  },
};

/** What hosts run is held against XState's own `transition`, which `take` asks. */
const stepper = stepperOf(agentMachine);

/** Equal but for the order of keys. */
const sameJson = (a: string, b: string): boolean => a === b || isDeepStrictEqual(JSON.parse(a), JSON.parse(b));

/** Plain objects, arrays and finite numbers all the way down; a field may be undefined, which JSON leaves out. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return ['string', 'boolean', 'undefined'].includes(typeof value) || value === null;
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isJson(item));
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}

export const ruleNames: readonly string[] = Object.keys(rules);

export const brokenRules = (before: Life, event: AnyEvent, after: Life, asked: Asked): string[] =>
  Object.entries(rules).flatMap(([name, holds]) => (holds(before, event, after, asked) ? [] : [name]));
