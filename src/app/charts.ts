/** The statecharts that Hermes runs, as data and as Mermaid text: what `hact machines` prints and the inspector draws. */
import { toJson, toMermaid } from '../../machines/diagram.js';
import { machines } from '../../machines/list.js';
import type { Chart } from '../inspector/chart.js';

export interface DrawnChart {
  readonly chart: Chart;
  /** The same text as in `docs/machines`. */
  readonly mermaid: string;
}

export const charts = (): DrawnChart[] =>
  machines.map(({ machine, version }) => ({ chart: { ...toJson(machine), version }, mermaid: toMermaid(machine) }));
