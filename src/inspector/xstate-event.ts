/** Feed events as inspection events of `@statelyai/inspect`: an actor per agent, the events it took, its snapshots. */
import type { FeedEvent } from '../domain/event.js';
import type { AgentId } from '../domain/id.js';
import type { Chart } from './chart.js';

/** Version of the protocol's package that these shapes are of. */
const version = '0.7.2';
/** Agents that a new inspector is told of; ended ones make room first. */
const mostAgents = 500;

interface Base {
  readonly sessionId: string;
  readonly rootId: string;
  /** ms since 1970, as text. */
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
}

interface InspectedSnapshot {
  readonly status: 'active' | 'done';
  readonly value: unknown;
  readonly context: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
}

type Taken = { readonly type: string; readonly [field: string]: unknown };

export type InspectionEvent =
  | (Base & {
      readonly type: '@xstate.actor';
      readonly name: string;
      readonly parentId: string | undefined;
      /** The machine's configuration as JSON text. */
      readonly definition: string | undefined;
      readonly snapshot: InspectedSnapshot;
    })
  | (Base & { readonly type: '@xstate.event'; readonly event: Taken; readonly sourceId: string | undefined })
  | (Base & { readonly type: '@xstate.snapshot'; readonly event: Taken; readonly snapshot: InspectedSnapshot });

type ActorEvent = Extract<InspectionEvent, { type: '@xstate.actor' }>;

/** Retells the feed, and remembers who is there. */
export class Retelling {
  readonly #machines: readonly Chart[];
  readonly #definitions: ReadonlyMap<Chart, string>;
  readonly #agents = new Map<AgentId, ActorEvent>();
  #count = 0;

  constructor(machines: readonly Chart[]) {
    this.#machines = machines;
    this.#definitions = new Map(machines.map((chart) => [chart, JSON.stringify(definitionOf(chart))]));
  }

  /** The agents as they are now, parents first. */
  present(): readonly InspectionEvent[] {
    return [...this.#agents.values()];
  }

  tell(event: FeedEvent): readonly InspectionEvent[] {
    const known = this.#agents.get(event.agentId);
    switch (event.kind) {
      case 'started': {
        const actor = this.#actor(event, { goal: event.goal, granted: event.granted }, event.parent);
        const ordered = {
          ...this.#base(event),
          event: { type: 'task.ordered', goal: event.goal },
          sourceId: event.parent,
        };
        return [actor, { ...ordered, type: '@xstate.event' }];
      }
      case 'moved': {
        const before = known ?? this.#actor(event, {}, undefined);
        const { state, detail, remaining, usage, round, host } = event;
        const context = { ...before.snapshot.context, round, detail, host, remaining, usage };
        const status = state === 'done' ? 'done' : 'active';
        const snapshot: InspectedSnapshot = { status, value: this.#valueOf(event, state), context };
        const taken: Taken = {
          type: event.cause.replace(/^(done|error)\./, 'xstate.$1.actor.'),
          ...(detail === '' ? {} : { detail }),
        };
        return [...(known === undefined ? [before] : []), ...this.#moved(event, before, taken, snapshot)];
      }
      case 'ended': {
        if (known === undefined) return [];
        const { children: _, ...output } = event.report;
        const taken: Taken = { type: 'xstate.done.actor.report' };
        return this.#moved(event, known, taken, {
          ...known.snapshot,
          status: 'done',
          value: this.#valueOf(event, 'done'),
          output,
        });
      }
      default:
        return [];
    }
  }

  #moved(event: FeedEvent, actor: ActorEvent, taken: Taken, snapshot: InspectedSnapshot): InspectionEvent[] {
    this.#agents.set(event.agentId, { ...actor, snapshot });
    return [
      { ...this.#base(event), type: '@xstate.event', event: taken, sourceId: undefined },
      { ...this.#base(event), type: '@xstate.snapshot', event: taken, snapshot },
    ];
  }

  #actor(event: FeedEvent, context: Readonly<Record<string, unknown>>, parentId: AgentId | undefined): ActorEvent {
    const chart = this.#chartOf(event);
    const number = /(?:-\d+)+$/.exec(event.agentId)?.[0].slice(1);
    const actor: ActorEvent = {
      ...this.#base(event),
      type: '@xstate.actor',
      name: number === undefined ? event.role : `${event.role} ${number}`,
      parentId,
      definition: chart === undefined ? undefined : this.#definitions.get(chart),
      snapshot: {
        status: 'active',
        value: this.#valueOf(event, chart?.initial ?? ''),
        context: { ...context, role: event.role },
      },
    };
    this.#agents.set(event.agentId, actor);
    this.#makeRoom();
    return actor;
  }

  #base({ taskId, agentId, at }: FeedEvent): Base {
    this.#count += 1;
    return { sessionId: agentId, rootId: taskId, createdAt: String(at), id: String(this.#count), _version: version };
  }

  #chartOf({ role }: FeedEvent): Chart | undefined {
    return this.#machines.find(({ id }) => id === role) ?? this.#machines[0];
  }

  /** The feed tells the outer state; inside it, the agent is where an effect runs. */
  #valueOf(event: FeedEvent, state: string): unknown {
    const inside = this.#chartOf(event)?.states.filter(({ parent }) => parent === state) ?? [];
    const inner = inside.find(({ effects }) => effects.length > 0) ?? inside[0];
    return inner === undefined ? state : { [state]: inner.name };
  }

