/** Workers come, are replaced one by one and go, as real processes, while tasks wait and run. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a rolling restart', () => {
  it('loses no task, ends none twice and makes no call again', async () => {
    const args = ['dist/test/bench/scale.js', '--sizes', '2', '--seconds', '6', '--latency', '100'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
      (failed: { stdout: string; stderr: string }) => ({ stdout: `${failed.stdout}\n${failed.stderr}` }),
    );
    expect(stdout).toMatch(/all are replaced one by one.* 0 lost, 0 ended twice, 0 of [1-9]\d* model calls made again/);
  });
});
