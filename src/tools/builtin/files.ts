/** The tools for files below the roots: list, read, search, write. */
import { z } from 'zod';
import { defineTool, type Tool, type ToolContext } from '../tool.js';
import { createLineSplitter, type Line } from './lines.js';
import { entryStats, openFile, openFolder } from './root.js';
import { search } from './search.js';
import { encodingOf, textChunks } from './text.js';
import { type Entry, walk } from './walk.js';
import { writeWhole } from './write.js';

const pathOf = (what: string) => z.string().describe(`${what}, relative to the first open folder, or absolute`);

/** Characters of entries that one call returns; below the limit of the result with room for the rest of it. */
const listChars = 5000;
const mostCounted = 20_000;

interface Listed {
  readonly path: string;
  readonly bytes?: number;
  readonly kind?: string;
}

export const listFiles: Tool = defineTool({
  name: 'list_files',
  description:
    'Lists a folder, sorted by name: files with their bytes, folders with "/" at the end. Links are shown, not followed.',
  parameters: z.object({
    path: pathOf('the folder').default('.'),
    depth: z.int().min(1).max(10).default(1).describe('1: this folder only; 2: with what lies in its folders; …'),
    offset: z.int().min(0).default(0).describe('entries to skip'),
  }),
  effect: 'read',
  paths: ['path'],
  result: { chars: 6000, lines: 250 },
  rest: 'call again with offset',
  async run({ path, depth, offset }, context) {
    const folder = await openFolder(path, context.roots);
    const entries: Listed[] = [];
    const skipped: string[] = [];
    let total = 0;
    let chars = 0;
    try {
      const options = { depth, signal: context.signal, onSkipped: (shown: string) => skipped.push(shown) };
      for await (const entry of walk(folder, options)) {
        total += 1;
        if (total > mostCounted) break;
        if (total <= offset || chars > listChars) continue;
        const listed = await listedOf(entry);
        chars += JSON.stringify(listed).length + 1;
        if (chars <= listChars) entries.push(listed);
      }
    } finally {
      await folder.handle.close();
    }
    const next = offset + entries.length;
    return {
      entries,
      total: total > mostCounted ? `over ${mostCounted}` : total,
      ...(next < total ? { more: `continue with offset ${next}` } : {}),
      ...(skipped.length > 0 ? { unreadable: skipped.slice(0, 10) } : {}),
    };
  },
});

async function listedOf({ folder, name, shown, kind }: Entry): Promise<Listed> {
  if (kind === 'folder') return { path: `${shown}/` };
  if (kind !== 'file') return { path: shown, kind: kind === 'link' ? 'link' : 'no regular file' };
  const bytes = (await entryStats(folder, name))?.size;
  return bytes === undefined ? { path: shown } : { path: shown, bytes };
}

const readLimit = { chars: 8000, lines: 220 };
/** Text that one call returns; below the limit of the result with room for the rest of it. */
const readChars = 6500;
const lineChars = 2000;

export const readFile: Tool = defineTool({
  name: 'read_file',
  description:
    'Reads lines of a text file. For tables (CSV, TSV, JSONL, logs) profile_table and aggregate_table are better: they ' +
    'see the whole file.',
  parameters: z.object({
    path: pathOf('the file'),
    offset: z.int().min(1).default(1).describe('first line to read, from 1'),
    limit: z.int().min(1).max(200).default(200).describe('lines to read at most'),
  }),
  effect: 'read',
  paths: ['path'],
  result: readLimit,
  rest: 'call again with offset',
  run: ({ path, offset, limit }, context) => readLines(path, offset, limit, context),
});

async function readLines(path: string, offset: number, limit: number, context: ToolContext): Promise<unknown> {
  const { handle, stats, shown } = await openFile(path, context.roots);
  try {
    const encoding = await encodingOf(handle, stats.size, shown);
    const kept: string[] = [];
    let chars = 0;
    let seen = 0;
    let full = false;
    const take = (line: Line): void => {
      seen = line.number;
      if (line.number < offset || full) return;
      const text = shownLine(line);
      full = kept.length >= limit || (kept.length > 0 && chars + text.length > readChars);
      if (full) return;
      kept.push(text);
      // Quotes and backslashes take two characters on their way to the model.
      chars += JSON.stringify(text).length;
    };
    const splitter = createLineSplitter(lineChars);
    for await (const chunk of textChunks(handle, encoding, context.signal)) {
      for (const line of splitter.push(chunk)) take(line);
      if (full) break;
    }
    if (!full) for (const line of splitter.end()) take(line);
    const next = offset + kept.length;
    const about = { path: shown, bytes: stats.size, encoding, text: kept.join('\n') };
    if (full) return { ...about, lines: `${offset}-${next - 1}`, more: `continue with offset ${next}` };
    if (kept.length > 0) return { ...about, lines: `${offset}-${next - 1}`, total_lines: seen };
    return { ...about, total_lines: seen, note: seen === 0 ? 'the file is empty' : `the file ends at line ${seen}` };
  } finally {
    await handle.close();
  }
}

const shownLine = (line: Line): string =>
  line.cut === 0 ? line.text : `${line.text}… [${line.cut.toLocaleString('en-US')} more characters in this line]`;

export const searchFiles: Tool = defineTool({
  name: 'search_files',
  description:
    'Finds lines that contain a text, in one file or in all text files below a folder. Plain text, no patterns.',
  parameters: z.object({
    text: z.string().min(1).max(1000).describe('what the line contains'),
    path: pathOf('a file or a folder').default('.'),
    name: z.string().optional().describe('only files whose name ends with this, e.g. ".csv"'),
    ignore_case: z.boolean().default(false),
    limit: z.int().min(1).max(100).default(30).describe('matches to show at most'),
  }),
  effect: 'read',
  paths: ['path'],
  result: { chars: 6000, lines: 150 },
  rest: 'search a single file, or for a longer text',
  run: (args, context) => search({ ...args, ignoreCase: args.ignore_case }, context),
});

export const writeFile: Tool = defineTool({
  name: 'write_file',
  description: 'Writes a text file as a whole, in place of what was there. Missing folders are made.',
  parameters: z.object({ path: pathOf('the file'), content: z.string().describe('the whole new text') }),
  effect: 'idempotent',
  confirm: true,
  paths: ['path'],
  async run({ path, content }, context) {
    const { shown, bytes, created, sha256 } = await writeWhole(path, context.roots, content, context.idempotencyKey);
    return { path: shown, bytes, created, sha256 };
  },
});

export const fileTools: readonly Tool[] = [listFiles, readFile, searchFiles, writeFile];
