/**
 * Who else uses the embedded server of a data folder. A command that started the server for a moment lets others finish
 * with it before it takes the server down.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../bus/lock.js';
import { systemClock } from '../observe/clock.js';

const lookAgainMs = 50;

const usersOf = (folder: string) => join(folder, 'users');

/** Notes that this process uses the server. Resolves with the way to take the note back. */
export async function joinUsers(folder: string): Promise<() => Promise<void>> {
  const note = join(usersOf(folder), String(process.pid));
  await mkdir(usersOf(folder), { recursive: true });
  await writeFile(note, '');
  return () => rm(note, { force: true });
}

/** Resolves when no other living process uses the server, or after `ms`. */
export async function untilAlone(folder: string, ms: number): Promise<void> {
  const until = systemClock.elapsed() + ms;
  while ((await hasOthers(folder)) && systemClock.elapsed() < until) await systemClock.sleep(lookAgainMs);
}

async function hasOthers(folder: string): Promise<boolean> {
  const names = await readdir(usersOf(folder)).catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== process.pid);
  const alive = pids.filter(isAlive);
  await Promise.all(
    pids.filter((pid) => !alive.includes(pid)).map((pid) => rm(join(usersOf(folder), String(pid)), { force: true })),
  );
  return alive.length > 0;
}
