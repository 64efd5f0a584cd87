/** The gates of several workers over a real NATS server, in front of a real HTTP server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedGates, surveyProviders } from '../../src/app/providers.js';
import type { Bus } from '../../src/bus/contract.js';
import { loadSettings } from '../../src/config/load.js';
import type { Settings } from '../../src/config/settings.js';
import { createModel, type ModelClient } from '../../src/llm/create.js';
import type { Gates } from '../../src/llm/gate/gates.js';
import type { Logger } from '../../src/observe/log.js';
import { hello, json, providerAt, question, serve, type TestServer } from '../llm/support.js';
import { startTestBuses, type TestBuses } from '../support/nats-bus.js';
import { startProxy } from '../support/nats-proxy.js';

const workers = 12;
const coolDownMs = 600;

let buses: TestBuses;
const opened: Bus[] = [];
beforeAll(async () => {
  buses = await startTestBuses();
  for (let index = 0; index < 4; index += 1) opened.push(await buses.open());
});
afterAll(() => buses?.end());

async function settingsOf(env: Record<string, string>): Promise<Settings> {
  const files = { readText: async () => undefined, importDefault: async () => undefined };
  const loaded = await loadSettings({ env, cwd: '/', home: '/', files });
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return loaded.value.settings;
}

interface Line {
  readonly worker: number;
  readonly message: string;
}

interface Member {
  readonly gates: Gates;
  readonly model: ModelClient;
}

/** Workers with a provider and a backup; each fourth shares a connection. */
async function fleetOf(
  primary: TestServer,
  backup: TestServer,
  env: Record<string, string> = {},
  busOf: (index: number) => Bus = (index) => opened[index % opened.length] as Bus,
) {
  const settings = await settingsOf({ HACT_MODEL_BREAKER_COOL_DOWN_MS: String(coolDownMs), ...env });
  const lines: Line[] = [];
  const join = async (worker: number): Promise<Member> => {
    const tell = (message: string) => lines.push({ worker, message });
    const log = { warn: tell, info: tell } as unknown as Logger; // the gates write nothing else
    const gates = sharedGates(settings, busOf(worker), `w${worker}`, log);
    // Of one name each: the address differs, so that tests do not hear of each other.
    const providers = [providerAt(primary.url, { name: 'openai' }), providerAt(backup.url, { name: 'qwen' })] as const;
    return { gates, model: await createModel({ providers: [...providers], gates }) };
  };
  const members = await Promise.all(Array.from({ length: workers }, (_, worker) => join(worker)));
  return {
    members,
    lines,
    ask: (worker: number) =>
      (members[worker] as Member).model.call(question(), { signal: new AbortController().signal }),
    end: () => Promise.all(members.flatMap(({ gates, model }) => [gates.close(), model.close()])),
  };
}

const down = (): Parameters<typeof serve>[0] => (response) => json(response, 503, { error: { message: 'down' } });

describe('the breaker of a provider', () => {
  it('opens for all workers at once, is probed by one of them for each window, and closes for all', async () => {
    let isUp = false;
    const primary = await serve((response, asked, count) =>
      isUp ? hello(response, asked, count) : down()(response, asked, count),
    );
    const backup = await serve(hello);
    const { members, lines, ask, end } = await fleetOf(primary, backup);
    const first = await Promise.all(members.map((_, worker) => ask(worker)));
    expect(first.map((outcome) => outcome.ok && outcome.provider)).toEqual(members.map(() => 'qwen'));
    const opening = primary.asked.length;
    const told = (wanted: string) => lines.filter(({ message }) => message === wanted).length;
    // Everybody asks again and again until two windows, of 600 and 1,200 ms, have ended with a probe that failed.
    const askOn = async (worker: number): Promise<void> => {
      while (told('provider left alone') < 3) expect(await ask(worker)).toMatchObject({ ok: true, provider: 'qwen' });
    };
    await Promise.all(members.map((_, worker) => askOn(worker)));
    expect([primary.asked.length - opening, told('provider probed')]).toEqual([2, 2]);
    const survey = await surveyProviders(opened[0] as Bus, Date.now());
    expect(survey.ok && survey.value.models).toContainEqual(
      expect.objectContaining({ provider: 'openai', state: 'open', openSince: expect.any(Number) }),
    );
    isUp = true;
    await expect
      .poll(async () => (await ask(0)).ok && members[0]?.model.health()[0]?.breaker, { timeout: 20_000 })
      .toBe('closed');
    await expect
      .poll(() => members.map(({ model }) => model.health()[0]?.breaker))
      .toEqual(members.map(() => 'closed'));
    expect(told('provider used again')).toBe(1);
    await end();
  });

  it('is told to everybody by one Retry-After', async () => {
    const primary = await serve((response, asked, count) =>
      count === 1 ? json(response, 429, {}, { 'retry-after': '30' }) : hello(response, asked, count),
    );
    const backup = await serve(hello);
    const { members, ask, end } = await fleetOf(primary, backup);
    await ask(0);
    await expect
      .poll(async () => {
        const survey = await surveyProviders(opened[0] as Bus, Date.now());
        return survey.ok && survey.value.models.filter(({ pausedUntil }) => pausedUntil !== null).length;
      })
      .toBe(1);
    const outcomes = await Promise.all(members.map((_, worker) => ask(worker)));
    expect(outcomes.map((outcome) => outcome.ok && outcome.provider)).toEqual(members.map(() => 'qwen'));
    expect(primary.asked).toHaveLength(1);
    await end();
  });
});

describe('the limit of a provider', () => {
  it('is what all workers together let through within a minute, whoever asks', async () => {
    const [primary, backup] = [await serve(hello), await serve(hello)];
    const { members, ask, end } = await fleetOf(primary, backup, {
      HACT_PROVIDERS: '{"openai":{"requestsPerMinute":30}}',
    });
    const askAll = () => Promise.all(members.map((_, worker) => ask(worker)));
    // What one worker holds and does not use goes to those who ask for more.
    await expect.poll(async () => (await askAll()) && primary.asked.length, { timeout: 20_000 }).toBe(30);
    const before = backup.asked.length;
    await askAll();
    expect([primary.asked.length, backup.asked.length - before]).toEqual([30, workers]);
    const survey = await surveyProviders(opened[0] as Bus, Date.now());
    const [limit] = survey.ok ? survey.value.limits : [];
    expect(limit).toMatchObject({ provider: 'openai', limit: { requests: 30, tokens: 0 } });
    expect(limit?.held.requests).toBeLessThanOrEqual(30);
    await end();
  });
});

describe('without NATS', () => {
  it('a call goes on at once by the worker’s own breaker', async () => {
    const proxy = await startProxy(buses.nats.url);
    const bus = await buses.open({ servers: proxy.url });
    const [primary, backup] = [await serve(down()), await serve(hello)];
    const { ask, end, members } = await fleetOf(primary, backup, {}, () => bus);
    await proxy.stop();
    await expect.poll(() => bus.status().connected).toBe(false);
    for (let round = 0; round < 2; round += 1) expect(await ask(0)).toMatchObject({ ok: true, provider: 'qwen' });
    expect(members.slice(0, 2).map(({ model }) => model.health()[0]?.breaker)).toEqual(['open', 'closed']);
    const before = primary.asked.length;
    expect(await ask(0)).toMatchObject({ ok: true, provider: 'qwen', attempts: 1 });
    expect(primary.asked).toHaveLength(before);
    await end();
  });
});
