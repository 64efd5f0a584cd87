/** The demo with `kill -9` of its planner, an executor and nats-server at seeded moments, judged from outside. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('writes the same report whoever is killed, and makes no completed call again', async () => {
  const args = ['dist/test/support/demo-kills.js', '--seeds', '2', '--rows', '8000'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (failed: { stdout: string; stderr: string }) => ({ stdout: `${failed.stdout}\n${failed.stderr}` }),
  );
  expect(stdout).toContain('6 passed, 0 failed');
  for (const victim of ['planner', 'executor', 'nats-server']) expect(stdout).toContain(`holds ${victim} killed after`);
}, 600_000);
