/** Everything that can happen to an agent, as a small alphabet of moves. A move that is impossible now is no move. */
import type { Outcomes } from '../../machines/event.js';
import { type Amounts, amountKinds } from '../../src/domain/budget.js';
import type { AgentId } from '../../src/domain/id.js';
import type { ReportStatus } from '../../src/domain/report.js';
import * as fixtures from './fixtures.js';
import {
  type AnyEvent,
  breakdown,
  contextOf,
  inputOf,
  type Life,
  message,
  outcome,
  poisoned,
  recovered,
  reservedFor,
  stateOf,
} from './life.js';
import { take } from './take.js';

/** `load` is the part of what was reserved or handed out that is really used. */
type Event = (life: Life, load: number) => AnyEvent | undefined;

const when = <K extends keyof Outcomes>(effect: K, output: (life: Life, load: number) => Outcomes[K]): Event => {
  return (life, load) => (effect in life.effects ? outcome(life, effect, output(life, load)) : undefined);
};

/** Usage of a model call within its bound. */
function usageOf(life: Life, effect: 'decide' | 'grace', load: number) {
  const { outputTokens } = inputOf<{ outputTokens: number }>(life, effect);
  const promptTokens = (reservedFor(life, effect)?.tokens ?? 0) - outputTokens;
  return fixtures.used(Math.floor(promptTokens * load), Math.floor(outputTokens * load));
}

const calling = (wanted: readonly fixtures.Wanted[], sameHash = false): Event =>
  when('decide', (life, load) => {
    const { round, me } = contextOf(life);
    const actionHash = sameHash ? 'same' : `h${life.history.length}`;
    return fixtures.callsReply(usageOf(life, 'decide', load), wanted, { round, agentId: me.agentId, actionHash });
  });

const toolsEnd = (status: 'ok' | 'error' | 'unknown'): Event =>
  when('callTools', (life) => {
    const { calls } = inputOf<{ calls: { callId: string }[] }>(life, 'callTools');
    const nameOf = (callId: string) => contextOf(life).open.find((call) => call.callId === callId)?.name ?? '';
    return { results: calls.map(({ callId }) => ({ callId, name: nameOf(callId), status })) };
  });

const part = (amounts: Amounts, load: number): Amounts =>
  Object.fromEntries(
    amountKinds.map((kind) => [kind, kind === 'costUsd' ? amounts[kind] * load : Math.floor(amounts[kind] * load)]),
  ) as Amounts;

/** The child that has waited longest (0) or shortest (-1) reports. */
const childEnds =
  (status: ReportStatus, position: 0 | -1): Event =>
  (life, load) => {
    const running = contextOf(life).plan.filter(({ agentId }) => !(agentId in life.books.reported));
    const child = running.filter(({ agentId }) => life.books.ordered.includes(agentId)).at(position);
    if (child === undefined) return undefined;
    return message(life, 'child.reported', {
      report: fixtures.reportOf(child.agentId, status, part(child.slice, load)),
    });
  };

const childRepeats: Event = (life) => {
  const [agentId] = Object.keys(life.books.reported);
  if (agentId === undefined) return undefined;
  return message(life, 'child.reported', { report: fixtures.reportOf(agentId as AgentId, 'failed', { rounds: 1 }) });
};

const openCall = (life: Life, state: 'approval' | 'question') =>
  contextOf(life).open.find((call) => call.state === state);

const human =
  (allow: boolean): Event =>
  (life) => {
    const call = openCall(life, 'approval');
    if (call === undefined) return undefined;
    const approvalId = fixtures.requestId(contextOf(life).me.agentId, call.callId);
    return message(life, 'human.decided', { approvalId, allow, by: 'ana' });
  };

const answer: Event = (life) => {
  const call = openCall(life, 'question');
  if (call === undefined) return undefined;
  const requestId = fixtures.requestId(contextOf(life).me.agentId, call.callId);
  return message(life, 'human.answered', { requestId, text: fixtures.body, by: 'ana' });
};

const silence: Event = (life) => {
  const call = openCall(life, 'approval') ?? openCall(life, 'question');
  return call && message(life, 'timer.fired', { timer: `human.${call.callId}` });
};

/** Decides again on a request that was settled before. */
const lateWord: Event = (life) => {
  const approvalId = life.books.withdrawn.at(-1);
  return approvalId === undefined
    ? undefined
    : message(life, 'human.decided', { approvalId: approvalId as never, allow: true, by: 'bo' });
};

const effectBreaks: Event = (life) => {
  const [effect] = Object.keys(life.effects);
  return effect === undefined || effect === 'report' ? undefined : breakdown(life, effect as keyof Outcomes);
};

/** What the parent grants in all, as a multiple of what was granted before. */
function sliceChanged(life: Life, times: number): AnyEvent {
  return message(life, 'slice.changed', { slice: part(contextOf(life).ledger.granted, times) });
}

