/** The scripted model as a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../../dist/src/llm/scripted/main.js', import.meta.url));

async function start(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { url } = await new Promise<{ url: string }>((resolve) => child.once('message', resolve as never));
  return { child, url };
}

const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', (code) => resolve(code)));

const ask = async (url: string): Promise<unknown> => {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] });
  return (await fetch(`${url}/chat/completions`, { method: 'POST', body })).json();
};

test('says where it is, answers, and ends when told', async () => {
  const { child, url } = await start('--seed', '3');
  expect(await ask(url)).toMatchObject({ choices: [{ message: { content: expect.stringContaining('--file') } }] });
  const gone = exitOf(child);
  child.kill('SIGTERM');
  expect(await gone).toBe(0);
});

test('ends with the process that started it', async () => {
  const { child } = await start();
  const gone = exitOf(child);
  child.disconnect();
  expect(await gone).toBe(0);
});

test('recites a script, also one inside a scenario file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hact-script-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'scenario.json');
  writeFileSync(file, JSON.stringify({ goal: 'x', model_script: { main: [{ text: 'as written' }] } }));
  const { url } = await start('--script', file);
  expect(await ask(url)).toMatchObject({ choices: [{ message: { content: 'as written' } }] });
});

test('a wrong option ends it with words and code 2', async () => {
  const child = fork(program, ['--port', 'abc'], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr?.on('data', (data) => {
    said += String(data);
  });
  expect(await exitOf(child)).toBe(2);
  expect(said).toContain('--port must be a whole number, not "abc"');
});
