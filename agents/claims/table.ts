/** Numbers that belong together in a tool's result: columns, lists, the figures of one object; and how many things there are. */
import type { Json } from '../../src/domain/json.js';
import { valuesIn } from './numeral.js';
import { wordsOfName } from './passage.js';

export interface List {
  readonly values: number[];
  readonly from: Set<string>;
}

export interface Tables {
  /** Every number, wherever it stood. */
  readonly stated: { value: number; from: string }[];
  readonly lists: Map<string, List>;
  /** Lengths of lists, rows of a kind: what can be counted. */
  readonly counts: { value: number; from: string }[];
  /** Characters, words and lines of what the agent wrote. */
  readonly sizes: { value: number; from: string }[];
  /** Numbers by the words of their key. */
  readonly keyed: Map<string, List>;
  /** Small numbers inside names: no amounts. */
  readonly ofNames: { value: number; from: string }[];
  /** Numbers that can still be taken in. */
  room: number;
}

/** Where the order and humans say it: known, but no call. */
export const given = 'given';

export const emptyTables = (most: number): Tables => ({
  stated: [],
  lists: new Map(),
  counts: [],
  sizes: [],
  keyed: new Map(),
  ofNames: [],
  room: most,
});

/** @param group values of one group and path make a list, also over several results */
export function addData(tables: Tables, data: Json, from: string, group: string): void {
  walk(tables, data, from, `${group} `, '');
}

/** `2 h 35 min`, in minutes. */
const duration = /\b(\d{1,3})\s?(?:h|hrs?|hours?|小时|个小时)(?: and|,)?\s?(\d{1,2})\s?(?:m|mins?|minutes?|分钟?)/g;

export function addText(tables: Tables, text: string, from: string): void {
  const ofNames: number[] = [];
  for (const value of valuesIn(text, tables.room, ofNames)) state(tables, value, from);
  for (const value of ofNames) tables.ofNames.push({ value, from });
  for (const [, hours, minutes] of text.matchAll(duration)) state(tables, Number(hours) * 60 + Number(minutes), from);
}

function state(tables: Tables, value: number, from: string): void {
  tables.room -= 1;
  tables.stated.push({ value, from });
}

function listed(lists: Map<string, List>, path: string, value: number, from: string): void {
  const list = lists.get(path);
  if (list === undefined) lists.set(path, { values: [value], from: new Set([from]) });
  else {
    list.values.push(value);
    list.from.add(from);
  }
}

const count = (tables: Tables, value: number, from: string): void => void tables.counts.push({ value, from });

function walk(tables: Tables, data: Json, from: string, path: string, key: string): void {
  if (tables.room <= 0 || data === null || typeof data === 'boolean') return;
  if (typeof data === 'number') {
    state(tables, data, from);
    listed(tables.lists, path, data, from);
    if (path.endsWith(']')) listed(tables.lists, `${from} ${path}`, data, from);
    if (key !== '') listed(tables.keyed, key, data, from);
  } else if (typeof data === 'string') walkText(tables, data, from, path, key);
  else if (Array.isArray(data)) {
    count(tables, data.length, from);
    rowsOf(tables, data as readonly Json[], from, path);
    for (const item of data as readonly Json[]) walk(tables, item, from, `${path}[]`, key);
  } else {
    const entries = Object.entries(data as { readonly [name: string]: Json });
    const figures = entries.flatMap(([, item]) => (typeof item === 'number' ? [item] : []));
    if (figures.length > 1 && figures.length <= mostTogether) {
      const together = `${from} ${path}{}${tables.stated.length}`;
      for (const figure of figures) listed(tables.lists, together, figure, from);
    }
    for (const [name, item] of entries) walk(tables, item, from, `${path}.${name}`, wordsOfName(name));
  }
}

const mostTogether = 24;
const mostKinds = 50;
const mostKeys = 12;

/** Rows of objects: how many there are of each kind, and what the figures of each kind come to. */
/** Results of one tool, as rows: how many of them are of each kind. */
export function countResults(tables: Tables, results: readonly Json[], from: string): void {
  const objects = results.filter(
    (row): row is { readonly [key: string]: Json } => row !== null && typeof row === 'object' && !Array.isArray(row),
  );
  if (objects.length < fewestResults) return;
  for (const key of Object.keys(objects[0] as object).slice(0, mostKeys)) {
    const values = objects.map((row) => row[key] ?? null);
    if (new Set(values).size * 2 <= objects.length) countKinds(tables, values, from);
  }
}
const fewestResults = 4;

