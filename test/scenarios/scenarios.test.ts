/** All scenario files hold, played by the program that users run. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '.');
const program = join(import.meta.dirname, '../../dist/test/support/scenarios.js');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

test.each(files)(
  '%s holds in every field',
  async (file) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, join(folder, file)]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toContain('1 passed, 0 failed');
  },
  240_000,
);
