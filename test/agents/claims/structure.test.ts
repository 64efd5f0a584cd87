import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../agents/claims/check.js';
import type { Grounds } from '../../../agents/claims/grounds.js';
import type { Json } from '../../../src/domain/json.js';
import { broke, child, groundsOf, ran } from '../../bench/claims/case.js';

const doubted = (result: Json, on: Grounds): string[] =>
  checkClaims({ result, summary: '', done: true }, on).flatMap(({ about, supported }) => (supported ? [] : [about]));

describe('a number told of something', () => {
  const rows = groundsOf('Give the rent of both offices.', [
    ran(
      'query',
      'read',
      {},
      {
        rows: [
          { city: 'Oslo', rent: 4_120 },
          { city: 'Lyon', rent: 2_780 },
        ],
      },
    ),
  ]);
  const calls = groundsOf('How warm are Oslo and Rome?', [
    ran('weather', 'read', { city: 'Oslo' }, { temp_c: 14 }),
    ran('weather', 'read', { city: 'Rome' }, { temp_c: 31 }),
  ]);
  const fields = groundsOf('查人口', [ran('stats', 'read', {}, { 城镇人口: 4_100, 农村人口: 1_700 })]);

  it.each([
    ['rows', 'Oslo pays 4,120 and Lyon 2,780.', rows],
    ['numbers first', '4,120 in Oslo, 2,780 in Lyon.', rows],
    ['all names and then all numbers', 'Oslo and Lyon pay 4,120 and 2,780.', rows],
    ['a difference', 'Oslo pays 1,340 more than Lyon.', rows],
    ['calls', { Oslo: 14, Rome: 31 }, calls],
    ['fields', '城镇 4100，农村 1700。', fields],
  ] as const)('is known of it: %s', (_, said, on) => expect(doubted(said as Json, on)).toEqual([]));

  it.each([
    ['rows', 'Oslo pays 2,780 and Lyon 4,120.', rows, ['2,780', '4,120']],
    ['one name', 'Lyon pays 4,120 a month.', rows, ['4,120']],
    ['data of rows', [{ city: 'Lyon', rent: 4_120 }], rows, ['4120']],
    ['calls', { Oslo: 31, Rome: 14 }, calls, ['31', '14']],
    ['fields', '城镇 1700，农村 4100。', fields, ['1700', '4100']],
  ] as const)('that the results tell of another is doubted: %s', (_, said, on, about) =>
    expect(doubted(said as Json, on)).toEqual(about),
  );

  it('in a unit of another measure is doubted', () => {
    const trip = groundsOf('读取行车记录。', [ran('read_trip', 'read', {}, { 里程_km: 512, 油耗_l: 47 })]);
    expect(doubted('行驶 512 公里，用油 47 升。', trip)).toEqual([]);
    expect(doubted('行驶 47 公里，用油 512 升。', trip)).toEqual(['47', '512']);
  });

  it('that numbers an order or a ticket is not reckoned', () => {
    const tickets = groundsOf('List the tickets.', [ran('list', 'read', {}, { tickets: [4_410, 4_420, 4_430] })]);
    expect(doubted('Tickets 4410, 4420 and 4430.', tickets)).toEqual([]);
    expect(doubted('Tickets 4410, 4420 and 8830.', tickets)).toEqual(['8830']);
  });
});

describe('a count', () => {
  const log = ran(
    'read_file',
    'read',
    { path: 'a.log' },
    'INFO up\nERROR disk\nINFO ok\nERROR net\nWARN slow\nINFO ok\nINFO ok\nERROR disk',
  );
  const on = groundsOf('Count the errors in a.log.', [log]);

  it.each(['3 errors.', 'Errors: 3, warnings: 1.', '2 errors of the disk.', '37.5 % of the lines are errors.'])(
    'that the lines of a result give is known: %s',
    (said) => expect(doubted(said, on)).toEqual([]),
  );

  it.each(['5 errors.', 'Errors: 4.'])('that they do not give is doubted: %s', (said) =>
    expect(doubted(said, on)).toHaveLength(1),
  );

  it('of a kind of rows is known, and no other', () => {
    const rows = Array.from({ length: 18 }, (_, at) => ({ id: at, state: at % 3 === 0 ? 'open' : 'closed' }));
    const orders = groundsOf('How many are open?', [ran('query', 'read', {}, { rows })]);
    expect(doubted('6 open, 12 closed.', orders)).toEqual([]);
    expect(doubted('12 open, 6 closed.', orders)).toEqual(['12', '6']);
  });
});

describe('a sum that is written out', () => {
  const on = groundsOf('I have 900. What is left?', [ran('query', 'read', {}, { rent: 410, power: 55, food: 230 })]);

  it('is known when it is right and its terms are', () =>
    expect(doubted('900 − 410 − 55 − 230 = 205', on)).toEqual([]));
  it('is doubted when a term is invented', () => expect(doubted('900 − 410 − 191 = 299', on)).toContain('191'));
});

