import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Demand, share } from '../../src/bus/share.js';

const none: Demand = { underway: 0, backlog: 0 };
const counts = (free: number, queues: Demand[]) =>
  share(free, queues).map(({ index, count, hurried }) => `${index}:${count}${hurried ? '!' : ''}`);

describe('sharing free places among queues', () => {
  it('keeps a small request open on each when nothing is known to wait', () => {
    expect(counts(100, [none, none, none])).toEqual(['0:16', '1:16', '2:16']);
    expect(counts(1, [none, none, none])).toEqual(['0:1', '1:1', '2:1']);
  });

  it('asks nothing without a free place', () => {
    expect(counts(0, [none, { underway: 0, backlog: 5 }])).toEqual([]);
    expect(counts(-3, [none])).toEqual([]);
  });

  it('gives the places to the highest queue that can use them, then to the next', () => {
    const waiting: Demand = { underway: 0, backlog: 6 };
    expect(counts(10, [waiting, waiting, waiting])).toEqual(['0:6!', '1:4!']);
    expect(counts(4, [waiting, waiting, waiting])).toEqual(['0:4!']);
    expect(counts(4, [waiting, none, none])).toEqual(['0:4!']);
  });

  it('counts what is on its way', () => {
    expect(counts(10, [{ underway: 8, backlog: 20 }])).toEqual(['0:2!']);
    expect(counts(10, [{ underway: 8, backlog: 8 }])).toEqual([]);
    expect(counts(10, [{ underway: 3, backlog: 0 }])).toEqual([]);
  });

  it('listens to a higher queue while a lower one takes the places', () => {
    expect(counts(1, [none, { underway: 0, backlog: 9 }])).toEqual(['0:1', '1:1!']);
  });

  it('never asks in a hurry for more than is free or than waits', () => {
    const demand = fc.record({ underway: fc.nat(50), backlog: fc.nat(50) });
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 100 }), fc.array(demand, { maxLength: 4 }), (free, queues) => {
        const asks = share(free, queues);
        const hurried = asks.filter((ask) => ask.hurried);
        expect(hurried.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(Math.max(0, free));
        for (const { index, count } of asks) {
          const { underway = 0, backlog = 0 } = queues[index] ?? {};
          expect(count).toBeGreaterThan(0);
          if (backlog > 0) expect(underway + count).toBeLessThanOrEqual(Math.max(backlog, underway));
        }
      }),
    );
  });
});
