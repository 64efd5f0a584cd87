import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import { keepPace } from '../../src/host/pace.js';

/** A host that is looked at again and again, as busy as the test says. */
function paced(most: number, atWork: (allowed: number) => number, first = 64) {
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
    first,
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

  it('begins with few and doubles while all are busy, then feels its way', () => {
    const { pace, look } = paced(1_000, full, 16);
    const steps = Array.from({ length: 5 }, () => {
      const now = pace.allowed();
      look(1, 0.5);
      return now;
    });
    expect(steps).toEqual([16, 32, 64, 77, 93]);
    const idle = paced(1_000, () => 3, 16);
    idle.look(50, 0);
    expect(idle.pace.allowed()).toBe(16);
  });

  it('doubles no more after it was overloaded', () => {
    const { pace, look } = paced(1_000, full, 8);
    look(1, 0.1);
    expect(pace.allowed()).toBe(16);
    look(4, 1);
    look(8, 0);
    const before = pace.allowed();
    look(1, 0);
    expect(pace.allowed()).toBe(Math.ceil(before * 1.2));
  });

  it('gets to a few dozen although it is overloaded: side by side they share the cost of a step', () => {
    const { pace, look } = paced(1_000, full, 8);
    look(30, 1);
    expect(pace.allowed()).toBe(32);
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
