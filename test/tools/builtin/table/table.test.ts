import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Observation } from '../../../../src/domain/call.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { systemClock } from '../../../../src/observe/clock.js';
import { aggregateTableTool, profileTableTool } from '../../../../src/tools/builtin/table/tools.js';
import { runCall } from '../../../../src/tools/dispatch.js';
import type { Tool } from '../../../../src/tools/tool.js';
import { around, callOf } from '../../fixtures.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'hact-table-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer): void => writeFileSync(path.join(root, name), content);
const use = (tool: Tool, args: JsonObject): Promise<Observation> => {
  expect(tool.schema.check(args)).toMatchObject({ ok: true });
  return runCall(callOf(tool, args), tool, around(systemClock, { roots: [root] }));
};
interface Profile {
  format: string;
  encoding: string;
  rows: number;
  rejected: number;
  columns: ({ name: string; type: string } & Record<string, unknown>)[];
  further_columns?: string[];
}
const profile = async (name: string, more: JsonObject = {}): Promise<Profile> => {
  const seen = await use(profileTableTool, { path: name, ...more });
  expect(seen.error).toBeUndefined();
  return seen.data as unknown as Profile;
};
interface Answer {
  groups: { key: Record<string, unknown>; values: Record<string, unknown> }[];
  [field: string]: unknown;
}
const aggregate = async (args: JsonObject): Promise<Answer> => {
  const seen = await use(aggregateTableTool, args);
  expect(seen.error).toBeUndefined();
  return seen.data as unknown as Answer;
};

const sales = `订单,日期,地区,金额,备注,已付
A1,2026-01-05,华东,"1,200.50",ok,true
A2,2026-01-06,华南,300,"多行
备注, ""引用""",false
A3,2026-02-01,华东,NA,,true
A4,2026-02-03,,-50.25,-,false
bad row
A5,2026-02-03,华北,0.1,ok,true,extra
`;

