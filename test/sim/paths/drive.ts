/** Leads a live agent along a route: what the route says next is answered, sent or done to it as soon as it is possible. */
import { effectOf, isActive, type Life } from '../../machines/life.js';
import { canPlay, type MoveName, moves } from '../../machines/moves.js';
import type { Route } from '../../machines/routes.js';
import { type Blow, LiveAgent, poisonAttempts } from './live.js';

export interface Driven {
  readonly appends: number;
  /** Moves of the route that were impossible where the agent was by then, or that changed nothing. */
  readonly missed: readonly MoveName[];
  /** What is wrong; empty when all is well. */
  readonly problems: readonly string[];
}

const load = 0.2;
/** Nothing more is under way: the longest is a message to the host that others serve. */
const quietMs = 60;
/** A takeover with everything that it needs takes less. */
const patienceMs = 20_000;
const lookMs = 20;
/** At most so many moves bring an agent to its end. */
const mostLeaving = 12;

export async function drive(route: Route, blow?: Blow): Promise<Driven> {
  const agent = new LiveAgent(blow);
  const missed: MoveName[] = [];
  await rest(agent);
  for (const move of route) {
    if (!agent.life || !isActive(agent.life)) break;
    if (!(await make(agent, move))) missed.push(move);
  }
  for (let n = 0; n < mostLeaving && agent.life && isActive(agent.life); n += 1) await make(agent, wayOut(agent.life));
  await wait(agent, () => agent.leftovers.length === 0);
  return { appends: agent.appends, missed, problems: [...agent.problems, ...problemsAtEnd(agent)] };
}

/** False when the move is impossible now, or nothing came of it. */
async function make(agent: LiveAgent, move: MoveName): Promise<boolean> {
  const { life } = agent;
  if (life === undefined || !canPlay(life, move)) return false;
  const before = life.history.length;
  if (move === 'host dies') agent.kill();
  else if (move === 'hosts keep dying') agent.deaths = poisonAttempts;
  if (move === 'hosts keep dying') agent.kill();
  const event = moves[move](life, load);
  const effect = event && effectOf(event);
  if (event && effect) agent.settle(effect, event);
  else if (event && !event.type.startsWith('host.')) agent.send(event);
  await wait(agent, () => (agent.life?.history.length ?? 0) > before);
  agent.deaths = 0;
  await rest(agent);
  return (agent.life?.history.length ?? 0) > before;
}

const wayOut = (life: Life): MoveName =>
  (['reports', 'says last words', 'gathering is over'] as const).find((move) => canPlay(life, move)) ?? 'cancelled';

/** Until the host has stored what there is to store, and carries out what the statechart asks for. */
async function rest(agent: LiveAgent): Promise<void> {
  const isQuiet = (): boolean =>
    agent.life !== undefined &&
    agent.world.time > agent.changedAt + quietMs &&
    Object.keys(agent.life.effects).every((effect) => agent.performs(effect));
  await wait(agent, isQuiet);
}

async function wait({ world }: LiveAgent, until: () => boolean): Promise<void> {
  const end = world.time + patienceMs;
  while (!until() && world.time < end) {
    const next = world.time + lookMs;
    world.after(lookMs, () => undefined);
    await world.run(() => world.time >= next, next + 1);
  }
}

function problemsAtEnd({ leftovers, life, server }: LiveAgent): string[] {
  if (life === undefined) return ['it was never born'];
  const tasks = server.buckets.task.keys().length;
  return [
    ...(isActive(life) ? [`it does not end: ${life.history.join(' → ')}`] : []),
    ...(life.books.farewells === 1 ? [] : [`it said ${life.books.farewells} times how it ended`]),
    ...(tasks === 1 ? [] : [`${tasks} results`]),
    ...leftovers.map((what) => `${what} is left`),
  ];
}
