/** Work that consists of many independent parts, spread over worker threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface Share {
  readonly part: number;
  readonly parts: number;
}

/** Runs `program` in one thread per processor; each gets `data` and its share, and answers with one message. */
export function shareOut<Answer>(program: URL, data: object): Promise<Answer[]> {
  const parts = availableParallelism();
  return Promise.all(
    Array.from(
      { length: parts },
      (_, part) =>
        new Promise<Answer>((resolve, reject) => {
          const worker = new Worker(program, { workerData: { ...data, part, parts } });
          worker.once('message', resolve);
          worker.once('error', reject);
          worker.once('exit', (code) => reject(new Error(`worker ${part} ended with ${code} and no answer`)));
        }),
    ),
  );
}
