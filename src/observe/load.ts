/** How busy this process is. */
import { performance } from 'node:perf_hooks';

/** A meter of its own: each call gives the share of time, 0 to 1, that the event loop was busy since the call before. */
export function loadMeter(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
