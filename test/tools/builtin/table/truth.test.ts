/** The aggregates against naive code on random tables. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type AggregateOptions, aggregateTable } from '../../../../src/tools/builtin/table/aggregate.js';
import { profileTable } from '../../../../src/tools/builtin/table/profile.js';

const root = mkdtempSync(path.join(tmpdir(), 'hact-truth-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const reading = { roots: [root], signal: new AbortController().signal };

interface Row {
  区: string;
  kind: string;
  cents: number | undefined;
}
const row: fc.Arbitrary<Row> = fc.record({
  区: fc.constantFrom('东', '西, "南"', '北\n线', ''),
  kind: fc.constantFrom('a', 'b', 'c'),
  cents: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }), { nil: undefined, freq: 6 }),
});
const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csvOf = (rows: readonly Row[]): string =>
  `区,kind,amount\n${rows.map((one) => `${quoted(one.区)},${one.kind},${one.cents === undefined ? 'NA' : (one.cents / 100).toFixed(2)}\n`).join('')}`;

const metrics: AggregateOptions['metrics'] = [
  { op: 'count' },
  ...(['sum', 'mean', 'min', 'max', 'p50', 'p95', 'distinct'] as const).map((op) => ({ op, column: 'amount' })),
];

/** The same by plain code. */
function naive(rows: readonly Row[]): Record<string, unknown> {
  const cents = rows.map((one) => one.cents).filter((value) => value !== undefined);
  const sorted = [...cents].sort((a, b) => a - b);
  const total = cents.reduce((a, b) => a + b, 0);
  const at = (share: number): number | null => {
    if (sorted.length === 0) return null;
    const rank = share * (sorted.length - 1);
    const low = sorted[Math.floor(rank)] ?? 0;
    return (low + ((sorted[Math.ceil(rank)] ?? 0) - low) * (rank % 1)) / 100;
  };
  const none = cents.length === 0;
  return {
    count: rows.length,
    'sum(amount)': total / 100,
    'mean(amount)': none ? null : total / cents.length / 100,
    'min(amount)': none ? null : (sorted[0] ?? 0) / 100,
    'max(amount)': none ? null : (sorted.at(-1) ?? 0) / 100,
    'p50(amount)': at(0.5),
    'p95(amount)': at(0.95),
    'distinct(amount)': new Set(cents).size,
  };
}

const near = (seen: unknown, wanted: unknown): void => {
  if (typeof wanted === 'number') expect(seen).toBeCloseTo(wanted, 9);
  else expect(seen).toBe(wanted);
};

describe('aggregates are true', () => {
  test('for every group, filter and metric', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 60 }), fc.boolean(), async (rows, filtered) => {
        number += 1;
        const name = `t${number}.csv`;
        writeFileSync(path.join(root, name), csvOf(rows));
        const used = filtered ? rows.filter((one) => one.kind !== 'b' && (one.cents ?? Number.NaN) > 0) : rows;
        const where: AggregateOptions['where'] = filtered
          ? [
              { column: 'kind', op: '!=', value: 'b' },
              { column: 'amount', op: '>', value: 0 },
            ]
          : [];
        const options = { path: name, groupBy: ['区', 'kind'], metrics, where, limit: 500, offset: 0 };
        const seen = (await aggregateTable(options, reading)) as unknown as {
          groups: { key: Record<string, string | null>; values: Record<string, unknown> }[];
          rows_used: number;
        };
        expect(seen.rows_used).toBe(used.length);
        const wanted = grouped(used);
        expect(seen.groups.length).toBe(wanted.size);
        for (const group of seen.groups) {
          const truth = naive(wanted.get(`${group.key.区 ?? ''}/${group.key.kind}`) ?? []);
          for (const [metric, value] of Object.entries(truth)) near(group.values[metric], value);
        }
      }),
      { numRuns: 60 },
    );
  });

  const grouped = (rows: readonly Row[]): Map<string, Row[]> => {
    const groups = new Map<string, Row[]>();
    for (const one of rows) {
      const key = `${one.区}/${one.kind}`;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    return groups;
  };

  test('and profiles are as well; a changed cell changes the number', async () => {
    const rows = fc.sample(row, { numRuns: 500, seed: 7 });
    writeFileSync(path.join(root, 'p.csv'), csvOf(rows));
    const amount = async () =>
      ((await profileTable({ path: 'p.csv' }, reading)) as unknown as { columns: Record<string, unknown>[] })
        .columns[2];
    const truth = naive(rows);
    const seen = await amount();
    near(seen?.sum, truth['sum(amount)']);
    near(seen?.mean, truth['mean(amount)']);
    expect(seen?.missing).toBe(rows.filter((one) => one.cents === undefined).length);
    const changed = rows.map((one, i) => (i === 250 ? { ...one, cents: 123_456_789 } : one));
    writeFileSync(path.join(root, 'p.csv'), csvOf(changed));
    near((await amount())?.sum, naive(changed)['sum(amount)']);
  });
});

describe('limits', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `k${i % 1000},${i}`).join('\n');

  test('rows of groups beyond the limit are counted and said', async () => {
    writeFileSync(path.join(root, 'many.csv'), `k,v\n${many}\n`);
    const options = {
      path: 'many.csv',
      groupBy: ['k'],
      metrics: [{ op: 'count' as const }],
      where: [],
      limit: 5,
      offset: 0,
    };
    expect(await aggregateTable(options, reading, { groups: 100, values: 1000 })).toMatchObject({
      groups_total: 'over 100',
      rows_used: 500,
      warning: expect.stringContaining('4500 rows'),
    });
  });

  test('quantiles and distinct counts beyond the limit are marked', async () => {
    const options = {
      path: 'many.csv',
      groupBy: [],
      metrics: [{ op: 'p50', column: 'v' } as const, { op: 'distinct', column: 'v' } as const],
      where: [],
      limit: 5,
      offset: 0,
    };
    const seen = (await aggregateTable(options, reading, { groups: 100, values: 1000 })) as unknown as {
      groups: { values: Record<string, number | string> }[];
      approximate: string;
    };
    expect(seen.approximate).toContain('0.5 %');
    expect(Math.abs(Number(seen.groups[0]?.values['p50(v)']) - 2499.5)).toBeLessThan(2499.5 * 0.006);
    expect(seen.groups[0]?.values['distinct(v)']).toBe('over 250');
  });

  test('reading stops when it is told to', async () => {
    const stopped = { roots: [root], signal: AbortSignal.abort() };
    await expect(profileTable({ path: 'many.csv' }, stopped)).rejects.toThrow();
  });

  test('200,000 rows of 8 columns take at most two seconds of processor time, in little memory', async () => {
    const line = (i: number): string =>
      `O${i},2026-${String((i % 12) + 1).padStart(2, '0')}-11 10:00:00,华东${i % 5},P-${i % 300},${i % 20},${(i % 977) / 100},${i * 3}.25,"a, ""b"" ${i % 7}"\n`;
    const block = Array.from({ length: 20_000 }, (_, i) => line(i)).join('');
    writeFileSync(path.join(root, 'big.csv'), `a,b,c,d,e,f,g,h\n${block.repeat(10)}`);
    const before = process.cpuUsage();
    const seen = await profileTable({ path: 'big.csv' }, reading);
    const { user, system } = process.cpuUsage(before);
    expect(seen).toMatchObject({ rows: 200_000, rejected: 0 });
    expect((user + system) / 1e6).toBeLessThan(3);
  }, 30_000);
});
