/**
 * Statecharts as data and as Mermaid text. `machine.definition` leaves out eventless edges, so this reads the live state
 * nodes.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

export interface ChartState {
  /** Names from the outermost state down, joined by dots: `act.running`. */
  readonly path: string;
  readonly name: string;
  /** Path of the state around it; empty for the machine itself. */
  readonly parent: string;
  readonly kind: AnyStateNode['type'];
  /** Path of the state entered first; empty unless compound. */
  readonly initial: string;
  /** What the state is for, in a sentence. */
  readonly description: string;
  /** Effects that are under way while the state is active. */
  readonly effects: readonly string[];
  /** Actions on entry. */
  readonly entry: readonly string[];
}

export interface ChartEdge {
  /** Path of the state that hears the event; empty: heard in every state. */
  readonly from: string;
  /** Empty: taken at once, without an event. */
  readonly event: string;
  /** Absent: nothing is left or entered. */
  readonly to?: string;
  /** In words; absent: always taken. Of the edges of one state and event, the first whose guard holds is taken. */
  readonly guard?: string;
  readonly actions: readonly string[];
}

export interface Chart {
  readonly v: 1;
  readonly id: string;
  readonly initial: string;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

export function toJson(machine: AnyStateMachine): Chart {
  const nodes = nodesBelow(machine.root);
  return {
    v: 1,
    id: machine.id,
    initial: initialOf(machine.root),
    states: nodes.map(stateOf),
    edges: [machine.root, ...nodes].flatMap(edgesOf),
  };
}

/** A state diagram. Edges with the same ends share one arrow; what every state hears without moving is left out. */
export function toMermaid(machine: AnyStateMachine): string {
  const chart = toJson(machine);
  const everywhere = chart.edges.filter(({ from, to }) => from === '' && to !== undefined);
  return [
    'stateDiagram-v2',
    ...statesIn(chart, '', '  '),
    ...(everywhere.length > 0 ? [`  state "any other state" as ${anywhere}`] : []),
    ...arrowsOf(chart),
    '',
  ].join('\n');
}

const pathOf = (node: AnyStateNode): string => node.path.join('.');
const childrenOf = (node: AnyStateNode): AnyStateNode[] => Object.values(node.states);
const nodesBelow = (node: AnyStateNode): AnyStateNode[] =>
  childrenOf(node).flatMap((child) => [child, ...nodesBelow(child)]);

function initialOf(node: AnyStateNode): string {
  const first = node.type === 'compound' ? node.initial?.target?.[0] : undefined;
  return first === undefined ? '' : pathOf(first);
}

const stateOf = (node: AnyStateNode): ChartState => ({
  path: pathOf(node),
  name: node.key,
  parent: node.path.slice(0, -1).join('.'),
  kind: node.type,
  initial: initialOf(node),
  description: node.description ?? '',
  effects: node.invoke.map(({ src }) => nameOf(src)),
  entry: node.entry.map(nameOf),
});

function edgesOf(node: AnyStateNode): ChartEdge[] {
  const edge = (event: string, { target, guard, actions }: AnyTransitionDefinition): ChartEdge => {
    const [to] = target ?? [];
    return {
      from: pathOf(node),
      event,
      ...(to === undefined ? {} : { to: pathOf(to) }),
      ...(guard === undefined ? {} : { guard: guardInWords(guard) }),
      actions: actions.map(nameOf),
    };
  };
  return [
    ...[...node.transitions].flatMap(([event, list]) => list.map((one) => edge(event, one))),
    ...(node.always ?? []).map((one) => edge('', one)),
  ];
}

/** `and([not('paused'), 'hasReadyCalls'])` becomes "not paused and hasReadyCalls". */
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

/** Guards, actions and effects are named words; a function that stands in line has no name to show. */
function nameOf(thing: unknown): string {
  if (typeof thing === 'string') return thing;
  const { type } = (thing ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : 'inline';
}

/** Outcomes and ends in the words of the feed: `done.decide`, `error.decide`, `done.terminate`. */
export const eventInWords = (event: string): string =>
  event.replace(/^xstate\.(?<how>done|error)\.(?:actor|state\.[^.]+)\./, '$<how>.');

const anywhere = 'anywhere';
const idOf = (path: string): string => (path === '' ? anywhere : path.replaceAll('.', '_'));

function statesIn(chart: Chart, parent: string, indent: string): string[] {
  const initial = parent === '' ? chart.initial : chart.states.find(({ path }) => path === parent)?.initial;
  const lines = initial ? [`${indent}[*] --> ${idOf(initial)}`] : [];
  for (const { path, name, kind, effects } of chart.states.filter((state) => state.parent === parent)) {
    if (kind === 'compound') {
      lines.push(`${indent}state "${name}" as ${idOf(path)} {`, ...statesIn(chart, path, `${indent}  `), `${indent}}`);
    } else {
      lines.push(
        `${indent}state "${[name, ...effects.map((effect) => `does ${effect}`)].join('<br/>')}" as ${idOf(path)}`,
      );
    }
    if (kind === 'final') lines.push(`${indent}${idOf(path)} --> [*]`);
  }
  return lines;
}

function arrowsOf({ edges }: Chart): string[] {
  const arrows = new Map<string, string[]>();
  for (const edge of edges) {
    if (edge.to === undefined) continue;
    const arrow = `${idOf(edge.from)} --> ${idOf(edge.to)}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), labelOf(edge, edges)]);
  }
  return [...arrows].map(([arrow, labels]) => `  ${arrow} : ${labels.join('<br/>')}`);
}

/** Where guards of one event overlap, the number says which is tried first. */
function labelOf(edge: ChartEdge, edges: readonly ChartEdge[]): string {
  const rivals = edges.filter(({ from, event }) => from === edge.from && event === edge.event);
  const rank = rivals.length > 1 ? `${rivals.indexOf(edge) + 1}` : '';
  const guard = edge.guard ?? (rivals.length > 1 ? 'else' : '');
  return [eventInWords(edge.event), rank, guard && `[${guard}]`].filter(Boolean).join(' ');
}
