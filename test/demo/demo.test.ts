/** The demo on a file it has never seen: right numbers, one executor killed, nothing left behind. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/cli/demo/verify.js';

const run = promisify(execFile);
const program = resolve(import.meta.dirname, '../../dist/src/cli/main.js');
let folder = '';
let file = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hact-demo-test-'));
  file = join(folder, '销售.csv');
  const rows = Array.from({ length: 3_000 }, (_, at) => {
    const city = ['上海', '成都', 'Lyon'][at % 3];
    const note = ['"快, 好"', '', '"他说 ""不"""'][at % 3];
    const amount = at % 41 === 0 ? '' : (((at * 7919) % 100_000) / 100).toFixed(2);
    return `2026-${String(1 + (at % 9)).padStart(2, '0')}-1${at % 10},${city},${amount},${1 + (at % 7)},${note}`;
  });
  await writeFile(file, `日期,城市,金额,数量,"备注, 说明"\n${rows.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('survives the kill and the mess, and every number of its report is right', async () => {
  const { HACT_MODEL: _, OPENAI_API_KEY: __, ...env } = process.env;
  const { stdout } = await run(process.execPath, [program, 'demo', file, '--yes', '--verify', '--seed', '3'], {
    cwd: folder,
    env: { ...env, HOME: folder },
  });
  expect(stdout).toContain('kill -9');
  expect(stdout).toContain('taken over in mid-work');
  expect(stdout).toMatch(/\d\d+ numbers recomputed by other code, 0 differ/);
  expect(stdout).toContain('ran out of its budget');
  const report = await readFile(join(folder, 'hact-demo/report.md'), 'utf8');
  expect(report).toContain('3000');

  const text = await readFile(file, 'utf8');
  const cell = /,(\d+\.\d\d),/.exec(text)?.[1] ?? '';
  const changed = verify(text.replace(`,${cell},`, `,${Number(cell) + 1},`), report);
  expect(changed.wrong.length, 'a changed cell changes the numbers').toBeGreaterThan(0);
}, 240_000);
