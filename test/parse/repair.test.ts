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
  // separators
  ['["a" 2, true]', ['a', 2, true]],
  ['{"on" true, "n" 2}', { on: true, n: 2 }],
  ['[{"i":1,{"i":2}]', [{ i: 1 }, { i: 2 }]],
  ['{"a":\u205f1}', { a: 1 }],
  // closers
  ['{"town": "Lyon"}, "day": "Monday"}', { town: 'Lyon', day: 'Monday' }],
  ['{"names": ["ann"}, "day": "Monday"}', { names: ['ann'], day: 'Monday' }],
  ['{"town": "Lyon"```', { town: 'Lyon' }],
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

  it.each(['{"town"', '{"names": ["ann"], ["bob"], "day": "Monday"}', '{"town": "Lyon', '{"names": ["ann", "bo'])(
    '%s is not passed off as whole',
    (text) => {
      const read = readJsonText(text);
      expect(read.ok && read.cut).toBe('value');
    },
  );

  it.each(['{a: b, ...}', '{"a": 1, ...}'])('%s leaves something out', (text) => {
    expect(readJsonText(text)).toMatchObject({ elided: true });
  });
});
