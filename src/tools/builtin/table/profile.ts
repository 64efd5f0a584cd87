/** What a table holds: its columns, their types, and what can be said of their values. */
import type { Json } from '../../../domain/json.js';
import { ColumnProfile } from './column.js';
import { columnOf } from './name.js';
import { type Reading, scanTable, type Table } from './scan.js';

export interface ProfileOptions {
  readonly path: string;
  /** Only these. */
  readonly columns?: readonly string[] | undefined;
}

/** Distinct values that are counted in one column, and in all of them together. */
const distinctValues = { column: 10_000, table: 400_000 };
/** Characters of column summaries that are shown; below the result limit with room for the rest. */
const summaryChars = 6000;
/** Characters of the names of the other columns. */
const nameChars = 1500;

export async function profileTable(options: ProfileOptions, reading: Reading): Promise<Json> {
  const profiles: ColumnProfile[] = [];
  let wanted: readonly number[] | undefined;
  const table = await scanTable(options.path, reading, (begun) => {
    wanted = options.columns?.map((name) => columnOf(name, begun.columns));
    const most = Math.max(
      100,
      Math.min(distinctValues.column, Math.floor(distinctValues.table / begun.columns.length)),
    );
    const profileAt = (index: number): ColumnProfile => {
      profiles[index] ??= new ColumnProfile(most);
      return profiles[index];
    };
    const { columns } = begun;
    return (cells) => {
      for (let index = 0; index < columns.length; index += 1) {
        const cell = cells[index];
        if (cell !== undefined) (profiles[index] ?? profileAt(index)).add(cell);
      }
    };
  });
  return summary(table, profiles, wanted);
}

function summary(table: Table, profiles: readonly ColumnProfile[], wanted: readonly number[] | undefined): Json {
  const columns: Json[] = [];
  const further: string[] = [];
  let chars = 0;
  for (const index of wanted ?? table.columns.keys()) {
    const name = table.columns[index] ?? '';
    const column = (profiles[index] ?? new ColumnProfile(0)).summary(name, table.rows);
    chars += JSON.stringify(column).length + 1;
    if (chars <= summaryChars) columns.push(column);
    else further.push(name);
  }
  return {
    path: table.path,
    format: table.format,
    encoding: table.encoding,
    rows: table.rows,
    rejected: table.rejected,
    columns,
    ...(further.length > 0 ? { further_columns: firstNames(further), more: 'name them in columns' } : {}),
  };
}

function firstNames(names: readonly string[]): string[] {
  let chars = 0;
  const shown = names.filter((name) => {
    chars += JSON.stringify(name).length + 1;
    return chars <= nameChars;
  });
  return shown.length === names.length ? shown : [...shown, `… ${names.length - shown.length} more`];
}