  #makeRoom(): void {
    if (this.#agents.size <= mostAgents) return;
    const ended = [...this.#agents].find(([, { snapshot }]) => snapshot.status === 'done');
    const first = ended?.[0] ?? this.#agents.keys().next().value;
    if (first !== undefined) this.#agents.delete(first);
  }
}

type Config = { [key: string]: unknown };

/** The chart as a machine configuration that `createMachine` takes: guards and actions by name. */
export function definitionOf(chart: Chart): Config {
  return { id: chart.id, initial: chart.initial, version: String(chart.version), ...insideOf(chart, '') };
}

function insideOf(chart: Chart, path: string): Config {
  const effects = chart.states.find((state) => state.path === path)?.effects ?? [];
  const edges = chart.edges.filter(({ from }) => from === path);
  const events = [...new Set(edges.map(({ event }) => event))];
  const of = (event: string) => edges.filter((edge) => edge.event === event).map((edge) => transitionOf(chart, edge));
  const outcomes = new Set(effects.flatMap((src) => [`xstate.done.actor.${src}`, `xstate.error.actor.${src}`]));
  const finished = events.find((event) => event.startsWith('xstate.done.state.'));
  const heard = events.filter((event) => event !== '' && event !== finished && !outcomes.has(event));
  const children = chart.states.filter(({ parent }) => parent === path);
  return {
    ...(children.length === 0
      ? {}
      : { states: Object.fromEntries(children.map((state) => [state.name, stateOf(chart, state)])) }),
    ...(heard.length === 0 ? {} : { on: Object.fromEntries(heard.map((event) => [event, of(event)])) }),
    ...(events.includes('') ? { always: of('') } : {}),
    ...(finished === undefined ? {} : { onDone: of(finished) }),
    ...(effects.length === 0
      ? {}
      : {
          invoke: effects.map((src) => ({
            src,
            id: src,
            onDone: of(`xstate.done.actor.${src}`),
            onError: of(`xstate.error.actor.${src}`),
          })),
        }),
  };
}

function stateOf(chart: Chart, { path, kind, initial }: Chart['states'][number]): Config {
  const type = kind === 'atomic' || kind === 'compound' ? {} : { type: kind };
  return { ...type, ...(initial === '' ? {} : { initial: initial.split('.').at(-1) }), ...insideOf(chart, path) };
}

const transitionOf = (chart: Chart, { to, guard, actions }: Chart['edges'][number]): Config => ({
  ...(to === undefined ? {} : { target: `#${chart.id}.${to}` }),
  ...(guard === undefined ? {} : { guard }),
  ...(actions.length === 0 ? {} : { actions }),
});
