/** Numbers of the results with the names that tell them apart: of their field, their row, their call, their kind. */
import type { Json } from '../../src/domain/json.js';
import type { Grounds } from './grounds.js';
import { factorsInto } from './measure.js';
import { namesOf, plainName, textNames } from './name.js';
import { numeralsIn } from './numeral.js';
import { trustedChildren } from './trust.js';

export interface Fact {
  readonly value: number;
  /** The call or child. */
  readonly from: string;
  readonly names: readonly string[];
}

/** Figures of one kind, each under names of its own: a column over its rows or calls, the fields of one object, the kinds of a list. */
export interface Group {
  /** Words of the key that all of them stand under; empty where they differ in it. */
  readonly key: string;
  /** The fields of one object: they say what a number is, not whose. */
  readonly isFields: boolean;
  readonly facts: readonly Fact[];
}

/** Groups by their path; a column of more rows than this is told by its kinds only. */
const mostRows = 200;
const fewRows = 12;
const mostFacts = 4_000;
const mostKinds = 24;
const mostLabel = 40;

/** Where figures of one kind stand, over all rows and calls. */
interface Path {
  readonly key: string;
  readonly facts: Fact[];
  readonly below: Map<string, Path>;
}

interface Into {
  readonly groups: { key: string; facts: Fact[]; isFields?: true }[];
  /** Spellings that were looked up before. */
  readonly spelled: Map<string, readonly string[]>;
  room: number;
}

function below({ groups }: Into, path: Path, step: string): Path {
  const known = path.below.get(step);
  if (known !== undefined) return known;
  const made: Path = { key: step, facts: [], below: new Map() };
  path.below.set(step, made);
  groups.push(made);
  return made;
}

/** Figures whose key ends in a unit, by their value: `里程_km`, `duration_ms`; other keys give an empty one. */
export function unitsOf({ calls }: Grounds): ReadonlyMap<number, ReadonlySet<string>> {
  const units = new Map<number, Set<string>>();
  for (const { data, status } of calls) if (status === 'ok') noteUnits(data, '', units);
  return units;
}

function noteUnits(data: Json, unit: string, units: Map<number, Set<string>>): void {
  if (typeof data === 'number') {
    const known = units.get(data);
    if (known === undefined) units.set(data, new Set([unit]));
    else known.add(unit);
  } else if (Array.isArray(data)) {
    if (data.length <= fewRows) for (const item of data as readonly Json[]) noteUnits(item, unit, units);
  } else if (data !== null && typeof data === 'object')
    for (const [key, item] of Object.entries(data))
      noteUnits(item as Json, /[_ ]([a-zµ]{1,4})$/.exec(key)?.[1] ?? '', units);
}

export function groupsOf(grounds: Grounds): Group[] {
  const into: Into = { groups: [], spelled: new Map(), room: mostFacts };
  const root: Path = { key: '', facts: [], below: new Map() };
  for (const { args, callId, data, status, tool } of grounds.calls)
    if (status === 'ok') walk(into, data, { from: callId, path: below(into, root, tool), names: labels(into, args) });
  const ofChildren = below(into, root, '');
  for (const { callId, result, summary } of trustedChildren(grounds))
    for (const said of summary === result ? [result] : [result, summary])
      walk(into, said, { from: callId, path: ofChildren, names: [] });
  return into.groups
    .filter(({ facts }) => facts.length > 1)
    .map(({ facts, isFields = false, key }) => ({ facts, isFields, key: plainName(key) }));
}

interface Place {
  readonly from: string;
  readonly path: Path;
  /** Of what it stands in. */
  readonly names: readonly string[];
  /** One of so many rows that only its columns count. */
  readonly isColumn?: boolean;
}

function walk(into: Into, data: Json, place: Place): void {
  if (into.room <= 0 || data === null || typeof data === 'boolean') return;
  if (typeof data === 'number') number(into, data, place);
  else if (typeof data === 'string') text(into, data, place);
  else if (Array.isArray(data)) list(into, data as readonly Json[], place);
  else object(into, data as { readonly [name: string]: Json }, place);
}

function list(into: Into, rows: readonly Json[], place: Place): void {
  kinds(into, rows, place);
  if (rows.length > mostRows) return;
  const isColumn = place.isColumn === true || rows.length > fewRows;
  const path = below(into, place.path, '[]');
  for (const row of rows) walk(into, row, { ...place, path, isColumn });
}

function number(into: Into, value: number, { from, names, path }: Place): void {
  into.room -= 1;
  if (names.length > 0) path.facts.push({ value, from, names });
}