describe('profile_table', () => {
  test('of a CSV with quotes, gaps, ragged rows and Chinese names', async () => {
    put('sales.csv', sales);
    const seen = await profile('sales.csv');
    expect(seen).toMatchObject({ format: 'csv', encoding: 'utf-8', rows: 4, rejected: 2 });
    expect(seen.columns).toEqual([
      { name: '订单', type: 'text', missing: 0, distinct: 4 },
      {
        name: '日期',
        type: 'date',
        missing: 0,
        distinct: 4,
        min: '2026-01-05',
        max: '2026-02-03',
        top: expect.any(Array),
      },
      {
        name: '地区',
        type: 'text',
        missing: 1,
        distinct: 2,
        top: [
          { value: '华东', count: 2 },
          { value: '华南', count: 1 },
        ],
      },
      {
        name: '金额',
        type: 'number',
        missing: 1,
        distinct: 3,
        min: -50.25,
        max: 1200.5,
        sum: 1450.25,
        mean: 483.416666666667,
        top: expect.any(Array),
      },
      { name: '备注', type: 'text', missing: 2, distinct: 2 },
      { name: '已付', type: 'boolean', missing: 0, distinct: 2, top: expect.any(Array) },
    ]);
  });

  test.each([
    ['gb18030', 'gbk.csv', Buffer.concat([Buffer.from('c3fbb3c62cbdf0b6ee0a', 'hex'), Buffer.from('a,1\n')])],
    ['utf-16le', 'u16.csv', Buffer.from('\ufeff名称,金额\r\na,1\r\n', 'utf16le')],
    ['utf-8', 'bom.csv', Buffer.from('\ufeff名称,金额\na,1')],
    ['utf-8', 'semi.csv', Buffer.from('名称;金额\na;1\n')],
    ['utf-8', 'tab.tsv', Buffer.from('名称\t金额\na\t1\n')],
    ['utf-8', 'pipe.txt', Buffer.from('名称|金额\na|1\n')],
    ['utf-8', 'mac.csv', Buffer.from('名称,金额\ra,1\r')],
  ])('understands %s in %s', async (encoding, name, bytes) => {
    put(name, bytes);
    const seen = await profile(name);
    expect(seen).toMatchObject({ encoding, rows: 1, rejected: 0 });
    expect(seen.columns).toMatchObject([
      { name: '名称', type: 'text' },
      { name: '金额', type: 'number', sum: 1 },
    ]);
  });

  test('of GBK whose first Chinese character comes late', async () => {
    const rows = 'plain,1\n'.repeat(100_000);
    put(
      'late.csv',
      Buffer.concat([Buffer.from(`name,n\n${rows}`), Buffer.from('c4e3bac3', 'hex'), Buffer.from(',5\n')]),
    );
    const seen = await profile('late.csv');
    expect(seen.encoding).toBe('gb18030');
    expect(seen.columns[0]).toMatchObject({
      top: [
        { value: 'plain', count: 100_000 },
        { value: '你好', count: 1 },
      ],
    });
  });

  test('of JSON lines: nested keys, keys that come late, broken lines', async () => {
    const lines = [
      '{"id":1,"user":{"name":"Ana","tags":["a","b"]},"ok":true}',
      '',
      'not json',
      '[1,2]',
      '{"id":2,"late":"x","user":null}',
      '{"id":"","__proto__":{"x":1}}',
    ];
    put('rows.jsonl', lines.join('\r\n'));
    const seen = await profile('rows.jsonl');
    expect(seen).toMatchObject({ format: 'jsonl', rows: 3, rejected: 2 });
    const byName = Object.fromEntries(seen.columns.map((column) => [column.name, column]));
    expect(byName.id).toMatchObject({ type: 'number', missing: 1, sum: 3 });
    expect(byName['user.name']).toMatchObject({ missing: 2, distinct: 1 });
    expect(byName.late).toMatchObject({ missing: 2 });
    expect(byName.ok).toMatchObject({ type: 'boolean' });
  });

  test('of web server logs', async () => {
    const line = (i: number, tail: string): string =>
      `10.0.0.${i} - frank [10/Nov/2026:13:55:3${i} -0700] "GET /api/items?page=${i} HTTP/1.1" ${i === 3 ? 404 : 200} ${i === 4 ? '-' : 100 * i}${tail}`;
    put('common.log', [1, 2, 3, 4].map((i) => line(i, '')).join('\n'));
    const common = await profile('common.log');
    expect(common).toMatchObject({ format: 'common log', rows: 4, rejected: 0 });
    expect(common.columns.map((column) => column.name)).not.toContain('agent');
    expect(common.columns.find((column) => column.name === 'bytes')).toMatchObject({ missing: 1, sum: 600 });

    put(
      'combined.log',
      `${[1, 2, 3].map((i) => line(i, ` "-" "Mozilla \\"x\\" 5.0" 0.${i}`)).join('\n')}\ngarbage\n\n`,
    );
    const combined = await profile('combined.log');
    expect(combined).toMatchObject({ format: 'combined log', rows: 3, rejected: 1 });
    const byName = Object.fromEntries(combined.columns.map((column) => [column.name, column]));
    expect(byName.response_time).toMatchObject({ type: 'number', sum: 0.6 });
    expect(byName.path).toMatchObject({ distinct: 1, top: [{ value: '/api/items', count: 3 }] });
    expect(byName.time).toMatchObject({ type: 'date', min: '2026-11-10T13:55:31-07:00' });
    expect(byName.status).toMatchObject({ type: 'number', max: 404 });
  });

  test('of many columns shows as many as fit and names the others', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `column_${i}`);
    put('wide.csv', `${names.join(',')}\n${names.map((_, i) => i).join(',')}\n`);
    const seen = await profile('wide.csv');
    expect(seen.columns.length).toBeGreaterThan(20);
    expect([...seen.columns.map((column) => column.name), ...(seen.further_columns ?? [])]).toEqual(names);
    const part = await profile('wide.csv', { columns: ['column_119'] });
    expect(part.columns).toMatchObject([{ name: 'column_119', sum: 119 }]);
  });

  test('gives every column a name of its own and tells types that are nearly pure', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => `${i},x,007`).join('\n');
    put('odd.csv', `n,n,\n${numbers}\noops,y,008\n`);
    const seen = await profile('odd.csv');
    expect(seen.columns).toMatchObject([
      { name: 'n', type: 'number', not_numbers: 1, sum: 190 },
      { name: 'n_2', type: 'text' },
      { name: 'column_3', type: 'text' },
    ]);
  });

  test('counts distinct values exactly up to a number and says when there are more', async () => {
    put('ids.csv', `id,few\n${Array.from({ length: 12_000 }, (_, i) => `id-${i},${i % 3}`).join('\n')}\n`);
    const seen = await profile('ids.csv');
    expect(seen.columns).toMatchObject([{ distinct: 'over 10000' }, { distinct: 3 }]);
  });

  test.each([
    ['empty', '', 'is empty'],
    ['blank', ' \n\n \t\n', 'nothing but white space'],
    ['array.json', '[{"a":1}]', 'not one object a line'],
    ['pretty.json', '{\n  "a": 1,\n  "b": 2\n}\n', 'not one object a line'],
    ['book.xlsx', Buffer.from('504b0304aaaaaaaa', 'hex'), 'export it as CSV'],
  ])('of what is no table (%s) fails in words', async (name, content, words) => {
    put(name, content);
    const seen = await use(profileTableTool, { path: name });
    expect(seen).toMatchObject({ status: 'error', attempts: 1, error: { kind: 'invalid_arguments' } });
    expect(seen.error?.message).toContain(words);
  });

  test('of a header alone has no rows', async () => {
    put('head.csv', 'a,b\n');
    expect(await profile('head.csv')).toMatchObject({
      rows: 0,
      columns: [{ name: 'a', type: 'empty' }, { name: 'b' }],
    });
  });
});

