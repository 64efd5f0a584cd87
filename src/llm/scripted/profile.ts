/** The profile of a table, as the rule-based model reads it out of a tool result or a report. */
import { type Fields, isFields } from '../../domain/fields.js';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly missing: number;
  /** Undefined when there were too many to count. */
  readonly distinct: number | undefined;
  /** The rest as it came: min, max, mean, sum, top. */
  readonly facts: Fields;
}

export interface Profile {
  readonly format: string;
  readonly rows: number;
  readonly rejected: number;
  readonly columns: readonly Column[];
  /** Columns of the table, those included that are not described. */
  readonly columnCount: number;
}

export function readProfile(value: unknown): Profile | undefined {
  if (!isFields(value) || typeof value.rows !== 'number' || !Array.isArray(value.columns)) return undefined;
  const columns = value.columns.filter(isFields).flatMap((column): Column[] => {
    const { name, type, missing, distinct, ...facts } = column;
    if (typeof name !== 'string' || typeof type !== 'string') return [];
    return [
      {
        name,
        type,
        missing: typeof missing === 'number' ? missing : 0,
        distinct: typeof distinct === 'number' ? distinct : undefined,
        facts: { ...facts, distinct },
      },
    ];
  });
  const { format, rows, rejected } = value;
  return {
    format: typeof format === 'string' ? format : '',
    rows,
    rejected: typeof rejected === 'number' ? rejected : 0,
    columns,
    columnCount: typeof value.columns_total === 'number' ? value.columns_total : columns.length + furtherColumns(value),
  };
}

/** The tool lists the names of columns that it had no room for; the last entry may stand for many. */
function furtherColumns({ further_columns: further }: Fields): number {
  if (!Array.isArray(further)) return 0;
  const more = /^… (\d+) more$/.exec(String(further.at(-1)));
  return more === null ? further.length : further.length - 1 + Number(more[1]);
}

const mostColumns = 24;
const kept = ['name', 'type', 'missing', 'distinct', 'min', 'max', 'mean', 'sum'];

/** A profile short enough to be handed on as a result, its numbers unchanged. */
export function slimProfile(value: unknown): unknown {
  if (!isFields(value) || !Array.isArray(value.columns)) return value;
  const { format, rows, rejected, columns } = value;
  const slim = columns
    .filter(isFields)
    .slice(0, mostColumns)
    .map((column) => Object.fromEntries(kept.flatMap((key) => (key in column ? [[key, column[key]]] : []))));
  return { format, rows, rejected, columns: slim, columns_total: columns.length + furtherColumns(value) };
}
