/** Ctrl-C and SIGTERM while a command waits. */

/** Calls back with how often it was interrupted; SIGTERM counts as the final one. Returns the way back to the default. */
export function onInterrupt(callback: (times: number, final: boolean) => void): () => void {
  let times = 0;
  const interrupted = () => {
    times += 1;
    callback(times, false);
  };
  const terminated = () => {
    times += 1;
    callback(times, true);
  };
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', terminated);
  return () => {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', terminated);
  };
}

/** Resolves on the first interruption. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onInterrupt(() => {
      stop();
      resolve();
    });
  });
}
