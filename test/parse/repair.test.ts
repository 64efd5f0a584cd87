import { describe, expect, it } from 'vitest';
import { readJsonText } from '../../src/parse/json.js';
import { applyEdits } from '../../src/parse/json-edit.js';

/** Text, and the value that it means. */
const mended: readonly (readonly [text: string, value: unknown])[] = [
  // quotes
  ['{"town": "Lyon, "day": "Monday"}', { town: 'Lyon', day: 'Monday' }],
  ['["red,\n"green"]', ['red', 'green']],
  ['{`town´: `Lyon´}', { town: 'Lyon' }],
  ['{"code": "d = {"a": 1, "b": 2}"}', { code: 'd = {"a": 1, "b": 2}' }],
  // values without quotes
  ['{"note": milk, bread and eggs, "count": 3}', { note: 'milk, bread and eggs', count: 3 }],
  ['{"town": Lyon "day": "Monday"}', { town: 'Lyon', day: 'Monday' }],
  ['{text: a {b} c}', { text: 'a {b} c' }],
  ['{"names": [\nann\nbob\n]}', { names: ['ann', 'bob'] }],
  ['{"depth": -0x10}', { depth: -16 }],
  ['{"depth": 4/*m*/, "on": true}', { depth: 4, on: true }],
  ['{"bed": rose <1>, "on": true}', { bed: 'rose <1>', on: true }],
  [
    '{"kind": async (a: string): Promise<Bed<Rose>[]>, "n": 1}',
    { kind: 'async (a: string): Promise<Bed<Rose>[]>', n: 1 },
  ],
  ['{\n  kind: Map<string, Bed>\n}', { kind: 'Map<string, Bed>' }],
  [
    '{"n": 1, "note": **Water the roses**\n\nThen the "old" lilies. Twice.\n\nThen rest.\n}',
    { n: 1, note: '**Water the roses**\n\nThen the "old" lilies. Twice.\n\nThen rest.' },
  ],
  ['{"备注": 先给玫瑰浇水\n再施肥。\n}', { 备注: '先给玫瑰浇水\n再施肥。' }],
  // numbers in groups of three
  ['{"litres": 12,500, "on": true}', { litres: 12_500, on: true }],
  ['{"beds": [{"sum": -2,000.50}, {"sum": 1,234,567}]}', { beds: [{ sum: -2000.5 }, { sum: 1_234_567 }] }],
  ['{"rows": [1,200, 3]}', { rows: [1, 200, 3] }],
  // three quotes, three backticks
  ['{"code": """say("""hi""")""", "n": 1}', { code: 'say("""hi""")', n: 1 }],
  ['{"code": ```python\nprint(`x`)\n}}]\n```, "n": 1}', { code: 'print(`x`)\n}}]', n: 1 }],
  ['{"code": ```\n`x`\n```\n}', { code: '`x`' }],
  // separators
  ['["a" 2, true]', ['a', 2, true]],
  ['{"on" true, "n" 2}', { on: true, n: 2 }],
  ['[{"i":1,{"i":2}]', [{ i: 1 }, { i: 2 }]],
  ['{"a":\u205f1}', { a: 1 }],
  // braces and white space as templates write them
  ['{{"bed": "玫瑰", "at": {{"row": 2}}}}', { bed: '玫瑰', at: { row: 2 } }],
  ['{"rows": \\n[1, 2]\\n\\n}', { rows: [1, 2] }],
  ['{"code": "a = "x"\\n}\\n", "n": 1}', { code: 'a = "x"\n}\n', n: 1 }],
  // closers
  ['{"town": "Lyon"}, "day": "Monday"}', { town: 'Lyon', day: 'Monday' }],
  ['{"names": ["ann"}, "day": "Monday"}', { names: ['ann'], day: 'Monday' }],
  ['{"town": "Lyon"```', { town: 'Lyon' }],
  ['Here it is:\n```\n{\n  "on": true\n\n```\nThat is all.', { on: true }],
  // words around it
  ['See [beds] for more.\n```json\n{"on": true}\n```', { on: true }],
  ['I keep {the old names}. 结果如下：{"on": true}', { on: true }],
  // words that mean nothing
  ['{"on": true, NOTE "day": "Monday"}', { on: true, day: 'Monday' }],
  ['````{"on": true}````', { on: true }],
];

describe('broken JSON', () => {
  it.each(mended)('%s is mended, and the log says how', (text, value) => {
    const read = readJsonText(text);
    expect(read).toMatchObject({ ok: true, value });
    if (read.ok) expect(JSON.parse(applyEdits(text, 0, text.length, read.edits))).toEqual(value);
    expect(read.ok && read.cut).not.toBe('value');
  });

  it.each([
    '{"town"',
    '{"names": ["ann"], ["bob"], "day": "Monday"}',
    '{"town": "Lyon',
    '{"names": ["ann", "bo',
    '{"n": 105,12}',
    '{"n": 1,23,456}',
    '{"n": 5 and more}',
    '{"names": ["ann"] 和更多}',
    '{"town": "Lyon", "day"',
    '{"town": "里昂", "日期"',
  ])('%s is not passed off as whole', (text) => {
    const read = readJsonText(text);
    expect(read.ok && read.cut).toBe('value');
  });

  it.each(['{a: b, ...}', '{"a": 1, ...}'])('%s leaves something out', (text) => {
    expect(readJsonText(text)).toMatchObject({ elided: true });
  });
});
