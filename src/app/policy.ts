/** The limits of agents, out of the settings. */
import type { AgentPolicy } from '../../machines/context.js';
import type { Settings } from '../config/settings.js';

/** Less than this is not worth a model call. */
const leastOutputTokens = 200;
/** An unreadable reply is asked for again once, then with the problem in words, then the agent gives up. */
const unreadable = 3;
const callsPerRound = 16;

export const policyFrom = ({ limits, model, approval }: Settings): AgentPolicy => ({
  reflectEvery: limits.reflectEvery,
  reflectTokens: 0,
  repetition: { window: limits.repetitionWindow, count: limits.repetitionCount },
  corrections: limits.corrections,
  unreadable,
  outputTokens: model.maxOutputTokens,
  leastOutputTokens: Math.min(leastOutputTokens, model.maxOutputTokens),
  childRole: 'executor',
  depth: limits.depth,
  callsPerRound,
  humanTimeoutMs: approval.timeoutMs,
  plan: {
    fanOut: limits.fanOut,
    parallel: limits.parallelSubtasks,
    attempts: limits.subtaskAttempts,
    repairShare: limits.repairPercent / 100,
    early: limits.decideEarly,
    gatherMs: limits.gatherMs,
  },
});
