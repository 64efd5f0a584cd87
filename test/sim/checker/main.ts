/** `node checker/main.js FILE…`: checks histories (`-`: standard input). Prints every violation; exit code 1 when there is one. */
import { readFileSync } from 'node:fs';
import { check } from './check.js';
import { readHistory } from './read.js';

let broken = 0;
for (const file of process.argv.slice(2)) {
  const violations = check(readHistory(readFileSync(file === '-' ? 0 : file, 'utf8')));
  for (const { invariant, says } of violations) console.log(`${file}: ${invariant}: ${says}`);
  broken += violations.length;
}
process.exitCode = broken === 0 ? 0 : 1;
