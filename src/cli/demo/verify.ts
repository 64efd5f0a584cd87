/**
 * Recomputes every number of a report from the file itself, by plain code that shares nothing with the tools. Numbers
 * that it does not know how to compute are counted as not checked, never as right.
 */
import { isAbsent, keyCell, metric } from './recompute.js';
import { type PlainTable, type Row, readTable } from './table-file.js';

export interface Verification {
  readonly checked: number;
  readonly unchecked: number;
  readonly wrong: readonly string[];
}

export function verify(file: string, report: string): Verification {
  const table = readTable(file);
  const tally = new Tally();
  const [profile = '', ...sections] = report.split(/^## /m);
  checkProfile(table, profile, tally);
  for (const section of sections) checkSection(table, section, tally);
  return tally;
}

class Tally implements Verification {
  checked = 0;
  unchecked = 0;
  readonly wrong: string[] = [];

  compare(what: string, shown: string | undefined, computed: number | string | undefined): void {
    if (shown === undefined || shown === '–' || shown === '') return;
    if (computed === undefined) {
      this.unchecked += 1;
      return;
    }
    this.checked += 1;
    const same =
      typeof computed === 'number'
        ? Math.abs(Number(shown) - computed) <= 1e-9 * Math.max(1, Math.abs(computed))
        : shown === cellText(computed);
    if (!same) this.wrong.push(`${what}: the report says ${shown}, the file says ${computed}`);
  }
}

const cellText = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Rows of the Markdown tables in a text, without head and ruler. */
const tableRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ (?<!\\)\| /)
        .map((cell) => cell.replaceAll('\\|', '|').trim()),
    );

function checkProfile(table: PlainTable, text: string, tally: Tally): void {
  const { head, rows, rejected } = table;
  const overview = /(\d+) rows, (\d+) columns, (\d+) rejected|共 (\d+) 行、(\d+) 列，被拒绝 (\d+) 行/.exec(text) ?? [];
  const [rowCount, columnCount, rejectedCount] = overview.slice(1).filter((part) => part !== undefined);
  tally.compare('rows', rowCount, rows.length);
  if (table.exact) tally.compare('columns', columnCount, head.length);
  tally.compare('rejected lines', rejectedCount, rejected);
  for (const [name = '', type, missing, distinct = '', min, max, mean, sum] of tableRows(text)) {
    const column = head.findIndex((title) => cellText(title) === name);
    if (column < 0) {
      tally.wrong.push(`column ${name} is not in the file`);
      continue;
    }
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => !isAbsent(cell));
    tally.compare(`${name} missing`, missing, rows.length - cells.length);
    if (/^\d+$/.test(distinct)) tally.compare(`${name} distinct`, distinct, new Set(cells).size);
    if (type !== 'number' && type !== 'date') continue;
    const shown = { min, max, ...(type === 'number' ? { mean, sum } : {}) };
    for (const [op, value] of Object.entries(shown)) tally.compare(`${name} ${op}`, value, metric(op, cells));
  }
}

interface Aggregation {
  readonly group_by?: readonly string[];
  readonly metrics: readonly { readonly op: string; readonly column?: string }[];
  readonly where?: readonly unknown[];
}

function checkSection(table: PlainTable, text: string, tally: Tally): void {
  const asked = /`aggregate_table (\{.*\})`/.exec(text)?.[1];
  if (asked === undefined) return;
  const { group_by: by = [], metrics, where = [] } = JSON.parse(asked) as Aggregation;
  const shown = tableRows(text);
  const keys = by.map((name) => keyCell(name, table));
  if (where.length > 0 || keys.some((key) => key === undefined)) {
    tally.unchecked += shown.length * metrics.length;
    return;
  }
  const groups = grouped(
    table,
    keys.filter((key) => key !== undefined),
  );
  for (const cells of shown) {
    const key = cells.slice(0, by.length).join(' | ');
    const rows = groups.get(key) ?? [];
    metrics.forEach(({ op, column }, index) => {
      tally.compare(
        `${key} ${op}(${column ?? ''})`,
        cells[by.length + index],
        metric(op, cellsOf(table, rows, column)),
      );
    });
  }
  checkNotes(table, groups.size, text, tally);
  const [, name, value] =
    /First is (.+) with (.+) (\S+)\.$|排在第一的是 (.+)，(.+) 为 (\S+)。$/m
      .exec(text)
      ?.slice(1)
      .filter((part) => part !== undefined) ?? [];
  const leading = metrics.find(({ op, column }) => name === (column === undefined ? op : `${op}(${column})`));
  if (leading === undefined) return;
  const all = [...groups.values()].map((rows) => metric(leading.op, cellsOf(table, rows, leading.column)));
  tally.compare(
    `the largest ${name}`,
    value,
    all.reduce(
      (most, one) => (Number(one ?? Number.NEGATIVE_INFINITY) > Number(most) ? one : most),
      Number.NEGATIVE_INFINITY,
    ),
  );
}

/** The sentences around the table: what was used, what was left out. */
function checkNotes({ rows, rejected }: PlainTable, groups: number, text: string, tally: Tally): void {
  const used = /Rows used: (\d+); lines skipped: (\d+)|使用 (\d+) 行，跳过 (\d+) 行/
    .exec(text)
    ?.slice(1)
    .filter((part) => part !== undefined);
  tally.compare('rows used', used?.[0], rows.length);
  tally.compare('lines skipped', used?.[1], rejected);
  const of = /Shown are \d+ of (\d+) groups|共 (\d+) 组，列出/
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined);
  tally.compare('groups', of, groups);
}

const cellsOf = ({ head }: PlainTable, rows: readonly Row[], column: string | undefined): string[] => {
  const at = column === undefined ? -1 : head.indexOf(column);
  return at < 0 ? rows.map(() => '1') : rows.map((row) => row[at] ?? '').filter((cell) => !isAbsent(cell));
};

function grouped({ rows }: PlainTable, keys: readonly ((row: Row) => string)[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keys
      .map((of) => of(row))
      .map((part) => (isAbsent(part) ? '–' : cellText(part)))
      .join(' | ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
