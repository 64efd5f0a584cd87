/**
 * `npm run fuzz -- [--count N] [--seed N] [--from DIR]`: N random replies through the pipeline (100,000 by default).
 * Mutations start from the own corpus and, with `--from`, from the texts of `toolcalls-*.jsonl` there.
 * Exit code 1 when something is wrong; each fault is printed with the seed that repeats it alone.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import type { FuzzReport } from './fuzz.js';
import type { FuzzOrder } from './fuzz-worker.js';
import { corpusFiles, rowsOf } from './load.js';
import { isCallFile, linesOf, type Row } from './public-rows.js';
import { shareOut } from './share.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
  },
});
const texts = corpusFiles.flatMap(rowsOf).map((row) => row.text);
if (values.from !== undefined)
  for (const file of fs.readdirSync(values.from).filter(isCallFile))
    for (const { text } of linesOf<Row>(values.from, file)) texts.push(text ?? '');
const started = performance.now();
const order: FuzzOrder = { seed: Number(values.seed), count: Number(values.count), texts };
const reports = await shareOut<FuzzReport>(new URL('./fuzz-worker.js', import.meta.url), order);
const seconds = (performance.now() - started) / 1000;
const sum = (of: (report: FuzzReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
const faults = reports.flatMap((report) => report.faults);
console.log(
  `${sum((r) => r.inputs)} inputs from ${texts.length} texts in ${seconds.toFixed(0)} s, seed ${values.seed}`,
);
console.log(
  `  calls ready to run: ${sum((r) => r.calls)}; slowest input ${Math.max(...reports.map((r) => r.slowestMs)).toFixed(1)} ms`,
);
console.log(`  open calls of known replies that were ready: ${sum((r) => r.open[0])} of ${sum((r) => r.open[1])}`);
console.log(`  faults: ${faults.length}`);
for (const { fault, seed, text } of faults)
  console.log(`  seed ${seed}: ${fault}\n    ${JSON.stringify(text.length > 600 ? `${text.slice(0, 600)}…` : text)}`);
process.exitCode = faults.length > 0 ? 1 : 0;
