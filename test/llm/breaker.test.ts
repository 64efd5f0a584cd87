import { describe, expect, test } from 'vitest';
import { createBreaker } from '../../src/llm/breaker.js';

function breakerAt() {
  let now = 0;
  const breaker = createBreaker({ threshold: 3, coolDownMs: 100, maxCoolDownMs: 300 }, () => now);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed();
  };
  return { breaker, fail, pass: (ms: number) => (now += ms) };
}

describe('a circuit breaker', () => {
  test('stays closed below the threshold, and a success starts the count anew', () => {
    const { breaker, fail } = breakerAt();
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.admit()).toBe(true);
  });

  test('opens at the threshold and says for how long', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(3);
    expect([breaker.admit(), breaker.waitMs()]).toEqual([false, 100]);
    pass(60);
    expect([breaker.admit(), breaker.waitMs()]).toEqual([false, 40]);
  });

  test('lets one probe through after the cool-down; its success closes', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(3);
    pass(100);
    expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.state, breaker.admit(), breaker.admit()]).toEqual(['closed', true, true]);
  });

  test('a failed probe opens it for twice as long, up to the limit', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(3);
    for (const wait of [100, 200, 300, 300]) {
      expect(breaker.waitMs()).toBe(wait);
      pass(wait);
      expect(breaker.admit()).toBe(true);
      breaker.failed();
    }
  });

  test('a probe that told nothing leaves the way free for the next', () => {
    const { breaker, fail, pass } = breakerAt();
    fail(3);
    pass(100);
    breaker.admit();
    breaker.withdrawn();
    expect(breaker.admit()).toBe(true);
  });

  test('late failures of calls that were under way do not prolong it', () => {
    const { breaker, fail } = breakerAt();
    fail(3);
    fail(5);
    expect(breaker.waitMs()).toBe(100);
  });
});