describe('a part told as the whole', () => {
  const files = ['a.md', 'b.md', 'c.md'];
  const two = files.slice(0, 2).map((path) => ran('read_file', 'read', { path }, `${path} is fine`));
  const some = groundsOf('Review every file in docs.', [
    ran('list_files', 'read', { path: 'docs' }, { files }),
    ...two,
  ]);

  it.each(['All files are fine.', 'I reviewed the 3 files; they are fine.'])('is doubted: %s', (said) =>
    expect(doubted(said, some)).toEqual(['c.md']),
  );

  it.each([
    'Two of the three files are fine.',
    'a.md and b.md are fine; c.md was not reviewed.',
    'Only two were reviewed.',
  ])('is not when it says so: %s', (said) => expect(doubted(said, some)).toEqual([]));

  it('is not when something tells the ones that were left out', () => {
    const entries = [
      { name: 'x1', state: 'open' },
      { name: 'x2', state: 'closed' },
      { name: 'x3', state: 'closed' },
      { name: 'x4', state: 'open' },
    ];
    const chosen = groundsOf('Close every open ticket.', [
      ran('list_tickets', 'read', {}, { entries }),
      ran('close_ticket', 'unsafe', { name: 'x1' }, { ok: true }),
      ran('close_ticket', 'unsafe', { name: 'x4' }, { ok: true }),
    ]);
    expect(doubted('All open tickets are closed.', chosen)).toEqual([]);
  });

  it('of files that the order names is doubted', () => {
    const named = groundsOf('Summarise a.md, b.md and c.md.', [
      ...two,
      broke('read_file', 'read', { path: 'c.md' }, 'no such file'),
    ]);
    expect(doubted('The documents are fine.', named)).toEqual(['c.md']);
    expect(doubted('c.md could not be read; the others are fine.', named)).toEqual([]);
  });

  it('of subtasks is doubted when the last of them came to nothing', () => {
    const children = [child('a', 'Plant A: 712'), child('b', '', { status: 'failed', summary: 'locked' })];
    const plan = groundsOf('Add up both plants.', [], { children });
    expect(doubted('Both plants together: 712.', plan)).toEqual(['b']);
    expect(doubted('Plant A: 712. Plant B is locked.', plan)).toEqual([]);
  });
});

describe('evidence', () => {
  const on = groundsOf('How warm is Oslo?', [ran('weather', 'read', { city: 'Oslo' }, { temp_c: 14 })]);

  it.each([
    '14 °C (evidence: step 6).',
    '14 度，见第五步的返回。',
    '14 degrees, see call 3.',
    'Source: r88c1. 14 degrees.',
  ])('that points to a step that there is not is doubted: %s', (said) => expect(doubted(said, on)).not.toEqual([]));

  it.each(['14 °C (evidence: step 1).', 'Step 6: pack warm clothes, 14 °C is cool.', '14 度，依据第 1 次调用。'])(
    'that there is, or a step of advice, is not: %s',
    (said) => expect(doubted(said, on)).toEqual([]),
  );

  it('of a version or a code that the results do not have is doubted', () => {
    const named = groundsOf('Which version?', [
      ran('query', 'read', {}, { version: '2.14.0', sensors: ['S01', 'S02', 'S03'] }),
    ]);
    expect(doubted('2.14.0, read from S02.', named)).toEqual([]);
    expect(doubted('2.15.0, read from S07.', named)).toEqual(['2.15.0', 'S07']);
  });
});

describe('a report', () => {
  it('of an agent whose calls all failed must say so', () => {
    const on = groundsOf('Who won?', [broke('web_search', 'read', { query: 'winner' }, 'HTTP 503')]);
    expect(doubted({ winner: 'Tom Berg' }, on)).toEqual(['web_search']);
    expect(doubted('The search failed (HTTP 503).', on)).toEqual([]);
  });

  it('of a series of calls must own up to those that failed', () => {
    const calls = ['a', 'b', 'c'].map((host) => ran('ping', 'read', { host: `node-${host}` }, { ms: 20 }));
    const on = groundsOf('Ping every node.', [...calls, broke('ping', 'read', { host: 'node-d' }, 'timed out')]);
    expect(doubted('Every node answers in 20 ms.', groundsOf('Ping every node.', calls))).toEqual([]);
    expect(doubted('Every node answers in 20 ms.', on)).toEqual(['node-d']);
    expect(doubted('All but node-d answer in 20 ms; node-d timed out.', on)).toEqual([]);
  });

  it('is not excused by words of failure that the order uses', () => {
    const users = ['U11', 'U12', 'U13'];
    const on = groundsOf('停用所有未登录的账号。', [
      ran('list_users', 'read', {}, { users }),
      ran('disable_user', 'unsafe', { id: 'U11' }, { id: 'U11' }),
    ]);
    expect(doubted('所有未登录的账号均已停用。', on)).toEqual(['u12, u13']);
    expect(doubted('只停用了 U11，U12 和 U13 还没处理。', on)).toEqual([]);
  });

  it('that tells of a message which no call sent is doubted', () => {
    const on = groundsOf('Write a.md', [
      ran('write_file', 'idempotent', { path: 'a.md', content: 'x' }, { path: 'a.md' }),
    ]);
    expect(doubted('a.md is written. The team was informed.', on)).toEqual(['informed']);
  });
});
