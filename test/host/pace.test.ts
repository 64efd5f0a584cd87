import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import { keepPace } from '../../src/host/pace.js';

/** A host that is looked at again and again, as busy as the test says. */
function paced(most: number, atWork: (allowed: number) => number) {
  let due: (() => void) | undefined;
  let load = 0;
  const after: Clock['after'] = (_ms, callback) => {
    due = callback;
    return () => {
      due = undefined;
    };
  };
  const pace = keepPace({
    clock: { after } as Clock,
    most,
    fullLoad: 0.9,
    load: () => load,
    atWork: () => atWork(pace.allowed()),
  });
  const look = (times: number, busy: number): void => {
    load = busy;
    for (let i = 0; i < times; i += 1) due?.();
  };
  return { pace, look, isArmed: () => due !== undefined };
}

const full = (allowed: number): number => allowed;

describe('how many agents a host takes', () => {
  it('is never more than it is told', () => {
    expect(paced(4, full).pace.allowed()).toBe(4);
    const { pace, look } = paced(1_000, full);
    look(50, 0.5);
    expect(pace.allowed()).toBe(1_000);
  });

  it('grows only while there is work for more', () => {
    const { pace, look } = paced(1_000, () => 3);
    const before = pace.allowed();
    look(50, 0);
    expect(pace.allowed()).toBe(before);
  });

  it('shrinks while the process is overloaded, down to a few dozen, and grows again afterwards', () => {
    const { pace, look } = paced(1_000, full);
    look(50, 0);
    look(100, 1);
    expect(pace.allowed()).toBe(32);
    look(50, 0);
    expect(pace.allowed()).toBe(1_000);
  });

  it('does not go beyond a small limit when it is overloaded', () => {
    const { pace, look } = paced(4, full);
    look(100, 1);
    expect(pace.allowed()).toBe(4);
  });

  it('settles where the process is as busy as it may be', () => {
    // 200 agents at work take the whole of a core.
    const { pace, look } = paced(1_000, full);
    for (let i = 0; i < 300; i += 1) look(1, Math.min(1, pace.allowed() / 200));
    expect(pace.allowed()).toBeGreaterThan(100);
    expect(pace.allowed()).toBeLessThan(300);
  });

  it('takes one busy moment for no overload', () => {
    const { pace, look } = paced(1_000, full);
    look(50, 0.5);
    look(1, 1);
    expect(pace.allowed()).toBe(1_000);
  });

  it('leaves no timer behind', () => {
    const { pace, look, isArmed } = paced(1_000, full);
    look(3, 0);
    pace.stop();
    expect(isArmed()).toBe(false);
  });
});
