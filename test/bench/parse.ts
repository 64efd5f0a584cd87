/**
 * `npm run bench:parse -- [hostile] [throughput] [scaling] [native] [stream]`: what reading a reply costs. Without names, all.
 * Times are processor time of the whole process, so a busy machine disturbs them little. Exit code 1 when a bar is missed.
 */

import { hostileTable, scalingTable } from './parse-hostile.js';
import { nativeTable } from './parse-native.js';
import { streamTable } from './parse-stream.js';
import { throughputTable } from './parse-throughput.js';

const parts: Readonly<Record<string, () => boolean>> = {
  throughput: throughputTable,
  native: nativeTable,
  stream: streamTable,
  hostile: hostileTable,
  scaling: scalingTable,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`Expected names out of ${Object.keys(parts).join(', ')}; met ${unknown.join(', ')}`);
  process.exit(2);
}
for (const [name, table] of Object.entries(parts))
  if ((wanted.length === 0 || wanted.includes(name)) && !table()) process.exitCode = 1;
