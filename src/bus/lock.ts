/**
 * The note that lies beside an embedded server's store: who runs it and how to reach it. It keeps two servers off one
 * store, lets other processes of the same installation find the server, and lets a start end what a crash left behind.
 */
import { execFile } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const noteSchema = z.object({
  v: z.literal(1),
  ownerPid: z.number().int().positive(),
  /** 0 while the server is being started. */
  serverPid: z.number().int().nonnegative(),
  /** Path of the server's configuration: by it a process is known to be ours and not a later one with the same pid. */
  config: z.string(),
  url: z.string(),
  token: z.string(),
});
export type LockNote = z.infer<typeof noteSchema>;

const noteFile = (folder: string) => join(folder, 'server.json');

export async function readNote(folder: string): Promise<LockNote | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(noteFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

export type LockOutcome = { readonly taken: true } | { readonly taken: false; readonly by: LockNote };

/** Takes the folder for this process. A note of a dead owner is removed, and the server it left behind is ended. */
export async function takeLock(folder: string, note: LockNote): Promise<LockOutcome> {
  for (;;) {
    try {
      const file = await open(noteFile(folder), 'wx', 0o600);
      await file.writeFile(JSON.stringify(note));
      await file.close();
      return { taken: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const other = await readNote(folder);
    if (other !== undefined && other.ownerPid !== process.pid && isAlive(other.ownerPid))
      return { taken: false, by: other };
    if (other !== undefined) await endLeftover(other);
    await rm(noteFile(folder), { force: true });
  }
}

export const updateNote = (folder: string, note: LockNote): Promise<void> =>
  writeFile(noteFile(folder), JSON.stringify(note), { mode: 0o600 });

export const dropLock = (folder: string): Promise<void> => rm(noteFile(folder), { force: true });

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function endLeftover(note: LockNote): Promise<void> {
  const pid = note.serverPid;
  if (pid === 0 || !isAlive(pid) || !(await commandOf(pid)).includes(note.config)) return;
  signal(pid, 'SIGTERM');
  for (let waited = 0; waited < 5000 && isAlive(pid); waited += 50) await delay(50);
  if (isAlive(pid)) signal(pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between.
  }
}

async function commandOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    const shown = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return shown.stdout;
  }
}
