/** Finds and reads configuration files. The file system is a port, so that tests need none. */
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../domain/failure.js';

export interface Files {
  /** The text of a file, undefined when there is none. Throws when it cannot be read. */
  readText(path: string): Promise<string | undefined>;
  /** The default export of a module. Throws what the module throws. */
  importDefault(path: string): Promise<unknown>;
}

export const realFiles: Files = {
  async readText(path) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  async importDefault(path) {
    const module: { default?: unknown } = await import(pathToFileURL(path).href);
    if (module.default === undefined) throw new Error('expected settings as its default export, met no default export');
    return module.default;
  },
};

const fileNames = ['json', 'yaml', 'yml', 'mjs', 'js', 'ts'].map((extension) => `hact.config.${extension}`);

export interface ConfigFile {
  readonly path: string;
  readonly content: unknown;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const unreadable = (path: string, why: string, hint?: string): Result<never> =>
  fail('invalid_config', `${path}: ${why}`, hint);

/** The configuration file of a folder, when it has one. Two of them are a mistake: nobody could tell which one counts. */
export async function findConfig(folder: string, files: Files): Promise<Result<ConfigFile | undefined>> {
  const found: { path: string; text: string }[] = [];
  for (const name of fileNames) {
    const path = join(folder, name);
    try {
      const text = await files.readText(path);
      if (text !== undefined) found.push({ path, text });
    } catch (error) {
      return unreadable(path, `cannot be read: ${message(error)}`);
    }
  }
  const [first, second] = found;
  if (first === undefined) return ok(undefined);
  if (second !== undefined) {
    return unreadable(first.path, `stands beside ${basename(second.path)}`, 'Keep one configuration file in a folder.');
  }
  return parse(first.path, first.text, files);
}

/** A configuration file that was asked for by name. */
export async function readConfig(path: string, files: Files): Promise<Result<ConfigFile>> {
  try {
    const text = await files.readText(path);
    if (text === undefined) return unreadable(path, 'there is no such file');
    return await parse(path, text, files);
  } catch (error) {
    return unreadable(path, `cannot be read: ${message(error)}`);
  }
}

async function parse(path: string, text: string, files: Files): Promise<Result<ConfigFile>> {
  switch (extname(path)) {
    case '.json':
      return parsed(path, 'is no JSON', () => JSON.parse(text));
    case '.yaml':
    case '.yml':
      return parsed(path, 'is no YAML', async () => (await import('yaml')).parse(text, { maxAliasCount: 100 }));
    case '.js':
    case '.mjs':
      return parsed(path, 'failed when it was loaded', () => files.importDefault(path));
    case '.ts':
      return typescript(path, files);
    default:
      return unreadable(path, 'expected a name that ends in .json, .yaml, .yml, .js, .mjs or .ts');
  }
}

async function parsed(path: string, problem: string, read: () => unknown): Promise<Result<ConfigFile>> {
  try {
    return ok({ path, content: await read() });
  } catch (error) {
    return unreadable(path, `${problem}: ${message(error)}`);
  }
}

/** Node takes TypeScript away by itself from 22.18 on; before that, only with a loader the user has set up. */
async function typescript(path: string, files: Files): Promise<Result<ConfigFile>> {
  try {
    return ok({ path, content: await files.importDefault(path) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') {
      return unreadable(path, `failed when it was loaded: ${message(error)}`);
    }
    return unreadable(
      path,
      `this Node (${process.version}) does not read TypeScript`,
      'Rename the file to hact.config.mjs and take the types out, or use Node 22.18 or newer.',
    );
  }
}
