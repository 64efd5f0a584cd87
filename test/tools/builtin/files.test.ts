import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Observation } from '../../../src/domain/call.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { systemClock } from '../../../src/observe/clock.js';
import { listFiles, readFile, searchFiles, writeFile } from '../../../src/tools/builtin/files.js';
import { explained } from '../../../src/tools/builtin/root.js';
import { runCall } from '../../../src/tools/dispatch.js';
import type { Tool } from '../../../src/tools/tool.js';
import { around, callOf } from '../fixtures.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'hact-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
};
const use = (tool: Tool, args: JsonObject): Promise<Observation> =>
  runCall(callOf(tool, args), tool, around(systemClock, { roots: [root] }));
const dataOf = async (tool: Tool, args: JsonObject): Promise<Record<string, unknown>> => {
  const seen = await use(tool, args);
  expect(seen.error).toBeUndefined();
  return seen.data as Record<string, unknown>;
};

describe('read_file', () => {
  test('reads a short file whole', async () => {
    put('a.txt', 'one\r\ntwo\nthree');
    expect(await dataOf(readFile, { path: 'a.txt' })).toEqual({
      path: 'a.txt',
      bytes: 14,
      encoding: 'utf-8',
      text: 'one\ntwo\nthree',
      lines: '1-3',
      total_lines: 3,
    });
    expect(await dataOf(readFile, { path: path.join(root, 'a.txt') })).toMatchObject({ path: 'a.txt' });
  });

  test('reads a long file in parts that join to the whole and are never cut by the limit', async () => {
    const lines = Array.from({ length: 1234 }, (_, i) => `${i} "quoted" \\ 中文 ${'x'.repeat(i % 90)}`);
    put('long.txt', lines.join('\n'));
    const parts: string[] = [];
    for (let offset = 1; ; ) {
      const part = await dataOf(readFile, { path: 'long.txt', offset });
      expect(part.cut).toBeUndefined();
      parts.push(part.text as string);
      if (part.more === undefined) break;
      offset = Number((part.more as string).match(/offset (\d+)/)?.[1]);
    }
    expect(parts.join('\n')).toBe(lines.join('\n'));
    expect(parts.length).toBeGreaterThan(5);
  });

  test('shows the head of a very long line and says what is missing', async () => {
    put('line.txt', `${'字'.repeat(5_000_000)}\nend`);
    const seen = await dataOf(readFile, { path: 'line.txt' });
    expect(seen.text).toMatch(/^字{2000}… \[4,998,000 more characters in this line\]\nend$/);
  });

  test.each([
    ['gb18030', Buffer.from('c4e3bac3cac0bde70a', 'hex'), '你好世界'],
    ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('你好', 'utf16le')]), '你好'],
    ['utf-16le', Buffer.from('plain text without a mark', 'utf16le'), 'plain text without a mark'],
    ['utf-8', Buffer.from('\ufeff你好'), '你好'],
    ['windows-1252', Buffer.from('caf\xe9, na\xefve', 'latin1'), 'café, naïve'],
  ])('understands %s', async (encoding, bytes, text) => {
    put('enc.txt', bytes);
    expect(await dataOf(readFile, { path: 'enc.txt' })).toMatchObject({ encoding, text });
  });

  test('understands a character that lies across every chunk border', async () => {
    const text = `a${'好'.repeat(200_000)}`;
    put('chunks.txt', `${text}\nlast`);
    expect(await dataOf(readFile, { path: 'chunks.txt', offset: 2 })).toMatchObject({
      text: 'last',
      encoding: 'utf-8',
    });
    const found = await dataOf(searchFiles, { text: '\ufffd', path: 'chunks.txt' });
    expect(found.total).toBe(0);
  });

  test('of an empty file, or beyond the end, says so', async () => {
    put('empty', '');
    put('short', 'one\n');
    expect(await dataOf(readFile, { path: 'empty' })).toMatchObject({ text: '', note: 'the file is empty' });
    expect(await dataOf(readFile, { path: 'short', offset: 9 })).toMatchObject({ note: 'the file ends at line 1' });
  });

  test.each([
    ['missing', 'sales.cvs', 'not_found', 'sales.cvs does not exist', 'did you mean sales.csv?'],
    ['missing below', 'dir/x', 'not_found', 'dir/x does not exist', 'list_files'],
    ['a folder', 'dir', 'invalid_arguments', 'dir is a folder, not a file', 'list_files'],
    ['the root', '.', 'invalid_arguments', 'is a folder', 'list_files'],
    ['below a file', 'sales.csv/x', 'invalid_arguments', 'not a folder', undefined],
    ['binary', 'bin', 'invalid_arguments', 'is not a text file', undefined],
    ['compressed', 'x.gz', 'invalid_arguments', 'gzip', undefined],
    ['an office document', 'x.xlsx', 'invalid_arguments', 'export it as CSV', undefined],
    ['a long name', 'n'.repeat(300), 'invalid_arguments', 'longer than 255', undefined],
    ['our own state', '.hact/token', 'not_permitted', '.hact', undefined],
  ])('of what is %s fails in words', async (_, name, kind, message, hint) => {
    put('sales.csv', 'a\n1\n');
    put('dir/y', 'y');
    put('bin', Buffer.from([1, 0, 2, 255, 0, 3, 0, 0]));
    put('x.gz', Buffer.from('1f8b08000000', 'hex'));
    put('x.xlsx', Buffer.from('504b030414000000', 'hex'));
    put('.hact/token', 'secret');
    const seen = await use(readFile, { path: name });
    expect(seen).toMatchObject({ status: 'error', attempts: 1, error: { kind, retryable: false } });
    expect(seen.error?.message).toContain(message);
    if (hint !== undefined) expect(seen.error?.hint).toContain(hint);
  });

  test('what the system refuses is said in words', () => {
    const refusal = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(explained(refusal, 'closed.csv').failure).toEqual({
      kind: 'not_permitted',
      message: 'closed.csv: the system gives this process no right to it (EACCES)',
    });
  });
});

