import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { FullDisk } from '../support/full-disk.js';

const program = fileURLToPath(new URL('../../dist/test/support/full-disk.js', import.meta.url));

it('refuses tasks on a disk that is full, takes them when there is room again, and has all it accepted', async () => {
  const run = promisify(execFile)(process.execPath, [program]);
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
    // Not every machine lets an ordinary user mount anything.
    expect(error.stderr).toMatch(/unshare|mount/);
    return { stdout: '' };
  });
  if (stdout === '') return;
  const { accepted, lost, refusals } = JSON.parse(stdout) as FullDisk;
  expect(accepted[0]).toBe(50);
  expect(accepted[2]).toBeGreaterThan(0);
  expect(lost).toBe(0);
  expect(new Set(refusals)).toEqual(new Set(['storage_refused']));
});
