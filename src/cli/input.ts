/** Files that a task is about, checked before anybody works on them. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { FailureError, failure } from '../domain/failure.js';

/** Standard input is kept whole in memory on its way to a file. */
const stdinLimit = 512 * 1024 * 1024;

/** Absolute paths. `-` is standard input, which is kept in a file of the data folder. Throws a `FailureError`. */
export async function inputFiles(names: readonly string[], dataDir: string): Promise<string[]> {
  if (names.filter((name) => name === '-').length > 1) throw refusal('standard input can be named once only');
  return Promise.all(names.map((name) => (name === '-' ? keepStdin(dataDir) : checked(name))));
}

async function checked(name: string): Promise<string> {
  const path = resolve(name);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal(`file ${name} cannot be read: ${reason(error)}`, 'check the path');
  });
  if (found.isDirectory())
    throw refusal(`${name} is a folder, expected a file`, 'name the files in it, or run there without --file');
  if (found.isFile() && found.size === 0) throw refusal(`file ${name} is empty`, 'name a file with something in it');
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw refusal(`file ${name} cannot be read: ${reason(error)}`, 'check its permissions');
  });
  return path;
}

async function keepStdin(dataDir: string): Promise<string> {
  if (process.stdin.isTTY)
    throw refusal('standard input is a terminal', 'pipe something in: cat data.csv | hact run GOAL --file -');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > stdinLimit)
      throw refusal(`standard input is larger than ${stdinLimit} bytes`, 'save it to a file and name that');
  }
  if (size === 0) throw refusal('standard input is empty');
  const content = Buffer.concat(chunks);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const folder = join(dataDir, 'input', hash);
  const path = join(folder, 'stdin');
  await mkdir(folder, { recursive: true });
  await writeFile(path, content);
  return path;
}

/** The folders that tools need for these files: the given ones, and those of files outside of them. */
export function rootsFor(files: readonly string[], roots: readonly string[]): string[] {
  const covered = (path: string): boolean =>
    roots.some((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  return [...new Set([...roots, ...files.filter((path) => !covered(path)).map(dirname)])];
}

const refusal = (message: string, hint?: string): FailureError =>
  new FailureError(failure('invalid_request', message, hint));

const reason = (error: NodeJS.ErrnoException): string => {
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'permission denied';
    case 'ENOTDIR':
      return `${basename(dirname(error.path ?? ''))} is not a folder`;
    default:
      return error.code ?? error.message;
  }
};
