/** A chain of providers: who is asked, how often, and what is counted. */
import { describe, expect, test } from 'vitest';
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
