/**
 * `npm run bench:step`: what a fully durable step costs, beside the floors and other frameworks, in one interleaved run.
 * CPU of all processes is counted, nats-server too. Further arguments go to `peers/run.mjs`.
 *
 * `--all` sets up every peer (some build native code); without it: the floors, the bare SDK and ours.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServer } from '../../src/bus/server.js';

const usual = ['floor-undici', 'floor-journal', 'openai-sdk'];
const root = resolve(import.meta.dirname, '../../..');
const peers = join(root, 'test/bench/peers');
const adapters = join(root, 'test/bench/adapters');
const given = process.argv.slice(2);
const all = given.includes('--all');
const rest = given.filter((argument) => argument !== '--all');

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number =>
  spawnSync(process.execPath, [program, ...args], { cwd: peers, stdio: 'inherit', env: { ...process.env, ...env } })
    .status ?? 1;

const folder = mkdtempSync(join(tmpdir(), 'hact-bench-'));
const nats = await startServer({ folder: join(folder, 'nats'), env: process.env });
if (!nats.ok) throw new Error(nats.failure.message);
const address = new URL(nats.value.url);
address.username = nats.value.token;
try {
  const ready = run('setup.mjs', all ? [] : usual);
  const only = all ? [] : ['--only', [...usual, 'hermes'].join(',')];
  const options = rest.length > 0 ? rest : ['--steps', '10', '--concurrency', '100', '--latency', '0', '--runs', '3'];
  const status = run('run.mjs', [...only, '--adapters', adapters, '--out', join(folder, 'results.json'), ...options], {
    NATS_URL: address.href,
    BENCH_DIR: folder,
  });
  process.exitCode = ready || status;
} finally {
  await nats.value.stop();
  rmSync(folder, { recursive: true, force: true });
}