describe('list_files', () => {
  test('lists names, kinds and sizes, and goes as deep as it is told', async () => {
    put('b.txt', '12345');
    put('a/c.txt', '1');
    put('a/d/e.txt', '');
    put('node_modules/x.js', '');
    expect((await dataOf(listFiles, {})).entries).toEqual([
      { path: 'a/' },
      { path: 'b.txt', bytes: 5 },
      { path: 'node_modules/' },
    ]);
    const deep = await dataOf(listFiles, { depth: 3 });
    expect(pathsOf(deep)).toEqual(['a/', 'a/c.txt', 'a/d/', 'a/d/e.txt', 'b.txt', 'node_modules/']);
    expect((await dataOf(listFiles, { path: 'a' })).total).toBe(2);
  });

  test('lists a large folder in parts', async () => {
    for (let i = 0; i < 730; i += 1) put(`file-${String(i).padStart(3, '0')}`, '');
    const names: string[] = [];
    for (let offset = 0, more = true; more; offset = names.length) {
      const part = await dataOf(listFiles, { offset });
      expect(part).toMatchObject({ total: 730 });
      names.push(...pathsOf(part));
      more = part.more === `continue with offset ${names.length}`;
    }
    expect(names).toEqual(readdirSync(root).sort());
  });

  const pathsOf = (data: Record<string, unknown>): string[] =>
    (data.entries as { path: string }[]).map(({ path: p }) => p);
});