/** Where the reply names files, money or other agents, only their kind matters. */
export const moves = {
  perceived: when('perceive', () => fixtures.prompt()),
  'perceived much': when('perceive', () => fixtures.prompt(4_000)),
  'perceived late': (life) =>
    'perceive' in life.effects
      ? { ...outcome(life, 'perceive', fixtures.prompt()), at: contextOf(life).deadlineAt }
      : undefined,
  answers: when('decide', (life, load) => fixtures.finalReply(usageOf(life, 'decide', load))),
  finishes: calling([fixtures.finish()]),
  'finishes after a tool': calling([fixtures.tool(), fixtures.finish()]),
  'calls tools': calling([fixtures.tool(), fixtures.tool('list')]),
  'calls the same': calling([fixtures.tool()], true),
  'calls something risky': calling([fixtures.risky(), fixtures.tool()]),
  'calls only something risky': calling([fixtures.risky()]),
  asks: calling([fixtures.question()]),
  delegates: calling([fixtures.delegation(), fixtures.delegation({ budget: { rounds: 1, toolCalls: 99 } })]),
  'delegates again': calling([fixtures.delegation({ name: 'first', work: 'w1' }), fixtures.delegation({ work: 'w2' })]),
  'stops a subtask': calling([
    fixtures.steer({ subtask: 'first', cancel: true }),
    fixtures.steer({ subtask: 'nobody' }),
  ]),
  'raises a subtask': calling([
    fixtures.steer({ subtask: 'first', budget: { rounds: 9, tokens: 90_000, toolCalls: 40 } }),
    fixtures.steer({ subtask: 'first', budget: { rounds: 2, costUsd: 0.001 } }),
    fixtures.delegation(),
  ]),
  'delegates in order': calling([
    fixtures.delegation({ name: 'last', dependsOn: ['first'] }),
    fixtures.delegation({ name: 'first' }),
  ]),
  'does everything': calling([
    fixtures.tool(),
    fixtures.risky(),
    fixtures.question(),
    fixtures.delegation(),
    fixtures.refused(),
  ]),
  misspells: calling([fixtures.refused()]),
  mumbles: when('decide', (life, load) => fixtures.unreadableReply(usageOf(life, 'decide', load))),
  'model fails': when('decide', (life, load) => fixtures.noReply(usageOf(life, 'decide', load), 'model_failed')),
  'model refuses': when('decide', (life) => fixtures.noReply(usageOf(life, 'decide', 0), 'model_rejected')),
  'tools succeed': toolsEnd('ok'),
  'tools fail': toolsEnd('error'),
  'tools are in doubt': toolsEnd('unknown'),
  reflects: when('reflect', (life, load) => {
    const half = Math.floor(((reservedFor(life, 'reflect')?.tokens ?? 0) * load) / 2);
    return { text: fixtures.body, usage: fixtures.used(half, half) };
  }),
  'says last words': when('grace', (life, load) => fixtures.finalReply(usageOf(life, 'grace', load))),
  'finds no last words': when('grace', (life, load) => fixtures.noReply(usageOf(life, 'grace', load), 'model_failed')),
  reports: when('report', (life) =>
    fixtures.reportOf(contextOf(life).me.agentId, contextOf(life).ending?.status ?? 'unknown'),
  ),
  'effect breaks': effectBreaks,
  'human allows': human(true),
  'human denies': human(false),
  'human answers': answer,
  'human is silent': silence,
  'human decides again': lateWord,
  'first child is done': childEnds('done', 0),
  'last child is done': childEnds('partial', -1),
  'first child fails': childEnds('failed', 0),
  'child repeats itself': childRepeats,
  paused: (life) => message(life, 'human.paused', { by: 'ana' }),
  resumed: (life) => (contextOf(life).paused ? message(life, 'human.resumed', { by: 'ana' }) : undefined),
  corrected: (life) => message(life, 'human.corrected', { text: fixtures.body, by: 'ana', memory: { fact: 1 } }),
  'given more': (life) =>
    message(life, 'budget.changed', { budget: { rounds: 30, tokens: 200_000, costUsd: 2 }, by: 'ana' }),
  'given less': (life) =>
    message(life, 'budget.changed', {
      budget: { rounds: 1, tokens: 1, costUsd: 0.000_1, toolCalls: 0, children: 0 },
      by: 'ana',
    }),
  'given time': (life) =>
    message(life, 'budget.changed', { budget: { seconds: 3_600 + life.history.length }, by: 'ana' }),
  'slice raised': (life) => sliceChanged(life, 2),
  'slice cut': (life) => sliceChanged(life, 0),
  'subtask given more': (life) => {
    const [agentId] = Object.keys(contextOf(life).ledger.slices);
    const budget = { rounds: 50, tokens: 500_000, seconds: 100 };
    return agentId === undefined
      ? undefined
      : message(life, 'subtask.budget', { agentId: agentId as AgentId, budget, by: 'ana' });
  },
  'deadline passes': (life) => message(life, 'timer.fired', { timer: `deadline.${contextOf(life).deadlineAt}` }),
  'gathering is over': (life) =>
    stateOf(life) === 'terminate.gather' ? message(life, 'timer.fired', { timer: 'gather' }) : undefined,
  'old deadline passes': (life) => message(life, 'timer.fired', { timer: 'deadline.1' }),
  cancelled: (life) => message(life, 'task.cancelled', { by: 'ana' }),
  orphaned: (life) => message(life, 'parent.ended', {}),
  'host dies': recovered,
  'hosts keep dying': poisoned,
} satisfies Record<string, Event>;

export type MoveName = keyof typeof moves;
export const moveNames = Object.keys(moves) as MoveName[];

/** The life after a move, judged by every rule; undefined when the move is impossible. */
export function play(life: Life, name: MoveName, load = 0.2): Life | undefined {
  const event = (moves[name] as Event)(life, load);
  return event && take(life, event);
}

export const canPlay = (life: Life, name: MoveName): boolean => (moves[name] as Event)(life, 0) !== undefined;

/** The shortest way out: cancelled, last words at most, and the report. */
export function leave(life: Life): Life {
  let now = play(life, 'cancelled') ?? life;
  for (const name of ['says last words', 'gathering is over', 'reports'] as const) now = play(now, name) ?? now;
  return now;
}