describe('aggregate_table', () => {
  test('groups, filters, orders and limits', async () => {
    put('sales.csv', sales);
    const metrics: JsonObject[] = [{ op: 'sum', column: '金额' }, { op: 'count' }, { op: 'max', column: '日期' }];
    const seen = await aggregate({ path: 'sales.csv', group_by: ['地区'], metrics });
    expect(seen).toEqual({
      groups: [
        { key: { 地区: '华东' }, values: { 'sum(金额)': 1200.5, count: 2, 'max(日期)': '2026-02-01' } },
        { key: { 地区: '华南' }, values: { 'sum(金额)': 300, count: 1, 'max(日期)': '2026-01-06' } },
        { key: { 地区: null }, values: { 'sum(金额)': -50.25, count: 1, 'max(日期)': '2026-02-03' } },
      ],
      groups_total: 3,
      rows_used: 4,
      rows_skipped: 2,
    });
    const part = await aggregate({
      path: 'sales.csv',
      group_by: ['month(日期)'],
      metrics: [{ op: 'count' }],
      where: [{ column: '金额', op: '<', value: 1000 }],
      order_by: 'month(日期)',
      limit: 1,
    });
    expect(part).toMatchObject({
      groups: [{ key: { 'month(日期)': '2026-01' }, values: { count: 1 } }],
      groups_total: 2,
      rows_used: 2,
      rows_filtered_out: 2,
      more: '1 more groups; continue with offset 1',
    });
  });

  test.each([
    ['=', 'b', ['b']],
    ['=', null, ['']],
    ['!=', null, ['10', '9', 'b', '2026-01-02', 'TRUE']],
    ['!=', 'b', ['10', '9', '2026-01-02', 'TRUE', '']],
    ['>', 9, ['10']],
    ['>=', '9', ['10', '9']],
    ['<', 10, ['9']],
    ['!=', 9, ['10', 'b', '2026-01-02', 'TRUE', '']],
    ['>', '2026-01-01', ['2026-01-02']],
    ['contains', 'RU', ['TRUE']],
    ['contains', '-0', ['2026-01-02']],
  ] as const)('where v %s %j', async (op, value, expected) => {
    put('v.csv', 'v,w\n10,x\n9,x\nb,x\n2026-01-02,x\nTRUE,x\n,x\n');
    const seen = await aggregate({
      path: 'v.csv',
      group_by: ['v'],
      metrics: [{ op: 'count' }],
      where: [{ column: 'v', op, value }],
    });
    expect(seen.groups.map((group) => group.key.v ?? '').sort()).toEqual([...expected].sort());
  });

  test('names the nearest columns, metrics and groups when a name is wrong', async () => {
    put('sales.csv', sales);
    const hint = async (args: object): Promise<string> =>
      (await use(aggregateTableTool, { path: 'sales.csv', metrics: [{ op: 'count' }], ...args } as JsonObject)).error
        ?.hint ?? '';
    expect(await hint({ group_by: ['金颔'] })).toContain('columns: 订单, 日期, 地区, 金额');
    expect(await hint({ metrics: [{ op: 'sum', column: 'day(日期)' }] })).toContain('columns');
    expect(await hint({ where: [{ column: 'x', op: '=', value: 1 }] })).toContain('columns');
    expect(await hint({ metrics: [{ op: 'sum' }] })).toContain('"column"');
    expect(await hint({ metrics: [{ op: 'sum', column: '金额' }], order_by: 'sum(金颔)' })).toContain(
      'did you mean sum(金额)',
    );
    put('en.csv', 'Amount,Region\n1,x\n');
    const near = await use(aggregateTableTool, { path: 'en.csv', metrics: [{ op: 'sum', column: 'amuont' }] });
    expect(near.error?.hint).toContain('did you mean "Amount"');
    const forgiven = await aggregate({ path: 'en.csv', metrics: [{ op: 'sum', column: ' amount ' }] });
    expect(forgiven.groups[0]?.values).toEqual({ 'sum( amount )': 1 });
  });

  test('counts what was no number instead of hiding it', async () => {
    put('mixed.csv', 'v\n1\nx\n2\nNA\n');
    expect(
      await aggregate({
        path: 'mixed.csv',
        metrics: [
          { op: 'mean', column: 'v' },
          { op: 'count', column: 'v' },
        ],
      }),
    ).toMatchObject({
      groups: [{ key: {}, values: { 'mean(v)': 1.5, 'count(v)': 3 } }],
      not_numbers: { v: 1 },
    });
  });

  test('over no rows at all', async () => {
    put('none.csv', 'v\n');
    expect(await aggregate({ path: 'none.csv', metrics: [{ op: 'sum', column: 'v' }] })).toMatchObject({
      groups: [],
      groups_total: 0,
      rows_used: 0,
    });
  });

  test('of very many groups shows what fits, page by page', async () => {
    put('many.csv', `k,v\n${Array.from({ length: 3000 }, (_, i) => `key-${i},${i}`).join('\n')}\n`);
    const keys: unknown[] = [];
    for (let offset = 0; ; ) {
      const seen = await aggregate({
        path: 'many.csv',
        group_by: ['k'],
        metrics: [{ op: 'sum', column: 'v' }],
        limit: 500,
        offset,
      });
      keys.push(...seen.groups.map((group) => group.key.k));
      offset += seen.groups.length;
      if (seen.more === undefined) break;
    }
    expect(keys).toEqual(Array.from({ length: 3000 }, (_, i) => `key-${2999 - i}`));
  }, 20_000);
});
