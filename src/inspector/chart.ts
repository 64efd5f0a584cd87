/**
 * A statechart as plain data that a page can draw: its states, and every edge with event, guard and actions.
 * `machine.definition` leaves out eventless edges, so this reads the live state nodes. It looks at their shape only and
 * imports no chart library.
 */
import { z } from 'zod';

const stateSchema = z.object({
  /** Names from the outermost state down, joined by dots: `act.running`. */
  path: z.string(),
  name: z.string(),
  /** Path of the state around it; empty for the machine itself. */
  parent: z.string(),
  kind: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']),
  /** Path of the state entered first; empty unless compound. */
  initial: z.string(),
  /** Effects that run while the state is active. */
  effects: z.array(z.string()),
});

const edgeSchema = z.object({
  /** Path of the state that hears the event; empty: heard in every state. */
  from: z.string(),
  /** Empty: taken at once, without an event. */
  event: z.string(),
  /** Absent: nothing is left or entered. */
  to: z.string().optional(),
  /** In words; absent: always taken. */
  guard: z.string().optional(),
  actions: z.array(z.string()),
});

export const chartSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  version: z.number().int(),
  /** Path of the first state. */
  initial: z.string(),
  states: z.array(stateSchema),
  edges: z.array(edgeSchema),
});
export type Chart = z.infer<typeof chartSchema>;
type Edge = Chart['edges'][number];

interface NodeLike {
  readonly key: string;
  readonly path: readonly string[];
  readonly type: string;
  readonly initial?: { readonly target?: readonly { readonly path: readonly string[] }[] } | undefined;
  readonly invoke: readonly { readonly src: unknown }[];
  readonly transitions: ReadonlyMap<string, readonly TransitionLike[]>;
  readonly always?: readonly TransitionLike[] | undefined;
  readonly states: Readonly<Record<string, NodeLike>>;
}

interface TransitionLike {
  readonly target?: readonly { readonly path: readonly string[] }[] | undefined;
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
}

/** Reads an XState machine. `version` is the machine's own, as journals carry it. */
export function chartOf(machine: { readonly id: string; readonly root: unknown }, version: number): Chart {
  // The library types its nodes by generics that no reader needs; the schema below is the check.
  const root = machine.root as NodeLike;
  const nodes = descendants(root);
  return chartSchema.parse({
    v: 1,
    id: machine.id,
    version,
    initial: initialOf(root),
    states: nodes.slice(1).map((node) => ({
      path: pathOf(node),
      name: node.key,
      parent: node.path.slice(0, -1).join('.'),
      kind: node.type,
      initial: node.type === 'compound' ? initialOf(node) : '',
      effects: node.invoke.map(({ src }) => nameOf(src)),
    })),
    edges: nodes.flatMap(edgesOf),
  });
}

const descendants = (node: NodeLike): NodeLike[] => [node, ...Object.values(node.states).flatMap(descendants)];
const pathOf = (node: { readonly path: readonly string[] }): string => node.path.join('.');
const initialOf = (node: NodeLike): string => {
  const first = node.initial?.target?.[0];
  return first === undefined ? '' : pathOf(first);
};

function edgesOf(node: NodeLike): Edge[] {
  const edge = (event: string, transition: TransitionLike): Edge => {
    const target = transition.target?.[0];
    return {
      from: pathOf(node),
      event,
      ...(target === undefined ? {} : { to: pathOf(target) }),
      ...(transition.guard === undefined ? {} : { guard: guardInWords(transition.guard) }),
      actions: transition.actions.map(nameOf),
    };
  };
  const heard = [...node.transitions].flatMap(([event, list]) => list.map((one) => edge(event, one)));
  return [...heard, ...(node.always ?? []).map((one) => edge('', one))];
}

/** `and([not('paused'), 'ready'])` becomes "not paused and ready". */
function guardInWords(guard: unknown): string {
  if (typeof guard !== 'function') return nameOf(guard);
  const parts = 'guards' in guard && Array.isArray(guard.guards) ? guard.guards.map(guardInWords) : [];
  switch (guard.name) {
    case 'not':
      return `not ${parts[0] ?? ''}`;
    case 'and':
    case 'or':
      return parts.join(` ${guard.name} `);
    default:
      return nameOf(guard);
  }
}

function nameOf(thing: unknown): string {
  if (typeof thing === 'string') return thing;
  if (typeof thing === 'function') return thing.name === '' ? 'inline' : thing.name;
  const { type, name } = (thing ?? {}) as { type?: unknown; name?: unknown };
  return typeof type === 'string' ? type : typeof name === 'string' ? name : 'inline';
}
