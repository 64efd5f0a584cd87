import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharing, type Demand } from '../../src/bus/share.js';

type Known = { readonly underway: number; readonly backlog: number };
const none: Known = { underway: 0, backlog: 0 };
const backlog = (count: number): Known => ({ underway: 0, backlog: count });
const lane = (known: Known, rank: number, tenant = 'default', idleAsk = 16): Demand => ({
  ...known,
  key: `${tenant} ${rank}`,
  tenant,
  rank,
  idleAsk,
  active: true,
});
const sharing = (weights: Record<string, number> = {}) => createSharing((tenant) => weights[tenant] ?? 1);
const words = (asks: ReturnType<ReturnType<typeof sharing>['ask']>) =>
  asks.map(({ index, count, hurried }) => `${index}:${count}${hurried ? '!' : ''}`);
const counts = (free: number, lanes: Known[]) =>
  words(
    sharing().ask(
      free,
      lanes.map((known, rank) => lane(known, rank)),
    ),
  );

/** Gives away places one by one, as they come free, to lanes that never run dry; says which lane each went to. */
function served(places: number, demands: readonly Demand[], shares = sharing()): number[] {
  return Array.from({ length: places }, () => {
    const [ask] = shares.ask(1, demands).filter(({ hurried }) => hurried);
    const index = ask?.index ?? -1;
    shares.took(demands[index]?.tenant ?? '');
    shares.left(demands[index]?.tenant ?? '');
    return index;
  });
}
const timesOf = (index: number, order: readonly number[]) => order.filter((one) => one === index).length;

describe('sharing free places among the lanes of one tenant', () => {
  it('keeps a small request open on each when nothing is known to wait', () => {
    expect(counts(100, [none, none, none])).toEqual(['0:16', '1:16', '2:16']);
    expect(counts(1, [none, none, none])).toEqual(['0:1', '1:1', '2:1']);
    expect(words(sharing().ask(100, [lane(none, 0, 'acme', 1)]))).toEqual(['0:1']);
  });

  it('asks nothing without a free place', () => {
    expect(counts(0, [none, backlog(5)])).toEqual([]);
    expect(counts(-3, [none])).toEqual([]);
  });

  it('gives the places to the most urgent that can use them, then to the next', () => {
    expect(counts(10, [backlog(6), backlog(6), backlog(6)])).toEqual(['0:6!', '1:3!', '2:1!']);
    expect(counts(4, [backlog(6), backlog(6), backlog(6)])).toEqual(['0:4!']);
    expect(counts(4, [backlog(6), none, none])).toEqual(['1:1', '2:1', '0:4!']);
  });

  it('counts what is on its way', () => {
    expect(counts(10, [{ underway: 8, backlog: 20 }])).toEqual(['0:2!']);
    expect(counts(10, [{ underway: 8, backlog: 8 }])).toEqual([]);
    expect(counts(10, [{ underway: 3, backlog: 0 }])).toEqual([]);
  });

  it('listens to a more urgent one while another takes the places', () => {
    expect(counts(1, [none, backlog(9)])).toEqual(['0:1', '1:1!']);
  });

  it('serves a more urgent one that has just come before all that wait, and passes nobody over for ever', () => {
    const shares = sharing();
    const low = lane(backlog(99), 4);
    const normal = lane(backlog(99), 2);
    expect(served(8, [low, normal], shares)).toEqual(Array.from({ length: 8 }, () => 1));
    const high = lane(backlog(1), 0);
    expect(served(1, [normal, high]), 'not the normal ones that were there before').toEqual([1]);
    const order = served(90, [low, normal, lane(backlog(99), 0)], shares);
    expect(timesOf(0, order)).toBeGreaterThanOrEqual(5);
    expect(timesOf(1, order)).toBeGreaterThanOrEqual(5);
    expect(timesOf(2, order)).toBeGreaterThan(60);
  });
});

