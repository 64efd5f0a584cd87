/**
 * `npm run fuzz -- [--count N] [--seed N] [--from DIR]`: N random replies through the pipeline (100,000 by default).
 * Mutations start from the own corpus and, with `--from`, from the texts of `toolcalls-*.jsonl` there.
 * Exit code 1 when something is wrong; each fault is printed with the seed that repeats it alone.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.js';
import { allTools, corpusFiles, rowsOf } from './load.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
  },
});
const texts = corpusFiles.flatMap(rowsOf).map((row) => row.text);
if (values.from !== undefined)
  for (const file of fs.readdirSync(values.from).filter((name) => /^toolcalls-.*\.jsonl$/.test(name)))
    for (const line of fs.readFileSync(path.join(values.from, file), 'utf8').split('\n'))
      if (line !== '') texts.push((JSON.parse(line) as { text?: string }).text ?? '');
const started = performance.now();
const heapBefore = process.memoryUsage().heapUsed;
const report = fuzz(Number(values.seed), Number(values.count), texts, allTools);
const seconds = (performance.now() - started) / 1000;
console.log(`${report.inputs} inputs from ${texts.length} texts in ${seconds.toFixed(0)} s, seed ${values.seed}`);
console.log(`  calls ready to run: ${report.calls}; slowest input ${report.slowestMs.toFixed(1)} ms`);
console.log(`  open calls of known replies that were ready: ${report.open.join(' of ')}`);
console.log(`  heap grew by ${((process.memoryUsage().heapUsed - heapBefore) / 1e6).toFixed(0)} MB`);
console.log(`  faults: ${report.faults.length}`);
for (const { fault, seed, text } of report.faults)
  console.log(`  seed ${seed}: ${fault}\n    ${JSON.stringify(text.length > 600 ? `${text.slice(0, 600)}…` : text)}`);
process.exitCode = report.faults.length > 0 ? 1 : 0;
