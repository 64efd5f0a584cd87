import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvReader } from '../../../../src/tools/builtin/table/csv.js';

interface Read {
  rows: string[][];
  bad: number;
}

/** Reads a text in pieces of the given size; rows whose width differs from the first one's are refused. */
function read(text: string, delimiter = ',', piece = text.length + 1, more: { loneCr?: boolean } = {}): Read {
  const seen: Read = { rows: [], bad: 0 };
  const reader = new CsvReader({
    delimiter,
    ...more,
    row: (cells, count) => {
      if (seen.rows[0] !== undefined && seen.rows[0].length !== count) return false;
      seen.rows.push(cells.slice(0, count));
      return true;
    },
    bad: () => {
      seen.bad += 1;
    },
  });
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  reader.end();
  return seen;
}

/** The other side: quotes whatever might need it, by the book. */
const written = (rows: readonly (readonly string[])[], delimiter: string, end: string): string =>
  rows
    .map((row) =>
      row.map((cell) => (needsQuotes(cell, delimiter) ? `"${cell.split('"').join('""')}"` : cell)).join(delimiter),
    )
    .map((line) => line + end)
    .join('');
const needsQuotes = (cell: string, delimiter: string): boolean =>
  ['"', '\n', '\r', delimiter].some((mark) => cell.includes(mark)) || cell === '' || cell.startsWith(' ');

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '"',
    '""',
    '\n',
    '\r\n',
    ',',
    ';',
    '\t',
    '|',
    'a"b',
    '中文,"引号"',
    '"start',
    'end"',
    "it's",
    '😀',
  ),
  fc.array(fc.constantFrom('"', '\n', '\r', ',', ';', 'x', ' '), { maxLength: 8 }).map((parts) => parts.join('')),
);
const rows = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));

describe('a delimited text', () => {
  test('that was written by the book is read back exactly, in pieces of any size', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (table, delimiter, end, piece, open) => {
          const text = written(table, delimiter, end);
          const whole = open ? text.slice(0, -end.length) : text;
          expect(read(whole, delimiter, piece)).toEqual({ rows: table, bad: 0 });
        },
      ),
      { numRuns: 400 },
    );
  });

  test('gives the same rows however it is cut, even when it is malformed', () => {
    const mess = fc.array(fc.constantFrom('"', '\n', '\r', ',', 'a', ' ', '""', 'b\n'), { maxLength: 40 });
    fc.assert(
      fc.property(mess, fc.integer({ min: 1, max: 5 }), (parts, piece) => {
        const text = parts.join('');
        expect(read(text, ',', piece)).toEqual(read(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [
      'blank lines are no rows',
      'a,b\n\n1,2\n\r\n\n3,4\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
      0,
    ],
    [
      'rows of another width are refused',
      'a,b\n1,2,3\n1\n3,4\n',
      [
        ['a', 'b'],
        ['3', '4'],
      ],
      2,
    ],
    [
      'a quote within a field is text',
      'a,b\n5" pipe,x\n',
      [
        ['a', 'b'],
        ['5" pipe', 'x'],
      ],
      0,
    ],
    [
      'blanks around quotes are dropped',
      'a,b\n "x, y" , "z"\n',
      [
        ['a', 'b'],
        ['x, y', 'z'],
      ],
      0,
    ],
    [
      'what follows a closing quote is kept',
      'a,b\n"x"y,z\n',
      [
        ['a', 'b'],
        ['xy', 'z'],
      ],
      0,
    ],
    [
      'a stray quote costs its line only',
      'a,b\n"x,1\ny,2\nz,3\n',
      [
        ['a', 'b'],
        ['y', '2'],
        ['z', '3'],
      ],
      1,
    ],
    [
      'two stray quotes cost their lines only',
      'a,b\n"x,1\ny,2\nz,"3\nu,4\n',
      [
        ['a', 'b'],
        ['y', '2'],
        ['u', '4'],
      ],
      2,
    ],
    ['an empty quoted field is a row', 'a\n""\nx', [['a'], [''], ['x']], 0],
    [
      'a lone CR is text where lines end with LF',
      'a,b\n1\r2,3\n',
      [
        ['a', 'b'],
        ['1\r2', '3'],
      ],
      0,
    ],
    [
      'empty fields stay',
      'a,b,c\n,,\n1,,3',
      [
        ['a', 'b', 'c'],
        ['', '', ''],
        ['1', '', '3'],
      ],
      0,
    ],
    ['nothing', '', [], 0],
  ])('%s', (_, text, expected, bad) => {
    for (const piece of [1, 2, 3, 100]) expect(read(text, ',', piece)).toEqual({ rows: expected, bad });
  });

  test('may end its lines with CR alone', () => {
    expect(read('a,b\r1,2\r3,4', ',', 1, { loneCr: true }).rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  test.each([
    ['an open quote before a long text', `a,b\n"x,1\n${'y,2\n'.repeat(300_000)}`, 300_001, 1],
    ['stray quotes everywhere', `a,b\n${'"x,1\n'.repeat(200_000)}`, 1, 200_000],
    ['nothing but quotes', '"'.repeat(1_200_000), 1, 0],
    ['nothing but opened quotes', `a,b\n${',"\n'.repeat(200_000)}`, 1, 200_000],
    ['one endless line', 'x'.repeat(5_000_000), 1, 0],
  ])('with %s is read in time', (_, text, good, bad) => {
    const began = process.cpuUsage();
    const seen = read(text, ',', 262_144);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(4000);
    expect(seen.rows.length + seen.bad).toBeGreaterThan(0);
    if (good > 1) expect([seen.rows.length, seen.bad]).toEqual([good, bad]);
  });
});
