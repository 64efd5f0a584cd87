/** A process that dies as it appends a record, in a schedule in which nothing else goes wrong. */
import type { JournalRecord } from '../../../src/domain/journal.js';
import { calm } from '../bus/link.js';
import { soundModel } from '../outside/model.js';
import { soundTools } from '../outside/tools.js';
import type { Scenario } from '../scenario.js';
import { noSeams, type Seams } from './stage.js';

/** Before the record is stored, or right after. */
export type Moment = 'before' | 'after';

/** People, budgets and delegation stay; faults go. */
export const undisturbed = (scenario: Scenario): Scenario => ({
  ...scenario,
  workers: 2,
  blows: [],
  weather: calm,
  model: soundModel,
  tools: soundTools,
  deadliness: 0,
});

/** Kills the process whose append is the one; asked of every append in turn. */
export function dyingAt(moment: Moment, isTheOne: (record: JournalRecord) => boolean): Seams {
  const never = new Promise<never>(() => undefined);
  return {
    ...noSeams,
    bus: (bus, process) => ({
      ...bus,
      journal: {
        ...bus.journal,
        append: async (agentId, record, after) => {
          const isHit = isTheOne(record);
          if (isHit && moment === 'before') process.kill();
          if (isHit && moment === 'before') return never;
          const stored = await bus.journal.append(agentId, record, after);
          if (isHit) process.kill();
          return isHit ? never : stored;
        },
      },
    }),
  };
}
