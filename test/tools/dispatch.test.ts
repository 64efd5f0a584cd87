import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/observe/clock.js';
import { runCall } from '../../src/tools/dispatch.js';
import { inParallel } from '../../src/tools/parallel.js';
import { toolFailure } from '../../src/tools/tool-failure.js';
import { around, callOf, toolOf, virtualTiming } from './fixtures.js';

const strays: unknown[] = [];
const note = (error: unknown): void => {
  strays.push(error);
};
beforeEach(() => {
  strays.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  expect(strays).toEqual([]);
});

describe('a call that works', () => {
  test('comes back in the one shape', async () => {
    const tool = toolOf((args, { idempotencyKey, callId }) => ({ args, idempotencyKey, callId }), 'read', {
      critical: true,
    });
    const seen = await runCall(callOf(tool, { a: 1 }), tool, around(virtualTiming()));
    expect(seen).toEqual({
      callId: 'r1c1',
      name: 'probe',
      status: 'ok',
      data: { args: { a: 1 }, idempotencyKey: 't1-2.r1c1', callId: 'r1c1' },
      attempts: 1,
      cached: false,
      ms: 0,
      tokens: 0,
      critical: true,
    });
  });

  test('tells its progress while it runs and not after', async () => {
    const heard: string[] = [];
    let late: (() => void) | undefined;
    const tool = toolOf((_, { progress }) => {
      progress('half');
      late = () => progress('late');
    });
    await runCall(callOf(tool), tool, around(virtualTiming(), { progress: (text) => heard.push(text) }));
    late?.();
    expect(heard).toEqual(['half']);
  });
});