function rowsOf(tables: Tables, rows: readonly Json[], from: string, path: string): void {
  const first = rows.find((row) => row !== null && typeof row === 'object' && !Array.isArray(row));
  if (rows.length < 2) return;
  if (first === undefined) return void countKinds(tables, rows, from);
  const objects = rows.filter(
    (row): row is { readonly [key: string]: Json } => row !== null && typeof row === 'object' && !Array.isArray(row),
  );
  const keys = Object.keys(first as object).slice(0, mostKeys);
  const figures = keys.filter((key) => objects.some((row) => typeof row[key] === 'number'));
  for (const key of keys.filter((key) => !figures.includes(key))) {
    const kinds = countKinds(
      tables,
      objects.map((row) => row[key] ?? null),
      from,
    );
    if (kinds === undefined || kinds.size === objects.length) continue;
    for (const row of objects) {
      for (const figure of figures) {
        const value = row[figure];
        if (typeof value === 'number')
          listed(tables.lists, `${from} ${path}/${key}=${String(row[key])}/${figure}`, value, from);
      }
    }
  }
}

/** Undefined when there are too many kinds to be kinds. */
function countKinds(tables: Tables, values: readonly Json[], from: string): Map<string, number> | undefined {
  const kinds = new Map<string, number>();
  for (const value of values) {
    if (value === null || typeof value === 'object') continue;
    kinds.set(String(value), (kinds.get(String(value)) ?? 0) + 1);
    if (kinds.size > mostKinds) return undefined;
  }
  count(tables, kinds.size, from);
  for (const times of kinds.values()) count(tables, times, from);
  return kinds;
}

function walkText(tables: Tables, text: string, from: string, path: string, key: string): void {
  const data = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  if (data !== undefined) {
    walk(tables, data, from, path, key);
    return;
  }
  addText(tables, text, from);
  if (key !== '' && text.length < 24 && text.trim() !== '' && Number.isFinite(Number(text))) {
    listed(tables.lists, path, Number(text), from);
    listed(tables.keyed, key, Number(text), from);
  }
  if (text.includes('\n')) lines(tables, text, from, path);
  else if (text.length < 400) sentence(tables, text, from, path);
}

/** The numbers of one short text: each with those at its place in other results, and all with each other. */
function sentence(tables: Tables, text: string, from: string, path: string): void {
  const values = valuesIn(text, 6);
  for (const [at, value] of values.entries()) {
    listed(tables.lists, `${path}#${at}`, value, from);
    if (values.length > 1) listed(tables.lists, `${from} ${path}{}${tables.stated.length}`, value, from);
  }
}

const mostLines = 20_000;

/** Lines of text as rows: split at what separates their fields, else by the place of each number in its line. */
function lines(tables: Tables, text: string, from: string, path: string): void {
  const all = text.split('\n', mostLines).filter((line) => line.trim() !== '');
  count(tables, all.length, from);
  const separator = [',', '\t', ';', '|'].find((one) => all.every((line) => line.includes(one)));
  if (separator === undefined) {
    for (const line of all)
      for (const [at, value] of valuesIn(line, 6).entries()) listed(tables.lists, `${from} ${path}#${at}`, value, from);
    return;
  }
  count(tables, all.length - 1, from);
  const fields = all.map((line) => line.split(separator).map((field) => field.trim().replace(/^"|"$/g, '')));
  const [header = []] = fields;
  const rows = fields
    .slice(1)
    .map((row) => Object.fromEntries(row.map((field, at) => [header[at] ?? String(at), numberOr(field)])));
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (typeof value === 'number') listed(tables.lists, `${from} ${path}|${name}`, value, from);
  rowsOf(tables, rows, from, path);
}

const numberOr = (field: string): string | number =>
  field !== '' && Number.isFinite(Number(field)) ? Number(field) : field;

/** One JSON value, or one in each line. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    try {
      return text.trim().includes('\n')
        ? text
            .trim()
            .split('\n', mostLines)
            .map((line) => JSON.parse(line) as Json)
        : undefined;
    } catch {
      return undefined;
    }
  }
}
