import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import { keepPace } from '../../src/host/pace.js';

/** A clock whose timers come as late as the test says. */
function slowClock() {
  let now = 0;
  let due: { at: number; callback: () => void } | undefined;
  const clock: Pick<Clock, 'elapsed' | 'after'> = {
    elapsed: () => now,
    after: (ms, callback) => {
      due = { at: now + ms, callback };
      return () => {
        due = undefined;
      };
    },
  };
  const run = (times: number, lateMs: number): void => {
    for (let i = 0; i < times; i += 1) {
      if (due === undefined) return;
      now = due.at + lateMs;
      due.callback();
    }
  };
  return { clock: clock as Clock, run, isArmed: () => due !== undefined };
}

describe('how many agents a host takes', () => {
  const paced = (most: number, atWork: (allowed: number) => number) => {
    const time = slowClock();
    const pace = keepPace({ clock: time.clock, most, loopDelayMs: 50, atWork: () => atWork(pace.allowed()) });
    return { ...time, pace };
  };
  const full = (allowed: number): number => allowed;

  it('is never more than it is told', () => {
    expect(paced(4, full).pace.allowed()).toBe(4);
    const many = paced(1_000, full);
    many.run(50, 0);
    expect(many.pace.allowed()).toBe(1_000);
  });

  it('grows only while there is work for more', () => {
    const { pace, run } = paced(1_000, () => 3);
    const before = pace.allowed();
    run(50, 0);
    expect(pace.allowed()).toBe(before);
  });

  it('shrinks while the event loop is late, down to a few, and grows again afterwards', () => {
    const { pace, run } = paced(1_000, full);
    run(50, 0);
    run(100, 200);
    expect(pace.allowed()).toBe(8);
    run(50, 0);
    expect(pace.allowed()).toBe(1_000);
  });

  it('settles where the loop is as late as it may be', () => {
    // Each agent makes the loop half a millisecond later.
    const { pace, run } = paced(1_000, full);
    for (let i = 0; i < 300; i += 1) run(1, pace.allowed() / 2);
    expect(pace.allowed()).toBeGreaterThan(30);
    expect(pace.allowed()).toBeLessThan(160);
  });

  it('takes one long pause for no overload', () => {
    const { pace, run } = paced(1_000, full);
    run(50, 0);
    run(1, 150);
    run(1, 0);
    expect(pace.allowed()).toBe(1_000);
  });

  it('leaves no timer behind', () => {
    const { pace, run, isArmed } = paced(1_000, full);
    run(3, 0);
    pace.stop();
    expect(isArmed()).toBe(false);
  });
});
