/** What the demo orders, and from whom. */
import type { Submission } from '../../domain/task.js';

/** Processes by role. */
export const demoCast = { planner: 1, executor: 3 } as const;

/** Of the scripted model: long enough to be seen and to be killed in. */
export const demoLatencyMs = 120;

/** @param path the table; @param report where the findings go. Both absolute. */
export const demoJob = (path: string, report: string): Submission => ({
  goal: `Profile and analyse the file ${path} and write the findings to ${report}`,
  files: [path],
  budget: { rounds: 80, seconds: 300 },
});
