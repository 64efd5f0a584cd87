/** Reads a table by plain code that shares nothing with the tools: CSV and the like, JSON lines, web server logs. Whole in memory. */

export type Row = readonly string[];

export interface PlainTable {
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  /** Lines that are no rows of the table. */
  readonly rejected: number;
  /** `head` holds exactly the columns of the file; of a log, all that a log may have. */
  readonly exact: boolean;
}

export function readTable(text: string): PlainTable {
  const body = text.replace(/^\uFEFF/, '');
  const first = body.slice(0, body.search(/\n|$/)).trim();
  if (first.startsWith('{')) return jsonLines(body);
  if (logLine.test(first)) return log(body);
  const [head = [], ...all] = readCells(body);
  const rows = all.filter((row) => row.length === head.length);
  return { head: head.map((name) => name.trim()), rows, rejected: all.length - rows.length, exact: true };
}

/** Cells of delimited text; quotes hold delimiters, line ends and doubled quotes. */
export function readCells(text: string): Row[] {
  const body = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(body.slice(0, 100_000));
  const rows: string[][] = [];
  const row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < body.length; at += 1) {
    const mark = body.charAt(at);
    if (quoted) {
      if (mark !== '"') cell += mark;
      else if (body.charAt(at + 1) === '"') cell += body.charAt(++at);
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

/** The one that the first line has most of, quoted text left out. */
function delimiterOf(sample: string): string {
  const line = sample.replaceAll(/"(?:[^"]|"")*"/g, '').split('\n', 1)[0] ?? '';
  return [',', ';', '\t', '|'].reduce((best, mark) =>
    line.split(mark).length > line.split(best).length ? mark : best,
  );
}

function jsonLines(text: string): PlainTable {
  const records: ReadonlyMap<string, string>[] = [];
  let rejected = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      records.push(new Map(flat(JSON.parse(line) as object, '', 1)));
    } catch {
      rejected += 1;
    }
  }
  const head = [...new Set(records.flatMap((record) => [...record.keys()]))];
  return { head, rows: records.map((record) => head.map((name) => record.get(name) ?? '')), rejected, exact: true };
}

const flat = (object: object, prefix: string, depth: number): [string, string][] =>
  Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && depth < 3
      ? flat(value, `${prefix}${key}.`, depth + 1)
      : [[prefix + key, value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  );

const logLine =
  /^(\S+) \S+ (.*?) \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d:\d\d) ([+-]\d{4})\] "(\S*) ?(\S*) ?([^"]*)" (\d{3}) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?(.*)$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const logHead = [
  'host',
  'user',
  'time',
  'date',
  'hour',
  'method',
  'path',
  'query',
  'protocol',
  'status',
  'bytes',
  'referer',
  'agent',
  'response_time',
];

function log(text: string): PlainTable {
  const rows: Row[] = [];
  let rejected = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const found = logLine.exec(line);
    if (found === null) {
      rejected += 1;
      continue;
    }
    const [, host = '', user = '', day, month = '', year, hour = '', clock, zone = '', method = '', target = ''] =
      found;
    const [protocol = '', status = '', bytes = '', referer = '', agent = '', rest = ''] = found
      .slice(11)
      .map((part = '') => part);
    const date = `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day}`;
    const time = `${date}T${hour}:${clock}${zone.slice(0, 3)}:${zone.slice(3)}`;
    const [path = '', ...query] = target.split('?');
    const took = /(?:^|[\s="])(\d+(?:\.\d+)?)/.exec(rest)?.[1] ?? '';
    rows.push([
      host,
      user,
      time,
      date,
      hour,
      method,
      path,
      query.join('?'),
      protocol,
      status,
      bytes,
      referer,
      agent,
      took,
    ]);
  }
  return { head: logHead, rows, rejected, exact: false };
}
