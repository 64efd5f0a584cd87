/** A disk that can be filled: a small tmpfs in a namespace of its own, where the machine lets an ordinary user mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes until the disk takes no more byte. */
export async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const script = (megabytes: number): string =>
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && disk="$1" && shift && exec "$0" "$@" "$disk"`;

export const canMount = (): boolean =>
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' }).status === 0;

/**
 * Runs a Node program to its end, with the path of the disk as its last argument; resolves with its exit code. Where
 * nothing can be mounted, `unshare` says so on standard error, and the code is not 0.
 */
export async function runOnSmallDisk(program: string, args: readonly string[], megabytes: number): Promise<number> {
  const disk = await mkdtemp(join(tmpdir(), 'hact-disk-'));
  const command = ['-rm', 'sh', '-c', script(megabytes), process.execPath, disk, program, ...args];
  const ran = spawnSync('unshare', command, { stdio: 'inherit' });
  await rm(disk, { recursive: true, force: true });
  return ran.status ?? 1;
}
