/** The page of `docs/machines` about one statechart: the diagram, a legend, and every edge in words. */
import { type Chart, type ChartEdge, eventInWords, toJson, toMermaid } from '../../machines/diagram.js';
import type { ListedMachine } from '../../machines/list.js';

export function pageOf({ name, version, machine }: ListedMachine): string {
  const chart = toJson(machine);
  const hears = chart.edges.filter(({ from }) => from === '');
  const moves = chart.edges.filter(({ from, actions, to }) => from !== '' && (to !== undefined || actions.length > 0));
  return [
    `# The statechart \`${name}\` (version ${version})`,
    'Made from `machines/` by `npm run docs:machines`; do not edit.',
    'An arrow carries the event that moves the machine and, in brackets, the guard that must hold. Numbers give the order in which the guards of one event are tried; an arrow without an event is taken at once. `done.x` and `error.x` are how the effect `x` ended.',
    `\`\`\`mermaid\n${toMermaid(machine)}\`\`\``,
    '## States',
    table(
      ['state', 'effect', 'what it is for'],
      chart.states.map(({ path, effects, description }) => [code(path), effects.map(code).join(', '), description]),
    ),
    '## Heard in every state that does not say otherwise',
    table(
      ['event', 'guard', 'to', 'actions'],
      hears.map((edge) => edgeRow(edge)),
    ),
    `## Heard in single states`,
    table(
      ['in', 'event', 'guard', 'to', 'actions'],
      moves.map((edge) => [code(edge.from), ...edgeRow(edge)]),
    ),
    ...deafness(chart),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const code = (word: string): string => `\`${word}\``;
const edgeRow = ({ event, guard, to, actions }: ChartEdge): string[] => [
  event === '' ? 'at once' : code(eventInWords(event)),
  guard ?? '',
  to === undefined ? '' : code(to),
  actions.map(code).join(', '),
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** States that hear an event so that nothing comes of it. */
function deafness({ edges }: Chart): string[] {
  const deaf = new Map<string, string[]>();
  for (const { from, event, to, actions } of edges) {
    if (from !== '' && to === undefined && actions.length === 0) deaf.set(from, [...(deaf.get(from) ?? []), event]);
  }
  if (deaf.size === 0) return [];
  const rows = [...deaf].map(([from, events]) => [
    code(from),
    events.includes('*') ? 'everything' : events.map(code).join(', '),
  ]);
  return ['## Not heeded', table(['in', 'events'], rows)];
}
