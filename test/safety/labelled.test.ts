import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/safety/redact.js';
import { labelledRows, type Row } from './labelled.js';

const redactor = createRedactor();
const rows = labelledRows();

/** How much of what must be hidden is: whole, under its kind. */
function found(row: Row): number {
  const findings = redactor.find(row.text);
  const shown = redactor.text(row.text);
  return row.hidden.filter(
    ({ start, end }) =>
      !shown.includes(row.text.slice(start, end)) &&
      findings.some(
        (one) =>
          one.kind === row.kind && one.start <= start && one.end >= end && one.end - one.start <= end - start + 2,
      ),
  ).length;
}

const falseHits = (row: Row): number =>
  redactor.find(row.text).filter((one) => !row.hidden.some(({ start, end }) => one.start < end && one.end > start))
    .length;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe.each(['en', 'zh'] as const)('what must be hidden in %s', (lang) => {
  const all = rows.filter((row) => row.lang === lang);
  const holding = all.filter(({ hidden }) => hidden.length > 0);

  test('is hidden to 95 % and more', () => {
    const missed = holding.filter((row) => found(row) < row.hidden.length).map(({ kind, text }) => `${kind}: ${text}`);
    const wanted = sum(holding.map(({ hidden }) => hidden.length));
    expect(sum(holding.map(found)) / wanted, missed.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test('and what may be shown is shown to 98 % and more', () => {
    const wrong = all.filter((row) => falseHits(row) > 0).map(({ text }) => `${redactor.text(text)} <- ${text}`);
    expect(wrong.length / all.length, wrong.join('\n')).toBeLessThanOrEqual(0.02);
  });
});

test('the set has 400 texts and more, with every kind in both languages', () => {
  expect(rows.length).toBeGreaterThanOrEqual(400);
  for (const kind of ['email', 'phone', 'id-card', 'bank-card', 'iban', 'api-key', 'token', 'password'])
    for (const lang of ['en', 'zh'])
      expect(
        rows.some((row) => row.kind === kind && row.lang === lang),
        `${kind} in ${lang}`,
      ).toBe(true);
});
