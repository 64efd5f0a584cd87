/**
 * Scores the pipeline on the public corpora, which stay outside the repository:
 * `npm run corpus -- --from DIR [--cuts N|full] [--every K]`. DIR holds `toolcalls-*.jsonl` and `jsonrepair-*.jsonl`.
 * `--cuts N` also cuts every row N times at random and compares (2 without it); `full` cuts 200 times at random, and
 * every row below 2,000 characters in two at every place: some two million readings, on every processor. `--every K`
 * takes each K-th row.
 */
import fs from 'node:fs';
import { readJsonText } from '../../src/parse/json.js';
import { type ParseTool, parseReply, type Reply } from '../../src/parse/reply.js';
import { baselineCalls, baselines, parsers, tried } from './baseline.js';
import type { CutAnswer, CutOrder } from './cuts-worker.js';
import { unfounded } from './provenance.js';
import { type Call, isCallFile, linesOf, type Row } from './public-rows.js';
import { shareOut } from './share.js';

interface JsonRow {
  readonly input: string;
  readonly expected: unknown;
}

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const from = option('from') ?? '';
if (!fs.existsSync(from)) {
  console.error(
    'Expected --from DIR, a directory with toolcalls-*.jsonl and jsonrepair-*.jsonl; met',
    from === '' ? 'nothing' : from,
  );
  process.exit(2);
}
const full = option('cuts') === 'full';
const cuts = full ? 200 : Number(option('cuts') ?? 2);
const every = Number(option('every') ?? 1);
type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Equal by value; numbers up to rounding. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

const sameCall = (a: Call, b: Call): boolean => a.name === b.name && same(a.arguments, b.arguments);

/** As multisets. */
function sameCalls(got: readonly Call[], wanted: readonly Call[]): boolean {
  const rest = [...got];
  for (const call of wanted) {
    const at = rest.findIndex((other) => sameCall(other, call));
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return rest.length === 0;
}

const tables = new Map<string, Map<string, readonly [number, number]>>();
const add = (table: string, key: string, [right, tried]: readonly [number, number]): void => {
  if (tried === 0) return;
  const rows = tables.get(table) ?? new Map<string, readonly [number, number]>();
  tables.set(table, rows);
  const [good, all] = rows.get(key) ?? [0, 0];
  rows.set(key, [good + right, all + tried]);
};
const count = (table: string, key: string, right: boolean): void => add(table, key, [right ? 1 : 0, 1]);

function scoreRow(row: Row): number {
  const tools = row.tools.map((tool) => tool.function);
  const given = row.text === undefined ? {} : { text: row.text };
  const input = { ...given, ...(row.message ? { message: row.message } : {}), finishReason: row.finish_reason, tools };
  const before = process.cpuUsage();
  const reply = parseReply(input);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  const { outcome, calls, content, reasoning } = row.expected;
  const right = outcome === 'calls' ? sameCalls(reply.calls, calls) : reply.calls.length === 0;
  const wrong = reply.calls.some((call) => !calls.some((other) => sameCall(call, other)));
  count('outcome', outcome, right);
  count('no wrong execution', 'rows', !wrong);
  count('format', row.format, right);
  count('language', row.lang, right);
  for (const fault of row.corruptions) count('fault', fault, right);
  if (row.corruptions.length === 0) count('fault', '(none)', right);
  if (reasoning) count('text', 'reasoning exact', reply.reasoning.trim() === reasoning);
  if (content) {
    count(
      'text',
      'prose kept',
      content.includes.every((part) => reply.content.includes(part)),
    );
    count('text', 'no markup shown', !content.excludes.some((part) => reply.content.includes(part)));
  }
  if (row.text !== undefined) scoreText(row, row.text, tools, reply);
  return ms;
}

/** What only a text can be scored by: where its calls stand, and what simpler programs make of it. */
function scoreText(row: Row, text: string, tools: readonly ParseTool[], whole: Reply): void {
  if (whole.calls.length > 0)
    count('calls', 'stand in the reply, outside reasoning', unfounded(text, whole).length === 0);
  const names = new Set(tools.map((tool) => tool.name));
  for (const name of baselines) {
    const calls = baselineCalls(name, text).filter((call) => names.has(call.name));
    count('baselines, text rows', `${name}: exact`, sameCalls(calls, row.expected.calls));
    const meant = calls.every((call) => row.expected.calls.some((other) => sameCall(call, other)));
    count('baselines, text rows', `${name}: no wrong execution`, meant);
  }
}

for (const file of fs.readdirSync(from).sort()) {
  if (isCallFile(file)) {
    const times = linesOf<Row>(from, file)
      .filter((_, i) => i % every === 0)
      .map(scoreRow);
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    console.log(
      `${file}: ${times.length} rows, processor time: mean ${mean.toFixed(3)} ms, ` +
        `longest ${Math.max(...times.slice(1)).toFixed(1)} ms; the first, which compiles the expressions, ${times[0]?.toFixed(1)} ms`,
    );
  } else if (/^jsonrepair-.*\.jsonl$/.test(file)) {
    for (const row of linesOf<JsonRow>(from, file)) {
      const read = readJsonText(row.input);
      count('json', file, read.ok && same(read.value, row.expected));
      for (const [name, parse] of Object.entries(parsers))
        count('json', `baseline ${name}`, same(tried(parse, row.input), row.expected));
      const valid = JSON.stringify(row.expected);
      const again = readJsonText(valid);
      count(
        'json',
        'valid JSON unchanged',
        again.ok && again.edits.length === 0 && JSON.stringify(again.value) === valid,
      );
    }
  }
}
if (cuts > 0) {
  const order: CutOrder = { from, cuts, full, every };
  for (const { counts, different } of await shareOut<CutAnswer>(new URL('./cuts-worker.js', import.meta.url), order)) {
    for (const [what, right, all] of counts) add('cuts, own corpus too', what, [right, all]);
    for (const id of different) console.log(`differs when cut: ${id}`);
  }
}
for (const [table, rows] of tables) {
  console.log(`\n${table}`);
  const sorted = [...rows].sort((a, b) => a[1][0] / a[1][1] - b[1][0] / b[1][1]);
  for (const [key, [good, all]] of sorted)
    console.log(`  ${key.padEnd(32)} ${((100 * good) / all).toFixed(1).padStart(5)} %  ${good}/${all}`);
}
