/** One place that settings come from, read into paths and raw values. Mistakes in names are found here. */

import { isAbsolute, join } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import { isFields } from '../domain/fields.js';
import { isGroup, type SettingName, type SettingPath, settingNamed, settingNames } from './name.js';

/** Where a value came from, for people. */
export interface Origin {
  readonly kind: 'flag' | 'environment' | 'project file' | 'user file' | 'default';
  /** `flag --budget-tokens`, `environment HACT_MODEL`, `project file ./hact.config.json`, `default`. */
  readonly words: string;
}

export interface Given {
  readonly value: unknown;
  readonly origin: Origin;
}

export interface Source {
  readonly values: ReadonlyMap<SettingPath, Given>;
  readonly mistakes: readonly string[];
}

/** Offers the nearest known name when the difference looks like a slip of the finger. */
function nearest(word: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return '';
  const best = closest(word, candidates as string[]);
  return distance(word, best) <= Math.max(2, word.length / 4) ? `; did you mean ${best}?` : '';
}

/** Makes paths absolute, so that they mean the same wherever they are used. */
function located(name: SettingName, value: unknown, folder: string, home: string): unknown {
  if (!name.location) return value;
  const absolute = (path: string): string => {
    if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
    return isAbsolute(path) ? path : join(folder, path);
  };
  const parts = name.path === 'files.roots' && typeof value === 'string' ? value.split(',') : value;
  if (Array.isArray(parts)) return parts.map((item) => (typeof item === 'string' ? absolute(item.trim()) : item));
  return typeof parts === 'string' ? absolute(parts) : parts;
}

export interface Places {
  readonly folder: string;
  readonly home: string;
}

/** Settings out of a parsed file. */
export function fromFile(content: unknown, origin: Origin, places: Places): Source {
  const values = new Map<SettingPath, Given>();
  const mistakes: string[] = [];
  const walk = (group: unknown, prefix: string): void => {
    if (!isFields(group)) {
      mistakes.push(
        `${prefix === '' ? 'the file' : prefix.slice(0, -1)}: expected a group of settings (${origin.words})`,
      );
      return;
    }
    for (const [key, value] of Object.entries(group)) {
      const path = `${prefix}${key}`;
      const name = settingNamed(path);
      if (name !== undefined) {
        values.set(name.path, { value: located(name, value, places.folder, places.home), origin });
      } else if (isGroup(path)) {
        walk(value, `${path}.`);
      } else {
        const known = settingNames.map((item) => item.path).filter((item) => item.startsWith(prefix));
        mistakes.push(`${path}: there is no such setting (${origin.words})${nearest(path, known)}`);
      }
    }
  };
  walk(content ?? {}, '');
  return { values, mistakes };
}

/** Variables that Hermes passes between its own processes; no settings. */
const isInternal = (variable: string): boolean => variable.startsWith('HACT_INTERNAL_');

/** Settings out of the environment. An empty variable counts as absent. */
export function fromEnvironment(env: Readonly<Record<string, string | undefined>>, places: Places): Source {
  const values = new Map<SettingPath, Given>();
  for (const name of settingNames) {
    const variable = name.variables.find((item) => (env[item] ?? '') !== '');
    if (variable === undefined) continue;
    const value = located(name, env[variable], places.folder, places.home);
    values.set(name.path, { value, origin: { kind: 'environment', words: `environment ${variable}` } });
  }
  const known = [...settingNames.flatMap((name) => name.variables), configVariable];
  const mistakes = Object.keys(env)
    .filter((variable) => variable.startsWith('HACT_') && !known.includes(variable) && !isInternal(variable))
    .map((variable) => `${variable}: there is no such setting (environment)${nearest(variable, known)}`);
  return { values, mistakes };
}

/** Names the project file, instead of looking for one. */
export const configVariable = 'HACT_CONFIG';

/** Settings out of flags, already taken apart by the command line: values by path; undefined is absent. */
export function fromFlags(flags: Readonly<Partial<Record<SettingPath, unknown>>>, places: Places): Source {
  const values = new Map<SettingPath, Given>();
  for (const name of settingNames) {
    const value = flags[name.path];
    if (value === undefined) continue;
    values.set(name.path, {
      value: located(name, value, places.folder, places.home),
      origin: { kind: 'flag', words: `flag ${name.flag}` },
    });
  }
  return { values, mistakes: [] };
}
