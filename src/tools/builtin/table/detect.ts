/** Which kind of table a text is, from its beginning. */
import { CsvReader } from './csv.js';
import { createJsonlReader } from './jsonl.js';
import { logColumns, readLogLine } from './log.js';

export type TableFormat =
  | { readonly kind: 'delimited'; readonly delimiter: string; readonly loneCr: boolean; readonly name: string }
  | { readonly kind: 'jsonl'; readonly columns: readonly string[]; readonly name: string }
  | { readonly kind: 'log'; readonly columns: readonly string[]; readonly name: string };

const sampleLines = 100;

/** `whole`: the sample is all there is, so its last line counts. Undefined: it is an array of JSON, or something else that has no rows. */
export function detectFormat(sample: string, whole: boolean, fileName: string): TableFormat | undefined {
  const lines = sample.split('\n', sampleLines + 1);
  if (!whole && lines.length <= sampleLines) lines.pop();
  const full = lines.map((line) => line.trim()).filter((line) => line !== '');
  const first = full[0] ?? '';
  if (first.startsWith('{')) return jsonlFormat(full);
  if (first.startsWith('[') && /^\[\s*(?:$|[[{\]"\d-])/.test(first)) return undefined;
  return logFormat(full) ?? delimitedFormat(sample, whole, fileName);
}

function jsonlFormat(lines: readonly string[]): TableFormat | undefined {
  const reader = createJsonlReader();
  const good = lines.filter((line) => reader.read(line) !== undefined).length;
  return good * 2 >= lines.length ? { kind: 'jsonl', columns: reader.columns, name: 'jsonl' } : undefined;
}

/** Columns that no line of the sample has are left out. */
function logFormat(lines: readonly string[]): TableFormat | undefined {
  const rows = lines.map((line) => readLogLine(line)).filter((row) => row !== undefined);
  if (rows.length === 0 || rows.length * 2 < lines.length) return undefined;
  const has = (column: (typeof logColumns)[number]): boolean =>
    rows.some((row) => row[logColumns.indexOf(column)] !== '');
  const combined = has('agent') || has('referer');
  const columns = logColumns.filter((column) =>
    column === 'referer' || column === 'agent' ? combined : column !== 'response_time' || has(column),
  );
  return { kind: 'log', columns, name: combined ? 'combined log' : 'common log' };
}

const delimiters = [
  [',', 'csv'],
  ['\t', 'tsv'],
  [';', 'csv (;)'],
  ['|', 'csv (|)'],
] as const;

function delimitedFormat(sample: string, whole: boolean, fileName: string): TableFormat {
  const loneCr = !sample.includes('\n') && sample.includes('\r');
  const scored = delimiters.map(([delimiter, name]) => ({
    delimiter,
    name,
    score:
      consistency(sample, delimiter, loneCr, whole) * (name === 'tsv' && /\.(?:tsv|tab)$/i.test(fileName) ? 10 : 1),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return { kind: 'delimited', delimiter: best.delimiter, loneCr, name: best.name };
}

/** High when all rows have the same number of fields, and more than one. */
function consistency(sample: string, delimiter: string, loneCr: boolean, whole: boolean): number {
  const widths: number[] = [];
  const reader = new CsvReader({
    delimiter,
    loneCr,
    row: (_, count) => {
      if (widths.length < sampleLines) widths.push(count);
      return true;
    },
    bad: () => undefined,
  });
  reader.push(sample);
  if (whole || widths.length === 0) reader.end();
  const width = widths[0] ?? 1;
  const share = widths.filter((other) => other === width).length / Math.max(1, widths.length);
  return width < 2 ? 0 : share * share * (1 + Math.min(width, 20) / 20);
}
