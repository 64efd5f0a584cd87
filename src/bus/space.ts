/** How much a store may take of the disk it lies on. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Part of the free space that a store may take; the rest keeps the disk from filling up to the last byte. */
const share = 0.85;

/** Bytes that are free to this user on the folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * The most bytes that a store may have. Left to itself, a server takes a part of what is free whenever it starts, and
 * forgets what it already has: a store that has grown would be refused although there is room.
 */
export async function storeLimit(store: string, free: number): Promise<number> {
  return Math.floor((await bytesBelow(store)) + free * share);
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
