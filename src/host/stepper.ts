/**
 * The only place that runs a statechart. Nothing here starts a live actor: XState's `transition` is asked what follows,
 * and what it would have spawned or stopped comes back as data.
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

export function createStepper(machine: AnyStateMachine): Stepper {
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
    if (type === 'xstate.spawnChild') {
      const { src, input } = params as { src: string; input?: Json };
      effects.push({ begins: true, src, input: input ?? null });
    } else if (type === 'xstate.stopChild') {
      effects.push({ begins: false, src: (params as { id: string }).id });
    } else if (type === 'deliver') {
      deliveries.push(...(params as { deliveries: Delivery[] }).deliveries);
    }
  }
  return { snapshot, effects, deliveries };
}

/** First word of a state value: `{act: 'running'}` and `act` are both `act`. */
export function phaseOf(snapshot: AnyMachineSnapshot): string {
  const { value } = snapshot;
  return typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
}
