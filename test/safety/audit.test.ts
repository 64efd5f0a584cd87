import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Audit, type AuditKey, openAudit, verifyChain } from '../../src/safety/audit.js';
import { auditFile } from '../../src/safety/audit-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hact-audit-'));
  file = path.join(folder, 'audit.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key: AuditKey = { id: 'k1', bytes: new Uint8Array(32).fill(7) };
const open = (with_: AuditKey = key) =>
  openAudit({ store: auditFile(file), key: with_, clock: { now: () => 1 }, mayReveal: (by) => by === 'officer' });
async function opened(): Promise<Audit> {
  const audit = await open();
  if (!audit.ok) throw new Error(audit.failure.message);
  return audit.value;
}
const lines = (): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const rewrite = (with_: readonly string[]): void => writeFileSync(file, `${with_.join('\n')}\n`);

async function filled(): Promise<Audit> {
  const audit = await opened();
  const values = ['ana@example.com', '13812345678', '身份证 11010519491231002X', 'x'];
  const kept = await Promise.all(values.map((value, i) => audit.keep({ taskId: `t${i % 2}`, what: 'email', value })));
  expect(kept.map((one) => one.ok && one.value)).toEqual([1, 2, 3, 4]);
  return audit;
}

describe('the audit log', () => {
  test('keeps originals unreadable, in a file of its owner, and opens again where it ended', async () => {
    const first = await filled();
    expect(readFileSync(file, 'utf8')).not.toMatch(/ana@|138123|110105/);
    expect(statSync(file).mode & 0o077).toBe(0);
    const again = await opened();
    expect(again.head()).toEqual(first.head());
    expect(await again.keep({ taskId: 't', what: 'phone', value: 'y' })).toEqual({ ok: true, value: 5 });
  });

  test('shows an original to who may see it, and records that before', async () => {
    const audit = await filled();
    const shown = await audit.reveal({ seq: 3, taskId: 't0', by: 'officer', reason: 'complaint 17' });
    expect(shown).toEqual({ ok: true, value: '身份证 11010519491231002X' });
    expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({
      kind: 'revealed',
      of: 3,
      by: 'officer',
      reason: 'complaint 17',
      granted: true,
    });
  });

  describe('of another process', () => {
    const own = () => path.join(folder, 'reveals.jsonl');
    const reveal = async (seq: number, taskId: string) => {
      const audit = await openAudit({
        store: auditFile(own()),
        originals: { name: 'h_1', store: auditFile(file) },
        key,
        clock: { now: () => 1 },
        mayReveal: () => true,
      });
      if (!audit.ok) throw new Error(audit.failure.message);
      return audit.value.reveal({ seq, taskId, by: 'officer', reason: 'complaint 18' });
    };

    test('shows an original, and the record of it stands in the log of reveals', async () => {
      await filled();
      const before = readFileSync(file, 'utf8');
      expect(await reveal(2, 't1')).toEqual({ ok: true, value: '13812345678' });
      expect(readFileSync(file, 'utf8')).toBe(before);
      const record = JSON.parse(readFileSync(own(), 'utf8')) as object;
      expect(record).toMatchObject({ kind: 'revealed', log: 'h_1', of: 2, granted: true });
    });

    test('shows nothing when its chain does not hold', async () => {
      await filled();
      rewrite(lines().filter((_, index) => index !== 1));
      expect(await reveal(1, 't0')).toMatchObject({
        ok: false,
        failure: { message: expect.stringContaining('entry 2 is missing') },
      });
    });
  });

  test.each([
    ['without the right', { seq: 1, taskId: 't0', by: 'intern', reason: 'curious' }],
    ['without a reason', { seq: 1, taskId: 't0', by: 'officer', reason: ' ' }],
    ['of another task', { seq: 1, taskId: 't1', by: 'officer', reason: 'r' }],
    ['that is not there', { seq: 99, taskId: 't0', by: 'officer', reason: 'r' }],
  ])('refuses an original %s, and records that too', async (_, asked) => {
    const audit = await filled();
    expect(await audit.reveal(asked)).toMatchObject({ ok: false, failure: { kind: 'not_permitted' } });
    expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({ kind: 'revealed', granted: false });
  });

  test('shows nothing when it cannot record', async () => {
    const audit = await filled();
    const before = readFileSync(file);
    rmSync(folder, { recursive: true });
    expect((await audit.reveal({ seq: 1, taskId: 't0', by: 'officer', reason: 'r' })).ok).toBe(false);
    expect(before.length).toBeGreaterThan(0);
  });
});

describe('tampering shows', () => {
  test.each([
    [
      'a changed field',
      (all: string[]) => all.map((line, i) => (i === 1 ? line.replace('"t1"', '"t9"') : line)),
      /entry 2 was changed/,
    ],
    ['a dropped line', (all: string[]) => all.filter((_, i) => i !== 1), /entry 2 is missing/],
    [
      'swapped lines',
      (all: string[]) => [all[0] ?? '', all[2] ?? '', all[1] ?? '', all[3] ?? ''],
      /entry 2 is missing/,
    ],
    [
      'a broken line',
      (all: string[]) => all.map((line, i) => (i === 2 ? line.slice(9) : line)),
      /line 3 .* no audit entry/,
    ],
  ])('%s', async (_, change, words) => {
    await filled();
    rewrite(change(lines()));
    const seen = await open();
    expect(seen.ok).toBe(false);
    if (!seen.ok) expect(seen.failure.message).toMatch(words);
  });

  test('a missing end, to who kept the head', async () => {
    const audit = await filled();
    const head = audit.head();
    rewrite(lines().slice(0, 3));
    const left = await auditFile(file).read();
    expect(left.ok && verifyChain(left.value, key).ok).toBe(true);
    const seen = left.ok ? verifyChain(left.value, key, head) : left;
    expect(seen).toMatchObject({ ok: false, failure: { message: expect.stringContaining('ends at entry 3') } });
  });

  test('a content moved to another entry, or opened with another key', async () => {
    const audit = await filled();
    const all = lines().map((line) => JSON.parse(line) as { seal: unknown });
    const moved = all.map((entry, i) => (i === 0 ? { ...entry, seal: all[2]?.seal } : entry));
    rewrite(moved.map((entry) => JSON.stringify(entry)));
    const shown = await audit.reveal({ seq: 1, taskId: 't0', by: 'officer', reason: 'r' });
    expect(shown).toMatchObject({ ok: false, failure: { message: expect.stringContaining('does not open') } });
    expect((await open({ id: 'k1', bytes: new Uint8Array(32).fill(8) })).ok).toBe(false);
    expect((await open({ id: 'k1', bytes: new Uint8Array(5) })).ok).toBe(false);
  });
});
