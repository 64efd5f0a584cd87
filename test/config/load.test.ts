import { describe, expect, it } from 'vitest';
import type { Files } from '../../src/config/file.js';
import { type LoadedSettings, loadSettings, type Surroundings } from '../../src/config/load.js';
import { settingNames } from '../../src/config/name.js';

interface Scene extends Partial<Omit<Surroundings, 'files'>> {
  readonly texts?: Readonly<Record<string, string>>;
  readonly modules?: Readonly<Record<string, unknown>>;
}

function memoryFiles({ texts = {}, modules = {} }: Scene): Files {
  return {
    readText: async (path) => (path in modules ? '' : texts[path]),
    importDefault: async (path) => modules[path],
  };
}

const load = (scene: Scene = {}) =>
  loadSettings({ env: {}, cwd: '/project', home: '/home/ana', files: memoryFiles(scene), ...scene });

async function loaded(scene: Scene = {}): Promise<LoadedSettings> {
  const result = await load(scene);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function mistakes(scene: Scene): Promise<string[]> {
  const result = await load(scene);
  if (result.ok) throw new Error('expected mistakes');
  expect(result.failure.kind).toBe('invalid_config');
  return result.failure.message.split('\n');
}

const explained = (from: LoadedSettings, setting: string) => from.explanation.find((item) => item.setting === setting);

describe('defaults', () => {
  it('are complete without any source', async () => {
    const { settings } = await loaded();
    expect(settings).toEqual({
      nats: { prefix: 'hact.v1' },
      dataDir: '/project/.hact',
      audit: {},
      model: {
        bridges: 0,
        fallback: [],
        temperature: 0.3,
        maxOutputTokens: 2048,
        stream: true,
        timeoutMs: 120_000,
        prices: {},
        breaker: { failures: 5, coolDownMs: 5_000, maxCoolDownMs: 60_000 },
      },
      providers: {},
      budget: {
        tokens: 200_000,
        usd: 1,
        roundsByKind: { question: 5, general: 20, coding: 30 },
        seconds: 1_800,
        toolCalls: 100,
        children: 16,
      },
      limits: {
        depth: 3,
        fanOut: 16,
        decideEarly: true,
        parallelSubtasks: 8,
        subtaskAttempts: 3,
        repairPercent: 50,
        gatherMs: 5_000,
        parallelCalls: 5,
        reflectEvery: 4,
        repetitionCount: 3,
        repetitionWindow: 5,
        corrections: 3,
        attempts: 5,
        claimChars: 60_000,
        claimNumbers: 50_000,
        payloadBytes: 262_144,
      },
      tasks: { queues: [], tenants: {} },
      worker: {
        queues: [],
        concurrency: 64,
        firstConcurrency: 16,
        fullLoadPercent: 90,
        leaseMs: 10_000,
        drainMs: 15_000,
      },
      files: { roots: ['/project'] },
      approval: { policy: 'risky', timeoutMs: 1_800_000 },
      log: { level: 'info' },
      inspector: { host: '127.0.0.1', port: 4_280 },
      telemetry: {},
    });
  });
});

describe('order of sources', () => {
  const everywhere = {
    texts: {
      '/home/ana/.config/hact/hact.config.json': '{"budget":{"tokens":1,"usd":1,"seconds":1,"children":1}}',
      '/project/hact.config.yaml': 'budget:\n  tokens: 2\n  usd: 2\n  seconds: 2\n',
    },
    env: { HACT_BUDGET_TOKENS: '3', HACT_BUDGET_USD: '3' },
    flags: { 'budget.tokens': '4' },
  };

  it('is flag, environment, project file, user file, default', async () => {
    const { budget } = (await loaded(everywhere)).settings;
    expect(budget).toMatchObject({ tokens: 4, usd: 3, seconds: 2, children: 1, toolCalls: 100 });
  });

  it('is shown by the explanation', async () => {
    const from = await loaded(everywhere);
    expect(explained(from, 'budget.tokens')?.source).toBe('flag --budget-tokens');
    expect(explained(from, 'budget.usd')?.source).toBe('environment HACT_BUDGET_USD');
    expect(explained(from, 'budget.seconds')?.source).toBe('project file /project/hact.config.yaml');
    expect(explained(from, 'budget.children')?.source).toBe('user file /home/ana/.config/hact/hact.config.json');
    expect(explained(from, 'budget.toolCalls')).toMatchObject({ value: 100, source: 'default' });
  });

  it('explains every setting', async () => {
    const { explanation } = await loaded();
    expect(explanation.map((item) => item.setting)).toEqual(settingNames.map((name) => name.path));
    expect(explanation.length).toBeGreaterThan(45);
  });

  it('takes the user file from XDG_CONFIG_HOME when that is set', async () => {
    const texts = { '/xdg/hact/hact.config.json': '{"log":{"level":"debug"}}' };
    expect((await loaded({ texts, env: { XDG_CONFIG_HOME: '/xdg' } })).settings.log.level).toBe('debug');
  });

  it('prefers our own variable to a common one, and treats an empty one as absent', async () => {
    const url = async (env: Record<string, string>) => (await loaded({ env })).settings.nats.url;
    expect(await url({ NATS_URL: 'nats://a', HACT_NATS_URL: 'nats://b' })).toBe('nats://b');
    expect(await url({ NATS_URL: 'nats://a', HACT_NATS_URL: '' })).toBe('nats://a');
    expect(await url({ NATS_URL: '' })).toBeUndefined();
  });
});

describe('text as values', () => {
  it('reads numbers, truths, lists and JSON', async () => {
    const { settings } = await loaded({
      env: {
        HACT_BUDGET_TOKENS: '40_000',
        HACT_MODEL_TEMPERATURE: '0',
        HACT_MODEL_STREAM: 'off',
        HACT_FALLBACK_MODELS: 'deepseek/deepseek-chat, 通义/qwen-max',
        HACT_MODEL_PRICES: '{"m":{"inputPerMillion":1,"outputPerMillion":2}}',
        HACT_BUDGET_ROUNDS_BY_KIND_CODING: '50',
      },
    });
    expect(settings.budget.tokens).toBe(40_000);
    expect(settings.model.temperature).toBe(0);
    expect(settings.model.stream).toBe(false);
    expect(settings.model.fallback).toEqual(['deepseek/deepseek-chat', '通义/qwen-max']);
    expect(settings.model.prices).toEqual({ m: { inputPerMillion: 1, outputPerMillion: 2 } });
    expect(settings.budget.roundsByKind.coding).toBe(50);
  });

  it('reads the limits of providers from a file, by preset and by host', async () => {
    const providers = { openai: { requestsPerMinute: 500 }, '127.0.0.1:8000': { tokensPerMinute: 90_000 } };
    const { settings } = await loaded({ texts: { '/project/hact.config.json': JSON.stringify({ providers }) } });
    expect(settings.providers).toEqual(providers);
  });

  it('makes paths absolute from where they were written', async () => {
    const { settings } = await loaded({
      texts: { '/home/ana/.config/hact/hact.config.json': '{"nats":{"creds":"me.creds"},"log":{"file":"~/日志.log"}}' },
      env: { HACT_DATA_DIR: 'data', HACT_FILES_ROOTS: 'in, /out' },
    });
    expect(settings.nats.creds).toBe('/home/ana/.config/hact/me.creds');
    expect(settings.log.file).toBe('/home/ana/日志.log');
    expect(settings.dataDir).toBe('/project/data');
    expect(settings.files.roots).toEqual(['/project/in', '/out']);
  });
});

describe('mistakes', () => {
  it('are all reported at once, in words, with their origin', async () => {
    const found = await mistakes({
      texts: {
        '/project/hact.config.json': JSON.stringify({
          budget: { tokens: -5, tokns: 3 },
          approval: { policy: 'never' },
          worker: 7,
          colour: 'red',
        }),
      },
      env: { HACT_BUGET_USD: '1', HACT_LOG: 'loud', OPENAI_BASE_URL: 'localhost:80' },
      flags: { 'limits.reflectEvery': '9' },
    });
    expect(found.sort()).toEqual(
      [
        'budget.tokens: expected a whole number of at least 1, met -5 (project file /project/hact.config.json)',
        'budget.tokns: there is no such setting (project file /project/hact.config.json); did you mean budget.tokens?',
        'approval.policy: expected one of auto, risky, all, met "never" (project file /project/hact.config.json)',
        'worker: expected a group of settings (project file /project/hact.config.json)',
        'colour: there is no such setting (project file /project/hact.config.json)',
        'HACT_BUGET_USD: there is no such setting (environment); did you mean HACT_BUDGET_USD?',
        'log.level: expected one of silent, fatal, error, warn, info, debug, trace, met "loud" (environment HACT_LOG)',
        'model.baseUrl: expected an address that begins with http:// or https://, met "localhost:80" (environment OPENAI_BASE_URL)',
        'limits.reflectEvery: expected a whole number from 3 to 5, met "9" (flag --limits-reflect-every)',
      ].sort(),
    );
  });

  it.each([
    ['HACT_BUDGET_TOKENS', '1.5'],
    ['HACT_BUDGET_TOKENS', 'many'],
    ['HACT_BUDGET_TOKENS', ' '],
    ['HACT_BUDGET_USD', 'NaN'],
    ['HACT_BUDGET_USD', '-1'],
    ['HACT_MODEL_TEMPERATURE', '2.1'],
    ['HACT_MODEL_STREAM', 'perhaps'],
    ['HACT_NATS_PREFIX', 'a..b'],
    ['HACT_NATS_PREFIX', 'a.>'],
    ['HACT_MODEL_PRICES', '{"m":'],
    ['HACT_MODEL_PRICES', '{"m":{"inputPerMillion":-1,"outputPerMillion":0}}'],
    ['HACT_PROVIDERS', '{"openai":{"requestsPerMinute":0}}'],
    ['HACT_PROVIDERS', '{"openai":{"tokensPerMinute":1.5}}'],
    ['HACT_PROVIDERS', '{"openai":{"requests":5}}'],
    ['HACT_PROVIDERS', '{"opnai":{"requestsPerMinute":5}}'],
    ['HACT_MODEL_BREAKER_FAILURES', '0'],
    ['HACT_MODEL_BREAKER_COOL_DOWN_MS', '99'],
    ['HACT_INSPECTOR_PORT', '70000'],
    ['HACT_FALLBACK_MODELS', 'a,,b'],
    ['HACT_MODEL_KEY_VARIABLE', 'MY-KEY'],
  ])('%s=%s is one', async (variable, value) => {
    const [line, ...others] = await mistakes({ env: { [variable]: value } });
    expect(others).toEqual([]);
    expect(line).toContain(`(environment ${variable})`);
    expect(line).toContain('expected');
  });

  it('never quote a secret, and hide passwords in addresses', async () => {
    const found = await mistakes({
      texts: { '/project/hact.config.json': '{"model":{"apiKey":{"secret":"sk-geheim"}}}' },
      env: { HACT_MODEL_BASE_URL: 'ftp://ana:geheim@host' },
    });
    expect(found).toHaveLength(2);
    expect(found.join()).not.toContain('geheim');
  });

  it('include settings that are right alone and wrong together', async () => {
    const breaker = { HACT_MODEL_BREAKER_COOL_DOWN_MS: '90_000' };
    expect(
      await mistakes({ env: { NATS_CREDS: 'a', NATS_TOKEN: 'b', HACT_LIMITS_REPETITION_COUNT: '6', ...breaker } }),
    ).toEqual([
      'nats.creds and nats.token: expected one of them, met both',
      'limits.repetitionCount: expected at most limits.repetitionWindow (5), met 6',
      'model.breaker.coolDownMs: expected at most model.breaker.maxCoolDownMs (60000), met 90000',
    ]);
  });

  it('do not include what Hermes passes between its own processes', async () => {
    expect((await load({ env: { HACT_INTERNAL_X: '1' } })).ok).toBe(true);
  });

  it('in a file never reach an object’s prototype', async () => {
    const texts = { '/project/hact.config.json': '{"__proto__":{"polluted":1},"budget":{"constructor":{"x":1}}}' };
    const found = await mistakes({ texts });
    expect(found).toHaveLength(2);
    expect('polluted' in {}).toBe(false);
  });
});

describe('configuration files', () => {
  it('are JSON, YAML or a module', async () => {
    const scenes: Scene[] = [
      { texts: { '/project/hact.config.json': '{"model":{"name":"m"}}' } },
      { texts: { '/project/hact.config.yml': 'model: { name: m }' } },
      { modules: { '/project/hact.config.mjs': { model: { name: 'm' } } } },
      { modules: { '/project/hact.config.ts': { model: { name: 'm' } } } },
    ];
    for (const scene of scenes) {
      expect((await loaded(scene)).settings.model.name).toBe('m');
    }
  });

  it('may be empty', async () => {
    expect((await load({ texts: { '/project/hact.config.yaml': '' } })).ok).toBe(true);
  });

  it('can be named by flag or environment', async () => {
    const texts = {
      '/project/other.json': '{"log":{"level":"warn"}}',
      '/project/hact.config.json': '{"log":{"level":"debug"}}',
    };
    expect((await loaded({ texts, configPath: 'other.json' })).settings.log.level).toBe('warn');
    expect((await loaded({ texts, env: { HACT_CONFIG: 'other.json' } })).settings.log.level).toBe('warn');
    expect(await mistakes({ configPath: 'absent.json' })).toEqual(['/project/absent.json: there is no such file']);
    expect((await mistakes({ texts: { '/project/a.toml': '' }, configPath: 'a.toml' }))[0]).toContain(
      'expected a name',
    );
  });

  it('must not stand side by side', async () => {
    const texts = { '/project/hact.config.json': '{}', '/project/hact.config.yaml': '' };
    expect(await mistakes({ texts })).toEqual([
      '/project/hact.config.json: stands beside hact.config.yaml. Keep one configuration file in a folder.',
    ]);
  });

  it('that cannot be parsed say where', async () => {
    expect((await mistakes({ texts: { '/project/hact.config.json': '{"a":' } }))[0]).toContain(
      'hact.config.json: is no JSON',
    );
    const yaml = await mistakes({ texts: { '/project/hact.config.yaml': 'a: [1\nb: 2' } });
    expect(yaml.join(' ')).toMatch(/is no YAML.*line 2/);
    expect((await mistakes({ texts: { '/project/hact.config.json': '[1]' } }))[0]).toContain(
      'expected a group of settings',
    );
  });
});

describe('model settings', () => {
  const model = async (env: Record<string, string>) => (await loaded({ env })).settings.model;

  it('take the preset from the name when nothing else says where the model is', async () => {
    expect(await model({ HACT_MODEL: 'ollama/qwen3:8b' })).toMatchObject({ preset: 'ollama', name: 'qwen3:8b' });
    expect(await model({ HACT_MODEL: 'scripted' })).toMatchObject({ preset: 'scripted' });
    expect(await model({ HACT_MODEL: 'gpt-5' })).toMatchObject({ name: 'gpt-5' });
    const placed = { HACT_MODEL_PRESET: 'openrouter', HACT_MODEL: 'openai/gpt-5' };
    expect(await model(placed)).toMatchObject({ preset: 'openrouter', name: 'openai/gpt-5' });
    const addressed = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', HACT_MODEL: 'openai/gpt-5' };
    expect(await model(addressed)).toMatchObject({ baseUrl: 'http://127.0.0.1:1/v1', name: 'openai/gpt-5' });
    const scripted = await model({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', HACT_MODEL: 'scripted' });
    expect(scripted).toMatchObject({ preset: 'scripted' });
    expect(scripted.baseUrl).toBeUndefined();
    expect(await model({ HACT_MODEL: 'http://127.0.0.1:9/v1' })).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1' });
  });

  it('give the OpenAI key to OpenAI and to unnamed providers only', async () => {
    expect((await model({ OPENAI_API_KEY: 'k' })).apiKey).toBe('k');
    expect((await model({ OPENAI_API_KEY: 'k', HACT_MODEL: 'openai/gpt-5' })).apiKey).toBe('k');
    const other = await model({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://x', HACT_MODEL_PRESET: 'deepseek' });
    expect(other.apiKey).toBeUndefined();
    expect(other.baseUrl).toBeUndefined();
  });

  it('take the key from the variable that is named', async () => {
    const env = { HACT_MODEL_KEY_VARIABLE: 'WORK_KEY', WORK_KEY: 'w', OPENAI_API_KEY: 'k' };
    const from = await loaded({ env });
    expect(from.settings.model.apiKey).toBe('w');
    expect(explained(from, 'model.apiKey')).toMatchObject({ value: '****', source: 'environment WORK_KEY' });
    expect((await model({ HACT_MODEL_KEY_VARIABLE: 'WORK_KEY', OPENAI_API_KEY: 'k' })).apiKey).toBeUndefined();
  });

  it('are masked where they are shown', async () => {
    const from = await loaded({ env: { OPENAI_API_KEY: 'sk-geheim', NATS_URL: 'nats://ana:geheim@h:4222' } });
    expect(JSON.stringify(from.explanation)).not.toContain('geheim');
    expect(explained(from, 'nats.url')?.value).toBe('nats://****@h:4222');
    expect(explained(from, 'nats.token')?.value).toBeUndefined();
  });
});
