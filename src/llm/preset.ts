/** Providers by name, and the one setting that picks a provider and a model. */
import { fail, ok, type Result } from '../domain/failure.js';
import { free, listPrice, type Price } from './price.js';
import { commonQuirks, type ProviderOptions, type Quirks } from './provider.js';

interface Preset {
  /** Undefined: differs for each account and must be set. */
  readonly baseUrl: string | undefined;
  readonly keyVariable: string;
  /** False for servers on one's own machine. */
  readonly needsKey: boolean;
  /** Costs nothing per token. */
  readonly isFree?: boolean;
  readonly keyHeader?: string;
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  readonly defaultModel?: string;
  readonly quirks?: Partial<Quirks>;
  readonly startHint?: string;
}

const hosted = { needsKey: true, windowTokens: 128_000, maxOutputTokens: 8_192 } as const;
const local = { needsKey: false, isFree: true, windowTokens: 32_768, maxOutputTokens: 8_192 } as const;

/** Windows and output limits are those of the provider's common models; `windowTokens` and `maxOutputTokens` override them. */
export const presets: Readonly<Record<string, Preset>> = {
  openai: {
    ...hosted,
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    maxOutputTokens: 16_384,
    defaultModel: 'gpt-5-mini',
    quirks: { outputLimitField: 'max_completion_tokens' },
  },
  azure: {
    ...hosted,
    baseUrl: undefined,
    keyVariable: 'AZURE_OPENAI_API_KEY',
    keyHeader: 'api-key',
    maxOutputTokens: 16_384,
    quirks: { outputLimitField: 'max_completion_tokens' },
  },
  anthropic: {
    ...hosted,
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    windowTokens: 200_000,
    defaultModel: 'claude-sonnet-4-20250514',
  },
  openrouter: { ...hosted, baseUrl: 'https://openrouter.ai/api/v1', keyVariable: 'OPENROUTER_API_KEY' },
  deepseek: {
    ...hosted,
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-chat',
  },
  qwen: {
    ...hosted,
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    keyVariable: 'DASHSCOPE_API_KEY',
    defaultModel: 'qwen-plus',
  },
  moonshot: { ...hosted, baseUrl: 'https://api.moonshot.cn/v1', keyVariable: 'MOONSHOT_API_KEY' },
  ollama: {
    ...local,
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyVariable: 'OLLAMA_API_KEY',
    startHint: 'Start it with `ollama serve`.',
  },
  vllm: {
    ...local,
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariable: 'VLLM_API_KEY',
    startHint: 'Start it with `vllm serve MODEL --enable-auto-tool-choice`.',
  },
  llamacpp: {
    ...local,
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariable: 'LLAMA_API_KEY',
    startHint: 'Start it with `llama-server -m MODEL --jinja`.',
  },
  lmstudio: {
    ...local,
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariable: 'LMSTUDIO_API_KEY',
    startHint: 'Start its server with `lms server start`.',
  },
  scripted: {
    ...local,
    baseUrl: undefined,
    keyVariable: 'HACT_SCRIPTED_KEY',
    windowTokens: 128_000,
    defaultModel: 'scripted',
  },
};

