/** The layer table must bite, and must not pass because it saw nothing. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  cruise,
  type IConfiguration,
  type ICruiseOptions,
  type ICruiseResult,
  type IDependency,
} from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository, sourceFiles } from './repository.js';

const roots = ['src', 'machines', 'agents'];

// The tool reads plain JavaScript only, so its configuration has no types of its own.
const {
  default: configuration,
  layers,
  libraries,
} = (await import(`${repository}/.dependency-cruiser.mjs`)) as {
  default: IConfiguration & { options: ICruiseOptions };
  layers: Record<string, string[]>;
  libraries: Record<string, string[]>;
};

async function look(baseDir: string): Promise<ICruiseResult> {
  const { tsConfig: _, ...options } = configuration.options;
  const tsConfig = extractTsConfig(join(repository, 'tsconfig.json'));
  const { output } = await cruise(
    roots,
    { ...options, baseDir, validate: true, ruleSet: { forbidden: configuration.forbidden } },
    undefined,
    { tsConfig },
  );
  return output as ICruiseResult;
}

const names = (result: ICruiseResult): string[] =>
  result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

describe('the layer check on this repository', () => {
  let result: ICruiseResult;
  beforeAll(async () => {
    result = await look(repository);
  }, 60_000);

  it('sees every source file', async () => {
    const seen = result.modules.map(({ source }) => source);
    const files = await sourceFiles(roots);
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !seen.includes(file))).toEqual([]);
  });

  it('follows imports of types', () => {
    const contract = result.modules.find(({ source }) => source === 'src/bus/contract.ts');
    expect(contract?.dependencies.map(({ resolved }) => resolved)).toContain('src/domain/event.ts');
  });

  it('finds nothing forbidden', () => {
    expect(names(result)).toEqual([]);
  });

  it('lets one module of the host call the chart library; others may know its types', () => {
    const calls = ({ module, dependencyTypes }: IDependency): boolean =>
      module === 'xstate' && !dependencyTypes.includes('type-only');
    const users = result.modules.filter(
      ({ source, dependencies }) => source.startsWith('src/host/') && dependencies.some(calls),
    );
    expect(users.length).toBeLessThanOrEqual(1);
  });

  it('names every folder and every runtime dependency', async () => {
    const folders = (await readdir(join(repository, 'src'), { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    );
    const expected = [...folders.map(({ name }) => `src/${name}`), 'machines', 'agents'];
    expect(Object.keys(layers).sort()).toEqual(expected.sort());
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
    expect(Object.keys(libraries).sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });
});

describe('the layer check on a tree with mistakes', () => {
  let folder: string;
  const put = async (path: string, text: string): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };

  beforeAll(async () => {
    folder = resolve(await mkdtemp(join(tmpdir(), 'hact-layers-')));
    await put(
      'package.json',
      JSON.stringify({ name: 'x', type: 'module', dependencies: { zod: '1', nats: '1', left: '1', '@a/b': '1' } }),
    );
    for (const library of ['zod', 'nats', 'left', '@a/b']) {
      await put(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: 'index.js' }));
      await put(`node_modules/${library}/index.js`, 'module.exports = {};');
    }
    await put('src/domain/id.ts', "import { z } from 'zod';\nexport type Id = typeof z;\n");
    await put(
      'src/bus/server.ts',
      "import 'nats';\nimport type { Id } from '../domain/id.js';\nexport type Bus = Id;\n",
    );
    await put('src/host/turn.ts', "import type { Bus } from '../bus/server.js';\nexport type Turn = Bus;\n");
    await put('agents/planner.ts', "import type { Bus } from '../src/bus/server.js';\nexport type Planner = Bus;\n");
    await put('src/parse/json.ts', "import { readFile } from 'node:fs/promises';\nexport const read = readFile;\n");
    await put(
      'src/host/clock.ts',
      "import { createHash } from 'node:crypto';\nimport 'node:timers';\nexport const h = createHash;\n",
    );
    await put(
      'src/llm/model.ts',
      "import 'nats';\nimport 'left';\nimport '@a/b';\nimport './absent.js';\nexport const m = 1;\n",
    );
    await put('machines/a.ts', "import type { B } from './b.js';\nexport type A = B;\n");
    await put('machines/b.ts', "import type { A } from './a.js';\nexport type B = A | string;\n");
    await put('src/utils/text.ts', 'export const t = 1;\n');
    await put('src/cli/main.ts', "import { t } from '../utils/text.js';\nexport const u = t;\n");
    await put('src/index.ts', "export { u } from './cli/main.js';\n");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('reports each mistake and nothing else', async () => {
    const found = names(await look(folder));
    expect(found.sort()).toEqual(
      [
        'layer agents: agents/planner.ts → src/bus/server.ts',
        'layer src/cli: src/cli/main.ts → src/utils/text.ts',
        'folder without a layer: src/cli/main.ts → src/utils/text.ts',
        'the door stands above everything but the CLI: src/index.ts → src/cli/main.ts',
        'no Node module in pure folders: src/parse/json.ts → fs/promises',
        'the world through ports only: src/host/clock.ts → timers',
        'library nats: src/llm/model.ts → node_modules/nats/index.js',
        'library without a folder: src/llm/model.ts → node_modules/left/index.js',
        'library without a folder: src/llm/model.ts → node_modules/@a/b/index.js',
        'everything resolves: src/llm/model.ts → ./absent.js',
        'no cycles: machines/a.ts → machines/b.ts',
      ].sort(),
    );
  });
});
