import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { repository, textOf } from './repository.js';

describe('.ci/run', () => {
  it('is a program that stops at the first failure', async () => {
    const { mode } = await stat(`${repository}/.ci/run`);
    expect(mode & 0o111).toBe(0o111);
    expect(await textOf('.ci/run')).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*^set -euo pipefail$/m);
    await promisify(execFile)('bash', ['-n', `${repository}/.ci/run`]);
  });

  it('installs, checks and tests as a reader of the README does', async () => {
    const steps = (await textOf('.ci/run')).split('\n').filter((line) => line.startsWith('npm '));
    expect(steps.map((line) => line.replace(' --no-audit', ''))).toEqual(['npm ci', 'npm run check', 'npm test']);
  });
});
