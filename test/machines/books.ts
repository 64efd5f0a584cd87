/** Books that a test keeps beside the machine, from events and deliveries alone, to hold the machine's own against. */
import { type Amounts, add, nothing, sum } from '../../src/domain/budget.js';
import type { CallUsage, Decision } from '../../src/domain/decision.js';
import type { Delivery } from '../../src/domain/journal.js';
import type { Report } from '../../src/domain/report.js';
import type { AnyEvent, Books, Life } from './life.js';

/** The books after a step. */
export function entered(before: Life, event: AnyEvent, after: Life): Books {
  const books = postDeliveries(postEvent(before, event), after);
  const ledgerBefore = before.snapshot.context.ledger;
  const planned = after.snapshot.context.plan.length - before.snapshot.context.plan.length;
  const ended = before.snapshot.status === 'active' && atItsEnd(after) && !atItsEnd(before);
  const unreported = books.ordered.filter((id) => !(id in books.reported));
  return {
    ...books,
    billed: add(books.billed, { ...nothing, children: planned }),
    lost: add(books.lost, sum(lostEffects(before, event, after).map((name) => ledgerBefore.reserved[name] ?? nothing))),
    below: add(books.below, ended ? sum(unreported.map((id) => sliceOf(after, id))) : nothing),
    started: [...books.started, ...(before.effects.callTools === after.effects.callTools ? [] : callsIn(after))],
  };
}

/** From here on the books are closed. */
const atItsEnd = ({ effects, snapshot }: Life): boolean => 'report' in effects || snapshot.status !== 'active';

const sliceOf = (life: Life, id: string): Amounts =>
  life.snapshot.context.plan.find(({ agentId }) => agentId === id)?.slice ?? nothing;

const callsIn = ({ effects }: Life): string[] =>
  ((effects.callTools?.input ?? { calls: [] }) as { calls: { callId: string }[] }).calls.map(({ callId }) => callId);

/** Effects whose attempt was lost by this step: stopped, broken, or under way when a host died. */
function lostEffects(before: Life, event: AnyEvent, after: Life): string[] {
  return Object.entries(before.effects).flatMap(([name, effect]) => {
    if (event.type === `xstate.done.actor.${name}`) return [];
    const goesOn = after.effects[name]?.ref === effect.ref;
    return !goesOn || (event.type === 'host.recovered' && name !== 'callTools') ? [name] : [];
  });
}

function postEvent({ books, effects, snapshot }: Life, event: AnyEvent): Books {
  const { ledger } = snapshot.context;
  const bill = (name: string, usage: CallUsage | undefined): Books => ({
    ...books,
    billed: add(books.billed, {
      ...nothing,
      rounds: ledger.reserved[name]?.rounds ?? 0,
      tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      costUsd: usage?.costUsd ?? 0,
    }),
  });
  switch (event.type) {
    case 'xstate.done.actor.decide': {
      const decision = event.output as Decision;
      const billed = bill('decide', decision.usage);
      if (decision.kind !== 'calls') return billed;
      return { ...billed, decisions: { ...books.decisions, [String(event.ref)]: decision.calls } };
    }
    case 'xstate.done.actor.grace':
    case 'xstate.done.actor.reflect':
      return bill(event.type.slice('xstate.done.actor.'.length), (event.output as { usage?: CallUsage }).usage);
    case 'xstate.done.actor.callTools': {
      const { results } = event.output as { results: unknown[] };
      return { ...books, billed: add(books.billed, { ...nothing, toolCalls: results.length }) };
    }
    case 'child.reported': {
      const report = event.report as Report;
      const known = books.ordered.includes(report.agentId) && !(report.agentId in books.reported);
      if (!known || 'report' in effects || snapshot.status !== 'active') return books;
      return {
        ...books,
        below: add(books.below, report.spent),
        reported: { ...books.reported, [report.agentId]: report.status },
      };
    }
    case 'human.decided':
      return event.allow ? { ...books, allowed: [...books.allowed, String(event.approvalId)] } : books;
    default:
      return books;
  }
}

function postDeliveries(books: Books, { latest }: Life): Books {
  let now = books;
  for (const delivery of latest) now = { ...now, ...postDelivery(now, delivery) };
  return now;
}

function postDelivery(books: Books, delivery: Delivery): Partial<Books> {
  const { farewells, timers, withdrawn, asked, ordered, told } = books;
  switch (delivery.to) {
    case 'task':
      return { farewells: farewells + 1 };
    case 'timer':
      return { timers: [...timers, delivery.name] };
    case 'human':
      return delivery.request === null
        ? { withdrawn: [...withdrawn, delivery.key] }
        : { asked: [...asked, delivery.key] };
    case 'inbox':
      if (delivery.message.type === 'task.ordered') return { ordered: [...ordered, delivery.agentId] };
      if (delivery.message.type === 'parent.ended') return { told: [...told, delivery.agentId] };
      return delivery.message.type === 'child.reported' ? { farewells: farewells + 1 } : {};
  }
}
