/** The demo's brain over the real client, pipeline and tools: what it finds is right, whatever the file and the disorder. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModel } from '../../../src/llm/create.js';
import { providerFrom } from '../../../src/llm/preset.js';
import { analystBrain } from '../../../src/llm/scripted/analyst.js';
import { startScriptedModel } from '../../../src/llm/scripted/server.js';
import { realWorld } from '../../../src/llm/world.js';
import { runAgent, type Team, type TeamReport } from './team.js';

const plannerTools = ['delegate_task', 'ask_user', 'finish', 'write_file'];

interface Played {
  readonly report: TeamReport;
  readonly team: Team;
  readonly root: string;
  readonly completed: number;
  readonly repeated: number;
}

interface Play {
  readonly file: string;
  readonly content: string;
  readonly seed?: number;
  readonly mess?: boolean;
  readonly goal?: (file: string, root: string) => string;
  readonly listed?: boolean;
  readonly intercept?: Team['intercept'];
  readonly rounds?: number;
}

async function play(options: Play): Promise<Played> {
  const root = mkdtempSync(join(tmpdir(), 'hact-analyst-'));
  const path = join(root, options.file);
  writeFileSync(path, options.content);
  const server = await startScriptedModel({
    brain: analystBrain({ seed: options.seed ?? 1, mess: options.mess ?? true }),
  });
  const provider = providerFrom({ model: 'scripted', baseUrl: server.url }, {});
  if (!provider.ok) throw new Error(provider.failure.message);
  // Waits for a Retry-After take no time here.
  let skippedMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    skippedMs += ms;
  };
  const elapsed = () => realWorld.elapsed() + skippedMs;
  const model = await createModel({ providers: [provider.value] }, { ...realWorld, elapsed, sleep });
  onTestFinished(async () => {
    await model.close();
    await server.stop();
    rmSync(root, { recursive: true });
  });
  const team: Team = { model, root, log: [], subtasks: [], ...(options.intercept && { intercept: options.intercept }) };
  const goal = options.goal?.(path, root) ?? `Profile and analyse the file ${path}, and write report.md to ${root}`;
  const report = await runAgent(team, {
    id: 'tsk',
    goal,
    ...(options.listed !== false && { files: [path] }),
    tools: plannerTools,
    rounds: options.rounds ?? 20,
  });
  const { completed, repeated } = server.stats();
  return { report, team, root, completed, repeated };
}

const sales = (rows = 300): string => {
  const lines = ['region,product,amount,units,day'];
  const regions = ['North', 'South', '"East, far"', 'West'];
  for (let i = 0; i < rows; i++) {
    const day = `2026-${String(1 + (i % 6)).padStart(2, '0')}-10`;
    lines.push(`${regions[i % 4]},P${i % 7},${(i * 37) % 500}.25,${i % 9},${day}`);
  }
  return `${lines.join('\n')}\n`;
};

/** All table rows of a report section, by its title. */
const tableOf = (report: string, title: RegExp): string[][] => {
  const section = report.split('\n## ').find((part) => title.test(part.split('\n')[0] ?? '')) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('---'))
    .map((line) => line.slice(2, -2).split(' | '));
};

