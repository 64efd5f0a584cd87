/** Rows out of JSON lines: one object a line, nested objects as `outer.inner`, lists as their JSON text. */
const deepest = 3;
const mostColumns = 500;

export interface JsonlReader {
  /** Grows as keys appear. */
  readonly columns: readonly string[];
  /** Keys that found no room. */
  dropped(): boolean;
  /** The cells of a line in the order of `columns`; undefined when it is no JSON object. */
  read(line: string): readonly string[] | undefined;
}

export function createJsonlReader(): JsonlReader {
  const columns: string[] = [];
  const places = new Map<string, number>();
  let dropped = false;
  const placeOf = (name: string): number | undefined => {
    const known = places.get(name);
    if (known !== undefined) return known;
    if (columns.length >= mostColumns) {
      dropped = true;
      return undefined;
    }
    places.set(name, columns.length);
    columns.push(name);
    return columns.length - 1;
  };
  const fill = (cells: string[], object: object, prefix: string, depth: number): void => {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < deepest) {
        fill(cells, value, `${prefix}${key}.`, depth + 1);
        continue;
      }
      const place = placeOf(prefix + key);
      if (place !== undefined) cells[place] = cellOf(value);
    }
  };
  return {
    columns,
    dropped: () => dropped,
    read(line) {
      const object = parsed(line);
      if (object === undefined) return undefined;
      const cells = new Array<string>(columns.length).fill('');
      fill(cells, object, '', 1);
      for (let i = 0; i < cells.length; i += 1) cells[i] ??= '';
      return cells;
    },
  };
}

const cellOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
