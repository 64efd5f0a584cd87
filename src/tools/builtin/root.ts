/**
 * Files below the roots. Every folder on the way is opened without following links and the next name is looked up in
 * the folder that was opened, so nothing that is swapped meanwhile can lead outside (on Linux; elsewhere by path).
 * All functions throw a `ToolFailure` in words.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { nearest } from '../nearest.js';
import { type Place, placeOf } from '../place.js';
import { toolFailure } from '../tool-failure.js';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** An open folder. Close it. */
export interface Folder {
  readonly handle: FileHandle;
  /** Where the system finds an entry of this very folder. */
  at(name: string): string;
  /** Relative to the root, for people; empty for the root. */
  readonly shown: string;
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
  readonly shown: string;
}

/** Folder names that are nobody's data: our own state (with secrets in it), but for what came over standard input. */
const closedFolders: ReadonlySet<string> = new Set(['.hact']);

export function place(given: string, roots: readonly string[]): Place {
  const found = placeOf(given, roots);
  if (!found.ok) throw toolFailure(found.failure);
  const { steps } = found.value;
  const closed = steps.find((step, i) => closedFolders.has(step.toLowerCase()) && steps[i + 1] !== 'input');
  if (closed !== undefined) {
    throw toolFailure({ kind: 'not_permitted', message: `${found.value.shown}: ${closed} is not open to tools` });
  }
  return found.value;
}

/** Opens a regular file for reading; nothing else is ever opened. */
export async function openFile(given: string, roots: readonly string[]): Promise<OpenFile> {
  const where = place(given, roots);
  const name = where.steps.at(-1);
  if (name === undefined) return openRegular(where.root, where.root, O_RDONLY);
  const parent = await openFolderAt({ ...where, steps: where.steps.slice(0, -1) });
  try {
    return await openEntry(parent, name);
  } finally {
    await parent.handle.close();
  }
}

/** Opens a regular file in an open folder. */
export async function openEntry(folder: Folder, name: string): Promise<OpenFile> {
  const shown = joined(folder.shown, name);
  try {
    return await openRegular(folder.at(name), shown, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    throw await withNeighbours(error, folder, name, shown);
  }
}

export async function openFolder(given: string, roots: readonly string[]): Promise<Folder> {
  return openFolderAt(place(given, roots));
}

/** Opens the folder of a place step by step; with `create`, missing folders are made. */
export async function openFolderAt(where: Place, create = false): Promise<Folder> {
  let here = folderOf(await openOrExplain(where.root, where.root, O_RDONLY | O_DIRECTORY), where.root, '');
  for (const step of where.steps) {
    const parent = here;
    try {
      if (create) await mkdir(parent.at(step)).catch(() => undefined);
      here = await openChild(parent, step);
    } finally {
      await parent.handle.close();
    }
  }
  return here;
}

export async function openChild(parent: Folder, name: string): Promise<Folder> {
  const shown = joined(parent.shown, name);
  const handle = await openOrExplain(parent.at(name), shown, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(
    async (error) => {
      throw await withNeighbours(error, parent, name, shown);
    },
  );
  return folderOf(handle, parent.at(name), shown);
}

/** What an entry is, links not followed; undefined when there is none. */
export async function entryStats(folder: Folder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw explained(error, joined(folder.shown, name));
  }
}

/** Why this is no regular file, in words; undefined when it is one. */
export function oddKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isSymbolicLink()) return 'is a symbolic link; links are not followed';
  if (stats.isDirectory()) return 'is a folder, not a file';
  const kind = stats.isFIFO() ? 'named pipe' : stats.isSocket() ? 'socket' : 'device';
  return `is a ${kind}, not a regular file`;
}

export const refuseKind = (shown: string, stats: Stats): void => {
  const odd = oddKind(stats);
  if (odd === undefined) return;
  const kind = stats.isDirectory() ? 'invalid_arguments' : 'not_permitted';
  const hint = stats.isDirectory() ? 'list_files shows what is in it' : 'use the path of the file itself';
  throw toolFailure({ kind, message: `${shown} ${odd}`, hint });
};

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

