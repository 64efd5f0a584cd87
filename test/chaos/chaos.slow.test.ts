/** Twenty schedules of real faults on real processes; `npm run chaos` plays as many as one likes. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Some of them without faults. Idle, each takes seven to nine seconds. */
const schedules = 20;
const patienceMs = 1_200_000;

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