function object(into: Into, data: { readonly [name: string]: Json }, place: Place): void {
  const own = labels(into, data);
  const names = own.length === 0 ? place.names : [...place.names, ...own];
  const entries = Object.entries(data);
  if (place.isColumn !== true) fieldsOf(into, entries, place.from);
  // `{north: {units: 5}, south: {units: 7}}`: what differs is a name as well.
  const nested = entries.filter(([, item]) => isObject(item)).length > 1;
  for (const [key, item] of entries) {
    const isKind = nested && isObject(item);
    walk(into, item, {
      ...place,
      names: isKind ? [...names, ...namesOf(key)] : names,
      path: below(into, place.path, isKind ? '*' : key),
    });
  }
}

const isUnit = (name: string): boolean => factorsInto(name).length > 0;
const isObject = (item: Json): boolean => item !== null && typeof item === 'object' && !Array.isArray(item);

/** The figures of one object, by their keys. */
function fieldsOf({ groups }: Into, entries: readonly (readonly [string, Json])[], from: string): void {
  const facts = entries.flatMap(([key, item]) =>
    typeof item === 'number' ? [{ value: item, from, names: namesOf(key).filter((name) => !isUnit(name)) }] : [],
  );
  if (facts.length > 1) groups.push({ key: '', facts, isFields: true });
}

/** Short strings of an object: they say which one it is. */
function labels({ spelled }: Into, data: { readonly [name: string]: Json }): string[] {
  const found: string[] = [];
  for (const item of Object.values(data)) {
    if (typeof item !== 'string' || item === '' || item.length > mostLabel || item.includes('\n')) continue;
    let names = spelled.get(item);
    if (names === undefined) {
      names = namesOf(item);
      spelled.set(item, names);
    }
    found.push(...names);
  }
  return found;
}

/** How many rows there are of each kind, and what the figures of each kind come to. */
function kinds(into: Into, rows: readonly Json[], { from }: Place): void {
  const objects = rows.filter(
    (row): row is { readonly [key: string]: Json } => row !== null && typeof row === 'object' && !Array.isArray(row),
  );
  const [first] = objects;
  if (first === undefined || objects.length < 2) return;
  const keys = Object.keys(first).slice(0, 12);
  const figures = keys.filter((key) => typeof first[key] === 'number');
  for (const key of keys) {
    const byKind = new Map<string, { readonly [key: string]: Json }[]>();
    for (const row of objects) {
      const kind = row[key];
      if (typeof kind !== 'string' || kind === '' || kind.length > mostLabel) continue;
      const same = byKind.get(kind);
      if (same !== undefined) same.push(row);
      else if (byKind.size < mostKinds) byKind.set(kind, [row]);
    }
    if (byKind.size < 2 || byKind.size === objects.length) continue;
    const counts: Fact[] = [];
    const sums = figures.map((): Fact[] => []);
    for (const [kind, same] of byKind) {
      const names = namesOf(kind);
      counts.push({ value: same.length, from, names });
      for (const [at, figure] of figures.entries()) sums[at]?.push({ value: total(same, figure), from, names });
    }
    into.groups.push({ key: '', facts: counts }, ...sums.map((facts) => ({ key: '', facts })));
  }
}

const total = (rows: readonly { readonly [key: string]: Json }[], figure: string): number =>
  rows.reduce((sum, row) => sum + (typeof row[figure] === 'number' ? (row[figure] as number) : 0), 0);

const shortText = 200;

function text(into: Into, value: string, place: Place): void {
  const data = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
  if (data !== undefined) {
    walk(into, data, place);
    return;
  }
  if (place.isColumn === true || !/\d/.test(value)) return;
  const lines = value.split('\n', 2_000).filter((line) => line.trim() !== '');
  if (lines.length > mostRows) return;
  if (lines.length > 1 && fields(into, lines, place)) return;
  for (const line of lines) {
    if (line.length > shortText) continue;
    const [one, ...more] = numeralsIn(line, 3).filter(({ ordinal }) => !ordinal);
    if (one === undefined || more.length > 0) continue;
    into.room -= 1;
    // Lines that tell one thing of several tell it in one unit.
    below(into, place.path, `text ${one.unit}`).facts.push({
      value: one.value,
      from: place.from,
      names: [...place.names, ...textNames(line)],
    });
  }
}

/** Lines of fields with a header, as rows. */
function fields(into: Into, lines: readonly string[], place: Place): boolean {
  const separator = [',', '\t', ';', '|'].find((one) => lines.every((line) => line.includes(one)));
  if (separator === undefined) return false;
  const cells = lines.map((line) => line.split(separator).map((cell) => cell.trim().replace(/^"|"$/g, '')));
  const [header = []] = cells;
  if (header.some((name) => name !== '' && Number.isFinite(Number(name)))) return false;
  const rows = cells
    .slice(1)
    .map((row) =>
      Object.fromEntries(
        row.map((cell, at) => [
          header[at] ?? String(at),
          cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell,
        ]),
      ),
    );
  walk(into, rows, place);
  return true;
}

function parsed(value: string): Json | undefined {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}
