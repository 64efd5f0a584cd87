/** The rules that keep code reproducible and small must bite where they are meant to, and only there. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './repository.js';

const worldly = `
export const a = (): unknown[] => [Date.now(), new Date(), Math.random(), AbortSignal.timeout(5)];
export const b = (): unknown[] => [process.env, fetch('x'), setTimeout(() => {}, 1), performance.now()];
`;
const reproducible = [
  'src/domain/x.ts',
  'src/parse/x.ts',
  'src/context/x.ts',
  'src/host/x.ts',
  'machines/x.ts',
  'agents/x.ts',
];
const adapters = ['src/bus/x.ts', 'src/app/x.ts', 'test/host/x.test.ts'];
const lines = (count: number): string => 'work();\n'.repeat(count);
const work = 'declare function work(): void;\n';

const sources: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...reproducible, ...adapters].map((path) => [path, worldly])),
  'src/parse/computed.ts': 'export const text = (at: number): string => new Date(at).toISOString();\n',
  'src/bus/long-file.ts': `${work}${lines(401)}export {};\n`,
  'src/bus/long-function.ts': `${work}export function f(): void {\n${lines(75)}}\n`,
  'src/bus/right-length.ts': `${work}export function f(): void {\n${lines(65)}}\n${lines(300)}`,
  'src/bus/any.ts': 'export const x = (value: any): unknown => value;\n',
  'src/bus/one.ts': "import type { Two } from './two.js';\nexport type One = Two | 1;\n",
  'src/bus/two.ts': "import type { One } from './one.js';\nexport type Two = One | 2;\n",
  'src/bus/door.ts': "export { f } from './right-length.js';\n",
  'test/bus/x.test.ts': "import { it } from 'vitest';\nit.skip('x', () => {});\n",
};

describe('the lint rules', () => {
  let folder: string;
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hact-lint-'));
    for (const [path, code] of Object.entries(sources)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), code);
    }
    await mkdir(join(folder, 'test/house'), { recursive: true });
    for (const path of ['biome.json', 'test/house/pure.grit'])
      await copyFile(join(repository, path), join(folder, path));
    const options = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
    const output = await new Promise<string>((done) => {
      execFile(join(repository, 'node_modules/.bin/biome'), options, { cwd: folder }, (_, stdout) => done(stdout));
    });
    for (const { category, message, location } of JSON.parse(output).diagnostics) {
      const path = String(location.path.file ?? location.path);
      found.set(path, [...(found.get(path) ?? []), `${category}: ${message}`]);
    }
  }, 30_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const complaints = (path: string): string => (found.get(path) ?? []).join('\n');

  it.each(reproducible)('keep clock, chance, timers and the world out of %s', (path) => {
    expect(complaints(path).match(/No clock, timer or randomness here/g)).toHaveLength(4);
    for (const name of ['process', 'fetch', 'setTimeout', 'performance']) {
      expect(complaints(path)).toContain(`Do not use the global variable ${name}.`);
    }
  });

  it.each([...adapters, 'src/parse/computed.ts'])('let %s be', (path) => {
    expect(complaints(path)).not.toMatch(/No clock|global variable/);
  });

  it.each([
    ['src/bus/long-file.ts', 'noExcessiveLinesPerFile'],
    ['src/bus/long-function.ts', 'noExcessiveLinesPerFunction'],
    ['src/bus/any.ts', 'noExplicitAny'],
    ['src/bus/one.ts', 'noImportCycles'],
    ['src/bus/door.ts', 'noBarrelFile'],
    ['test/bus/x.test.ts', 'noSkippedTests'],
  ])('find in %s: %s', (path, rule) => {
    expect(complaints(path)).toContain(rule);
  });

  it('accept files and functions of a decent length', () => {
    expect(complaints('src/bus/right-length.ts')).toBe('');
  });
});
