/** Runs jobs, at most `limit` at once, and gives their results in order. A job must not reject. */
export async function inParallel<T>(limit: number, jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results = new Array<T>(jobs.length);
  const waiting = jobs.entries();
  const lane = async (): Promise<void> => {
    for (const [index, job] of waiting) results[index] = await job();
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, limit), jobs.length) }, lane));
  return results;
}
