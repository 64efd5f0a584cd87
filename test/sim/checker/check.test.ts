import { describe, expect, it } from 'vitest';
import { good } from './accepted.js';
import { check, invariants } from './check.js';
import { asRead, readHistory } from './read.js';
import { bad } from './refused.js';
import { task } from './story.js';

describe('the checker', () => {
  it('has cases enough, and a bad one for every invariant', () => {
    expect(bad.length).toBeGreaterThanOrEqual(40);
    expect(good.length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(invariants).filter((name) => !bad.some(([invariant]) => invariant === name))).toEqual([]);
  });

  it.each(bad)('refuses by %s: %s', (invariant, _name, lines) => {
    expect(check(asRead(lines)).map((violation) => violation.invariant)).toContain(invariant);
  });

  it.each(good)('accepts: %s', (_name, lines) => {
    expect(check(asRead(lines))).toEqual([]);
  });

  it('reads JSON lines, and refuses what is none', () => {
    const text = task()
      .map((line) => JSON.stringify(line))
      .join('\n');
    expect(check(readHistory(`${text}\n`))).toEqual([]);
    expect(() => readHistory('{"kind":"end"}')).toThrow('line 1');
  });
});
