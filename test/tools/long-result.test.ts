import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../src/domain/failure.js';
import { runCall } from '../../src/tools/dispatch.js';
import { around, callOf, toolOf, virtualTiming } from './fixtures.js';

describe('a long result', () => {
  const kept = new Map<string, string>();
  const putBlob = async (bytes: Uint8Array) => {
    const name = createHash('sha256').update(bytes).digest('hex');
    kept.set(name, new TextDecoder().decode(bytes));
    return ok(name);
  };
  const cut = async (value: unknown, more: object = {}) => {
    const tool = toolOf(() => value, 'read', more);
    return runCall(callOf(tool), tool, around(virtualTiming(), { putBlob }));
  };

  test('of text is cut to its limit, says so, and is kept whole', async () => {
    const text = Array.from({ length: 700 }, (_, i) => `第 ${i} 行 line`).join('\n');
    const seen = await cut(text);
    const data = seen.data as string;
    expect(data.length).toBeLessThanOrEqual(2000);
    expect(data.split('\n').length).toBeLessThanOrEqual(50);
    expect(data).toMatch(
      /\[cut: [\d,]+ of [\d,]+ characters, 49 of 700 lines shown; to get the rest: .*artifact [0-9a-f]{64}\]$/,
    );
    expect(text.startsWith(data.slice(0, data.indexOf('\n[cut')))).toBe(true);
    expect(kept.get(seen.artifact ?? '')).toBe(text);
  });

  test('is not cut in the middle of a character', async () => {
    for (const pad of ['', 'a']) {
      const seen = await cut(pad + '😀'.repeat(2000));
      expect(/\p{Surrogate}/u.test(seen.data as string)).toBe(false);
    }
  });

  test('of data keeps its shape: all keys, heads of long texts, first items of long lists', async () => {
    const value = {
      code: 7,
      stdout: 'line\n'.repeat(20_000),
      rows: Array.from({ length: 5000 }, (_, i) => ({ i, name: `n${i}` })),
      last: true,
    };
    const seen = await cut(value);
    expect(JSON.stringify(seen.data).length).toBeLessThanOrEqual(2000);
    const { cut: words, value: part } = seen.data as { cut: string; value: Record<string, unknown> };
    expect(words).toMatch(/result cut: [\d,]+ characters in all/);
    expect(part).toMatchObject({ code: 7, last: true });
    expect(part.stdout).toMatch(/^line\nline.*more characters\]$/s);
    expect((part.rows as unknown[])[0]).toEqual({ i: 0, name: 'n0' });
    expect((part.rows as unknown[]).at(-1)).toMatch(/more items$/);
    expect(JSON.parse(kept.get(seen.artifact ?? '') ?? '')).toEqual(value);
  });

  test.each([
    ['many keys', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, i]))],
    ['texts full of escapes', { a: '\u0000"\\'.repeat(5000), b: '\n'.repeat(9000) }],
    [
      'deep lists',
      Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => ['x'.repeat(30), '字'.repeat(30)])),
    ],
    ['long keys', { ['k'.repeat(5000)]: 1, b: 2 }],
    ['one long text in a list', ['y'.repeat(10_000)]],
  ])('of %s fits', async (_, value) => {
    const seen = await cut(value);
    expect(JSON.stringify(seen.data).length).toBeLessThanOrEqual(2000);
    expect(seen.artifact).toBeDefined();
  });

  test('that just fits is not touched', async () => {
    expect((await cut('x'.repeat(2000))).data).toBe('x'.repeat(2000));
    expect((await cut(`x${'\n'.repeat(49)}`)).data).toBe(`x${'\n'.repeat(49)}`);
    expect((await cut(`x${'\n'.repeat(50)}`)).artifact).toBeDefined();
    expect((await cut({ a: 'x'.repeat(1992) })).artifact).toBeUndefined();
  });

  test('of many megabytes does no harm', async () => {
    const huge = Buffer.alloc(66_000_000, 'x').toString('latin1');
    for (const value of [huge, { huge }]) {
      const seen = await cut(value);
      expect(seen.status).toBe('ok');
      expect(JSON.stringify(seen.data).length).toBeLessThan(2200);
      expect(seen.artifact).toBeUndefined();
    }
  });

  test('that cannot be kept is still cut and says nothing of an artifact', async () => {
    const tool = toolOf(() => 'x'.repeat(5000));
    for (const putBlob of [async () => fail('storage_refused', 'full'), () => Promise.reject(new Error('x'))]) {
      const seen = await runCall(callOf(tool), tool, around(virtualTiming(), { putBlob }));
      expect(seen).toMatchObject({ status: 'ok' });
      expect(seen.artifact).toBeUndefined();
      expect(seen.data).not.toContain('artifact');
    }
  });
});
