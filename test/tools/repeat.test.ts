import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EffectClass } from '../../src/domain/effect.js';
import { createBreakers } from '../../src/tools/breaker.js';
import { createCache } from '../../src/tools/cache.js';
import { runCall } from '../../src/tools/dispatch.js';
import { defineTool, type Tool } from '../../src/tools/tool.js';
import { toolFailure } from '../../src/tools/tool-failure.js';
import { around, callOf, toolOf, virtualTiming } from './fixtures.js';

describe('the cache', () => {
  const counting = (effect: EffectClass): { tool: Tool; runs: () => number } => {
    let runs = 0;
    return { tool: toolOf(() => ++runs, effect), runs: () => runs };
  };

  test('answers the same read of a task for 30 s and says so', async () => {
    const timing = virtualTiming();
    const options = around(timing, { cache: createCache({ now: timing.now }) });
    const { tool, runs } = counting('read');
    await runCall(callOf(tool, { a: 1, b: 2 }, 'r1c1'), tool, options);
    const again = await runCall(callOf(tool, { b: 2, a: 1 }, 'r2c1'), tool, options);
    expect(again).toMatchObject({ cached: true, attempts: 0, callId: 'r2c1', data: 1 });
    await runCall(callOf(tool, { a: 2, b: 2 }), tool, options);
    expect(runs()).toBe(2);
    await runCall(callOf(tool, { a: 1, b: 2 }), tool, { ...options, taskId: 'other' });
    await runCall(callOf(tool, { a: 1, b: 2 }), tool, { ...options, roots: ['/other'] });
    expect(runs()).toBe(4);
    timing.advance(30_000);
    expect(await runCall(callOf(tool, { a: 1, b: 2 }), tool, options)).toMatchObject({ cached: false });
  });

  test('never answers what changes the world, nor a failure', async () => {
    const timing = virtualTiming();
    const options = around(timing, { cache: createCache({ now: timing.now }) });
    for (const effect of ['idempotent', 'unsafe'] as const) {
      const { tool, runs } = counting(effect);
      await runCall(callOf(tool), tool, options);
      await runCall(callOf(tool), tool, options);
      expect(runs()).toBe(2);
    }
    let tries = 0;
    const failing = toolOf(() => {
      tries += 1;
      throw toolFailure({ kind: 'not_found', message: 'x' });
    });
    await runCall(callOf(failing), failing, options);
    await runCall(callOf(failing), failing, options);
    expect(tries).toBe(2);
  });

  test('forgets what the task read once the task wrote, even while a read was under way', async () => {
    const timing = virtualTiming();
    const options = around(timing, { cache: createCache({ now: timing.now }) });
    let release: () => void = () => {};
    let runs = 0;
    const read = toolOf(() => {
      runs += 1;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const write = defineTool({
      name: 'w',
      description: 'w',
      parameters: z.object({}),
      effect: 'idempotent',
      run: () => 1,
    });
    const reading = runCall(callOf(read), read, options);
    await runCall(callOf(write), write, options);
    release();
    await reading;
    const again = runCall(callOf(read), read, options);
    release();
    expect((await again).cached).toBe(false);
    expect(runs).toBe(2);
  });

  test('holds a limited number', async () => {
    const timing = virtualTiming();
    const cache = createCache({ now: timing.now, entries: 3 });
    const { tool, runs } = counting('read');
    for (const a of [1, 2, 3, 4, 4, 2]) await runCall(callOf(tool, { a }), tool, around(timing, { cache }));
    expect(runs()).toBe(4);
    await runCall(callOf(tool, { a: 1 }), tool, around(timing, { cache }));
    expect(runs()).toBe(5);
  });
});

describe('the breaker', () => {
  test('opens after failures in a row, answers meanwhile, lets one call try, closes on success', async () => {
    const timing = virtualTiming();
    const breakers = createBreakers({ now: timing.now, failures: 3, restMs: 10_000 });
    let works = false;
    let runs = 0;
    const tool = toolOf(
      async () => {
        runs += 1;
        if (!works) throw new Error('down');
        return 'up';
      },
      'read',
      { retries: 0 },
    );
    const call = () => runCall(callOf(tool), tool, around(timing, { breakers }));
    for (let i = 0; i < 3; i += 1) await call();
    expect(breakers.open()).toEqual(['probe']);
    const refused = await call();
    expect(refused).toMatchObject({
      attempts: 0,
      error: { kind: 'tool_unavailable', retryAfterSeconds: 10, retryable: true },
    });
    expect(runs).toBe(3);
    timing.advance(10_000);
    expect((await call()).error?.kind).toBe('tool_failed');
    expect((await call()).error?.kind).toBe('tool_unavailable');
    timing.advance(10_000);
    works = true;
    const [first, second] = await Promise.all([call(), call()]);
    expect([first?.status, second?.error?.kind]).toEqual(['ok', 'tool_unavailable']);
    expect((await call()).status).toBe('ok');
    expect(breakers.open()).toEqual([]);
  });

  test('is not moved by failures that are the fault of the call', async () => {
    const timing = virtualTiming();
    const breakers = createBreakers({ now: timing.now, failures: 2 });
    const tool = toolOf(() => {
      throw toolFailure({ kind: 'not_found', message: 'x' });
    });
    for (let i = 0; i < 5; i += 1) await runCall(callOf(tool), tool, around(timing, { breakers }));
    expect(breakers.open()).toEqual([]);
  });
});
