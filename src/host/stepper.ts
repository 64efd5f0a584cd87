/**
 * The only place that runs a statechart. Nothing here starts a live actor: XState's `transition` is asked what follows,
 * and what it would have spawned or stopped comes back as data.
 *
 * XState makes an actor for every invocation, and reckons a whole snapshot for every assignment and for every actor that
 * comes or goes: most of what a step took. So the chart is run in a form of its own, which has the same states,
 * transitions, guards and actions in the same order, and where the same is asked for by plain actions.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor, createMachine } from 'xstate';
import type { Delivery } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';

/** An effect begins or is given up. A name is also the invocation's id: at most one effect of a name is under way. */
export type EffectChange =
  | { readonly begins: true; readonly src: string; readonly input: Json }
  | { readonly begins: false; readonly src: string };

export interface Transition {
  readonly snapshot: AnyMachineSnapshot;
  /** In the order in which the machine asked for them. */
  readonly effects: readonly EffectChange[];
  readonly deliveries: readonly Delivery[];
}

export interface Stepper {
  start(input: Json): Transition;
  step(snapshot: AnyMachineSnapshot, event: JsonObject): Transition;
  restore(value: Json, context: JsonObject): AnyMachineSnapshot;
}

/** The part of an executable action that we read. */
interface Action {
  readonly type: string;
  readonly params?: unknown;
}

type ActorScope = Parameters<AnyStateMachine['transition']>[2];

/** Steppers hold nothing of an agent: all agents and hosts of a chart share one, which takes a while to make. */
const steppers = new WeakMap<AnyStateMachine, Stepper>();

export function stepperOf(chart: AnyStateMachine): Stepper {
  const known = steppers.get(chart);
  if (known !== undefined) return known;
  const made = createStepper(chart);
  steppers.set(chart, made);
  return made;
}

function createStepper(chart: AnyStateMachine): Stepper {
  const machine = asRun(chart);
  const taken: Action[] = [];
  // One inert scope serves all steps: XState's own `transition` and `initialTransition` make one for every step, which
  // costs more than the step, and begin the machine without its input once more.
  const self = createActor(createMachine({}));
  const scope = {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: (action: Action) => {
      taken.push(action);
    },
  } as unknown as ActorScope; // the fields that xstate 5.33 reads, as in its own inert scope

  return {
    start(input) {
      taken.length = 0;
      const born = machine.getInitialSnapshot(scope, input as never) as AnyMachineSnapshot;
      return read(born, taken);
    },
    step(snapshot, event) {
      taken.length = 0;
      const next = machine.transition(snapshot, event as never, scope) as AnyMachineSnapshot;
      return read(next, taken);
    },
    restore: (value, context) => machine.resolveState({ value: value as never, context }) as AnyMachineSnapshot,
  };
}

function read(snapshot: AnyMachineSnapshot, actions: readonly Action[]): Transition {
  const effects: EffectChange[] = [];
  const deliveries: Delivery[] = [];
  for (const { type, params } of actions) {
    if (type === begin) effects.push({ begins: true, ...(params as { src: string; input: Json }) });
    else if (type === giveUp) effects.push({ begins: false, src: (params as { src: string }).src });
    else if (type === 'deliver') deliveries.push(...(params as { deliveries: Delivery[] }).deliveries);
  }
  return { snapshot, effects, deliveries };
}

const begin = 'effect.begin';
const giveUp = 'effect.giveUp';

type Scope = { readonly context: unknown; readonly event: unknown };

/** The parts of a chart's configuration that are changed. */
interface StateConfig {
  readonly on?: object;
  readonly entry?: unknown;
  readonly exit?: unknown;
  readonly invoke?: Invocation | readonly Invocation[];
  readonly states?: Readonly<Record<string, StateConfig>>;
}

interface Invocation {
  readonly src: string;
  readonly input?: Json | ((scope: Scope) => Json);
  readonly onDone?: unknown;
  readonly onError?: unknown;
}

function asRun({ config, implementations }: AnyStateMachine): AnyStateMachine {
  const actions = Object.entries(implementations.actions).map(([name, action]) => [name, lightened(action)]);
  return createMachine(
    withoutActors(config as StateConfig) as typeof config,
    { ...implementations, actions: Object.fromEntries(actions) } as typeof implementations,
  );
}

/** XState stops what a state has invoked after the state's exit actions, and starts it after the entry actions. */
function withoutActors({ invoke = [], ...state }: StateConfig): StateConfig {
  const invocations = listOf(invoke) as Invocation[];
  return {
    ...state,
    entry: [...listOf(state.entry), ...invocations.map(beginningOf)],
    exit: [...listOf(state.exit), ...invocations.map(({ src }) => ({ type: giveUp, params: { src } }))],
    on: Object.assign({}, state.on, ...invocations.map(outcomesOf)),
    ...(state.states && {
      states: Object.fromEntries(Object.entries(state.states).map(([name, child]) => [name, withoutActors(child)])),
    }),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

const beginningOf = ({ src, input = null }: Invocation) => ({
  type: begin,
  params: (scope: Scope) => ({ src, input: typeof input === 'function' ? input(scope) : input }),
});

const outcomesOf = ({ src, onDone, onError }: Invocation) => ({
  ...(onDone !== undefined && { [`xstate.done.actor.${src}`]: onDone }),
  ...(onError !== undefined && { [`xstate.error.actor.${src}`]: onError }),
});

/** How XState 5.33 asks a built-in action what the snapshot becomes. */
type Resolve = (actors: unknown, snapshot: AnyMachineSnapshot, scope: Scope, params: unknown) => readonly unknown[];

/** An assignment changes the context: the rest of the snapshot stays as it is, and is not reckoned anew. */
function lightened(action: unknown): unknown {
  const { assignment } = action as { assignment?: (scope: Scope, params: unknown) => object };
  if (typeof assignment !== 'function') return action;
  const resolve: Resolve = (_actors, snapshot, { context, event }, params) => {
    const change = assignment({ context, event }, params);
    return [change === context ? snapshot : withContext(snapshot, Object.assign({}, snapshot.context, change))];
  };
  return Object.assign(() => {}, { type: 'xstate.assign', resolve });
}

/** Field by field as XState does it: snapshots of two shapes cost twice as much to read. */
const withContext = (snapshot: AnyMachineSnapshot, context: object) => ({
  status: snapshot.status,
  output: snapshot.output,
  error: snapshot.error,
  machine: snapshot.machine,
  context,
  _nodes: snapshot._nodes,
  value: snapshot.value,
  tags: snapshot.tags,
  children: snapshot.children,
  historyValue: snapshot.historyValue,
  matches: snapshot.matches,
  hasTag: snapshot.hasTag,
  can: snapshot.can,
  getMeta: snapshot.getMeta,
  toJSON: snapshot.toJSON,
});

/** First word of a state value: `{act: 'running'}` and `act` are both `act`. */
export function phaseOf(snapshot: AnyMachineSnapshot): string {
  const { value } = snapshot;
  return typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
}
