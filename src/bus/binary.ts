/** Finds a nats-server to run: named by the user, installed, in the cache, or (Debian, Ubuntu) fetched into the cache. */
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { fail, ok, type Result } from '../domain/failure.js';

const run = promisify(execFile);

export interface BinaryOptions {
  /** Environment to look into: `HACT_NATS_SERVER`, `PATH`, `XDG_CACHE_HOME`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a fetched server is kept. Default: the user's cache folder. */
  readonly cacheDir?: string;
  /** May the distribution's package be fetched when nothing is found? */
  readonly fetch?: boolean;
}

export interface NatsBinary {
  readonly path: string;
  /** As printed by the server, e.g. `2.9.10`. */
  readonly version: string;
  readonly origin: 'named' | 'installed' | 'cache' | 'fetched';
}

/** Older servers lack what Hermes rests on. */
export const minimumServer = '2.9.10';
const usualFolders = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/snap/bin',
];
const fetchTimeoutMs = 120_000;

/** The first server that runs and is new enough. One failure with the install line of this platform otherwise. */
export async function findBinary(options: BinaryOptions): Promise<Result<NatsBinary>> {
  const named = options.env.HACT_NATS_SERVER;
  if (named !== undefined && named !== '') return namedBinary(named);

  const name = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  const folders = [...(options.env.PATH ?? '').split(delimiter).filter(isAbsolute), ...usualFolders];
  const tooOld: string[] = [];
  for (const folder of folders) {
    const found = await versionOf(join(folder, name));
    if (found === undefined) continue;
    if (atLeast(found, minimumServer)) return ok({ path: join(folder, name), version: found, origin: 'installed' });
    tooOld.push(`${join(folder, name)} is ${found}`);
  }

  const cache = options.cacheDir ?? defaultCacheDir(options.env);
  const cached = join(cache, 'nats-server', 'usr', 'sbin', name);
  const cachedVersion = await versionOf(cached);
  if (cachedVersion !== undefined) return ok({ path: cached, version: cachedVersion, origin: 'cache' });

  if (options.fetch !== false && process.platform === 'linux' && (await fetchDebianPackage(cache))) {
    const version = await versionOf(cached);
    if (version !== undefined && atLeast(version, minimumServer))
      return ok({ path: cached, version, origin: 'fetched' });
  }
  const problem = tooOld.length > 0 ? `only too old ones (${tooOld.join(', ')})` : 'none';
  return fail(
    'bus_unreachable',
    `expected nats-server ${minimumServer} or newer, found ${problem}`,
    installHint(process.platform),
  );
}

async function namedBinary(path: string): Promise<Result<NatsBinary>> {
  const version = await versionOf(path);
  if (version === undefined) {
    return fail(
      'invalid_config',
      `HACT_NATS_SERVER is ${path}, which does not run as a nats-server`,
      'set it to the path of a nats-server',
    );
  }
  if (!atLeast(version, minimumServer)) {
    return fail(
      'invalid_config',
      `HACT_NATS_SERVER is version ${version}; expected ${minimumServer} or newer`,
      installHint(process.platform),
    );
  }
  return ok({ path, version, origin: 'named' });
}

function defaultCacheDir(env: BinaryOptions['env']): string {
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hact');
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
    return /v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/** Compares dotted versions number by number. */
export function atLeast(version: string, wanted: string): boolean {
  const have = version.split('.').map(Number);
  for (const [index, want] of wanted.split('.').map(Number).entries()) {
    const part = have[index] ?? 0;
    if (part !== want) return part > want;
  }
  return true;
}

/** Unpacks the distribution's own package into the cache, without root. Atomic: two processes may do it at once. */
async function fetchDebianPackage(cache: string): Promise<boolean> {
  let folder: string | undefined;
  try {
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'fetch-'));
    await run('apt-get', ['download', 'nats-server'], { cwd: folder, timeout: fetchTimeoutMs });
    const archive = (await readdir(folder)).find((file) => file.endsWith('.deb'));
    if (archive === undefined) return false;
    const unpacked = join(folder, 'unpacked');
    await run('dpkg', ['-x', join(folder, archive), unpacked], { timeout: fetchTimeoutMs });
    await rename(unpacked, join(cache, 'nats-server')).catch(() => undefined);
    return true;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function installHint(platform: string): string {
  const elsewhere = 'or set NATS_URL to a running server, or HACT_NATS_SERVER to the path of the program';
  switch (platform) {
    case 'darwin':
      return `run: brew install nats-server — ${elsewhere}`;
    case 'win32':
      return `run: choco install nats-server — ${elsewhere}`;
    default:
      return `run: sudo apt-get install nats-server (Debian, Ubuntu), or take it from https://nats.io/download — ${elsewhere}`;
  }
}
