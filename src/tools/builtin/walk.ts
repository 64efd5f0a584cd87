/** Entries below a folder, by name, without following links. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { explained, type Folder, openChild } from './root.js';

export interface Entry {
  readonly folder: Folder;
  readonly name: string;
  readonly shown: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export interface WalkOptions {
  /** 1: only what is directly in it. */
  readonly depth: number;
  readonly signal: AbortSignal;
  /** Told of folders that could not be opened. */
  onSkipped(shown: string): void;
}

/** Folders that are walked only when they are named themselves. */
const passedBy: ReadonlySet<string> = new Set(['.git', '.hact', 'node_modules']);

/** The folder of an entry is open only until the next entry is asked for. Closes what it opens, not `folder`. */
export async function* walk(folder: Folder, options: WalkOptions): AsyncGenerator<Entry, void, undefined> {
  const entries = await readdir(folder.at('.'), { withFileTypes: true }).catch((error) => {
    throw explained(error, folder.shown || '.');
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    options.signal.throwIfAborted();
    const shown = folder.shown === '' ? entry.name : `${folder.shown}/${entry.name}`;
    const kind = kindOf(entry);
    yield { folder, name: entry.name, shown, kind };
    if (kind === 'folder' && options.depth > 1 && !passedBy.has(entry.name)) yield* below(folder, entry.name, options);
  }
}

async function* below(parent: Folder, name: string, options: WalkOptions): AsyncGenerator<Entry, void, undefined> {
  let child: Folder;
  try {
    child = await openChild(parent, name);
  } catch {
    options.onSkipped(parent.shown === '' ? name : `${parent.shown}/${name}`);
    return;
  }
  try {
    yield* walk(child, { ...options, depth: options.depth - 1 });
  } finally {
    await child.handle.close();
  }
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