describe('sharing free places among tenants', () => {
  it('gives each the same, however much one has waiting', () => {
    const order = served(90, [lane(backlog(10_000), 2, 'loud'), lane(backlog(3), 2, 'a'), lane(backlog(3), 2, 'b')]);
    expect([0, 1, 2].map((index) => timesOf(index, order))).toEqual([30, 30, 30]);
  });

  it('gives each the same when places come free in batches and wakes come in any order', () => {
    const shares = sharing();
    const demands = ['a', 'b', 'c', 'd', 'e'].map((tenant) => lane(backlog(999), 2, tenant));
    const got = new Map<string, number>();
    for (let batch = 0; batch < 20; batch += 1) {
      const asks = shares.ask(8, demands);
      for (const { count, index } of batch % 2 === 0 ? asks : asks.toReversed()) {
        const { tenant = '' } = demands[index] ?? {};
        for (let n = 0; n < count; n += 1) shares.took(tenant);
        for (let n = 0; n < count; n += 1) shares.left(tenant);
        got.set(tenant, (got.get(tenant) ?? 0) + count);
      }
    }
    for (const [tenant, places] of got) expect(Math.abs(places - 32), tenant).toBeLessThanOrEqual(1);
  });

  it('gives by weight', () => {
    const demands = ['a', 'b', 'c'].map((tenant) => lane(backlog(99), 2, tenant));
    const order = served(60, demands, sharing({ a: 3, b: 2 }));
    expect([0, 1, 2].map((index) => timesOf(index, order))).toEqual([30, 20, 10]);
  });

  it('serves next who was quiet, without making up for the time when it had nothing', () => {
    const shares = sharing();
    const loud = lane(backlog(999), 2, 'loud');
    served(50, [loud], shares);
    const order = served(20, [loud, lane(backlog(99), 2, 'quiet')], shares);
    expect(order[0]).toBe(1);
    expect(timesOf(1, order)).toBe(10);
  });

  it('lets urgency of one tenant not push another aside', () => {
    const order = served(20, [lane(backlog(99), 0, 'loud'), lane(backlog(99), 4, 'quiet')]);
    expect(timesOf(1, order)).toBe(10);
  });

  it('keeps a few places for tenants below their share, while they had work of late', () => {
    const loud = lane(backlog(999), 2, 'loud');
    const quiet = { ...lane(none, 2, 'quiet', 1), active: true };
    const shares = sharing();
    expect(words(shares.ask(64, [loud, quiet]))).toEqual(['1:1', '0:56!']);
    for (let n = 0; n < 56; n += 1) shares.took('loud');
    expect(words(shares.ask(8, [loud, quiet]))).toEqual(['1:1']);
    expect(words(shares.ask(8, [loud, lane(backlog(9), 2, 'quiet', 1)]))).toEqual(['1:8!']);
    expect(words(shares.ask(8, [loud, { ...quiet, active: false }])), 'nobody else is there').toEqual(['1:1', '0:8!']);
    for (let n = 0; n < 40; n += 1) shares.left('loud');
    for (let n = 0; n < 40; n += 1) shares.took('quiet');
    const crowd = lane(backlog(99), 2, 'quiet');
    expect(words(shares.ask(8, [loud, crowd])), 'none is kept from who is below its share').toEqual(['0:8!']);
  });

  it('shares many places at once, counting what was asked for before', () => {
    // Of 13 places one is kept.
    const demands = [lane(backlog(99), 2, 'a'), lane({ underway: 4, backlog: 99 }, 2, 'b'), lane(backlog(1), 2, 'c')];
    expect(words(sharing().ask(13, demands))).toEqual(['0:6!', '1:1!', '2:1!']);
  });

  it('never asks in a hurry for more than is free or than waits', () => {
    const demand = fc.record({ underway: fc.nat(50), backlog: fc.nat(50) });
    const some = fc.array(fc.tuple(demand, fc.nat(5), fc.constantFrom('a', 'b', 'c')), { maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 100 }), some, (free, given) => {
        const demands = given.map(([known, rank, tenant]) => lane(known, rank, tenant));
        const asks = sharing().ask(free, demands);
        const hurried = asks.filter((ask) => ask.hurried);
        expect(hurried.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(Math.max(0, free));
        for (const { index, count } of asks) {
          const known = demands[index] ?? none;
          expect(count).toBeGreaterThan(0);
          if (known.backlog > 0)
            expect(known.underway + count).toBeLessThanOrEqual(Math.max(known.backlog, known.underway));
        }
      }),
    );
  });
});
