/**
 * `npm run bench:delegate -- [--all] [--scratch FOLDER] …`: what a durable delegation costs here and elsewhere, in one
 * interleaved run, and what becomes of work whose process is killed (`delegate/peer.ts` says what is measured). Further
 * arguments go to `peers/durable.mjs`. The peers are installed in a copy of their folder, which `--scratch` keeps.
 *
 * Without `--all`: the plain JetStream floor and ours. With it, also the engines whose servers are installed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const given = process.argv.slice(2);

/** Takes an argument and its value out of those for the harness. */
function take(name: string): string | undefined {
  const at = given.indexOf(name);
  return at < 0 ? undefined : given.splice(at, 2)[1];
}

const scratch = take('--scratch');
const isAll = given.includes('--all');
const rest = given.filter((argument) => argument !== '--all');
const folder = scratch === undefined ? mkdtempSync(join(tmpdir(), 'hact-delegate-')) : resolve(scratch);
const peers = join(folder, 'peers');

const isOnPath = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const needs: Record<string, boolean> = {
  bullmq: isOnPath('redis-server'),
  dbos: existsSync('/usr/lib/postgresql/15/bin/postgres'),
  restate: process.platform === 'linux' && process.arch === 'x64',
};
const others = isAll ? Object.keys(needs) : [];
const missing = others.filter((name) => needs[name] !== true);
const there = ['nats-jetstream', ...others.filter((name) => needs[name] === true)];
if (missing.length > 0) console.log(`left out, as their servers are not installed: ${missing.join(', ')}`);

const run = (program: string, args: readonly string[]): number =>
  spawnSync(process.execPath, [program, ...args], { cwd: peers, stdio: 'inherit' }).status ?? 1;

try {
  cpSync(join(root, 'test/bench/peers'), peers, { recursive: true });
  const absent = there.filter((name) => !existsSync(join(peers, 'durable', name, 'node_modules')));
  const ready = absent.length === 0 ? 0 : run('setup.mjs', absent);
  const status = run('durable.mjs', [
    ...(rest.includes('--only') ? [] : ['--only', [...there, 'hermes'].join(',')]),
    ...['--peers', join(root, 'test/bench/adapters')],
    ...['--out', join(folder, 'results.json')],
    ...(rest.length > 0 ? rest : ['--workers', '1', '--runs', '3', '--crash']),
  ]);
  process.exitCode = ready || status;
} finally {
  if (scratch === undefined) rmSync(folder, { recursive: true, force: true });
}
