/** Drives an agent by pure transitions and judges every step by the rules. */
import { initialTransition, transition } from 'xstate';
import { agentMachine } from '../../machines/agent.js';
import type { AgentInput } from '../../machines/context.js';
import { entered } from './books.js';
import { birth } from './fixtures.js';
import { type Action, type AnyEvent, type Asked, effectOf, emptyBooks, type Life, read, stateOf } from './life.js';
import { brokenRules } from './rules.js';

export function born(input: AgentInput): Life {
  const [snapshot, actions] = initialTransition(agentMachine, input);
  const asked = read(actions as unknown as Action[]);
  const unborn: Life = {
    snapshot: snapshot as Life['snapshot'],
    text: JSON.stringify(snapshot.context),
    now: birth,
    effects: {},
    effectCount: 0,
    messageCount: 0,
    sent: [],
    latest: [],
    books: emptyBooks,
    history: [],
  };
  return { ...unborn, ...opened(unborn, asked, {}) };
}

/** Takes one event and throws when a rule is broken by what follows. */
export function take(life: Life, event: AnyEvent): Life {
  const [snapshot, actions] = transition(agentMachine, life.snapshot, event as never);
  const asked = read(actions as unknown as Action[]);
  const { [effectOf(event) ?? '']: _settled, ...still } = life.effects;
  const left = Object.fromEntries(Object.entries(still).filter(([name]) => !asked.stopped.includes(name)));
  const next: Life = {
    ...life,
    snapshot: snapshot as Life['snapshot'],
    text: JSON.stringify(snapshot.context),
    messageCount: life.messageCount + (String(event.ref ?? '').startsWith('in.') ? 1 : 0),
    sent: [...life.sent, ...asked.deliveries],
    latest: asked.deliveries,
    history: [...life.history, event.type],
    ...opened(life, asked, left),
  };
  const kept: Life = { ...next, books: entered(life, event, next) };
  const broken = brokenRules(life, event, kept, asked);
  if (broken.length > 0) {
    throw new Error(
      `broken: ${broken.join('; ')}\n  in ${stateOf(kept)} after ${kept.history.join(' → ')}\n  ${JSON.stringify(event).slice(0, 600)}`,
    );
  }
  return kept;
}

function opened(life: Life, asked: Asked, left: Life['effects']): Pick<Life, 'effects' | 'effectCount'> {
  let { effectCount } = life;
  const effects = { ...left };
  for (const [name, input] of Object.entries(asked.begun)) {
    effectCount += 1;
    effects[name] = { ref: `e${effectCount}`, input };
  }
  return { effects, effectCount };
}
