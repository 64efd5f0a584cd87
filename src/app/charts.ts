/** The statecharts that Hermes runs, as data and as Mermaid text. */
import { agentMachine, machineVersion } from '../../machines/agent.js';
import { type Chart, chartOf } from '../inspector/chart.js';

export const charts = (): Chart[] => [chartOf(agentMachine, machineVersion)];

/** A chart as a Mermaid state diagram. Edges from every state are written as a note, to keep it readable. */
export function mermaid(chart: Chart): string {
  const lines = ['stateDiagram-v2', '  direction TB'];
  const childrenOf = (parent: string) => chart.states.filter((state) => state.parent === parent);
  const write = (parent: string, indent: string): void => {
    const initial = parent === '' ? chart.initial : (chart.states.find(({ path }) => path === parent)?.initial ?? '');
    if (initial !== '') lines.push(`${indent}[*] --> ${idOf(initial)}`);
    for (const state of childrenOf(parent)) {
      lines.push(`${indent}state "${state.name}" as ${idOf(state.path)}`);
      if (state.kind === 'compound') {
        lines.push(`${indent}state ${idOf(state.path)} {`);
        write(state.path, `${indent}  `);
        lines.push(`${indent}}`);
      }
      if (state.effects.length > 0) lines.push(`${indent}${idOf(state.path)} : does ${state.effects.join(', ')}`);
      if (state.kind === 'final') lines.push(`${indent}${idOf(state.path)} --> [*]`);
    }
  };
  write('', '  ');
  for (const edge of chart.edges) {
    if (edge.from !== '' && edge.to !== undefined)
      lines.push(`  ${idOf(edge.from)} --> ${idOf(edge.to)} : ${labelOf(edge)}`);
  }
  const everywhere = chart.edges.filter(({ from }) => from === '');
  if (everywhere.length > 0) {
    lines.push(`  note right of ${idOf(chart.initial)}`, '    in every state:');
    for (const edge of everywhere) lines.push(`    ${labelOf(edge)}${edge.to === undefined ? '' : ` → ${edge.to}`}`);
    lines.push('  end note');
  }
  return `${lines.join('\n')}\n`;
}

const idOf = (path: string): string => path.replaceAll(/\W/g, '_');

function labelOf({ event, guard }: Chart['edges'][number]): string {
  const name = event
    .replace(/^xstate\.done\.actor\./, 'done ')
    .replace(/^xstate\.error\.actor\./, 'error ')
    .replace(/^xstate\.done\.state\./, 'end of ');
  return [name === '' ? 'always' : name, ...(guard === undefined ? [] : [`[${guard}]`])].join(' ');
}
