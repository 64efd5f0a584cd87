/** Where the repository lies and which files it consists of. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export const textOf = (path: string): Promise<string> => readFile(`${repository}/${path}`, 'utf8');

/** Paths of all TypeScript files below these folders. */
export async function sourceFiles(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(`${repository}/${folder}`, { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
    }),
  );
  return lists.flat().sort();
}

/** Folders that tools, the demo and users make here: those that git ignores. */
const ignored = (await textOf('.gitignore')).split('\n').flatMap((line) => /^\/?([^*]+)\/$/.exec(line)?.[1] ?? []);
const made: ReadonlySet<string> = new Set(['.git', ...ignored]);

/** Paths of all files that belong to the repository. */
export async function ownFiles(folder = ''): Promise<string[]> {
  const entries = await readdir(`${repository}/${folder}`, { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter((entry) => !made.has(entry.name) && !entry.name.endsWith('.log'))
      .map((entry) => (entry.isDirectory() ? ownFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`])),
  );
  return lists.flat().sort();
}
