/** A chain of providers: who is asked, how often, and what is counted. */
import { describe, expect, test } from 'vitest';
import type { ModelClient } from '../../src/llm/create.js';
import { createGates, type GatesOptions } from '../../src/llm/gate/gates.js';
import {
  type Answer,
  chunk,
  hello,
  json,
  modelOf,
  never,
  providerAt,
  question,
  serve,
  sse,
  testWorld,
} from './support.js';

const down: Answer = (r) => json(r, 500, { error: { message: 'down' } });

async function chainOf(first: Answer, second: Answer = hello, world = testWorld()) {
  const primary = await serve(first);
  const backup = await serve(second);
  const model = await modelOf(
    [
      providerAt(primary.url, { name: 'primary' }),
      providerAt(backup.url, { name: 'backup', price: { input: 3, output: 9 } }),
    ],
    world,
  );
  return { primary, backup, model, world, ask: () => model.call(question(), { signal: never }) };
}

describe('a chain of providers', () => {
  test('the second answers when the first has failed three times; one fallback is counted', async () => {
    const { primary, backup, ask } = await chainOf(down);
    expect(await ask()).toMatchObject({
      ok: true,
      provider: 'backup',
      attempts: 4,
      fallbacks: 1,
      usage: { costUsd: (30 * 3 + 2 * 9) / 1e6 },
    });
    expect([primary.asked.length, backup.asked.length]).toEqual([3, 1]);
  });

  test('no request is sent for an agent that was lost meanwhile', async () => {
    const { primary, backup, model } = await chainOf(down);
    const answers = [true, true, false];
    const outcome = await model.call(question(), { signal: never, mayBegin: async () => answers.shift() ?? false });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect([primary.asked.length, backup.asked.length]).toEqual([2, 0]);
  });

  test('a call is with the second within a second, whatever chance the waits are', async () => {
    for (const random of [0, 0.5, 0.999]) {
      const { ask, world } = await chainOf(down, hello, testWorld(random));
      expect(await ask()).toMatchObject({ provider: 'backup', attempts: 4 });
      expect(world.slept).toHaveLength(2);
      expect(world.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(700);
    }
  });

  test('each provider gets its own key and model', async () => {
    const primary = await serve(down);
    const backup = await serve(hello);
    const model = await modelOf([
      providerAt(primary.url, { apiKey: 'key-one' }),
      providerAt(backup.url, { apiKey: 'key-two', model: 'other' }),
    ]);
    await model.call(question(), { signal: never });
    expect(backup.asked[0]?.headers.authorization).toBe('Bearer key-two');
    expect(JSON.parse(backup.asked[0]?.body ?? '').model).toBe('other');
    expect(primary.asked[0]?.headers.authorization).toBe('Bearer key-one');
  });

  test.each<[string, Answer]>([
    ['a wrong key', (r) => json(r, 401, {})],
    ['a long Retry-After', (r) => json(r, 429, {}, { 'retry-after': '600' })],
    ['a sign-in page', (r) => r.end('<html>')],
  ])('%s moves on at once', async (_, answer) => {
    const { primary, ask } = await chainOf(answer);
    expect(await ask()).toMatchObject({ ok: true, provider: 'backup', attempts: 2, fallbacks: 1 });
    expect(primary.asked).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['a request that is refused for its own fault', (r) => json(r, 400, {})],
    ['a reply that was billed and broke off', (r) => sse(r, chunk({ content: 'half' }))],
  ])('%s does not move on', async (_, answer) => {
    const { backup, ask } = await chainOf(answer);
    expect(await ask()).toMatchObject({ ok: false });
    expect(backup.asked).toHaveLength(0);
  });

  test('a provider that keeps failing is left alone, then probed once, then used again', async () => {
    let healthy = false;
    const { primary, ask, model, world } = await chainOf((r, one, n) => (healthy ? hello(r, one, n) : down(r, one, n)));
    await ask();
    expect(await ask()).toMatchObject({ provider: 'backup', attempts: 3, fallbacks: 1 });
    expect(model.health()).toMatchObject([
      { name: 'primary', breaker: 'open' },
      { name: 'backup', breaker: 'closed' },
    ]);
    expect(primary.asked).toHaveLength(5);
    expect(await ask()).toMatchObject({ provider: 'backup', attempts: 1, fallbacks: 0 });
    expect(primary.asked).toHaveLength(5);
    await world.sleep(5_000);
    healthy = true;
    expect(await ask()).toMatchObject({ provider: 'primary', attempts: 1 });
    expect(model.health()[0]?.breaker).toBe('closed');
  });

  test('when all fail, the last failure is told and all attempts are counted', async () => {
    const { ask } = await chainOf(down, (r) => json(r, 429, {}));
    expect(await ask()).toMatchObject({ ok: false, attempts: 8, failure: { kind: 'model_rate_limited' } });
  });

  test('limits and prices are those of the weakest link', async () => {
    const model = await modelOf([
      providerAt('http://127.0.0.1:1', { windowTokens: 100 }),
      providerAt('http://127.0.0.1:2', { maxOutputTokens: 7, price: undefined }),
    ]);
    expect(model).toMatchObject({ windowTokens: 100, maxOutputTokens: 7, priceKnown: false });
    expect(model.costUsd(1_000_000, 1_000_000)).toBe(3);
  });
});

describe('limits of a chain', () => {
  const calls = async (model: ModelClient, count: number) => {
    const outcomes = [];
    for (let i = 0; i < count; i += 1) outcomes.push(await model.call(question(), { signal: never }));
    return outcomes.map((outcome) => (outcome.ok ? outcome.provider : outcome.failure.kind));
  };
  const limited = async (limits: GatesOptions['limits'], world = testWorld()) => {
    const primary = await serve(hello);
    const backup = await serve(hello);
    const chain = [providerAt(primary.url, { name: 'primary' }), providerAt(backup.url, { name: 'backup' })] as const;
    const gates = createGates({ limits: limits ?? {} }, world);
    return { primary, backup, world, model: await modelOf([...chain], world, { gates }) };
  };

  test('a full provider is passed over while the next has room; when none has, the first that has is waited for', async () => {
    const { model, world } = await limited({ primary: { requestsPerMinute: 2 }, backup: { requestsPerMinute: 1 } });
    expect(await calls(model, 3)).toEqual(['primary', 'primary', 'backup']);
    expect(world.slept).toEqual([]);
    expect(await calls(model, 1)).toEqual(['primary']);
    expect(world.slept[0]).toBeGreaterThanOrEqual(60_000);
  });

  test('tokens are reserved as the most that a call may take, and settled as what it took', async () => {
    const { model } = await limited({ primary: { tokensPerMinute: 500 } });
    // 256 for the answer and some 60 for the question are reserved; 32 are counted by the provider.
    expect(await calls(model, 5)).toEqual(['primary', 'primary', 'primary', 'primary', 'primary']);
    const both = await Promise.all([calls(model, 1), calls(model, 1)]);
    expect(both.flat().sort()).toEqual(['backup', 'primary']);
  });

  test('a call that is more than a whole minute’s limit goes to the next, and fails when there is none', async () => {
    const { model, primary } = await limited({ primary: { tokensPerMinute: 100 } });
    expect(await calls(model, 1)).toEqual(['backup']);
    const all = await limited({ primary: { tokensPerMinute: 100 }, backup: { tokensPerMinute: 100 } });
    expect(await all.model.call(question(), { signal: never })).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { kind: 'model_rejected', hint: expect.stringContaining('tokensPerMinute') },
    });
    expect(primary.asked).toEqual([]);
  });

  test('a wait for room ends when the caller gives up', async () => {
    const abort = new AbortController();
    const world = { ...testWorld(), sleep: async () => abort.abort() };
    const { model, backup } = await limited(
      { primary: { requestsPerMinute: 1 }, backup: { requestsPerMinute: 1 } },
      world,
    );
    expect(await calls(model, 2)).toEqual(['primary', 'backup']);
    const outcome = await model.call(question(), { signal: abort.signal });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'cancelled' }, usage: { inputTokens: 0 } });
    expect(backup.asked).toHaveLength(1);
  });

  test('a call of a process that is leaving does not spin while it waits to be stopped', async () => {
    const { url } = await serve(hello);
    const abort = new AbortController();
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      slept.push(ms);
      if (slept.length === 3) abort.abort();
    };
    const world = { ...testWorld(), sleep };
    const gates = createGates({ limits: { testing: { requestsPerMinute: 1 } } }, world);
    const model = await modelOf([providerAt(url)], world, { gates });
    await calls(model, 1);
    await gates.close();
    expect(await model.call(question(), { signal: abort.signal })).toMatchObject({
      ok: false,
      failure: { kind: 'cancelled' },
    });
    expect(slept).toEqual([1_000, 1_000, 1_000]);
  });

  test('a Retry-After shuts the provider for every call until then, and they go to the next', async () => {
    const primary = await serve((r, one, n) =>
      n === 1 ? json(r, 429, {}, { 'retry-after': '20' }) : hello(r, one, n),
    );
    const backup = await serve(hello);
    const world = testWorld();
    const model = await modelOf(
      [providerAt(primary.url, { name: 'primary' }), providerAt(backup.url, { name: 'backup' })],
      world,
    );
    expect(await calls(model, 3)).toEqual(['backup', 'backup', 'backup']);
    expect([primary.asked.length, world.slept]).toEqual([1, []]);
    await world.sleep(20_000);
    expect(await calls(model, 1)).toEqual(['primary']);
  });

  test('two models that share gates share the breaker and the limit', async () => {
    const { url } = await serve(hello);
    const world = testWorld();
    const gates = createGates({ limits: { testing: { requestsPerMinute: 1 } } }, world);
    const one = await modelOf([providerAt(url)], world, { gates });
    const other = await modelOf([providerAt(url, { model: 'small' })], world, { gates });
    await calls(one, 1);
    expect(world.slept).toEqual([]);
    await calls(other, 1);
    expect(world.slept[0]).toBeGreaterThanOrEqual(60_000);
  });

  test('a provider that refuses a parameter is asked again at the cost of one more request', async () => {
    const refusal = { error: { message: "Unsupported value: 'temperature'", param: 'temperature' } };
    const { url, asked } = await serve((r, one, n) =>
      'temperature' in JSON.parse(one.body) ? json(r, 400, refusal) : hello(r, one, n),
    );
    const world = testWorld();
    const gates = createGates({ limits: { testing: { requestsPerMinute: 1 } } }, world);
    const model = await modelOf([providerAt(url)], world, { gates });
    expect(await model.call(question(), { signal: never })).toMatchObject({ ok: true, attempts: 2 });
    expect(asked).toHaveLength(2);
    expect(world.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(60_000);
  });
});
