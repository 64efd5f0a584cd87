/** Writes a whole file below the roots: all of it or nothing, and the same again when repeated. */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, open, readdir, rename, unlink } from 'node:fs/promises';
import { toolFailure } from '../tool-failure.js';
import { entryStats, explained, type Folder, openFolderAt, place, refuseKind } from './root.js';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

export interface Written {
  readonly shown: string;
  readonly bytes: number;
  readonly created: boolean;
  /** Of what was written, 64 hex digits. */
  readonly sha256: string;
}

/** Files by which an agent could change its own rules, what a repository runs, or what gets installed. */
const closedNames =
  /^(?:hact\.config\.[a-z]+|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|\.npmrc)$/i;
const closedWays: ReadonlySet<string> = new Set(['.git', '.hact']);

export async function writeWhole(
  given: string,
  roots: readonly string[],
  content: string,
  key: string,
): Promise<Written> {
  const where = place(given, roots);
  const name = where.steps.at(-1);
  if (name === undefined) throw toolFailure({ kind: 'invalid_arguments', message: `${given} is a folder, not a file` });
  const closed = where.steps.some((step) => closedWays.has(step.toLowerCase())) || closedNames.test(name);
  if (closed) throw toolFailure({ kind: 'not_permitted', message: `${where.shown} may not be written by a tool` });
  const folder = await openFolderAt({ ...where, steps: where.steps.slice(0, -1) }, true);
  try {
    return await replace(folder, name, Buffer.from(content), key);
  } finally {
    await folder.handle.close();
  }
}

async function replace(folder: Folder, name: string, bytes: Buffer, key: string): Promise<Written> {
  const shown = folder.shown === '' ? name : `${folder.shown}/${name}`;
  const before = await entryStats(folder, name);
  if (before !== undefined) refuseKind(shown, before);
  const mark = createHash('sha256').update(`${key}\n${name}`).digest('hex').slice(0, 12);
  const temporary = `.hact-${mark}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await sweep(folder, `.hact-${mark}-`);
    await writeNew(folder.at(temporary), bytes);
    if (before !== undefined) await chmod(folder.at(temporary), before.mode & 0o777);
    await rename(folder.at(temporary), folder.at(name));
    await folder.handle.sync();
  } catch (error) {
    await unlink(folder.at(temporary)).catch(() => undefined);
    throw explained(error, shown);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { shown, bytes: bytes.length, created: before === undefined, sha256 };
}

async function writeNew(location: string, bytes: Buffer): Promise<void> {
  const handle = await open(location, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what an attempt of this very call left behind when its process died. */
async function sweep(folder: Folder, prefix: string): Promise<void> {
  for (const name of await readdir(folder.at('.'))) {
    if (name.startsWith(prefix)) await unlink(folder.at(name)).catch(() => undefined);
  }
}