/** What a user may set of a model; `model` alone is enough for a preset. */
export interface ModelSetting {
  /**
   * `preset/model`, `preset`, a base URL, `URL#model`, or a bare model name (then `OPENAI_BASE_URL` or OpenAI itself
   * serves it).
   */
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly windowTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly price?: Price | undefined;
  readonly stream?: boolean | undefined;
  readonly reasoningEffort?: ProviderOptions['reasoningEffort'];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Completes a setting. Fails with advice on an unknown preset, a missing address, model name or key. */
export function providerFrom(setting: ModelSetting, environment: Environment): Result<ProviderOptions> {
  const wanted = readModel(setting, environment);
  if (!wanted.ok) return wanted;
  const { name, preset, baseUrl, model } = wanted.value;
  if (baseUrl === undefined) {
    return fail(
      'invalid_config',
      `${name} has no address of its own`,
      `Set baseUrl, e.g. OPENAI_BASE_URL=${exampleUrl(name)}.`,
    );
  }
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    return fail(
      'invalid_config',
      `"${baseUrl}" is no http address of a model endpoint`,
      'It looks like http://127.0.0.1:8000/v1.',
    );
  }
  if (model === undefined) {
    return fail(
      'invalid_config',
      `which model of ${name} is meant?`,
      `Set HACT_MODEL=${name}/MODEL, or URL#MODEL for an address.`,
    );
  }
  const apiKey = setting.apiKey ?? environment[preset.keyVariable];
  if (preset.needsKey && !apiKey) {
    return fail('model_unauthorised', `there is no key for ${name}`, `Set ${preset.keyVariable}.`);
  }
  return ok({
    name,
    baseUrl,
    model,
    apiKey: apiKey || undefined,
    keyVariable: preset.keyVariable,
    urlSetting: preset.baseUrl === baseUrl ? 'HACT_MODEL' : 'OPENAI_BASE_URL',
    startHint: preset.startHint,
    keyHeader: preset.keyHeader,
    windowTokens: setting.windowTokens ?? preset.windowTokens,
    maxOutputTokens: setting.maxOutputTokens ?? preset.maxOutputTokens,
    price: setting.price ?? (preset.isFree || isLoopback(baseUrl) ? free : listPrice(model)),
    stream: setting.stream ?? true,
    reasoningEffort: setting.reasoningEffort,
    quirks: { ...commonQuirks, ...preset.quirks, ...(isReasoner(model) && { sendsTemperature: false }) },
  });
}

/** OpenAI's reasoning models refuse a temperature. */
const isReasoner = (model: string): boolean => /(^|\/)(o\d|gpt-5)(?!.*chat)/.test(model);

const exampleUrl = (name: string): string =>
  name === 'azure' ? 'https://RESOURCE.openai.azure.com/openai/v1' : 'http://127.0.0.1:8000/v1';

/** An endpoint of one's own; with a key if it wants one. */
const custom: Preset = { ...hosted, needsKey: false, baseUrl: undefined, keyVariable: 'OPENAI_API_KEY' };

interface Wanted {
  readonly name: string;
  readonly preset: Preset;
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
}

function readModel(setting: ModelSetting, environment: Environment): Result<Wanted> {
  const text = setting.model.trim();
  const given = setting.baseUrl ?? environment.OPENAI_BASE_URL;
  if (/^https?:\/\//.test(text)) {
    const [url = '', model] = text.split('#');
    return ok({ name: nameOf(url), preset: custom, baseUrl: url, model: model || undefined });
  }
  const [head = '', ...tail] = text.split('/');
  const preset = Object.hasOwn(presets, head) ? presets[head] : undefined;
  if (preset !== undefined) {
    const model = tail.join('/') || preset.defaultModel;
    const mayMove = head === 'openai' || preset.baseUrl === undefined;
    const baseUrl = setting.baseUrl ?? (mayMove ? environment.OPENAI_BASE_URL : undefined) ?? preset.baseUrl;
    return ok({ name: head, preset: movedFrom(preset, baseUrl), baseUrl, model });
  }
  if (given !== undefined) return ok({ name: nameOf(given), preset: custom, baseUrl: given, model: text });
  if (tail.length > 0 || text === '') {
    const names = Object.keys(presets).join(', ');
    return fail(
      'invalid_config',
      `"${head}" is no provider that I know`,
      `Known are ${names}; or set OPENAI_BASE_URL.`,
    );
  }
  const openai = presets.openai as Preset;
  return ok({ name: 'openai', preset: openai, baseUrl: openai.baseUrl, model: text });
}

/** OpenAI's preset pointed at another address keeps nothing of OpenAI's but the key's name. */
function movedFrom(preset: Preset, baseUrl: string | undefined): Preset {
  return preset === presets.openai && baseUrl !== preset.baseUrl ? custom : preset;
}

const isLoopback = (url: string): boolean => /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);

const nameOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'endpoint');
