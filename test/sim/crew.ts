/** Plays seeds in as many processes as there are cores, each every so-manieth seed. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Told } from './batch.js';

export interface Range {
  readonly seed: number;
  readonly schedules: number;
  /** Each history gets its hash, for runs that are compared. */
  readonly isHashed: boolean;
  /** Wide, deep trees and four workers. */
  readonly isTrees?: boolean;
  readonly processes?: number;
}

/** Resolves when all are played, `hear` having heard of each in no order; rejects when a process breaks. */
export async function playAll(range: Range, hear: (told: Told) => void): Promise<void> {
  const { schedules, processes = availableParallelism() } = range;
  const count = Math.max(1, Math.min(processes, schedules));
  await Promise.all(Array.from({ length: count }, (_, index) => playPart(range, index, count, hear)));
}

function playPart(
  { seed, schedules, isHashed, isTrees }: Range,
  index: number,
  stride: number,
  hear: (told: Told) => void,
): Promise<void> {
  const program = fileURLToPath(new URL('./crew-member.js', import.meta.url));
  // A schedule makes much that lives for one event: room for it saves a tenth of the time. The collector's helpers would
  // only be in the way of the other processes of the crew.
  const execArgv = ['--max-semi-space-size=64', '--single-threaded-gc'];
  const options = [seed + index, stride, seed + schedules].map(String);
  const flags = [...(isHashed ? ['--hash'] : []), ...(isTrees ? ['--trees'] : [])];
  const child = fork(program, [...options, ...flags], { execArgv });
  return new Promise((resolve, reject) => {
    child.on('message', (told) => hear(told as Told));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`seeds from ${seed + index}: exit code ${code}`)),
    );
  });
}
