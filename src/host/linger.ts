/** How long an agent that has given an order stays where it is for the report, before it parks. */
import type { ConsumeOptions } from '../bus/contract.js';
import type { Clock } from '../domain/clock.js';
import type { Outgoing } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import { defaultTenant, type Lane } from '../domain/lane.js';

export interface LingerOptions {
  readonly clock: Clock;
  readonly draining: () => boolean;
  /** Whether an agent of that lane may stay until it is dismissed; if so, what it calls when it stays no longer. */
  readonly mayLinger: (lane: Lane, dismissed: () => void) => (() => void) | undefined;
}

export interface Lingerers {
  /** How many linger now: they take no place from others. */
  count(): number;
  readonly mayLinger: LingerOptions['mayLinger'];
  /** The host takes no more work. */
  dismiss(): void;
}

/** @param most how many may linger at once */
export function lingerersOf(most: number, terms: ConsumeOptions['terms']): Lingerers {
  const lingering = new Set<() => void>();
  return {
    count: () => lingering.size,
    mayLinger({ tenant = defaultTenant }, dismissed) {
      // Where a tenant's agents at work are limited, one that lingers would keep another from its work.
      if (lingering.size >= most || terms?.(tenant).running !== undefined) return undefined;
      lingering.add(dismissed);
      return () => lingering.delete(dismissed);
    },
    dismiss() {
      for (const dismissed of lingering) dismissed();
    },
  };
}

/** A report that comes soon finds the agent as it is: neither snapshot, lease nor journal is written and read for it. */
const lingerMs = 1_000;

export class Errands {
  private open = 0;

  constructor(
    private readonly lane: Lane,
    private readonly options: LingerOptions,
  ) {}

  /** What a step has ordered, and what was reported to it. */
  note(outgoing: readonly Outgoing[], events: readonly JsonObject[]): void {
    this.open = Math.max(0, this.open + outgoing.filter(isOrder).length - events.filter(isReport).length);
  }

  /** Waits for something new while a report is to come, and calls `wakeUp` when that has taken too long. */
  async linger(somethingNew: () => Promise<void>, wakeUp: () => void): Promise<void> {
    const { clock, draining, mayLinger } = this.options;
    const leave = this.open > 0 && !draining() ? mayLinger(this.lane, wakeUp) : undefined;
    if (leave === undefined) return;
    const stop = clock.after(lingerMs, wakeUp);
    await somethingNew();
    stop();
    leave();
  }
}

const isOrder = ({ delivery }: Outgoing): boolean =>
  delivery.to === 'inbox' && delivery.message.type === 'task.ordered';
const isReport = ({ type }: JsonObject): boolean => type === 'child.reported';
