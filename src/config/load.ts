/** Puts the settings together: flag > environment > project file > user file > default. Reports every mistake at once. */
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { fail, ok, type Result } from '../domain/failure.js';
import { type ConfigFile, type Files, findConfig, readConfig } from './file.js';
import { type SettingName, type SettingPath, settingNamed, settingNames } from './name.js';
import { modelPresets, type Settings, settingsSchema } from './settings.js';
import {
  configVariable,
  fromEnvironment,
  fromFile,
  fromFlags,
  type Given,
  type Origin,
  type Source,
} from './source.js';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly files: Files;
  /** Flags by setting, as text or as values; undefined is absent. */
  readonly flags?: Readonly<Partial<Record<SettingPath, unknown>>>;
  /** `--config`: the project file, instead of looking for one. */
  readonly configPath?: string;
}

/** One line of `hact doctor --config`. */
export interface Explained {
  readonly setting: SettingPath;
  readonly meaning: string;
  /** Secrets are masked; undefined: not set. */
  readonly value: unknown;
  readonly source: string;
  readonly variables: readonly string[];
  readonly flag: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly explanation: readonly Explained[];
}

const hint = 'hact doctor --config shows every setting, its value and where it comes from.';
const byDefault: Origin = { kind: 'default', words: 'default' };

/** Fails with `invalid_config`; its message has one line for each mistake. */
export async function loadSettings(surroundings: Surroundings): Promise<Result<LoadedSettings>> {
  const mistakes: string[] = [];
  const sources = await readSources(surroundings, mistakes);
  const given = new Map<SettingPath, Given>();
  for (const source of sources) {
    mistakes.push(...source.mistakes);
    for (const [path, value] of source.values) given.set(path, value);
  }
  applyModelRules(given, surroundings.env);
  locateDefaults(given, surroundings.cwd);
  const result = settingsSchema.safeParse(nested(given));
  if (!result.success) mistakes.push(...result.error.issues.map((issue) => inWords(issue, given)));
  if (mistakes.length > 0 || !result.success) return fail('invalid_config', mistakes.join('\n'), hint);
  const clash = clashes(result.data);
  if (clash.length > 0) return fail('invalid_config', clash.join('\n'), hint);
  return ok({ settings: result.data, explanation: explain(result.data, given) });
}

/** All sources, the weakest first. */
async function readSources(surroundings: Surroundings, mistakes: string[]): Promise<Source[]> {
  const { env, cwd, home, files, flags = {} } = surroundings;
  const ownFolder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'hact');
  const wanted = surroundings.configPath ?? (env[configVariable] || undefined);
  const projectFile = wanted === undefined ? findConfig(cwd, files) : readConfig(resolve(cwd, wanted), files);
  const sources: Source[] = [];
  const addFile = (kind: 'project file' | 'user file', file: Result<ConfigFile | undefined>): void => {
    if (!file.ok) {
      mistakes.push(
        file.failure.hint === undefined ? file.failure.message : `${file.failure.message}. ${file.failure.hint}`,
      );
    } else if (file.value !== undefined) {
      const { path, content } = file.value;
      sources.push(fromFile(content, { kind, words: `${kind} ${path}` }, { folder: join(path, '..'), home }));
    }
  };
  addFile('user file', await findConfig(ownFolder, files));
  addFile('project file', await projectFile);
  const here = { folder: cwd, home };
  return [...sources, fromEnvironment(env, here), fromFlags(flags, here)];
}

/**
 * What the model settings say about each other: the name may choose the place; `OPENAI_API_KEY` and `OPENAI_BASE_URL`
 * speak for OpenAI (or for no preset at all), so that a key never travels to another provider; `keyVariable` names the
 * variable that the key is taken from.
 */
function applyModelRules(given: Map<SettingPath, Given>, env: Surroundings['env']): void {
  const fromVariable = (path: SettingPath, variable: string | undefined): void => {
    const value = variable === undefined ? '' : (env[variable] ?? '');
    if (value === '' || given.has(path)) return;
    given.set(path, { value, origin: { kind: 'environment', words: `environment ${variable}` } });
  };
  placeByName(given, (env.OPENAI_BASE_URL ?? '') !== '');
  const keyVariable = given.get('model.keyVariable')?.value;
  if (typeof keyVariable === 'string') fromVariable('model.apiKey', keyVariable);
  const preset = given.get('model.preset')?.value;
  if (preset !== undefined && preset !== 'openai') return;
  if (keyVariable === undefined) fromVariable('model.apiKey', 'OPENAI_API_KEY');
  fromVariable('model.baseUrl', 'OPENAI_BASE_URL');
}