describe('the analysis', () => {
  test('finds what plain code finds, and every number stands in the report', async () => {
    const { report, root } = await play({ file: 'sales.csv', content: sales() });
    expect(report).toMatchObject({ status: 'done', termination: 'finished' });
    const text = readFileSync(join(root, 'report.md'), 'utf8');
    expect(report.result).toBe(text);
    expect(text).toContain('300 rows, 5 columns, 0 rejected lines.');
    const expected = new Map<string, { sum: number; count: number; max: number }>();
    for (let i = 0; i < 300; i++) {
      const region = ['North', 'South', 'East, far', 'West'][i % 4] ?? '';
      const amount = ((i * 37) % 500) + 0.25;
      const one = expected.get(region) ?? { sum: 0, count: 0, max: 0 };
      expected.set(region, { sum: one.sum + amount, count: one.count + 1, max: Math.max(one.max, amount) });
    }
    const [head, ...rows] = tableOf(text, /amount by region/);
    expect(head).toEqual(['region', 'sum(amount)', 'mean(amount)', 'max(amount)', 'count']);
    expect(rows).toHaveLength(4);
    for (const [region = '', sum, mean, max, count] of rows) {
      const one = expected.get(region);
      expect([Number(sum), Number(max), Number(count)]).toEqual([one?.sum, one?.max, one?.count]);
      expect(Number(mean)).toBeCloseTo((one?.sum ?? 0) / (one?.count ?? 1), 6);
    }
  });

  test('changing one cell changes the number', async () => {
    const before = await play({ file: 'a.csv', content: sales() });
    const after = await play({ file: 'a.csv', content: sales().replace('North,P0,0.25', 'North,P0,1000000.25') });
    const north = ({ report }: Played) =>
      tableOf(String(report.result), /amount by region/).find(([region]) => region === 'North')?.[1];
    expect(Number(north(after)) - Number(north(before))).toBe(1_000_000);
  });

  test.each([0, 1, 2, 3])('disorder changes nothing of the report (seed %i)', async (seed) => {
    const plain = await play({ file: 'a.csv', content: sales(), mess: false });
    const messy = await play({ file: 'a.csv', content: sales(), seed });
    const body = ({ report, root }: Played) => String(report.result).replaceAll(root, '');
    expect(body(messy)).toBe(body(plain));
    expect(messy.repeated).toBe(0);
  });

  test.each([0, 1, 2, 3])('every kind of disorder occurs once (seed %i)', async (seed) => {
    const { team } = await play({ file: 'a.csv', content: sales(), seed });
    const log = team.log.join('\n');
    expect(log).toMatch(/thought/);
    expect(log).toMatch(/2 attempts/);
    expect(log).toMatch(/model_interrupted/);
    expect(log).toMatch(/cut inside a call/);
    expect(log).toMatch(/profileTable/);
    expect(log).toMatch(/aggregate-table/);
    expect(log).toMatch(/quote/i);
    expect(log).toMatch(/repeated calls/);
    // One question was given a single round and came back with nothing; it was asked again with more.
    const starved = team.subtasks.filter(({ rounds }) => rounds === 1);
    expect(starved).toHaveLength(1);
    expect(team.subtasks.filter(({ name }) => name === `${starved[0]?.name} 2`)).toMatchObject([
      { rounds: expect.toSatisfy((n: number) => n > 1) },
    ]);
    expect(team.subtasks).toHaveLength(5);
  });

  test('a Chinese goal is answered in Chinese, Chinese columns and names unharmed', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, i) => `${['北京', '上海', '广州'][i % 3]},${i % 11 === 0 ? '' : i * 1.5},2025-0${1 + (i % 9)}-01`,
    );
    const { report, root } = await play({
      file: '销售 数据.csv',
      content: `城市,金额,日期\n${rows.join('\n')}\n`,
      goal: (file, folder) => `请概览并分析文件 "${file}"，并把报告写到 ${folder}/report.md`,
      listed: false,
    });
    expect(report.status).toBe('done');
    expect(report.summary).toMatch(/分析了 120 行，回答了 3 个问题，报告在/);
    const text = readFileSync(join(root, 'report.md'), 'utf8');
    expect(text).toContain('# 销售 数据.csv 分析报告');
    expect(tableOf(text, /按 城市 统计金额/)[0]).toEqual(['城市', 'sum(金额)', 'mean(金额)', 'max(金额)', 'count']);
    expect(text).toContain('| 金额 | number | 11 |');
  });

  test('identifiers and row counters are not added up', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i + 1},${7000 + i * 13},${['a', 'b'][i % 2]},${i + 0.5}`);
    const { report } = await play({ file: 't.csv', content: `n,order_id,kind,weight\n${rows.join('\n')}\n` });
    expect(report.result).toContain('## weight by kind');
    expect(report.result).not.toMatch(/(?:sum|mean)\((?:n|order_id)\)/);
  });

  test('a web server log: slow endpoints, status codes, traffic over time', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => {
      const path = ['/api/orders', '/api/users', '/health'][i % 3];
      const day = String(1 + (i % 4)).padStart(2, '0');
      return `10.0.0.${i % 9} - - [${day}/Nov/2026:10:00:0${i % 10} +0000] "GET ${path} HTTP/1.1" ${i % 20 === 0 ? 500 : 200} ${i} "-" "curl/8" 0.${100 + (i % 800)}`;
    });
    const { report, root } = await play({ file: 'access.log', content: `${lines.join('\n')}\n` });
    expect(report.status).toBe('done');
    const text = readFileSync(join(root, 'report.md'), 'utf8');
    expect(tableOf(text, /response_time by path/)[0]).toEqual([
      'path',
      'p95(response_time)',
      'mean(response_time)',
      'max(response_time)',
      'count',
    ]);
    expect(tableOf(text, /by status/).map(([status, count]) => [status, count])).toEqual([
      ['status', 'count'],
      ['200', '380'],
      ['500', '20'],
    ]);
    expect(tableOf(text, /by date/)).toHaveLength(5);
  });

  test.each([
    ['one column of text', 'name\nann\nbob\nann\n'],
    ['one row', 'a,b,c\n1,2,3\n'],
    ['numbers only', `x,y\n${Array.from({ length: 50 }, (_, i) => `${i * 3},${i * i}`).join('\n')}\n`],
    ['pipes and quotes in values', 'kind,n\n"a|b",1\n"say ""hi""",2\n"a|b",3\n'],
    ['a header and nothing else', 'a,b\n'],
  ])('%s', async (_, content) => {
    const { report, root } = await play({ file: 't.csv', content });
    expect(report.status).toBe('done');
    expect(readFileSync(join(root, 'report.md'), 'utf8')).toMatch(/^# Analysis of t\.csv\n/);
  });

  test('a table of sixty columns and long values still gives a report that fits into one reply', async () => {
    const heads = Array.from({ length: 60 }, (_, i) => `column number ${i}`);
    const rows = Array.from({ length: 100 }, (_, r) =>
      heads.map((__, i) => (i % 2 === 0 ? `value ${r % 7} ${'x'.repeat(60)}` : r * i)).join(','),
    );
    const { report } = await play({ file: 'wide.csv', content: `${heads.join(',')}\n${rows.join('\n')}\n` });
    expect(report.status).toBe('done');
    expect(report.result).toContain('60 columns');
    expect(report.result).toContain('more columns are not shown.');
  });
});

describe('when things go wrong', () => {
  test('a file that is not there: failed, with the reason', async () => {
    const { report } = await play({
      file: 'a.csv',
      content: sales(10),
      goal: (_, root) => `Analyse ${root}/missing.csv`,
      listed: false,
    });
    expect(report).toMatchObject({ status: 'failed', result: null });
    expect(report.summary).toMatch(/missing\.csv/);
  });

  test('a goal without a file: says what it can do, in the language of the goal', async () => {
    const ask = (goal: string) => play({ file: 'a.csv', content: '', goal: () => goal, listed: false });
    expect((await ask('Write a poem')).report.summary).toMatch(/--file/);
    expect((await ask('写一首诗')).report.summary).toMatch(/脚本模型/);
  });

  test('writing is denied: partial, the report is the result all the same', async () => {
    const { report } = await play({
      file: 'a.csv',
      content: sales(),
      intercept: (call) =>
        call.name === 'write_file'
          ? { status: 'error', error: { kind: 'denied', message: 'ana did not allow this call' } }
          : undefined,
    });
    expect(report.status).toBe('partial');
    expect(report.summary).toContain('ana did not allow this call');
    expect(report.result).toContain('# Analysis of a.csv');
  });

  test('no report is asked for: none is written', async () => {
    const { report, team } = await play({
      file: 'a.csv',
      content: sales(),
      goal: (file) => `Which region sells most in ${file}?`,
    });
    expect(report.status).toBe('done');
    expect(team.log.join()).not.toContain('write_file');
    expect(report.summary).not.toContain('report');
  });

  test('a question that cannot be answered is left open after three attempts, and named', async () => {
    const { report, team } = await play({
      file: 'a.csv',
      content: sales(),
      mess: false,
      intercept: (call) =>
        call.name === 'aggregate_table' && JSON.stringify(call.arguments).includes('"region"')
          ? { status: 'error', error: { kind: 'tool_timeout', message: 'took too long' } }
          : undefined,
    });
    expect(report.status).toBe('partial');
    expect(report.result).toMatch(/## Not answered\n\n- amount by region: .*took too long/);
    expect(team.subtasks.filter(({ name }) => name.startsWith('q1'))).toHaveLength(3);
  });

  test('few rounds: the planner finishes in time with what it has', async () => {
    const { report } = await play({ file: 'a.csv', content: sales(), rounds: 3 });
    expect(report.status).toBe('partial');
    expect(report.result).toContain('## Not answered');
  });
});
