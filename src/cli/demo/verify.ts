/**
 * Recomputes every number of a report from the file itself, by plain code that shares nothing with the tools: own CSV
 * reading, own sums. Numbers that it does not know how to compute are counted as not checked, never as right.
 */

export interface Verification {
  readonly checked: number;
  readonly unchecked: number;
  readonly wrong: readonly string[];
}

type Row = readonly string[];

/** Cells of a delimited file; quotes hold delimiters, line ends and doubled quotes. */
export function readCells(text: string): Row[] {
  const body = text.replace(/^\uFEFF/, '');
  const head = body.slice(0, body.indexOf('\n'));
  const delimiter = [',', ';', '\t', '|'].reduce((best, mark) =>
    head.split(mark).length > head.split(best).length ? mark : best,
  );
  const rows: string[][] = [];
  const row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < body.length; at += 1) {
    const mark = body[at];
    if (quoted) {
      if (mark !== '"') cell += mark;
      else if (body[at + 1] === '"') cell += body[++at];
      else quoted = false;
    } else if (mark === '"' && cell === '') quoted = true;
    else if (mark === delimiter || mark === '\n') {
      row.push(cell.replace(/\r$/, ''));
      cell = '';
      if (mark === '\n') rows.push(row.splice(0));
    } else cell += mark;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== '');
}

const absent = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', '-', '--', '\\n']);
const isAbsent = (cell: string): boolean => absent.has(cell.trim().toLowerCase());

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

export function verify(file: string, report: string): Verification {
  const [head = [], ...all] = readCells(file);
  const table: Table = { head, rows: all.filter((row) => row.length === head.length) };
  const tally = { checked: 0, unchecked: 0, wrong: [] as string[] };
  const [profile, ...sections] = report.split(/^## /m);
  checkProfile(table, profile ?? '', tally);
  for (const section of sections) checkSection(table, section, tally);
  return tally;
}

type Tally = { checked: number; unchecked: number; wrong: string[] };

function compare(tally: Tally, what: string, shown: string, computed: number | string | undefined): void {
  if (shown === '–' || shown === '') return;
  if (computed === undefined) {
    tally.unchecked += 1;
    return;
  }
  tally.checked += 1;
  const same =
    typeof computed === 'number'
      ? Math.abs(Number(shown) - computed) <= 1e-9 * Math.max(1, Math.abs(computed))
      : shown === computed;
  if (!same) tally.wrong.push(`${what}: the report says ${shown}, the file says ${computed}`);
}

/** Rows of the Markdown tables in a text, without the rulers. */
const tableRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ (?<!\\)\| /)
        .map((cell) => cell.replaceAll('\\|', '|').trim()),
    );

const cellText = (text: string): string => text.replace(/\s+/g, ' ').trim();

function checkProfile({ head, rows }: Table, text: string, tally: Tally): void {
  const [rowCount, columnCount] = /(\d+) (?:rows|行)[^\d]+(\d+)/.exec(text)?.slice(1) ?? [];
  compare(tally, 'rows', rowCount ?? '', rows.length);
  compare(tally, 'columns', columnCount ?? '', head.length);
  for (const [name = '', type, missing = '', distinct = '', min = '', max = '', mean = '', sum = ''] of tableRows(
    text,
  ).slice(1)) {
    const column = head.findIndex((title) => cellText(title) === name);
    if (column < 0) {
      tally.wrong.push(`column ${name} is not in the file`);
      continue;
    }
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => !isAbsent(cell));
    compare(tally, `${name} missing`, missing, rows.length - cells.length);
    if (/^\d+$/.test(distinct))
      compare(tally, `${name} distinct`, distinct, new Set(cells.map((cell) => cell.trim())).size);
    if (type !== 'number') continue;
    const numbers = cells.map(Number).filter((number) => !Number.isNaN(number));
    for (const [op, shown] of [
      ['min', min],
      ['max', max],
      ['mean', mean],
      ['sum', sum],
    ] as const) {
      compare(tally, `${name} ${op}`, shown, metric(op, numbers, cells));
    }
  }
}

function metric(op: string, numbers: readonly number[], cells: readonly string[]): number | undefined {
  const sum = (): number => numbers.reduce((total, number) => total + Math.round(number * 1e6), 0) / 1e6;
  const ranked = (): number[] => [...numbers].sort((a, b) => a - b);
  switch (op) {
    case 'count':
      return cells.length;
    case 'distinct':
      return new Set(cells.map((cell) => cell.trim())).size;
    case 'min':
      return ranked()[0];
    case 'max':
      return ranked().at(-1);
    case 'sum':
      return sum();
    case 'mean':
      return numbers.length === 0 ? undefined : sum() / numbers.length;
    default:
      return undefined;
  }
}

interface Aggregation {
  readonly group_by?: readonly string[];
  readonly metrics: readonly { readonly op: string; readonly column?: string }[];
}

/** `month(date)` and the like: the part of a date that it names. */
function keyOf(name: string, { head }: Table, row: Row): string | undefined {
  const direct = head.indexOf(name);
  if (direct >= 0) return row[direct];
  const [, period = '', column = ''] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
  const length = { year: 4, month: 7, day: 10 }[period];
  const cell = row[head.indexOf(column)];
  return length === undefined ? undefined : cell?.trim().slice(0, length);
}

function checkSection(table: Table, text: string, tally: Tally): void {
  const asked = /`aggregate_table (\{.*\})`/.exec(text)?.[1];
  if (asked === undefined) return;
  const { group_by: by = [], metrics } = JSON.parse(asked) as Aggregation;
  const groups = new Map<string, Row[]>();
  for (const row of table.rows) {
    const parts = by.map((name) => keyOf(name, table, row));
    const key = parts.map((part) => (part === undefined || isAbsent(part) ? '–' : cellText(part))).join(' | ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  for (const cells of tableRows(text).slice(1)) {
    const key = cells.slice(0, by.length).join(' | ');
    const rows = groups.get(key) ?? [];
    metrics.forEach(({ op, column }, index) => {
      const at = column === undefined ? -1 : table.head.indexOf(column);
      const values = at < 0 ? rows.map(() => '1') : rows.map((row) => row[at] ?? '').filter((cell) => !isAbsent(cell));
      const numbers = values.map(Number).filter((number) => !Number.isNaN(number));
      compare(tally, `${key} ${op}(${column ?? ''})`, cells[by.length + index] ?? '', metric(op, numbers, values));
    });
  }
}
