import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Aftermath } from '../support/damaged-store.js';

const program = fileURLToPath(new URL('../../dist/test/support/damaged-store.js', import.meta.url));

async function after(only: string): Promise<Aftermath> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--only', only]);
  return JSON.parse(stdout) as Aftermath;
}

/** The program fails by itself when a task has no end or another one than before, or a call was made twice. */
it('ends tasks whose journals were deleted, and says that they are damaged', async () => {
  const { finished, waiting } = await after('JOURNAL-delete');
  expect({ finished, waiting }).toEqual({ finished: { done: 8 }, waiting: { 'failed damaged': 4 } });
});

it('has the results of tasks whose records were deleted', async () => {
  const { finished, waiting } = await after('TASK-delete');
  expect({ finished, waiting }).toEqual({ finished: { done: 8 }, waiting: { done: 4 } });
});
