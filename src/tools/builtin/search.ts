/** Looks for a text in files, in time linear in their size. */

import { headOf } from '../cut.js';
import type { ToolContext } from '../tool.js';
import { toolFailure } from '../tool-failure.js';
import { createLineSplitter, type Line } from './lines.js';
import { type OpenFile, openEntry, openFile, openFolder } from './root.js';
import { encodingOf, textChunks } from './text.js';
import { walk } from './walk.js';

export interface SearchOptions {
  readonly text: string;
  readonly path: string;
  readonly name?: string | undefined;
  readonly ignoreCase: boolean;
  readonly limit: number;
}

const most = { depth: 20, files: 20_000, bytes: 1_000_000_000, matches: 100_000 };
const lineChars = 1_000_000;
const shownChars = 200;

interface Found {
  matches: { path: string; line: number; text: string }[];
  total: number;
  files: number;
  bytes: number;
  /** Not text, or not readable. */
  skipped: number;
  /** A limit ended the search. */
  stopped: boolean;
}

export async function search(options: SearchOptions, context: ToolContext): Promise<unknown> {
  const found: Found = { matches: [], total: 0, files: 0, bytes: 0, skipped: 0, stopped: false };
  const folder = await openFolder(options.path, context.roots).catch(async (error) => {
    // Not a folder: a single file, or something wrong in whose words openFile is better.
    const file = await openFile(options.path, context.roots).catch(() => {
      throw error;
    });
    await searchIn(file, options, context, found, true);
    return undefined;
  });
  if (folder !== undefined) {
    try {
      const onSkipped = (): void => {
        found.skipped += 1;
      };
      const walking = { depth: most.depth, signal: context.signal, onSkipped };
      for await (const entry of walk(folder, walking)) {
        if (entry.kind !== 'file' || (options.name !== undefined && !entry.name.endsWith(options.name))) continue;
        if (found.files >= most.files || found.bytes >= most.bytes || found.total >= most.matches) {
          found.stopped = true;
          break;
        }
        const file = await openEntry(entry.folder, entry.name).catch(() => undefined);
        if (file === undefined) found.skipped += 1;
        else await searchIn(file, options, context, found, false);
      }
    } finally {
      await folder.handle.close();
    }
  }
  return {
    matches: found.matches,
    total: found.total,
    files_searched: found.files,
    ...(found.skipped > 0 ? { files_skipped: found.skipped } : {}),
    ...(found.stopped ? { note: 'too much to search: only a part was looked at; search a smaller folder' } : {}),
  };
}

async function searchIn(
  { handle, stats, shown }: OpenFile,
  options: SearchOptions,
  context: ToolContext,
  found: Found,
  alone: boolean,
): Promise<void> {
  try {
    const encoding = await encodingOf(handle, stats.size, shown);
    const splitter = createLineSplitter(lineChars);
    const wanted = options.ignoreCase ? options.text.toLowerCase() : options.text;
    const look = (line: Line): void => {
      const text = options.ignoreCase ? line.text.toLowerCase() : line.text;
      const at = text.indexOf(wanted);
      if (at === -1) return;
      found.total += 1;
      if (found.matches.length < options.limit) {
        found.matches.push({ path: shown, line: line.number, text: around(line.text, at, wanted.length) });
      }
    };
    for await (const chunk of textChunks(handle, encoding, context.signal)) {
      for (const line of splitter.push(chunk)) look(line);
    }
    for (const line of splitter.end()) look(line);
    found.files += 1;
    found.bytes += stats.size;
  } catch (error) {
    if (alone || context.signal.aborted) throw alone ? error : toolFailure({ kind: 'cancelled', message: 'stopped' });
    found.skipped += 1;
  } finally {
    await handle.close();
  }
}

/** The line, or of a long one the surroundings of the match. */
function around(line: string, at: number, length: number): string {
  if (line.length <= shownChars) return line;
  const from = Math.max(0, at - Math.floor((shownChars - Math.min(length, shownChars)) / 2));
  return `${from > 0 ? '…' : ''}${headOf(line.slice(from), shownChars)}${from + shownChars < line.length ? '…' : ''}`;
}
