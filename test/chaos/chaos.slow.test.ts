/** A few schedules of real faults on real processes; `npm run chaos` plays as many as one likes. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** As many as fit beside the other slow tests; one of them has no faults. */
const schedules = 4;
const patienceMs = 600_000;

it(
  'tasks end once, and nothing is done twice or overspent, whatever is killed, frozen or cut off',
  async () => {
    const args = ['dist/test/chaos/main.js', '--schedules', String(schedules), '--seed', '5'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
      (failed: { stdout: string; stderr: string }) => ({ stdout: `${failed.stdout}\n${failed.stderr}` }),
    );
    expect(stdout).toContain(`${schedules} held, 0 failed`);
  },
  patienceMs,
);