describe('search_files', () => {
  test('finds lines in all text files, and says what it passed by', async () => {
    put('a.log', 'ok\nERROR disk full\nok\n');
    put('d/b.log', `error lower\n${'x'.repeat(5000)} ERROR ${'y'.repeat(5000)}\n`);
    put('bin', Buffer.from([0, 1, 2, 0, 255]));
    const seen = await dataOf(searchFiles, { text: 'ERROR' });
    expect(seen).toMatchObject({ total: 2, files_searched: 2, files_skipped: 1 });
    const [first, second] = seen.matches as { path: string; line: number; text: string }[];
    expect(first).toEqual({ path: 'a.log', line: 2, text: 'ERROR disk full' });
    expect(second).toMatchObject({ path: 'd/b.log', line: 2 });
    expect(second?.text).toMatch(/^…x+ ERROR y+…$/);
    expect((await dataOf(searchFiles, { text: 'ERROR', ignore_case: true })).total).toBe(3);
    expect((await dataOf(searchFiles, { text: 'ERROR', path: 'a.log' })).total).toBe(1);
    expect((await dataOf(searchFiles, { text: 'ok', name: '.csv' })).total).toBe(0);
  });

  test('counts matches beyond those it shows', async () => {
    put('many', 'match\n'.repeat(1000));
    const seen = await dataOf(searchFiles, { text: 'match', limit: 3 });
    expect(seen.total).toBe(1000);
    expect(seen.matches).toHaveLength(3);
  });

  test('of a missing path fails in words', async () => {
    expect((await use(searchFiles, { text: 'x', path: 'nowhere' })).error?.message).toContain('nowhere does not exist');
  });
});

describe('write_file', () => {
  test('writes whole files and makes folders', async () => {
    expect(await dataOf(writeFile, { path: 'out/报告.md', content: '# 好\n' })).toEqual({
      path: 'out/报告.md',
      bytes: 6,
      created: true,
      sha256: createHash('sha256').update('# 好\n').digest('hex'),
    });
    expect(await dataOf(writeFile, { path: 'out/报告.md', content: 'new' })).toMatchObject({ created: false });
    expect(readFileSync(path.join(root, 'out/报告.md'), 'utf8')).toBe('new');
    expect(readdirSync(path.join(root, 'out'))).toEqual(['报告.md']);
  });

  test('keeps the mode of a file and leaves the same file when repeated', async () => {
    put('run.sh', 'old');
    chmodSync(path.join(root, 'run.sh'), 0o750);
    for (let i = 0; i < 2; i += 1) await dataOf(writeFile, { path: 'run.sh', content: 'new' });
    expect(statSync(path.join(root, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(readFileSync(path.join(root, 'run.sh'), 'utf8')).toBe('new');
  });

  test('removes what its own earlier attempt left behind, and nothing else', async () => {
    const [mark] = await leftover();
    put(`.hact-${mark}-00000000.tmp`, 'half');
    put('.hact-aaaaaaaaaaaa-00000000.tmp', 'of another call');
    await dataOf(writeFile, { path: 'r.md', content: 'x' });
    expect(readdirSync(root).sort()).toEqual(['.hact-aaaaaaaaaaaa-00000000.tmp', 'r.md']);
  });

  /** Catches the temporary name of a write of `r.md` in the act. */
  async function leftover(): Promise<string[]> {
    const seen = new Set<string>();
    const writing = use(writeFile, { path: 'r.md', content: 'y'.repeat(20_000_000) });
    let done = false;
    void writing.then(() => {
      done = true;
    });
    while (!done) {
      for (const name of readdirSync(root)) {
        const mark = name.match(/^\.hact-([0-9a-f]{12})-/)?.[1];
        if (mark !== undefined) seen.add(mark);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return [...seen];
  }

  test('many writers of one file leave one whole text', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(300_000));
    await Promise.all(
      texts.map((content, i) =>
        runCall(
          callOf(writeFile, { path: 'x', content }, `r1c${i}`),
          writeFile,
          around(systemClock, { roots: [root] }),
        ),
      ),
    );
    expect(texts).toContain(readFileSync(path.join(root, 'x'), 'utf8'));
    expect(readdirSync(root)).toEqual(['x']);
  });

  test.each([
    ['.git/hooks/pre-commit', 'not_permitted'],
    ['sub/.GIT/config', 'not_permitted'],
    ['hact.config.ts', 'not_permitted'],
    ['.hact/x', 'not_permitted'],
    ['package-lock.json', 'not_permitted'],
    ['.', 'invalid_arguments'],
    ['dir', 'invalid_arguments'],
    ['file/x', 'invalid_arguments'],
  ])('does not write %s', async (name, kind) => {
    put('dir/y', 'y');
    put('file', 'f');
    expect((await use(writeFile, { path: name, content: 'x' })).error?.kind).toBe(kind);
    expect(readdirSync(root).sort()).toEqual(['dir', 'file']);
  });
});
