/** The README's programs run as they stand, and its commands exist. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { scriptBrain } from '../../src/llm/scripted/script-brain.js';
import { startScriptedModel } from '../../src/llm/scripted/server.js';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'README.md'), 'utf8');

/** Blocks that name their file: ```ts file=tool.ts */
const snippets = [...readme.matchAll(/```ts file=(\S+)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => ({
  name,
  text,
}));

test('a tool, a role and a worker in a program of one’s own', async () => {
  expect(snippets.map(({ name }) => name)).toEqual(['tool.ts', 'worker.ts']);
  // Below the package, so that its own name leads to the built door as it would for a user.
  const folder = join(root, 'dist/test/readme');
  const dataDir = await mkdtemp(join(tmpdir(), 'hact-readme-'));
  await mkdir(folder, { recursive: true });
  for (const { name, text } of snippets) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, name.replace(/ts$/, 'js')), text);
  }
  await isTyped(folder);
  const model = await startScriptedModel({
    brain: scriptBrain({
      main: [
        { text: '<tool_call>{"name": "price_of", "arguments": {"product": "lamp"}}</tool_call>' },
        { text: 'A lamp costs 84.5 euros.' },
      ],
    }),
  });
  try {
    const env = {
      ...process.env,
      HACT_MODEL_BASE_URL: model.url,
      HACT_MODEL: 'scripted',
      HACT_DATA_DIR: dataDir,
      HACT_LOG: 'silent',
    };
    const { stdout } = await run(process.execPath, [join(folder, 'worker.js')], { env });
    expect(stdout.trim()).toBe('done A lamp costs 84.5 euros.');
  } finally {
    await model.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 180_000);

/** A user's strict compiler has nothing to say about them. */
async function isTyped(folder: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  const files = snippets.map(({ name }) => join(folder, name));
  await run(process.execPath, [tsc, ...options, '--types', 'node', ...files], { cwd: root }).catch(
    ({ stdout }: { stdout: string }) => expect.fail(stdout),
  );
}

test('every command of the README is a command of hact', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'dist/src/cli/main.js'), '--help']);
  const named = new Set([...readme.matchAll(/\bhact (?!is\b)([a-z]+)\b/g)].map(([, name = '']) => name));
  for (const name of named) expect(stdout, `hact ${name}`).toMatch(new RegExp(`^\\s+${name}\\b`, 'm'));
});
