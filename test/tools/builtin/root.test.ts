import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Observation } from '../../../src/domain/call.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { systemClock } from '../../../src/observe/clock.js';
import { listFiles, readFile, searchFiles, writeFile } from '../../../src/tools/builtin/files.js';
import { runCall } from '../../../src/tools/dispatch.js';
import type { Tool } from '../../../src/tools/tool.js';
import { around, callOf } from '../fixtures.js';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'hact-root-'));
  root = path.join(base, 'data');
  mkdirSync(path.join(root, 'sub'), { recursive: true });
  mkdirSync(path.join(base, 'data-evil'));
  mkdirSync(path.join(base, 'outside'));
  for (const name of ['data-evil/secret', 'outside/secret', 'secret']) writeFileSync(path.join(base, name), 'SECRET');
  writeFileSync(path.join(root, 'sub/in.txt'), 'inside');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const use = (tool: Tool, args: JsonObject, roots = [root]): Promise<Observation> =>
  runCall(callOf(tool, args), tool, around(systemClock, { roots }));

/** Neither read, nor listed, nor searched, nor written. */
async function closed(given: string): Promise<void> {
  const attempts = [
    await use(readFile, { path: given }),
    await use(listFiles, { path: given }),
    await use(searchFiles, { path: given, text: 'SECRET' }),
    await use(writeFile, { path: given, content: 'OWNED' }),
    await use(writeFile, { path: `${given.trim()}/new`, content: 'OWNED' }),
  ];
  for (const seen of attempts) {
    expect(seen.status).toBe('error');
    expect(['not_permitted', 'invalid_arguments', 'not_found']).toContain(seen.error?.kind);
    expect(JSON.stringify(seen)).not.toContain('SECRET');
  }
  for (const name of ['data-evil/secret', 'outside/secret', 'secret']) {
    expect(readFileSync(path.join(base, name), 'utf8')).toBe('SECRET');
  }
  expect(existsSync(path.join(base, 'outside/new'))).toBe(false);
}

describe('nothing outside the root is reached', () => {
  test.each([
    '../secret',
    '../../etc/passwd',
    '/etc/passwd',
    'sub/../../secret',
    'a/../../outside/secret',
    './././../secret',
    '%2e%2e/secret',
    '..%2fsecret',
    '..\\secret',
    'sub\\..\\..\\secret',
    '../data-evil/secret',
    'sub/in.txt\0.csv',
    '\0',
    '',
    '   ',
    '~/secret',
    'x'.repeat(5000),
    '\ud800',
  ])('by the path %j', async (given) => {
    await closed(given);
  });

  test('by absolute paths beside the root', async () => {
    await closed(path.join(base, 'data-evil/secret'));
    await closed(path.join(base, 'secret'));
    await closed(`${root}-evil/secret`);
  });

  test('by links: of a file, of a folder, of a parent, dangling, to itself, chained', async () => {
    symlinkSync('../secret', path.join(root, 'file-link'));
    symlinkSync('../outside', path.join(root, 'dir-link'));
    symlinkSync('/etc', path.join(root, 'sub/etc'));
    symlinkSync('../outside/new', path.join(root, 'dangling'));
    symlinkSync('self', path.join(root, 'self'));
    symlinkSync('file-link', path.join(root, 'chained'));
    for (const given of [
      'file-link',
      'dir-link',
      'dir-link/secret',
      'sub/etc',
      'sub/etc/passwd',
      'dangling',
      'self',
      'chained',
    ]) {
      await closed(given);
    }
    const listed = await use(listFiles, { path: '.', depth: 5 });
    expect(JSON.stringify(listed.data)).not.toContain('passwd');
    expect((await use(searchFiles, { text: 'SECRET' })).data).toMatchObject({ total: 0 });
    expect((await use(readFile, { path: 'file-link' })).error?.message).toContain('symbolic link');
  });

  test('when the root itself is a link, it is the root that was meant', async () => {
    symlinkSync(root, path.join(base, 'alias'));
    const alias = [path.join(base, 'alias')];
    expect((await use(readFile, { path: 'sub/in.txt' }, alias)).data).toMatchObject({ text: 'inside' });
    expect((await use(readFile, { path: '../secret' }, alias)).error?.kind).toBe('not_permitted');
  });

  test('with several roots, and none', async () => {
    const roots = [path.join(root, 'sub'), path.join(base, 'outside')];
    expect((await use(readFile, { path: 'in.txt' }, roots)).data).toMatchObject({ text: 'inside' });
    expect((await use(readFile, { path: path.join(base, 'outside/secret') }, roots)).data).toMatchObject({
      text: 'SECRET',
    });
    expect((await use(readFile, { path: path.join(base, 'secret') }, roots)).error?.kind).toBe('not_permitted');
    expect((await use(readFile, { path: 'in.txt' }, [])).error?.kind).toBe('not_permitted');
  });

  test('a root may be a single file', async () => {
    const only = [path.join(root, 'sub/in.txt')];
    expect((await use(readFile, { path: only[0] ?? '' }, only)).data).toMatchObject({ text: 'inside' });
    expect((await use(readFile, { path: path.join(root, 'sub') }, only)).error?.kind).toBe('not_permitted');
  });
});

