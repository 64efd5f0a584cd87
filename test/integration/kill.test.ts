/** A whole task through worker processes that are killed with SIGKILL at seeded moments. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const seeds = 3;

describe('a task whose worker is killed again and again', () => {
  it('ends as it would have, runs nothing unsafe twice, and is taken over in time', async () => {
    const args = ['dist/test/support/kills.js', '--seeds', String(seeds)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
      (failed: { stdout: string; stderr: string }) => ({ stdout: `${failed.stdout}\n${failed.stderr}` }),
    );
    expect(stdout).toContain(`${seeds} passed, 0 failed`);
    expect(stdout).toMatch(/taken over after \d+/);
  });
});
