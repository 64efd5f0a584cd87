/** A statechart as plain data that a page can draw: its states, and every edge with event, guard and actions. */

export interface ChartState {
  /** Names from the outermost state down, joined by dots: `act.running`. */
  readonly path: string;
  readonly name: string;
  /** Path of the state around it; empty for the machine itself. */
  readonly parent: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  /** Path of the state entered first; empty unless compound. */
  readonly initial: string;
  /** Effects that run while the state is active. */
  readonly effects: readonly string[];
}

export interface ChartEdge {
  /** Path of the state that hears the event; empty: heard in every state. */
  readonly from: string;
  /** Empty: taken at once, without an event. */
  readonly event: string;
  /** Absent: nothing is left or entered. */
  readonly to?: string;
  /** In words; absent: always taken. */
  readonly guard?: string;
  readonly actions: readonly string[];
}

export interface Chart {
  readonly v: 1;
  readonly id: string;
  /** The machine's own, as journals carry it. */
  readonly version: number;
  /** Path of the first state. */
  readonly initial: string;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}
