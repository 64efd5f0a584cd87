import { describe, expect, test } from 'vitest';
import { parseReply } from '../../src/parse/reply.js';

const stateOf = (text: string) => parseReply({ text, tools: [], finishReason: 'stop' }).state;
const values = (text: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(stateOf(text)).map(([key, entry]) => [key, entry.value]));

describe('the state map takes', () => {
  test.each<[string, Record<string, unknown>]>([
    // comments
    ['Done.<!-- step: 3; status: ok -->', { step: 3, status: 'ok' }],
    ['<!-- state: {"step": 3, "done": false} -->Next.', { step: 3, done: false }],
    ['<!-- 阶段：清洗；行数：42 -->', { 阶段: '清洗', 行数: 42 }],
    // JSON
    ['The settings are {"limit": 10, "mode": "fast"} as asked.', { limit: 10, mode: 'fast' }],
    // lines
    ['Status: done\nRows: 1,204\n- Owner: Ana Lopez', { Status: 'done', Rows: 1204, Owner: 'Ana Lopez' }],
    ['**Total**: 42\n* Valid: true', { Total: 42, Valid: true }],
    ['订单号：A-1001\n数量：3\n是否完成：是', { 订单号: 'A-1001', 数量: 3, 是否完成: '是' }],
    ['timeout = 30\nname = "demo"', { timeout: 30, name: 'demo' }],
    ['```yaml\nport: 8080\nhost: example.org\n```', { port: 8080, host: 'example.org' }],
    // figures in English
    ['In May, total revenue was 1,234.50 USD.', { 'total revenue': 1234.5 }],
    ['The average response time is 35 ms.', { 'average response time': 35 }],
    ['Revenue reached $1.2 million and fell later.', { Revenue: 1_200_000 }],
    ['The error rate rose to 4.5%.', { 'error rate': 4.5 }],
    ['The number of users is 51.', { 'number of users': 51 }],
    ['I found 42 errors in the log.', { errors: 42 }],
    ['The file has 12 columns.', { columns: 12 }],
    ['There are 3 open tickets.', { 'open tickets': 3 }],
    ['The search returned 14 matching rows.', { 'matching rows': 14 }],
    ['The balance is -12.30 EUR now.', { balance: -12.3 }],
    // figures in Chinese
    ['检查完毕，共 42 个错误。', { 错误: 42 }],
    ['总收入为 1,234.50 元。', { 总收入: 1234.5 }],
    ['平均响应时间是35毫秒。', { 平均响应时间: 35 }],
    ['其中，成功率达到 98.5%，用户数增至 1.2 万。', { 成功率: 98.5, 用户数: 12_000 }],
    ['一共找到 3 条匹配记录。', { 匹配记录: 3 }],
    ['表格共有 120 行。', { 行: 120 }],
  ])('%j', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  test('with source, confidence, position and unit', () => {
    const text = 'Hello.\nStatus: done\nTotal revenue was about 1,234.50 USD.<!-- step: 3 -->{"a": 1}';
    const state = stateOf(text);
    expect(state.Status).toEqual({ value: 'done', source: 'line', confidence: 0.7, position: text.indexOf('Status') });
    expect(state['Total revenue']).toEqual({
      value: 1234.5,
      unit: 'USD',
      source: 'inline',
      confidence: 0.52,
      position: text.indexOf('1,234'),
    });
    expect(state.step?.position).toBe(text.indexOf('step'));
    expect(state.a).toMatchObject({ source: 'json', position: text.indexOf('{') });
  });

  test('the surer source when several say it, the later of equals', () => {
    expect(values('rows: 1\n{"rows": 2}')).toEqual({ rows: 2 });
    expect(values('rows: 1\nrows: 3')).toEqual({ rows: 3 });
  });

  test('a hundred entries at most, and no prototype', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `key${String.fromCharCode(97 + (i % 26))}${i}x: ${i}`).join(
      '\n',
    );
    expect(Object.keys(stateOf(lines))).toHaveLength(100);
    expect(Object.keys(stateOf('__proto__: 1\nconstructor: 2\n{"__proto__": {"polluted": 1}}'))).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the state map leaves', () => {
  test.each([
    // times, dates, scores
    'Meet at 10:30 in room B.',
    'The meeting is at 14:00.',
    'The train leaves at 9:05 am.',
    'The match ended 3:2.',
    'The deadline is 2026-03-01.',
    'It happened in 2024.',
    'The founding year was 1998.',
    '会议在 10:30 开始。',
    '时间是 10:30。',
    '现在是 2026 年 3 月 1 日。',
    '今天是 5 月 3 号。',
    // addresses, versions, places
    'See https://example.org/a?b=1 for more.',
    'http://example.org:8080/x',
    'The version is 1.2.3.',
    'The address is 192.168.0.1.',
    'src/main.ts:42:7',
    'localhost:8080',
    'C:\\temp\\file.txt',
    'See step 3, figure 2 and section 4.1.',
    // prose with colons
    'Note: this may take a while.',
    'Here is what I found: the file is missing.',
    'She said: "Go home."',
    'The problem is simple: nobody restarted the server.',
    'There are two options: wait or retry.',
    'For example: Paris, Rome and Oslo.',
    'Warning: do not delete the folder.',
    'Next: call the tool.',
    '注意：不要删除这个文件夹。',
    '原因如下：服务器没有重启。',
    '他说：“回家吧。”',
    '我的看法是：再等等。',
    '例如：巴黎、罗马。',
    // code
    '```ts\nconst a = 5;\nport: 8080\nx = 3\n```',
    'const a = 5;',
    'if (a == 5) return;',
    'x => 5',
    'Use `limit: 5` or `total was 7`.',
    'std::vector<int> v',
    'return value = 5',
    // conditions, negations, questions, ranges
    'If the total was 42, we would stop.',
    'The total is not 42.',
    'Is the total 42?',
    'The total was 42, right?',
    'The price is between 3 and 5 euros.',
    'The price is 3-5 euros.',
    'It takes 3 to 5 days.',
    'It is 42.',
    'This was 7.',
    'She is 42 years old.',
    'The report could be 30 pages.',
    'The room has 30 or 40 seats.',
    '如果总数是 42，就停止。',
    '总数不是 42。',
    '总数是 42 吗？',
    '价格为 3 到 5 元。',
    '它是 42。',
    '可能有 3 个错误。',
    '至少有 3 个错误。',
    // reasoning is not for the reader
    '<think>total revenue was 5 USD\nrows: 3</think>',
  ])('%j', (text) => {
    expect(values(text)).toEqual({});
  });

  test('hostile text in linear time', () => {
    const n = 200_000;
    for (const unit of ['1 ', 'a is 1 ', '是1', 'a: ', '`', '1,', 'x=', '有1个', 'the a is ', '- ', ':'])
      expect(() => stateOf(unit.repeat(n / unit.length))).not.toThrow();
  });
});
