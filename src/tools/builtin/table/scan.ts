/** Reads any table below the roots row by row, in constant memory. */
import { toolFailure } from '../../tool-failure.js';
import { createLineSplitter } from '../lines.js';
import { type OpenFile, openFile } from '../root.js';
import { chunkBytes, type Encoding, encodingOf, textChunks } from '../text.js';
import { CsvReader } from './csv.js';
import { detectFormat, type TableFormat } from './detect.js';
import { createJsonlReader } from './jsonl.js';
import { logColumns, readLogLine } from './log.js';

export interface Table {
  readonly path: string;
  readonly format: string;
  readonly encoding: Encoding;
  readonly bytes: number;
  /** Of JSON lines it may grow while rows come. */
  readonly columns: readonly string[];
  /** Good rows so far. */
  rows: number;
  /** Rows with too many or too few fields, lines that cannot be read. */
  rejected: number;
}

/** Gets a row: the cells of `table.columns` in order; missing ones at the end may be absent. The array is used again. */
export type RowTaker = (cells: readonly string[]) => void;

export interface Reading {
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

/** A line of a log or of JSON may be so long. */
const lineChars = 4_000_000;

/** Calls `begin` once the columns are known, then its taker with every good row. Throws `ToolFailure` in words. */
export async function scanTable(path: string, reading: Reading, begin: (table: Table) => RowTaker): Promise<Table> {
  const file = await openFile(path, reading.roots);
  try {
    if (file.stats.size === 0) throw noRows(file.shown, 'is empty');
    const encoding = await encodingOf(file.handle, file.stats.size, file.shown);
    return await scanText(file, encoding, reading, begin);
  } finally {
    await file.handle.close();
  }
}

const noRows = (shown: string, why: string) =>
  toolFailure({
    kind: 'invalid_arguments',
    message: `${shown} ${why}`,
    hint: 'a table is CSV, TSV, JSON lines (one object a line), or a web server log',
  });

async function scanText(
  file: OpenFile,
  encoding: Encoding,
  { signal }: Reading,
  begin: (table: Table) => RowTaker,
): Promise<Table> {
  const about = { path: file.shown, encoding, bytes: file.stats.size };
  let feed: Feed | undefined;
  let pending = '';
  const open = (whole: boolean): Feed => {
    if (pending.trim() === '') throw noRows(file.shown, 'holds nothing but white space');
    const format = detectFormat(pending, whole, file.shown);
    if (format === undefined) throw noRows(file.shown, 'is JSON, but not one object a line');
    return feedOf(format, about, begin);
  };
  for await (const chunk of textChunks(file.handle, encoding, signal)) {
    if (feed !== undefined) {
      feed.push(chunk);
      continue;
    }
    // The first chunk is the sample; a file that begins with white space gives more.
    pending += chunk;
    if (pending.trim() === '' && pending.length < 10_000_000) continue;
    feed = open(file.stats.size <= chunkBytes);
    feed.push(pending);
  }
  feed ??= open(true);
  return feed.end();
}

interface Feed {
  push(chunk: string): void;
  end(): Table;
}

type About = Pick<Table, 'path' | 'encoding' | 'bytes'>;

function feedOf(format: TableFormat, about: About, begin: (table: Table) => RowTaker): Feed {
  return format.kind === 'delimited' ? delimitedFeed(format, about, begin) : lineFeed(format, about, begin);
}

function delimitedFeed(
  format: Extract<TableFormat, { kind: 'delimited' }>,
  about: About,
  begin: (table: Table) => RowTaker,
): Feed {
  const columns: string[] = [];
  const table: Table = { ...about, format: format.name, columns, rows: 0, rejected: 0 };
  let take: RowTaker | undefined;
  const reader = new CsvReader({
    delimiter: format.delimiter,
    loneCr: format.loneCr,
    row: (cells, count) => {
      if (take === undefined) {
        columns.push(...headerOf(cells.slice(0, count)));
        take = begin(table);
        return true;
      }
      if (count !== columns.length) return false;
      table.rows += 1;
      take(cells);
      return true;
    },
    bad: () => {
      table.rejected += 1;
    },
  });
  return {
    push: (chunk) => reader.push(chunk),
    end: () => {
      reader.end();
      if (take === undefined) throw noRows(about.path, 'has no readable row');
      return table;
    },
  };
}

/** Every column gets a name of its own. */
function headerOf(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const base = cell.trim().replaceAll(/\s+/g, ' ') || `column_${index + 1}`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}_${n}`;
    taken.add(name);
    return name;
  });
}

function lineFeed(
  format: Exclude<TableFormat, { kind: 'delimited' }>,
  about: About,
  begin: (table: Table) => RowTaker,
): Feed {
  const { columns, read } = lineReader(format);
  const table: Table = { ...about, format: format.name, columns, rows: 0, rejected: 0 };
  const take = begin(table);
  const splitter = createLineSplitter(lineChars);
  const accept = (lines: readonly { text: string; cut: number }[]): void => {
    for (const { text, cut } of lines) {
      if (text === '' || text.trim() === '') continue;
      const cells = cut > 0 ? undefined : read(text);
      if (cells === undefined) table.rejected += 1;
      else {
        table.rows += 1;
        take(cells);
      }
    }
  };
  return {
    push: (chunk) => accept(splitter.push(chunk)),
    end: () => {
      accept(splitter.end());
      return table;
    },
  };
}

interface LineReader {
  readonly columns: readonly string[];
  read(line: string): readonly string[] | undefined;
}

function lineReader(format: Exclude<TableFormat, { kind: 'delimited' }>): LineReader {
  if (format.kind === 'jsonl') {
    const reader = createJsonlReader();
    // The columns of the sample come first, so that they are known from the start.
    reader.read(JSON.stringify(Object.fromEntries(format.columns.map((column) => [column, '']))));
    return reader;
  }
  const places = format.columns.map((column) => logColumns.indexOf(column as (typeof logColumns)[number]));
  return {
    columns: format.columns,
    read: (line) => {
      const cells = readLogLine(line);
      return cells === undefined ? undefined : places.map((place) => cells[place] ?? '');
    },
  };
}