describe('what is no regular file is never opened', () => {
  test('named pipes, sockets, devices and kernel files are refused without hanging', async () => {
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const server = createServer().listen(path.join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      for (const name of ['pipe', 'socket']) {
        for (const tool of [readFile, writeFile]) {
          const seen = await use(tool, tool === writeFile ? { path: name, content: 'x' } : { path: name });
          expect(seen.error?.kind).toBe('not_permitted');
          expect(seen.ms).toBeLessThan(1000);
        }
      }
      expect((await use(searchFiles, { text: 'x' })).status).toBe('ok');
    } finally {
      server.close();
    }
    expect((await use(readFile, { path: '/dev/zero' }, ['/dev'])).error?.kind).toBe('not_permitted');
    expect((await use(readFile, { path: '/proc/self/environ' }, ['/'])).error?.kind).toBe('not_permitted');
    expect((await use(readFile, { path: '/proc/self/environ' }, ['/proc'])).error?.kind).toBe('not_permitted');
  });
});

/** Puts now a folder, now a link at `spot`, and a file and a link in turn at `slot`, as fast as it can. */
const swapping = `
  const { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
  const { workerData: root } = require('node:worker_threads');
  for (;;) {
    for (const name of ['/real', '/evil']) {
      try {
        renameSync(root + name, root + '/spot');
        renameSync(root + '/spot', root + name);
      } catch {
        // A writer made a folder of its own there.
        const both = existsSync(root + '/real') && existsSync(root + '/evil');
        try { if (both) rmSync(root + '/spot', { recursive: true, force: true }); } catch { /* still in use: next time */ }
      }
    }
    symlinkSync('../secret', root + '/a');
    renameSync(root + '/a', root + '/slot');
    writeFileSync(root + '/b', 'harmless');
    renameSync(root + '/b', root + '/slot');
  }`;

describe('a link that is swapped in between check and open', () => {
  test('never leads outside, neither for reading nor for writing', async () => {
    mkdirSync(path.join(root, 'real'));
    writeFileSync(path.join(root, 'real/secret'), 'harmless');
    symlinkSync(path.join(base, 'outside'), path.join(root, 'evil'));
    const swapper = new Worker(swapping, { eval: true, workerData: root });
    let reads = 0;
    try {
      for (let i = 0; i < 300; i += 1) {
        const path = i % 2 === 0 ? 'spot/secret' : 'slot';
        const read = await use(readFile, { path });
        expect(JSON.stringify(read)).not.toContain('SECRET');
        if (read.status === 'ok') reads += 1;
        if (i % 5 === 0) await use(writeFile, { path: i % 2 === 0 ? `spot/made-${i}` : 'slot', content: 'OWNED' });
      }
    } finally {
      await swapper.terminate();
    }
    expect(reads).toBeGreaterThan(0);
    expect(readdirSync(path.join(base, 'outside'))).toEqual(['secret']);
    expect(readFileSync(path.join(base, 'secret'), 'utf8')).toBe('SECRET');
    expect(readFileSync(path.join(base, 'outside/secret'), 'utf8')).toBe('SECRET');
  }, 30_000);
});