/** An address, `ollama`, or `ollama/qwen3` instead of a plain name says where the model is. */
function placeByName(given: Map<SettingPath, Given>, addressed: boolean): void {
  const { value: name, origin } = given.get('model.name') ?? {};
  if (typeof name !== 'string' || origin === undefined || given.has('model.preset')) return;
  const place = (path: SettingPath, value: string, rest: string): void => {
    given.set(path, { value, origin });
    if (rest === '') given.delete('model.name');
    else given.set('model.name', { value: rest, origin });
  };
  if (/^https?:\/\//.test(name)) {
    place('model.baseUrl', name, '');
    return;
  }
  const [preset = '', ...rest] = name.split('/');
  if (!(modelPresets as readonly string[]).includes(preset)) return;
  // Providers have names with slashes of their own: with an address given, such a name is theirs.
  if (rest.length === 0 || !(addressed || given.has('model.baseUrl'))) place('model.preset', preset, rest.join('/'));
}

/** Default paths are relative to the working folder; from here on every path is absolute. */
function locateDefaults(given: Map<SettingPath, Given>, cwd: string): void {
  if (!given.has('dataDir')) given.set('dataDir', { value: join(cwd, '.hact'), origin: byDefault });
  if (!given.has('files.roots')) given.set('files.roots', { value: [cwd], origin: byDefault });
}

function nested(given: ReadonlyMap<SettingPath, Given>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, { value }] of given) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    let group = root;
    for (const key of keys) {
      group[key] ??= {};
      group = group[key] as Record<string, unknown>;
    }
    group[last] = value;
  }
  return root;
}

function inWords(issue: z.core.$ZodIssue, given: ReadonlyMap<SettingPath, Given>): string {
  const name = settingNamed(issue.path.join('.'));
  if (name === undefined) return `${issue.path.join('.')}: ${issue.message}`;
  const { value, origin } = given.get(name.path) ?? { value: undefined, origin: byDefault };
  const met = (JSON.stringify(masked(name, value)) ?? String(value)).slice(0, 200);
  return `${name.path}: ${issue.message}, met ${met} (${origin.words})`;
}

/** Settings that are right one by one and wrong together. */
function clashes(settings: Settings): string[] {
  const found: string[] = [];
  const { nats, limits, model } = settings;
  if (nats.creds !== undefined && nats.token !== undefined) {
    found.push('nats.creds and nats.token: expected one of them, met both');
  }
  if (limits.repetitionCount > limits.repetitionWindow) {
    found.push(
      `limits.repetitionCount: expected at most limits.repetitionWindow (${limits.repetitionWindow}), met ${limits.repetitionCount}`,
    );
  }
  const { coolDownMs, maxCoolDownMs } = model.breaker;
  if (coolDownMs > maxCoolDownMs) {
    found.push(
      `model.breaker.coolDownMs: expected at most model.breaker.maxCoolDownMs (${maxCoolDownMs}), met ${coolDownMs}`,
    );
  }
  return found;
}

/** Takes secrets and the passwords inside addresses out of a value. */
function masked(name: SettingName, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (name.secret) return '****';
  return typeof value === 'string' ? value.replaceAll(/\/\/[^/@,]*@/g, '//****@') : value;
}

function explain(settings: Settings, given: ReadonlyMap<SettingPath, Given>): Explained[] {
  return settingNames.map((name) => ({
    setting: name.path,
    meaning: name.meaning,
    value: masked(name, valueAt(settings, name.path)),
    source: given.get(name.path)?.origin.words ?? byDefault.words,
    variables: name.variables,
    flag: name.flag,
  }));
}

const valueAt = (settings: Settings, path: SettingPath): unknown =>
  path.split('.').reduce<unknown>((group, key) => (group as Record<string, unknown>)[key], settings);