const byHandle = process.platform === 'linux';

function folderOf(handle: FileHandle, location: string, shown: string): Folder {
  const base = byHandle ? `/proc/self/fd/${handle.fd}` : location;
  return { handle, shown, at: (name) => `${base}${path.sep}${name}` };
}

async function openRegular(location: string, shown: string, flags: number): Promise<OpenFile> {
  // Looked at before it is opened: opening a pipe can hang and opening a device can do things.
  const before = await lstat(location).catch((error) => {
    throw explained(error, shown);
  });
  if (!before.isSymbolicLink() || (flags & O_NOFOLLOW) !== 0) refuseKind(shown, before);
  const handle = await openOrExplain(location, shown, flags | O_NONBLOCK | O_NOCTTY);
  try {
    const stats = await handle.stat();
    refuseKind(shown, stats);
    await refuseSystem(handle, shown);
    return { handle, stats, shown };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Files of the kernel look regular and may never end. */
async function refuseSystem(handle: FileHandle, shown: string): Promise<void> {
  if (!byHandle) return;
  const real = await readlink(`/proc/self/fd/${handle.fd}`);
  if (/^\/(?:proc|sys|dev)\//.test(real)) {
    throw toolFailure({ kind: 'not_permitted', message: `${shown} is a file of the system, not of the data` });
  }
}

async function openOrExplain(location: string, shown: string, flags: number): Promise<FileHandle> {
  try {
    return await open(location, flags);
  } catch (error) {
    const isLink =
      (flags & O_DIRECTORY) !== 0 && (await lstat(location).catch(() => undefined))?.isSymbolicLink() === true;
    throw isLink && (flags & O_NOFOLLOW) !== 0
      ? toolFailure({ kind: 'not_permitted', message: `${shown} is a symbolic link; links are not followed` })
      : explained(error, shown);
  }
}

/** A missing entry, with the names that look like it. */
async function withNeighbours(error: unknown, folder: Folder, name: string, shown: string): Promise<unknown> {
  const failure = explained(error, shown);
  if (failure.failure.kind !== 'not_found') return failure;
  const names = await readdir(folder.at('.')).catch(() => []);
  const near = nearest(name, names.slice(0, 2000));
  const hint =
    near.length > 0
      ? `did you mean ${near.map((one) => joined(folder.shown, one)).join(' or ')}?`
      : 'list_files shows what there is';
  return toolFailure({ ...failure.failure, hint });
}

type Explained = ReturnType<typeof toolFailure>;

/** An error of the file system, in words. */
export function explained(error: unknown, shown: string): Explained {
  if (error instanceof Error && 'failure' in error) return error as Explained;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  switch (code) {
    case 'ENOENT':
      return toolFailure({
        kind: 'not_found',
        message: `${shown} does not exist`,
        hint: 'list_files shows what there is',
      });
    case 'ENOTDIR':
      return toolFailure({
        kind: 'invalid_arguments',
        message: `${shown}: a part of this path is a file, not a folder`,
      });
    case 'EISDIR':
      return toolFailure({ kind: 'invalid_arguments', message: `${shown} is a folder, not a file` });
    case 'ELOOP':
      return toolFailure({ kind: 'not_permitted', message: `${shown} is a symbolic link; links are not followed` });
    case 'EACCES':
    case 'EPERM':
      return toolFailure({
        kind: 'not_permitted',
        message: `${shown}: the system gives this process no right to it (${code})`,
      });
    case 'ENAMETOOLONG':
      return toolFailure({ kind: 'invalid_arguments', message: `${shown.slice(0, 100)}…: the name is too long` });
    case 'ENXIO':
    case 'ENODEV':
      return toolFailure({ kind: 'not_permitted', message: `${shown} is not a regular file` });
    default:
      return toolFailure({ message: `${shown}: ${(error as Error).message}` });
  }
}
