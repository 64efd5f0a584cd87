/**
 * The note that lies beside an embedded server's store: who runs it and how to reach it. It keeps two servers off one
 * store, lets other processes of the same installation find the server, and lets a start end what a crash left behind.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const noteSchema = z.object({
  v: z.literal(1),
  /** Tells one taking of the lock from another. */
  id: z.string(),
  ownerPid: z.number().int().positive(),
  /** 0 while the server is being started. */
  serverPid: z.number().int().nonnegative(),
  /** When it was written, in ms since 1970. */
  at: z.number(),
  /** Path of the server's configuration: by it a process is known to be ours and not a later one with the same pid. */
  config: z.string(),
  url: z.string(),
  token: z.string(),
});
export type LockNote = z.infer<typeof noteSchema>;

/** After this time a start without a server is taken as failed. */
const startingMs = 40_000;
const endTimeoutMs = 5_000;
const lookMs = 50;

const noteFile = (folder: string) => join(folder, 'server.json');

/** The note of the server that runs on the folder now, if one does. */
export async function heldBy(folder: string): Promise<LockNote | undefined> {
  const note = await readNote(noteFile(folder));
  return note !== undefined && (await isHeld(note)) ? note : undefined;
}

export type LockOutcome = { readonly taken: true } | { readonly taken: false; readonly by: LockNote };

/** Takes the folder. A note that nobody stands behind any more is removed, and the server it left behind is ended. */
export async function takeLock(folder: string, note: LockNote): Promise<LockOutcome> {
  const file = noteFile(folder);
  for (;;) {
    if (await putNote(file, note)) return { taken: true };
    const other = await readNote(file);
    if (other !== undefined && (await isHeld(other))) return { taken: false, by: other };
    if (other !== undefined) await endLeftover(other);
    await removeStale(file, other);
  }
}

export async function updateNote(folder: string, note: LockNote): Promise<void> {
  const draft = draftOf(noteFile(folder));
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  await rename(draft, noteFile(folder));
}

export const dropLock = (folder: string): Promise<void> => rm(noteFile(folder), { force: true });

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const draftOf = (file: string): string => `${file}.${randomBytes(6).toString('hex')}`;

/** Makes the file with its whole content at once, or returns false when there is one. */
async function putNote(file: string, note: LockNote): Promise<boolean> {
  const draft = draftOf(file);
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readNote(file: string): Promise<LockNote | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The owner's pid alone proves nothing: after a restart of a container, another process has it. */
async function isHeld(note: LockNote): Promise<boolean> {
  if (!isAlive(note.ownerPid)) return false;
  if (note.serverPid === 0) return Date.now() - note.at < startingMs;
  return isServer(note);
}

const isServer = async ({ serverPid, config }: LockNote): Promise<boolean> =>
  serverPid > 0 && isAlive(serverPid) && (await commandOf(serverPid)).includes(config);

/** Removes the note that was judged, and not one that another process has put there meanwhile. */
async function removeStale(file: string, judged: LockNote | undefined): Promise<void> {
  const aside = draftOf(file);
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await readNote(aside);
  if (moved !== undefined && moved.id !== judged?.id) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function endLeftover(note: LockNote): Promise<void> {
  if (!(await isServer(note))) return;
  signal(note.serverPid, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < endTimeoutMs && isAlive(note.serverPid); waitedMs += lookMs) await pause(lookMs);
  signal(note.serverPid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
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
