import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../dist/test/sim/main.js', import.meta.url));
const run = promisify(execFile);
/** Fails when an invariant was broken, or when the batch has not shown all that it should. */
const sim = async (...options: string[]): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [program, ...options]);
  return stdout.trim().split('\n');
};
const patience = 300_000;

describe('a batch of schedules', () => {
  it(
    'breaks no invariant, and shows all that can happen',
    async () => {
      expect(await sim('--schedules', '1000', '--seed', '1')).toContain('0 schedules broke an invariant');
    },
    patience,
  );

  it(
    'is the same in another process',
    async () => {
      const hashes = [1, 2].map(async () => (await sim('--schedules', '60', '--seed', '1', '--hash')).at(-1));
      const [first, second] = await Promise.all(hashes);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(second).toBe(first);
    },
    patience,
  );
});
