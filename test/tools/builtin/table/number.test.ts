import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Decimal, readDecimal } from '../../../../src/tools/builtin/table/decimal.js';
import { Quantiles } from '../../../../src/tools/builtin/table/quantile.js';
import { ExactSum } from '../../../../src/tools/builtin/table/sum.js';
import { isMissing, readDate } from '../../../../src/tools/builtin/table/value.js';

const parse = (text: string): number | undefined => {
  const out: Decimal = { value: 0, units: 0, scale: 0 };
  return readDecimal(text, out) ? out.value : undefined;
};
const sumOf = (texts: readonly string[]): number | string => {
  const sum = new ExactSum();
  const out: Decimal = { value: 0, units: 0, scale: 0 };
  for (const text of texts) if (readDecimal(text, out)) sum.add(out);
  return sum.toJson();
};

describe('a number in a table', () => {
  test.each([
    ['0', 0],
    ['-3.50', -3.5],
    ['+7', 7],
    [' 12 ', 12],
    ['.5', 0.5],
    ['5.', 5],
    ['1,234,567.89', 1234567.89],
    ['$12.00', 12],
    ['-¥1,200', -1200],
    ['12.5%', 12.5],
    ['1e3', 1000],
    ['1.5E-3', 0.0015],
    ['123456789012345', 123456789012345],
    ['9007199254740991', 9007199254740991],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['-0.0', -0],
  ])('%s is %d', (text, value) => {
    expect(parse(text)).toBe(value);
  });

  test.each([
    '',
    ' ',
    '-',
    '+',
    '.',
    '$',
    '%',
    'abc',
    '12abc',
    '1.2.3',
    '1,23',
    '1,2345',
    ',123',
    '1,234,56',
    '007',
    '00',
    '12-3',
    '1e',
    'e5',
    '1,000e3',
    '0x10',
    '9007199254740993',
    '110101199003078515',
    '1 2',
    'Infinity',
    'NaN',
    '2026-11-29',
    '--5',
    '1e999',
  ])('%j is none', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  test('is the same double that JavaScript reads', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = String(value);
        const seen = parse(text);
        if (seen !== undefined) expect(seen).toBe(Number(text));
        else expect(Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER).toBe(true);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 8 }), (units, scale) => {
        const text = (units / 10 ** scale).toFixed(scale);
        expect(parse(text)).toBe(Number(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a sum', () => {
  test('of decimals is exact', () => {
    expect(sumOf(new Array(10).fill('0.1'))).toBe(1);
    expect(sumOf(['0.1', '0.2'])).toBe(0.3);
    expect(sumOf(new Array(1000).fill('1234567890.123456'))).toBe(1234567890123.456);
    expect(sumOf(['1', '0.000000000000001'])).toBe(1.000000000000001);
    expect(sumOf(['999999999999999', '0.5', '-999999999999999'])).toBe(0.5);
    expect(sumOf(['-0.30', '0.1', '0.2'])).toBe(0);
    expect(sumOf([])).toBe(0);
  });

  test('of integers is exact even where no double holds it', () => {
    expect(sumOf(new Array(9).fill('9007199254740991'))).toBe('81064793292668919');
    expect(sumOf(['9007199254740991', '2', '-2'])).toBe(9007199254740991);
    expect(sumOf(new Array(3).fill('-9007199254740991'))).toBe('-27021597764222973');
  });

  test('agrees with big integers', () => {
    const value = fc.tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.integer({ min: 0, max: 10 }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), (values) => {
        const texts = values.map(([units, scale]) => asText(units, scale));
        const total = values.reduce((sum, [units, scale]) => sum + units * 10n ** BigInt(10 - scale), 0n);
        const exact = asText(total, 10);
        const seen = sumOf(texts);
        expect(typeof seen === 'string' ? seen : seen).toBe(
          typeof seen === 'string' ? exact.replace(/\.0+$/, '') : Number(exact),
        );
      }),
      { numRuns: 500 },
    );
  });

  const asText = (units: bigint, scale: number): string => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return units < 0n ? `-${text}` : text;
  };

  test('of floats is compensated', () => {
    expect(sumOf(['1e100', '1', '-1e100'])).toBe(1);
    expect(sumOf([...new Array(1000).fill('1e-3'), '1'])).toBe(2);
  });
});

describe('a quantile', () => {
  const naive = (values: number[], share: number): number => {
    const sorted = [...values].sort((a, b) => a - b);
    const rank = share * (sorted.length - 1);
    const low = sorted[Math.floor(rank)] ?? 0;
    return low + ((sorted[Math.ceil(rank)] ?? low) - low) * (rank - Math.floor(rank));
  };

  test('is exact while there is room, and near when there is none', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 200 }), (values) => {
        const exact = new Quantiles({ left: 10_000 });
        const coarse = new Quantiles({ left: 0 });
        for (const value of values) {
          exact.add(value);
          coarse.add(value);
        }
        for (const share of [0.5, 0.95]) {
          expect(exact.at(share)).toBeCloseTo(naive(values, share), 9);
          const sorted = [...values].sort((a, b) => a - b);
          const floor = sorted[Math.floor(share * (values.length - 1))] ?? 0;
          if (!coarse.exact)
            expect(Math.abs((coarse.at(share) ?? 0) - floor)).toBeLessThanOrEqual(Math.abs(floor) * 0.0051);
        }
      }),
      { numRuns: 300 },
    );
    expect(new Quantiles({ left: 5 }).at(0.5)).toBeUndefined();
  });
});

describe('a date', () => {
  test.each([
    ['2026-11-29', '2026-11-29', 0],
    ['2026/1/5', '2026-01-05', 0],
    ['2026年1月5日', '2026-01-05', 0],
    ['2026.01.05 9:30', '2026-01-05', 9],
    ['2026-11-29T23:59:59.123Z', '2026-11-29', 23],
    ['2026-11-29 10:00:00+08:00', '2026-11-29', 10],
  ])('%s', (text, day, hour) => {
    expect(readDate(text)).toMatchObject({ day, hour });
  });

  test('with zones compares as a moment', () => {
    expect(readDate('2026-11-29T10:00:00+08:00')?.at).toBe(Date.UTC(2026, 10, 29, 2));
    expect(readDate('2026-11-29T10:00:00-0530')?.at).toBe(Date.UTC(2026, 10, 29, 15, 30));
  });

  test.each([
    '2026-13-01',
    '2026-00-01',
    '20261129',
    '2026-11',
    '29.11.2026',
    '2026-11/29',
    'version 1',
    '1.2.3.4.5',
    '',
  ])('%j is none', (text) => {
    expect(readDate(text)).toBeUndefined();
  });
});

test('what stands for nothing', () => {
  for (const word of [
    '',
    ' ',
    '\t',
    'NA',
    'n/a',
    'N/A',
    'NaN',
    'null',
    'NULL',
    '-',
    '--',
    ' na ',
    '#N/A',
    '\\N',
    '\u3000',
  ]) {
    expect([word, isMissing(word)]).toEqual([word, true]);
  }
  for (const word of ['0', 'none', 'no', 'nab', '无', '-1', '#', 'x', 'Nan Jing Road']) {
    expect([word, isMissing(word)]).toEqual([word, false]);
  }
});