describe('what cannot be sent', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.a = { b: [cyclic] };
  test.each([
    ['a cycle', () => cyclic, 'refers back'],
    ['a BigInt', () => ({ n: 1n }), 'the result.n is a bigint'],
    ['a function', () => ({ f: () => 1 }), 'the result.f is a function'],
    ['a symbol', () => [Symbol('x')], 'the result[0] is a symbol'],
    ['a map', () => new Map(), 'Map'],
    ['bytes', () => Buffer.from('x'), 'binary'],
    ['a throwing getter', () => Object.defineProperty({}, 'x', { enumerable: true, get: () => fail2() }), 'getter'],
    ['a throwing toJSON', () => ({ toJSON: () => fail2() }), 'getter'],
    ['a hostile proxy', () => new Proxy({}, { ownKeys: () => fail2() }), 'getter'],
    ['depth', () => JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`), 'nested'],
  ])('%s is a typed error', async (_, run, words) => {
    const tool = toolOf(run);
    const seen = await runCall(callOf(tool), tool, around(virtualTiming()));
    expect(seen).toMatchObject({ status: 'error', data: null, error: { kind: 'not_serialisable', retryable: false } });
    expect(seen.error?.message).toContain(words);
  });

  test('nothing, not-a-number, dates, shared parts and __proto__ keys have a plain meaning', async () => {
    const shared = { s: 1 };
    const odd = JSON.parse('{"__proto__":{"polluted":1}}') as unknown;
    const tool = toolOf(() => [undefined, Number.NaN, new Date(0), { a: undefined, b: 1 }, shared, shared, odd]);
    const seen = await runCall(callOf(tool), tool, around(virtualTiming()));
    expect(JSON.stringify(seen.data)).toBe(
      '[null,null,"1970-01-01T00:00:00.000Z",{"b":1},{"s":1},{"s":1},{"__proto__":{"polluted":1}}]',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const fail2 = (): never => {
    throw new Error('getter');
  };
});

describe('a call that fails', () => {
  test('is an observation in the words of the tool', async () => {
    const tool = toolOf(() => {
      throw toolFailure({ kind: 'not_found', message: 'no order 7', hint: 'list_orders' });
    });
    expect(await runCall(callOf(tool), tool, around(virtualTiming()))).toMatchObject({
      status: 'error',
      attempts: 1,
      error: { kind: 'not_found', message: 'no order 7', hint: 'list_orders', retryable: false },
    });
  });

  test.each([
    ['an error', new TypeError('bad thing'), 'probe failed: bad thing'],
    ['an error with a code', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'ECONNRESET: x'],
    ['nothing', undefined, 'nothing'],
    ['text', 'just text', 'just text'],
    ['an object', { status: 500 }, '{"status":500}'],
    [
      'a hostile object',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
      'cannot be read',
    ],
    ['a very long message', new Error('x'.repeat(1_000_000)), 'xxx'],
  ])('throwing %s is understood', async (_, thrown, words) => {
    const tool = toolOf(() => Promise.reject(thrown), 'unsafe');
    const seen = await runCall(callOf(tool), tool, around(virtualTiming()));
    expect(seen).toMatchObject({ status: 'error', error: { kind: 'tool_failed', retryable: true } });
    expect(seen.error?.message).toContain(words);
    expect(seen.error?.message.length).toBeLessThan(1100);
  });

  test.each([
    ['pure', 3],
    ['read', 3],
    ['idempotent', 3],
    ['unsafe', 1],
  ] as const)('is tried again by effect class: %s %i times, with the same key', async (effect, times) => {
    const keys: string[] = [];
    const tool = toolOf((_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      throw new Error('again');
    }, effect);
    const timing = virtualTiming();
    const seen = await timing.until(runCall(callOf(tool), tool, around(timing)));
    expect(seen).toMatchObject({ status: 'error', attempts: times });
    expect(keys).toEqual(new Array(times).fill('t1-2.r1c1'));
  });

  test('waits longer each time, and as long as it was asked to', async () => {
    const timing = virtualTiming();
    const waits = async (retryAfterSeconds?: number): Promise<number[]> => {
      timing.slept.length = 0;
      const tool = toolOf(() => {
        throw toolFailure({ message: 'x', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
      });
      await timing.until(runCall(callOf(tool), tool, around(timing)));
      return timing.slept.filter((ms) => ms !== 30_000);
    };
    expect(await waits()).toEqual([187.5, 375]);
    expect(await waits(2)).toEqual([2000, 2000]);
    expect(await waits(3600)).toEqual([5000, 5000]);
  });

  test('counts the attempts of a call that works in the end', async () => {
    let tries = 0;
    const tool = toolOf(() => {
      tries += 1;
      if (tries < 2) throw new Error('x');
      return 'fine';
    });
    const timing = virtualTiming();
    expect(await timing.until(runCall(callOf(tool), tool, around(timing)))).toMatchObject({
      status: 'ok',
      data: 'fine',
      attempts: 2,
    });
  });
});

describe('a call of an agent that may be lost', () => {
  test.each([
    ['before the first attempt', [false], 0],
    ['between two attempts', [true, false], 1],
  ])('does not begin %s once it is', async (_, answers, attempts) => {
    let runs = 0;
    const tool = toolOf(
      () => {
        runs += 1;
        throw toolFailure({ kind: 'tool_failed', message: 'try again', retryable: true });
      },
      'idempotent',
      { retries: 3 },
    );
    const timing = virtualTiming();
    const asked = [...answers];
    const mayBegin = async () => asked.shift() ?? true;
    const observation = await timing.until(runCall(callOf(tool), tool, { ...around(timing), mayBegin }));
    expect(runs).toBe(attempts);
    expect(observation).toMatchObject({ attempts, error: { kind: 'cancelled' } });
  });
});

describe('a call that takes too long', () => {
  const hang = (): Promise<never> => new Promise(() => {});

  test.each([
    ['read', 'error', 'tool_timeout', true, 3],
    ['unsafe', 'unknown', 'outcome_unknown', false, 1],
  ] as const)('%s: ends as %s', async (effect, status, kind, retryable, attempts) => {
    const timing = virtualTiming();
    const tool = toolOf(hang, effect, { timeoutMs: 1000 });
    const seen = await timing.until(runCall(callOf(tool), tool, around(timing)));
    expect(seen).toMatchObject({ status, attempts, error: { kind, retryable } });
  });

  test('is told to stop, and its late result or error is dropped', async () => {
    const timing = virtualTiming();
    const warned: string[] = [];
    const settle: ((how: 'resolve' | 'reject') => void)[] = [];
    let aborted = 0;
    const tool = toolOf(
      (_, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted += 1;
          });
          settle.push((how) => (how === 'resolve' ? resolve('late') : reject(new Error('late'))));
        }),
      'read',
      { timeoutMs: 10, retries: 1 },
    );
    const warn = (message: string): void => {
      warned.push(message);
    };
    const seen = await timing.until(runCall(callOf(tool), tool, around(timing, { warn })));
    expect(seen.error?.kind).toBe('tool_timeout');
    expect(aborted).toBe(2);
    settle[0]?.('resolve');
    settle[1]?.('reject');
    settle[0]?.('reject');
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned).toEqual(['a late result was dropped', 'a late result was dropped']);
    expect(seen.data).toBeNull();
  });

  test('on the real clock too', async () => {
    const tool = toolOf(hang, 'unsafe', { timeoutMs: 20 });
    const seen = await runCall(callOf(tool), tool, around(systemClock));
    expect(seen.status).toBe('unknown');
    expect(seen.ms).toBeGreaterThanOrEqual(15);
  });
});

describe('a call whose agent is cancelled', () => {
  test.each([
    ['read', 'error', 'cancelled'],
    ['unsafe', 'unknown', 'outcome_unknown'],
  ] as const)('%s: ends at once as %s', async (effect, status, kind) => {
    const stop = new AbortController();
    const tool = toolOf(() => new Promise(() => {}), effect);
    const running = runCall(callOf(tool), tool, around(virtualTiming(), { signal: stop.signal }));
    stop.abort();
    expect(await running).toMatchObject({ status, error: { kind, retryable: false } });
  });

  test('does not begin when it was cancelled before', async () => {
    let begun = false;
    const tool = toolOf(() => {
      begun = true;
    }, 'unsafe');
    const seen = await runCall(callOf(tool), tool, around(virtualTiming(), { signal: AbortSignal.abort() }));
    expect(seen).toMatchObject({ status: 'error', error: { kind: 'cancelled' } });
    expect(begun).toBe(false);
  });
});

describe('jobs in parallel', () => {
  test('run at most so many at once and come back in order', async () => {
    let running = 0;
    let most = 0;
    const jobs = Array.from({ length: 23 }, (_, i) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return i;
    });
    expect(await inParallel(5, jobs)).toEqual(Array.from({ length: 23 }, (_, i) => i));
    expect(most).toBe(5);
    expect(await inParallel(5, [])).toEqual([]);
  });
});
