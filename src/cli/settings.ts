/** The settings of a command: every setting is a flag too, and the flags can be handed on to child processes. */
import { type Command, Option } from 'commander';
import { settingsHere } from '../app/settings.js';
import type { LoadedSettings } from '../config/load.js';
import { type SettingPath, settingNames } from '../config/name.js';
import type { Result } from '../domain/failure.js';

/** Shown in the help; all others are described by `hact doctor --config`. */
const shown: Partial<Record<SettingPath, string>> = {
  'nats.url': 'servers to use instead of an own one',
  'model.name': 'model, or preset/model, like ollama/qwen3',
  'model.baseUrl': 'any OpenAI-compatible endpoint',
  dataDir: 'folder for everything that is kept (default .hact)',
  'approval.policy': 'who is asked before a call: auto, risky, all',
  'log.level': 'silent, error, warn, info, debug',
};
const budgetFlags: Partial<Record<SettingPath, string>> = {
  'budget.rounds': 'model calls',
  'budget.tokens': 'tokens, prompts included',
  'budget.usd': 'US dollars',
  'budget.seconds': 'wall-clock time',
};

/** Adds the settings to a command as flags. */
export function withSettings(command: Command, options: { readonly budget?: boolean } = {}): Command {
  for (const { path, flag } of settingNames) {
    const words = shown[path] ?? (options.budget === true ? budgetFlags[path] : undefined);
    const option = new Option(`${flag} <value>`, words ?? '');
    command.addOption(words === undefined ? option.hideHelp() : option);
  }
  return command.option('--config-file <path>', 'configuration file (default hact.config.* here)');
}

export type Flags = Readonly<Record<string, unknown>>;

const attributeOf = (flag: string): string => new Option(`${flag} <value>`).attributeName();

export function settingsFrom(flags: Flags): Promise<Result<LoadedSettings>> {
  const given = Object.fromEntries(settingNames.map(({ path, flag }) => [path, flags[attributeOf(flag)]]));
  const { configFile } = flags;
  return settingsHere(given, typeof configFile === 'string' ? configFile : undefined);
}

/** The same flags for a child process. Secrets are not passed where other users could read them: see `secretVariables`. */
export function flagsAgain(flags: Flags): string[] {
  const given = settingNames
    .filter(({ secret }) => !secret)
    .flatMap(({ flag }) => pairOf(flag, flags[attributeOf(flag)]));
  return [...given, ...pairOf('--config-file', flags.configFile)];
}

const pairOf = (flag: string, value: unknown): string[] => (typeof value === 'string' ? [`${flag}=${value}`] : []);

/** Secrets given as flags, as environment variables for a child process. */
export const secretVariables = (flags: Flags): Record<string, string> =>
  Object.fromEntries(
    settingNames
      .filter(({ secret }) => secret)
      .flatMap(({ flag, variables: [variable] }) => {
        const value = flags[attributeOf(flag)];
        return typeof value === 'string' && variable !== undefined ? [[variable, value]] : [];
      }),
  );
